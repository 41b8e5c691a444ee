// @ts-check
/** What lies under the pieces on many boards: slabs of wood, felt or paper, lines, points, coordinates. */

import { s } from "../dom.js";

/** @typedef {import("./layout.js").Layout} Layout */

/** The board itself. @param {Layout} board @param {string} material */
export function slab({ width, height }, material) {
  return s("rect", { class: `slab ${material}`, width, height, rx: 14 });
}

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {string} [kind] */
export const line = (x1, y1, x2, y2, kind = "rule") => s("line", { class: kind, x1, y1, x2, y2 });

/** A star point. @param {number} cx @param {number} cy @param {number} r @param {string} material */
export const dot = (cx, cy, r, material) => s("circle", { class: `star ${material}`, cx, cy, r });

/**
 * Letters under the columns and numbers beside the rows, read off the targets' names.
 * @param {Layout} board
 * @param {number} inset from the board's edge
 */
export function coordinates(board, inset) {
  const texts = [];
  for (const { name, x, y, row, column } of board.targets) {
    const [, letter, number] = /^([a-z])(\d+)$/.exec(name) ?? ["", "", ""];
    if (row === board.rows - 1) texts.push(label(board, x, board.height - inset, letter));
    if (column === 0) texts.push(label(board, inset, y, number));
  }
  return texts;
}

/**
 * A letter or number beside the board. The cells have names of their own, so it is not read out; on large boards it is larger, so
 * that it can be read on small screens.
 * @param {Layout} board
 * @param {number} x
 * @param {number} y
 * @param {string} text
 */
export function label(board, x, y, text) {
  const size = Math.max(25, Math.round(board.width / 48));
  return s("text", { class: "coordinate", x, y, "aria-hidden": "true", "font-size": size }, text);
}
