// @ts-check
/** The engine's strength: chosen in a game or before it, and kept for the next one. */

import { field, select } from "../dom.js";
import { preferences } from "../preferences.js";
import { number, w } from "../words.js";

/**
 * @param {Pick<import("../link.js").Settings, "auto" | "level">} settings
 * @param {(value: string) => void} [onchange] called with a level, or `auto`
 */
export function levelField({ auto, level }, onchange) {
  const words = w().play;
  const levels = words.levels.map((name, index) => /** @type {[string, string]} */ ([String(index + 1), `${number(index + 1)} · ${name}`]));
  return field(words.strength, select([["auto", words.mine], ...levels], auto ? "auto" : String(level), (value) => {
    preferences.set("level", value);
    onchange?.(value);
  }, { name: "level" }));
}
