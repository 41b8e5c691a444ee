// @ts-check
/** Boards whose moves are the edges between dots. */

import { s } from "../dom.js";
import { layout, MARGIN } from "./layout.js";

/** The length of an edge. */
export const EDGE = 150;

/** @param {number} columns of boxes @param {number} rows of boxes */
export function edges(columns, rows) {
  const size = EDGE;
  /** @type {import("./layout.js").Target[]} */
  const targets = [];
  for (let row = 0; row <= rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const [x, y] = [MARGIN + column * size + size / 2, MARGIN + row * size];
      targets.push({ name: `h${row},${column}`, x, y, row: 2 * row, column, at: [2 * row, 4 * column + 2], shape: "edge" });
    }
    if (row === rows) break;
    for (let column = 0; column <= columns; column += 1) {
      const [x, y] = [MARGIN + column * size, MARGIN + row * size + size / 2];
      const at = /** @type {[number, number]} */ ([2 * row + 1, 4 * column]);
      targets.push({ name: `v${row},${column}`, x, y, row: 2 * row + 1, column, at, shape: "edge", upright: true });
    }
  }
  return layout({ columns, rows, width: columns * size + 2 * MARGIN, height: rows * size + 2 * MARGIN, targets });
}

/** A drawn edge. @param {import("./layout.js").Target} target @param {string} kind */
export function edge({ x, y, upright }, kind) {
  const [dx, dy] = upright ? [0, EDGE / 2] : [EDGE / 2, 0];
  return s("line", { class: `edge ${kind}`, x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy });
}

/** The dots. @param {import("./layout.js").Layout} board */
export function dots({ columns, rows }) {
  const parts = [];
  for (let row = 0; row <= rows; row += 1) {
    for (let column = 0; column <= columns; column += 1) {
      parts.push(s("circle", { class: "dot", cx: MARGIN + column * EDGE, cy: MARGIN + row * EDGE, r: 11 }));
    }
  }
  return parts;
}
