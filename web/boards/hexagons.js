// @ts-check
/** Boards whose pieces stand in hexagons, each row half a cell to the right of the one above. */

import { s } from "../dom.js";
import { label } from "./ground.js";
import { layout, LETTERS, placeOf } from "./layout.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {{ x: number, y: number }} Point
 */

/** Half a hexagon's height, its side and its width being 57.7 and 100. */
const RADIUS = 100 / Math.sqrt(3);
/** From one row to the next. */
const STEP = 1.5 * RADIUS;
/** Room around the cells, for their edges and for coordinates. */
const ROOM = 60;

/** The corners of a hexagon, clockwise from its top. @param {Point} middle */
export const corners = ({ x, y }) => [[0, -1], [1, -0.5], [1, 0.5], [0, 1], [-1, 0.5], [-1, -0.5]].map(([dx, dy]) => `${x + 50 * dx} ${y + RADIUS * dy}`);

/** @param {Point} middle */
export const outline = (middle) => `M${corners(middle).join("L")}Z`;

/** @param {number} columns @param {number} rows */
export function hexagons(columns, rows) {
  /** @type {import("./layout.js").Target[]} */
  const targets = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const middle = { x: ROOM + 50 + column * 100 + row * 50, y: ROOM + RADIUS + row * STEP };
      targets.push({ name: `${LETTERS[column]}${row + 1}`, ...middle, row, column, at: [row, column], shape: "square", outline: outline(middle) });
    }
  }
  const [width, height] = [2 * ROOM + 100 * columns + 50 * (rows - 1), 2 * ROOM + 2 * RADIUS + STEP * (rows - 1)];
  return layout({ columns, rows, width, height: Math.ceil(height), targets });
}

/** The cells. @param {Layout} board @param {string} material */
export const honeycomb = (board, material) => board.targets.map((target) => s("path", { class: `cell hexagon ${material}`, d: outline(target) }));

/** Letters above and below the columns and numbers on both sides of the rows, read off the targets' names. @param {Layout} board */
export function rim(board) {
  const [right, bottom] = [board.columns - 1, board.rows - 1];
  return board.targets.flatMap(({ name, x, y, row, column }) => {
    const { letter, number } = placeOf(name);
    return [
      ...(row === 0 ? [label(board, x - 28, y - RADIUS - 22, letter)] : []),
      ...(row === bottom ? [label(board, x + 28, y + RADIUS + 22, letter)] : []),
      ...(column === 0 ? [label(board, x - 82, y - 14, number)] : []),
      ...(column === right ? [label(board, x + 82, y + 14, number)] : []),
    ];
  });
}
