// @ts-check
/** Hex: stones on a rhombus of hexagons, whose edges are in the colours of those who connect them. */

import { s } from "../dom.js";
import { label, slab } from "../boards/ground.js";
import { layout, LETTERS } from "../boards/layout.js";
import { stone } from "../boards/pieces.js";
import { byCount, inRows } from "../boards/placing.js";

/** @typedef {import("../types.js").Schemas["HexPosition"]} Position */
/** @typedef {{ x: number, y: number }} Point */

/** Half a hexagon's height, its side and its width being 57.7 and 100. */
const RADIUS = 100 / Math.sqrt(3);
/** From one row to the next. */
const STEP = 1.5 * RADIUS;
/** Room around the rhombus, for its edges and for coordinates. */
const ROOM = 60;

/** The corners of a hexagon, clockwise from its top. @param {Point} middle */
const corners = ({ x, y }) => [[0, -1], [1, -0.5], [1, 0.5], [0, 1], [-1, 0.5], [-1, -0.5]].map(([dx, dy]) => `${x + 50 * dx} ${y + RADIUS * dy}`);

/** @param {Point} middle */
const outline = (middle) => `M${corners(middle).join("L")}Z`;

/** The outer sides of a cell, from one of its corners to another. @param {Point} middle @param {number[]} path @param {string} owner */
const side = (middle, path, owner) => s("path", { class: `border ${owner}`, d: `M${path.map((corner) => corners(middle)[corner]).join("L")}` });

/** @param {number} size */
function rhombus(size) {
  /** @type {import("../boards/layout.js").Target[]} */
  const targets = [];
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const middle = { x: ROOM + 50 + column * 100 + row * 50, y: ROOM + RADIUS + row * STEP };
      targets.push({ name: `${LETTERS[column]}${row + 1}`, ...middle, row, column, at: [row, column], shape: "square", outline: outline(middle) });
    }
  }
  const [width, height] = [2 * ROOM + 100 * size + 50 * (size - 1), 2 * ROOM + 2 * RADIUS + STEP * (size - 1)];
  return layout({ columns: size, rows: size, width, height: Math.ceil(height), targets });
}

/** Cells, the edges' colours, letters above the columns and numbers beside the rows. @param {import("../boards/layout.js").Layout} board */
function ground(board) {
  const last = board.columns - 1;
  const cells = board.targets.map((target) => s("path", { class: "cell hexagon", d: outline(target) }));
  const borders = board.targets.flatMap((target) => {
    const { row, column } = target;
    return [
      row === 0 && side(target, column === last ? [5, 0] : [5, 0, 1], "first"),
      row === last && side(target, column === 0 ? [3, 2] : [4, 3, 2], "first"),
      column === 0 && side(target, [5, 4, 3], "second"),
      column === last && side(target, [0, 1, 2], "second"),
    ].filter((part) => part !== false);
  });
  const texts = board.targets.flatMap(({ x, y, row, column }) => [
    ...(row === 0 ? [label(board, x - 28, y - RADIUS - 22, LETTERS[column])] : []),
    ...(row === last ? [label(board, x + 28, y + RADIUS + 22, LETTERS[column])] : []),
    ...(column === 0 ? [label(board, x - 82, y - 14, String(row + 1))] : []),
    ...(column === last ? [label(board, x + 82, y + 14, String(row + 1))] : []),
  ]);
  return [slab(board), ...cells, ...borders, ...texts];
}

/** @type {import("../games.js").GameModule} */
export default {
  records: ["sgf"],
  words: {
    en: {
      moves: { swap: "Swap" },
      parameters: { swap: "Swap rule" },
      reasons: { connection: "edges connected" },
    },
    zh: {
      moves: { swap: "交换" },
      parameters: { swap: "交换规则" },
      reasons: { connection: "连通两边" },
    },
  },
  style: `
    .hex {
      --first: var(--red, #c8402f); --first-ink: var(--red-ink, #fff); --second: var(--blue, #2d6cc0); --second-ink: var(--blue-ink, #fff);
      --hint: var(--sheet-mark); --board-focus: var(--sheet-mark);
    }
    .hexagon { fill: var(--sheet); stroke: var(--sheet-rule); stroke-width: 2.5; }
    .hex .border { fill: none; stroke-width: 13; stroke-linecap: round; stroke-linejoin: round; }
    .hex .border.first { stroke: var(--first); }
    .hex .border.second { stroke: var(--second); }
  `,
  layout: ({ size }) => rhombus(Number(size)),
  ground,
  owner: (letter) => (letter === "r" ? "first" : letter === "b" ? "second" : null),
  piece: (owner, place) => stone("hex", owner, place, 40),
  last: "dot",
  picture: { variant: { name: "standard", size: 5 }, cells: ["---b-", "-brr-", "--br-", "-rb--", "-r---"] },
  winning: ({ board, position }) => (/** @type {Position} */ (position).connection).flatMap((name) => board.byName.get(name) ?? []),
  placing: { ...inRows({ letters: "rb", sides: ["r", "b"], size: ({ size }) => [Number(size), Number(size)] }), turn: byCount("r", "b") },
};
