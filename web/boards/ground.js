// @ts-check
/** What many boards have under their pieces: slabs of wood, felt or paper, lines, points, coordinates. */

import { s } from "../dom.js";
import { placeOf } from "./layout.js";
import { grain } from "./materials.js";

/** @typedef {import("./layout.js").Layout} Layout */

/** The radius of a board's corners as a share of its width; `board.css` uses the same for its shadow. */
const ROUND = 0.012;

/** The board itself, with its material and lighting. @param {Layout} board */
export function slab({ width, height }) {
  const rx = ROUND * width;
  return s("g", {},
    s("rect", { class: "slab", width, height, rx }),
    ...grain(width, height),
    s("rect", { class: "sheen", width, height, rx }),
    s("rect", { class: "bevel", x: 2, y: 2, width: width - 4, height: height - 4, rx: rx - 2 }));
}

/**
 * A surface inset into the board.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} material
 */
export const field = (x, y, width, height, material) => s("rect", { class: `field ${material}`, x, y, width, height, rx: 3 });

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {string} [kind] */
export const line = (x1, y1, x2, y2, kind = "rule") => s("line", { class: kind, x1, y1, x2, y2 });

/** A star point. @param {number} cx @param {number} cy @param {number} r @param {string} [kind] */
export const dot = (cx, cy, r, kind = "star") => s("circle", { class: kind, cx, cy, r });

/**
 * Letters above and below the columns and numbers on both sides of the rows, read off the targets' names.
 * @param {Layout} board
 * @param {number} inset from the board's edge
 */
export function coordinates(board, inset) {
  const texts = [];
  for (const { name, x, y, row, column } of board.targets) {
    const { letter, number } = placeOf(name);
    if (row === 0) texts.push(label(board, x, inset, letter), label(board, x, board.height - inset, letter));
    if (column === 0) texts.push(label(board, inset, y, number), label(board, board.width - inset, y, number));
  }
  return texts;
}

/**
 * A letter or number beside the board. It is not read out, since cells have their own names. It is larger on large boards, so
 * that it can be read on small screens, and smaller on tiny ones; two digits fit between the board's edge and its stones.
 * @param {Layout} board
 * @param {number} x
 * @param {number} y
 * @param {string} text
 */
export function label(board, x, y, text) {
  const room = text.length > 1 ? 0.86 : 1;
  const size = Math.round(room * Math.min(38, Math.max(Math.min(25, board.width / 19), Math.max(board.width, board.height) / 46)));
  return s("text", { class: "coordinate", x, y, "aria-hidden": "true", "font-size": size }, text);
}
