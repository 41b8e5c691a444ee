// @ts-check
/** Boards with freely placed cells: the houses of Kalah, the places of a map. */

import { s } from "../dom.js";
import { FRAME, layout } from "./layout.js";

/** @typedef {import("./layout.js").Target} Target */

/** The most cells. */
const MOST = 400;
/** The largest coordinate of a cell, in widths of a cell. */
const FARTHEST = 40;
/** Cells less than half a width apart in height are one row for keyboards and screen readers. */
const SAME_ROW = 50;

/** @param {number[][]} at the centres of cells, in widths of a cell */
export function free(at) {
  const bounded = (/** @type {number} */ value) => 100 * Math.min(FARTHEST, Math.max(-FARTHEST, Number(value) || 0));
  const centres = at.slice(0, MOST).map(([x, y], index) => ({ index, x: bounded(x), y: bounded(y) }));
  const [left, top] = [Math.min(...centres.map(({ x }) => x)), Math.min(...centres.map(({ y }) => y))];
  const [right, bottom] = [Math.max(...centres.map(({ x }) => x)), Math.max(...centres.map(({ y }) => y))];
  const moved = centres.map(({ index, x, y }) => ({ index, x: x - left + FRAME + 50, y: y - top + FRAME + 50 }));
  const targets = rows(moved).flatMap((row, number) => row.map(({ index, x, y }, column) =>
    /** @type {Target} */ ({ name: "", x, y, row: number, column, at: [number, column], index, shape: "point" })));
  const longest = Math.max(...targets.map(({ column }) => column + 1));
  return layout({ columns: longest, rows: targets.at(-1)?.row ?? 0, width: right - left + 100 + 2 * FRAME, height: bottom - top + 100 + 2 * FRAME, targets });
}

/** Cells by rows from the top, each from the left. @template {{ x: number, y: number }} T @param {T[]} cells */
function rows(cells) {
  /** @type {T[][]} */
  const found = [];
  for (const cell of [...cells].sort((a, b) => a.y - b.y)) {
    const row = found.at(-1);
    if (row && cell.y - row[0].y <= SAME_ROW) row.push(cell);
    else found.push([cell]);
  }
  return found.map((row) => row.sort((a, b) => a.x - b.x));
}

/** The cells. @param {import("./layout.js").Layout} board */
export const pits = (board) => board.targets.map(({ x, y }) => s("circle", { class: "pit", cx: x, cy: y, r: 46 }));
