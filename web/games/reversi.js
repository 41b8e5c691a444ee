// @ts-check
/** Reversi: discs on felt. */

import { coordinates, dot } from "../boards/ground.js";
import { FRAME } from "../boards/layout.js";
import { stone, stoneOwner } from "../boards/pieces.js";
import { grid, squares } from "../boards/squares.js";

/** The points where the lines two cells from the edges meet. */
const POINTS = [2, 6].flatMap((x) => [2, 6].map((y) => [FRAME + x * 100, FRAME + y * 100]));

/** @typedef {import("../types.js").Schemas["ReversiPosition"]} Position */

/** @type {import("../games.js").GameModule} */
export default {
  words: {
    en: {
      sides: { first: "Black", second: "White" },
      moves: { pass: "Pass" },
      reasons: { no_moves: "neither side can move" },
    },
    zh: {
      sides: { first: "黑方", second: "白方" },
      moves: { pass: "停一手" },
      reasons: { no_moves: "双方都无棋可下" },
    },
  },
  style: `
    .slab.felt { fill: light-dark(#3b3129, #2a241f); }
    .field.felt { fill: light-dark(#2f8058, #25664a); }
    .rule.felt { stroke: #123c28; }
    .star.felt { fill: #123c28; }
    .reversi .coordinate { fill: #e7ddcf; }
    .reversi { --first: #1d1d1f; --first-ink: #fff; --second: #fbfaf6; --second-ink: #1d1d1f; }
    .reversi.first .stone { stroke: #000; stroke-width: 1.5; }
    .reversi.second .stone { stroke: #8f8a80; stroke-width: 1.5; }
    .reversi rect.last { fill: #ffffff2b; }
    .reversi .hint { fill: #ffffffa6; }
  `,
  layout: () => squares(8, 8, true),
  ground: (board) => [...grid(board, "felt"), ...POINTS.map(([x, y]) => dot(x, y, 7, "felt")), ...coordinates(board, FRAME / 2)],
  owner: stoneOwner,
  piece: (side, place) => stone("reversi", side, place, 42),
  last: "square",
  points: (position) => /** @type {Position} */ (position).discs,
  join: "",
};
