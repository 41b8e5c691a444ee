// @ts-check
/** The games stored in this browser: what was played, against whom, how it ended, and when; each can be opened, or deleted. */

import { openStored } from "../begin.js";
import { dialog } from "../dialogs.js";
import { button, fill, h } from "../dom.js";
import { prepare, sideName } from "../games.js";
import { storedGames, MAX_GAMES, deleteGame, watchGames } from "../stored-games.js";
import { icon } from "../icons.js";
import { playerName } from "../play/strips.js";
import { gameName, lang, number, w } from "../words.js";

/** @typedef {import("../stored-games.js").StoredGame} StoredGame */

/** @param {import("../app.js").App} app */
export async function showGames(app) {
  await Promise.all(app.games.filter(({ name }) => storedGames().some(({ game }) => game === name)).map(prepare));
  const words = w().storedGames;
  const list = h("ul", { class: "stored-games" });
  const element = dialog(words.heading, h("p", { class: "empty" }, words.about(number(MAX_GAMES))), list,
    button(w().menu.close, () => element.close(), { class: "primary" }));
  element.classList.add("wide");
  const draw = () => {
    const games = storedGames().filter(({ game }) => app.games.some(({ name }) => name === game));
    fill(list, games.length > 0 ? games.map((stored) => row(stored)) : h("li", { class: "empty" }, words.none));
  };
  const row = (/** @type {StoredGame} */ stored) => {
    const { game, players, state } = summary(app, stored);
    const open = () => {
      element.close();
      void openStored(app, stored);
    };
    const when = new Intl.DateTimeFormat(lang() === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium", timeStyle: "short" }).format(stored.changed);
    const current = stored.id === app.session.id;
    return h("li", { "data-id": stored.id },
      button(h("span", { class: "stored-game" }, h("b", {}, game), h("span", {}, players),
        h("small", {}, [state, words.moves(number(stored.moves.length)), when].join(" · "))), open, { class: "open", "aria-current": current && "true" }),
      button(icon("close"), () => {
        const index = [...list.children].findIndex((one) => /** @type {HTMLElement} */ (one).dataset.id === stored.id);
        deleteGame(stored.id);
        draw();
        const next = list.children[Math.min(index, list.children.length - 1)]?.querySelector("button");
        (next ?? element.querySelector("button"))?.focus();
      }, { class: "icon", name: "delete", "aria-label": words.remove(`${game}, ${players}`), title: words.remove(game) }));
  };
  draw();
  element.addEventListener("close", watchGames(draw));
}

/** @param {import("../app.js").App} app @param {StoredGame} stored */
function summary(app, stored) {
  const words = w().storedGames;
  const game = /** @type {import("../types.js").Game} */ (app.games.find(({ name }) => name === stored.game));
  const settings = /** @type {any} */ ({ human: stored.human, level: stored.level });
  const name = (/** @type {import("../types.js").Side} */ side) => {
    const who = playerName(settings, side);
    return who ? `${who} (${sideName(game, side)})` : sideName(game, side);
  };
  const winner = stored.result?.winner;
  const state = !stored.result ? words.open : winner ? w().status.wins(sideName(game, winner)) : w().status.draw;
  return { game: gameName(game), players: `${name("first")} – ${name("second")}`, state };
}
