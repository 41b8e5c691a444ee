// @ts-check
/** Boards whose pieces stand on the crossings of lines. */

import { line } from "./ground.js";
import { layout, LETTERS, MARGIN } from "./layout.js";

/** @param {number} columns @param {number} rows @param {number} [lowest] number of the lowest row @param {boolean} [flipped] */
export function crossings(columns, rows, lowest = 1, flipped = false) {
  /** @type {import("./layout.js").Target[]} */
  const targets = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const [file, rank] = flipped ? [columns - 1 - column, row] : [column, rows - 1 - row];
      const name = `${LETTERS[file]}${rank + lowest}`;
      const [x, y] = [MARGIN + column * 100, MARGIN + row * 100];
      targets.push({ name, x, y, row, column, at: [rows - 1 - rank, file], shape: "point" });
    }
  }
  const [width, height] = [(columns - 1) * 100 + 2 * MARGIN, (rows - 1) * 100 + 2 * MARGIN];
  return layout({ columns, rows, width, height, targets, flipped });
}

/** All lines. @param {import("./layout.js").Layout} board */
export function lattice({ columns, rows, width, height }) {
  const lines = [];
  for (let column = 0; column < columns; column += 1) {
    const x = MARGIN + column * 100;
    lines.push(line(x, MARGIN, x, height - MARGIN));
  }
  for (let row = 0; row < rows; row += 1) {
    const y = MARGIN + row * 100;
    lines.push(line(MARGIN, y, width - MARGIN, y));
  }
  return lines;
}
