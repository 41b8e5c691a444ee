// @ts-check
/** Boards whose pieces stand in square cells. */

import { field, line, slab } from "./ground.js";
import { FRAME, layout, LETTERS } from "./layout.js";

/** @typedef {import("./layout.js").Layout} Layout */

/** @param {number} columns @param {number} rows @param {boolean} [fromTop] whether row 1 is the top one */
export function squares(columns, rows, fromTop = false) {
  /** @type {import("./layout.js").Target[]} */
  const targets = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const name = `${LETTERS[column]}${fromTop ? row + 1 : rows - row}`;
      const [x, y] = [FRAME + column * 100 + 50, FRAME + row * 100 + 50];
      targets.push({ name, x, y, row, column, at: [row, column], shape: "square" });
    }
  }
  return layout({ columns, rows, width: columns * 100 + 2 * FRAME, height: rows * 100 + 2 * FRAME, targets });
}

/** A field with lines between its cells, in a frame. @param {Layout} board @param {string} material */
export function grid(board, material) {
  const { columns, rows } = board;
  const kind = `rule ${material}`;
  const parts = [
    slab(board),
    field(FRAME, FRAME, columns * 100, rows * 100, material),
  ];
  /** @type {SVGElement[]} */
  const lines = [];
  for (let column = 0; column <= columns; column += 1) {
    lines.push(line(FRAME + column * 100, FRAME, FRAME + column * 100, FRAME + rows * 100, kind));
  }
  for (let row = 0; row <= rows; row += 1) {
    lines.push(line(FRAME, FRAME + row * 100, FRAME + columns * 100, FRAME + row * 100, kind));
  }
  return [...parts, ...lines];
}

/**
 * The stones of a winning line, found around the last one.
 * @param {import("../games.js").BoardContents} contents
 * @param {number} length how many in a row win
 */
export function winningLine({ board, position, last }, length) {
  if (position.outcome?.reason !== "line" || !last) return [];
  const at = (/** @type {number} */ row, /** @type {number} */ column) => position.cells[row]?.[column];
  const own = at(last.row, last.column);
  for (const [dy, dx] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
    const run = [last];
    for (const sign of [1, -1]) {
      for (let step = sign; at(last.row + step * dy, last.column + step * dx) === own; step += sign) {
        run.push(board.targets[(last.row + step * dy) * board.columns + last.column + step * dx]);
      }
    }
    if (run.length >= length) return run;
  }
  return [];
}
