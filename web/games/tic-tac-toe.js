// @ts-check
/** Tic-tac-toe and its kin: crosses and rings on paper. What a module must export is told in `games.js`. */

import { s } from "../dom.js";
import { coordinates } from "../boards/ground.js";
import { FRAME } from "../boards/layout.js";
import { piece, stoneOwner } from "../boards/pieces.js";
import { grid, squares, winningLine } from "../boards/squares.js";

const NAME = "tic-tac-toe";

/** @type {import("../games.js").GameModule} */
export default {
  words: {
    en: { sides: { first: "X", second: "O" }, parameters: { k: "In a row" } },
    zh: { sides: { first: "X 方", second: "O 方" }, parameters: { k: "连子数" } },
  },
  style: `
    .tic-tac-toe {
      --first: light-dark(#0b645f, #6cc9c0); --first-ink: light-dark(#fff, #05211f);
      --second: light-dark(#b34700, #ffab70); --second-ink: light-dark(#fff, #2e1500);
    }
    .tic-tac-toe .coordinate { fill: var(--muted); }
    .tic-tac-toe .cross { stroke: var(--first); }
    .tic-tac-toe .ring { stroke: var(--second); }
    .tic-tac-toe .cross, .tic-tac-toe .ring { fill: none; stroke-width: 13; stroke-linecap: round; }
    .tic-tac-toe rect.last { fill: var(--wash); }
    @media (hover: hover) { .tic-tac-toe .target.open:hover .hit { fill: var(--wash); } }
  `,
  layout: ({ columns, rows }) => squares(Number(columns), Number(rows)),
  ground: (board) => [...grid(board, "paper"), ...coordinates(board, FRAME / 2)],
  owner: stoneOwner,
  piece: (side, { x, y }) =>
    piece(NAME, side, side === "first"
      ? s("path", { class: "cross", d: `M${x - 26} ${y - 26}l52 52m0 -52l-52 52` })
      : s("circle", { class: "ring", cx: x, cy: y, r: 28 })),
  last: "square",
  winning: (table) => winningLine(table, Number(table.variant.k)),
};
