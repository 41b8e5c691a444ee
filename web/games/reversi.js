// @ts-check
/** Reversi: discs on felt. */

import { coordinates, dot } from "../boards/ground.js";
import { FRAME, RIM } from "../boards/layout.js";
import { stone, stoneOwner } from "../boards/pieces.js";
import { inOneLine } from "../boards/placing.js";
import { grid, squares } from "../boards/squares.js";

/** The points where the lines two cells from the edges meet. @param {import("../boards/layout.js").Layout} board */
function points({ columns }) {
  const lines = [2, columns - 2];
  return lines.flatMap((x) => lines.map((y) => dot(FRAME + x * 100, FRAME + y * 100, 7, "star felt")));
}

/** Squares on each side. @param {import("../types.js").Variant} variant */
const side = ({ size }) => Number(size);

/** @typedef {import("../types.js").Schemas["ReversiPosition"]} Position */

/** @type {import("../games.js").GameModule} */
export default {
  puzzles: true,
  records: ["sgf", "ggf"],
  words: {
    en: {
      moves: { pass: "Pass" },
      parameters: { size: "Size" },
      reasons: { no_moves: "neither side can move" },
      refusal: { here: "A disc here would turn no other." },
    },
    zh: {
      moves: { pass: "停一手" },
      parameters: { size: "每边格数" },
      reasons: { no_moves: "双方均无处可下" },
      refusal: { here: "下在这里翻不了对方的棋子。" },
    },
  },
  style: `
    .field.felt { fill: var(--felt); }
    .rule.felt { stroke: var(--felt-rule); }
    .star.felt { fill: var(--felt-rule); }
    .reversi {
      --first: #1d1d1f; --first-ink: #fff; --second: #fbfaf6; --second-ink: #1d1d1f;
      --hint: var(--felt-mark); --board-focus: var(--felt-mark);
    }
  `,
  levels: {
    eloSteps: [301, 241, 158, 241, 168, 241, 301, 255, 325],
    losses: [0.229, 0.163, 0.123, 0.068, 0.068, 0.048, 0.048, 0.041, 0.026],
  },
  layout: (variant) => squares(side(variant), side(variant), true),
  ground: (board) => [...grid(board, "felt"), ...points(board), ...coordinates(board, RIM - 1)],
  owner: stoneOwner,
  piece: (side, place) => stone("reversi", side, place, 42),
  last: "dot",
  hints: true,
  picture: {
    variant: { name: "standard", size: 8 },
    cells: ["--------", "--------", "--XOO---", "--XXOX--", "---OXX--", "---O-O--", "--------", "--------"],
  },
  points: (position) => /** @type {Position} */ (position).discs,
  join: "",
  placing: inOneLine(side),
};
