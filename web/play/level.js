// @ts-check
/** How strong the engine plays: chosen in a game or before it, and kept for the next one. */

import { field, select } from "../dom.js";
import { likes } from "../likes.js";
import { number, w } from "../words.js";

/** @param {number} level @param {(level: number) => void} [onchange] */
export function levelField(level, onchange) {
  const words = w().play;
  const levels = words.levels.map((name, index) => /** @type {[string, string]} */ ([String(index + 1), `${number(index + 1)} · ${name}`]));
  return field(words.strength, select(levels, String(level), (value) => {
    likes.set("level", value);
    onchange?.(Number(value));
  }, { name: "level" }));
}
