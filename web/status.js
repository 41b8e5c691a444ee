// @ts-check
/** Whose turn it is, or how the game ended, in a sentence. */

import { named, number, sideName, w } from "./words.js";

/**
 * @param {import("./record.js").Record} record
 * @param {import("./link.js").Settings} settings
 * @param {boolean} thinking whether the engine is looking for its move
 * @returns {{ text: string, kind: "over" | "thinking" | "turn" }}
 */
export function statusLine(record, settings, thinking) {
  const words = w().status;
  const { position, game } = record;
  const side = sideName(game.name, position.to_move);
  if (position.outcome) return { text: ended(game.name, position.outcome), kind: "over" };
  if (record.resigned && record.atEnd) {
    const winner = record.resigned === "first" ? "second" : "first";
    return { text: `${words.resigned(sideName(game.name, record.resigned))}. ${words.wins(sideName(game.name, winner))}.`, kind: "over" };
  }
  const notes = [];
  if (position.in_check) notes.push(words.check);
  if (position.opening) notes.push(named(words.opening, position.opening.phase));
  const points = position.discs ?? position.boxes;
  if (points) notes.push(`${sideName(game.name, "first")} ${number(points.first)} : ${number(points.second)} ${sideName(game.name, "second")}`);
  const own = settings.panel === "play" && settings.human === position.to_move;
  const turn = thinking ? words.thinking(side) : own ? words.yourMove(side) : words.toMove(side);
  return { text: [turn, ...notes.filter(Boolean)].join(" · "), kind: thinking ? "thinking" : "turn" };
}

/** @param {string} game @param {import("./types.js").Outcome} outcome */
function ended(game, { winner, reason, margin }) {
  const words = w().status;
  const why = named(w().reasons, reason);
  if (!winner) return `${words.draw}: ${why}`;
  const unit = game === "reversi" ? "discs" : "boxes";
  const by = margin === null ? "" : ` ${words.by(number(Math.abs(margin)), named(w().units, unit))}`;
  return `${words.wins(sideName(game, winner))}${by}: ${why}`;
}
