// @ts-check
/** Pieces that several games share, and how they stand on a board. */

import { s } from "../dom.js";
import { letterAt } from "./layout.js";

/** @typedef {import("../types.js").Side} Side */

/** The owner of `x` or `o`, in either case. @param {string} letter @returns {Side | null} */
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
  piece(game, side, shadow(x, y, r), s("circle", { class: "stone", cx: x, cy: y, r }), s("circle", { class: "gloss", cx: x, cy: y, r }));

/** The shadow of something round. @param {number} x @param {number} y @param {number} r */
export const shadow = (x, y, r) => s("circle", { class: "shadow", cx: x + 3, cy: y + 6, r: r + 4 });

/**
 * A piece for each owned cell, marked with the name of its target.
 * @param {import("../games.js").GameModule} module
 * @param {Pick<import("../games.js").BoardContents, "board" | "position" | "glyphs">} contents
 */
export function piecesOnBoard(module, { board, position, glyphs }) {
  return board.targets.flatMap((target) => {
    const letter = letterAt(position.cells, target);
    const side = module.owner(letter);
    return side ? [markTarget(module.piece(side, target, letter, glyphs), target.name)] : [];
  });
}

/** The CSS class of games that describe their board: a game's name could be that of another class. */
export const DESCRIBED_CLASS = "own-game";

/** @template {SVGElement} T @param {T} element @param {string} name the target at which it stands */
export function markTarget(element, name) {
  element.dataset.at = name;
  return element;
}
