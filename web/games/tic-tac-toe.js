// @ts-check
/** Tic-tac-toe and its variants: crosses and rings on paper. `games.js` describes what a module must export. */

import { s } from "../dom.js";
import { coordinates } from "../boards/ground.js";
import { RIM } from "../boards/layout.js";
import { piece, stoneOwner } from "../boards/pieces.js";
import { turnByCount, inRows } from "../boards/placing.js";
import { grid, squares, winningLine } from "../boards/squares.js";

const NAME = "tic-tac-toe";

/** @type {import("../games.js").GameModule} */
export default {
  words: {
    en: { parameters: { k: "In a row" } },
    zh: { parameters: { k: "连子数" } },
  },
  style: `
    .tic-tac-toe {
      --first: var(--blue, light-dark(#0b645f, #6cc9c0)); --first-ink: var(--blue-ink, light-dark(#fff, #05211f));
      --second: var(--orange, light-dark(#b34700, #ffab70)); --second-ink: var(--orange-ink, light-dark(#fff, #2e1500));
      --hint: var(--sheet-mark); --board-focus: var(--sheet-mark);
    }
    .tic-tac-toe .cross { stroke: var(--first); }
    .tic-tac-toe .ring { stroke: var(--second); }
    .tic-tac-toe :is(.cross, .ring, .drop) { fill: none; stroke-width: 13; stroke-linecap: round; }
    .tic-tac-toe .drop { stroke: #0000002e; transform: translate(3px, 5px); display: var(--depth); }
  `,
  levels: { eloSteps: [239, 7, 8, 6, 8, 17, 24, 26, 15] },
  layout: ({ columns, rows }) => squares(Number(columns), Number(rows)),
  ground: (board) => [...grid(board, "paper"), ...coordinates(board, RIM - 1)],
  owner: stoneOwner,
  piece: (side, { x, y }) => {
    const sign = (/** @type {string} */ kind) => (side === "first"
      ? s("path", { class: kind, d: `M${x - 26} ${y - 26}l52 52m0 -52l-52 52` })
      : s("circle", { class: kind, cx: x, cy: y, r: 28 }));
    return piece(NAME, side, sign("drop"), sign(side === "first" ? "cross" : "ring"));
  },
  last: "square",
  picture: { variant: { name: "standard", columns: 3, rows: 3, k: 3 }, cells: ["X-O", "-OX", "X--"] },
  winning: (contents) => winningLine(contents, Number(contents.variant.k)),
  placing: { ...inRows({ letters: "xo", size: ({ columns, rows }) => [Number(columns), Number(rows)] }), turn: turnByCount("x", "o") },
};
