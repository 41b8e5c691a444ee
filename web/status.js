// @ts-check
/** Whose turn it is, or how the game ended, in a sentence. */

import { gameWord, moduleOf, sideName } from "./games.js";
import { number, w } from "./words.js";

/**
 * @param {import("./record.js").Record} record
 * @param {import("./link.js").Settings} settings
 * @param {boolean} thinking whether the engine is looking for its move
 * @returns {{ text: string, kind: "over" | "thinking" | "turn" }}
 */
export function statusLine(record, settings, thinking) {
  const words = w().status;
  const { position, game } = record;
  const side = sideName(game, position.to_move);
  if (position.outcome) return { text: ended(game, position.outcome), kind: "over" };
  if (record.resigned && record.atEnd) {
    const winner = record.resigned === "first" ? "second" : "first";
    return { text: `${words.resigned(sideName(game, record.resigned))}. ${words.wins(sideName(game, winner))}.`, kind: "over" };
  }
  const module = moduleOf(game);
  const notes = module.notes?.(position) ?? [];
  const points = module.points?.(position);
  if (points) notes.push(`${sideName(game, "first")} ${number(points.first)} : ${number(points.second)} ${sideName(game, "second")}`);
  const own = settings.panel === "play" && settings.human === position.to_move;
  const turn = thinking ? words.thinking(side) : own ? words.yourMove(side) : words.toMove(side);
  return { text: [turn, ...notes.filter(Boolean)].join(" · "), kind: thinking ? "thinking" : "turn" };
}

/** @param {import("./types.js").Game} game @param {import("./types.js").Outcome} outcome */
function ended(game, { winner, reason, margin }) {
  const words = w().status;
  const why = gameWord(game, "reasons", reason);
  if (!winner) return `${words.draw}: ${why}`;
  const by = margin === null ? "" : ` ${words.by(number(Math.abs(margin)), gameWord(game, "units", game.unit ?? ""))}`;
  return `${words.wins(sideName(game, winner))}${by}: ${why}`;
}
