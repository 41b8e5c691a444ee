// @ts-check
/** Pieces that several games share, and how they stand on a board. */

import { s } from "../dom.js";
import { letterAt } from "./layout.js";

/** @typedef {import("../types.js").Side} Side */

/** Whose piece `x` or `o` is, in either case. @param {string} letter @returns {Side | null} */
export const stoneOwner = (letter) => (/x/i.test(letter) ? "first" : /o/i.test(letter) ? "second" : null);

/** The parts of a piece together. @param {string} game @param {Side} side @param {...SVGElement} parts */
export const piece = (game, side, ...parts) => s("g", { class: `piece ${game} ${side}` }, ...parts);

/**
 * A round stone or disc with its shadow.
 * @param {string} game
 * @param {Side} side
 * @param {{ x: number, y: number }} place
 * @param {number} r
 */
export const stone = (game, side, { x, y }, r) =>
  piece(game, side, s("circle", { class: "shadow", cx: x + 3, cy: y + 5, r: 44 }), s("circle", { class: "stone", cx: x, cy: y, r }));

/** A piece for each owned cell. @param {import("../games.js").GameModule} module @param {import("../games.js").Table} table */
export function standing(module, { board, position, last, glyphs }) {
  return board.targets.flatMap((target) => {
    const letter = letterAt(position.cells, target);
    const side = module.owner(letter);
    if (!side) return [];
    const one = module.piece(side, target, letter, glyphs);
    if (target === last) one.classList.add("fresh");
    return [one];
  });
}
