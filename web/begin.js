// @ts-check
/** Starts or resumes a game: a new game, a rematch, a stored game. */

import { confirm } from "./dialogs.js";
import { parseControl } from "./play/clock.js";
import { other } from "./sides.js";
import { w } from "./words.js";

/** @typedef {import("./app.js").App} App */

/** Starts a new game, after confirmation if one is in progress. @param {App} app */
export async function newGame(app) {
  const { game, variant, moves, ended } = app.record;
  const words = w().play.leave;
  if (moves.length > 0 && !ended && app.settings.panel === "play" && !(await confirm(words.heading, words.text, w().play.newGame))) return;
  await app.attempt(() => app.record.load({ game, variant }));
}

/** Starts the same game again, with colours swapped. @param {App} app */
export function rematch(app) {
  const { record, settings } = app;
  const { game, variant, start } = record;
  return app.attempt(async () => {
    const { human } = settings;
    if (human === "first" || human === "second") settings.human = other(human);
    try {
      await record.load({ game, variant, start });
    } catch (error) {
      settings.human = human;
      throw error;
    }
    app.board.focus();
  });
}

/** Resumes a stored game. @param {App} app @param {import("./stored-games.js").StoredGame} stored */
export async function openStored(app, stored) {
  const game = app.games.find(({ name }) => name === stored.game);
  if (!game) return;
  const { variant, start, moves, resigned, timeout, branches, human, level, auto, time } = stored;
  await app.attempt(async () => {
    app.enter("play");
    const before = { ...app.settings };
    Object.assign(app.settings, { human, level, auto, time, clock: parseControl(stored.clock) });
    try {
      await app.record.load({ game, variant, start, moves, resigned, timeout, branches, historyState: { id: stored.id, times: stored.times } });
    } catch (error) {
      Object.assign(app.settings, before);
      throw error;
    }
  });
}
