// @ts-check
/** Whose turn it is, or how the game ended, in a sentence. */

import { gameWord, moduleOf, sideName } from "./games.js";
import { other } from "./sides.js";
import { number, w } from "./words.js";

/**
 * @typedef {import("./types.js").Side} Side
 *
 * `winner` is the winner of a finished game; `result` appends the reason to "You win" and the like.
 * @typedef {{ text: string, kind: "over" | "thinking" | "turn", winner?: { side: Side, name: string } | null, result?: (won: string) => string }} Status
 */

/**
 * @param {import("./record.js").Record} record
 * @param {import("./link.js").Settings} settings
 * @param {boolean} thinking whether the engine is looking for its move
 * @returns {Status}
 */
export function statusLine(record, settings, thinking) {
  const words = w().status;
  const { position, game } = record;
  const side = sideName(game, position.to_move);
  if (position.outcome) return outcomeStatus(game, position.outcome);
  if (record.loser && record.atEnd && record.branch === null) return lossStatus(game, record.loser, record.resigned !== null);
  const module = moduleOf(game);
  const notes = module.notes?.(position) ?? [];
  const own = settings.panel === "play" && settings.human === position.to_move;
  const turn = thinking ? words.thinking(side) : own ? words.yourMove(side) : words.toMove(side);
  const branch = record.branch === null ? "" : w().branches.one;
  return { text: [branch, turn, ...notes].filter(Boolean).join(" · "), kind: thinking ? "thinking" : "turn" };
}

/** @param {import("./types.js").Game} game @param {Side} loser @param {boolean} resigned @returns {Status} */
function lossStatus(game, loser, resigned) {
  const words = w().status;
  const side = other(loser);
  const name = sideName(game, side);
  const why = resigned ? words.resigned(sideName(game, loser)) : words.timeout(sideName(game, loser));
  return { text: `${why}. ${words.wins(name)}.`, kind: "over", winner: { side, name }, result: (won) => words.because(won, why) };
}

/** How a game ended. @param {import("./types.js").Game} game @param {import("./types.js").Outcome} outcome @returns {Status} */
export function outcomeStatus(game, { winner, reason, margin }) {
  const words = w().status;
  const why = gameWord(game, "reasons", reason);
  if (!winner) return { text: words.because(words.draw, why), kind: "over", winner: null, result: (draw) => words.because(draw, why) };
  const name = sideName(game, winner);
  const by = margin === null ? "" : words.by(number(Math.abs(margin)), gameWord(game, "units", game.unit ?? ""));
  const result = (/** @type {string} */ won) => (by ? `${won} ${by}` : words.because(won, why));
  return { text: result(words.wins(name)), kind: "over", winner: { side: winner, name }, result };
}
