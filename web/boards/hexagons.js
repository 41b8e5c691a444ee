// @ts-check
/** Boards of hexagons: each row lies half a cell to the right of the one above; upright, each column half a cell below the one before. */

import { s } from "../dom.js";
import { label } from "./ground.js";
import { layout, LETTERS, placeOf } from "./layout.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {{ x: number, y: number }} Point
 */

/** Half a hexagon's height; its side is 57.7, its width 100. */
const RADIUS = 100 / Math.sqrt(3);
/** The distance between rows. */
const STEP = 1.5 * RADIUS;
/** Room around the cells, for their edges and for coordinates. */
const ROOM = 60;

/**
 * The corners of a hexagon, clockwise from its top; on an upright board, turned by 30 degrees.
 * @param {Point} middle
 * @param {boolean} [upright]
 */
export const corners = ({ x, y }, upright = false) => Array.from({ length: 6 }, (_, corner) => {
  const angle = (Math.PI / 6) * (2 * corner - (upright ? 2 : 3));
  return `${(x + RADIUS * Math.cos(angle)).toFixed(2)} ${(y + RADIUS * Math.sin(angle)).toFixed(2)}`;
});

/** @param {Point} middle @param {boolean} [upright] */
export const outline = (middle, upright) => `M${corners(middle, upright).join("L")}Z`;

/** @param {number} columns @param {number} rows @param {boolean} [upright] */
export function hexagons(columns, rows, upright = false) {
  // The steps to the next cell in a row and in a column, and half of a cell.
  const [across, down, half] = upright ? [[STEP, 50], [0, 100], [RADIUS, 50]] : [[100, 0], [50, STEP], [50, RADIUS]];
  const at = (/** @type {0 | 1} */ axis, /** @type {number} */ column, /** @type {number} */ row) => ROOM + half[axis] + column * across[axis] + row * down[axis];
  /** @type {import("./layout.js").Target[]} */
  const targets = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const middle = { x: at(0, column, row), y: at(1, column, row) };
      targets.push({ name: `${LETTERS[column]}${row + 1}`, ...middle, row, column, at: [row, column], shape: "square", outline: outline(middle, upright) });
    }
  }
  const [width, height] = /** @type {const} */ ([0, 1]).map((axis) => Math.ceil(at(axis, columns - 1, rows - 1) + half[axis] + ROOM));
  return layout({ columns, rows, width, height, targets, upright });
}

/** The cells. @param {Layout} board @param {string} material */
export const honeycomb = (board, material) => board.targets.map((target) => s("path", { class: `cell hexagon ${material}`, d: outline(target, board.upright) }));

/** Letters above and below the columns and numbers on both sides of the rows, read off the targets' names. @param {Layout} board */
export function rim(board) {
  const [right, bottom] = [board.columns - 1, board.rows - 1];
  const [above, beside] = board.upright ? [[0, 80], [88, 0]] : [[28, RADIUS + 22], [82, 14]];
  return board.targets.flatMap(({ name, x, y, row, column }) => {
    const { letter, number } = placeOf(name);
    return [
      ...(row === 0 ? [label(board, x - above[0], y - above[1], letter)] : []),
      ...(row === bottom ? [label(board, x + above[0], y + above[1], letter)] : []),
      ...(column === 0 ? [label(board, x - beside[0], y - beside[1], number)] : []),
      ...(column === right ? [label(board, x + beside[0], y + beside[1], number)] : []),
    ];
  });
}
