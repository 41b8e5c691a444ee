// @ts-check
/** Connect Four: discs behind a frame with a hole for each cell. A move is a column, and lands where the service says. */

import { s } from "../dom.js";
import { label, slab } from "../boards/ground.js";
import { FRAME } from "../boards/layout.js";
import { piece, stoneOwner } from "../boards/pieces.js";
import { squares, winningLine } from "../boards/squares.js";
import { lang } from "../words.js";

const NAME = "connect-four";
/** The moves of the columns. */
const COLUMNS = "123456789abc";

/** @type {import("../games.js").GameModule["words"]} */
const words = {
  en: {
    sides: { first: "Red", second: "Yellow" },
    parameters: { connect: "In a row", blocked: "Blocked cell" },
    cells: { blocked: "blocked" },
  },
  zh: {
    sides: { first: "红方", second: "黄方" },
    parameters: { connect: "连子数", blocked: "不可落子点" },
    cells: { blocked: "不可落子" },
  },
};

/** @type {import("../games.js").GameModule} */
export default {
  words,
  style: `
    .connect-four { --first: #d43a2f; --first-ink: #fff; --second: #f6c935; --second-ink: #2b2100; }
    .slab.plastic { fill: light-dark(#2159b3, #1c4687); }
    .socket { fill: light-dark(#f3efe7, #14161a); }
    .blocked { fill: #12305f; stroke: #0d2245; stroke-width: 6; }
    .connect-four .coordinate { fill: #dfeaff; }
    .connect-four.first .disc { fill: var(--first); }
    .connect-four.second .disc { fill: var(--second); }
    .connect-four .rim { fill: none; stroke-width: 5; }
    .connect-four.first .rim { stroke: #8e1c15; }
    .connect-four.second .rim { stroke: #b98a06; stroke-dasharray: 15 15.4; }
    .connect-four .last { stroke: #fff; stroke-width: 6; }
    .connect-four .hint { fill: #1f5fbf99; }
    .connect-four.fresh { animation: fall 0.32s cubic-bezier(0.5, 0, 0.9, 0.6); }
    @keyframes fall { from { transform: translateY(var(--fall)); } }
  `,
  layout: ({ columns, rows }) => squares(Number(columns), Number(rows)),
  ground: (board, { blocked }) => {
    const holes = board.targets.map(({ name, x, y }) => (name === blocked
      ? s("rect", { class: "blocked", x: x - 40, y: y - 40, width: 80, height: 80, rx: 14 })
      : s("circle", { class: "socket", cx: x, cy: y, r: 41 })));
    const bottom = board.targets.filter(({ row }) => row === board.rows - 1);
    return [slab(board, "plastic"), ...holes, ...bottom.map(({ x, column }) => label(board, x, board.height - FRAME / 2, COLUMNS[column]))];
  },
  owner: stoneOwner,
  piece: (side, { x, y, row }) => {
    const disc = piece(NAME, side, s("circle", { class: "disc", cx: x, cy: y, r: 41 }), s("circle", { class: "rim", cx: x, cy: y, r: 29 }));
    disc.style.setProperty("--fall", `${-(row + 1) * 100}px`);
    return disc;
  },
  content: (letter) => (letter === "#" ? words[lang()].cells.blocked : null),
  // Any cell of a column plays it.
  places: ({ targets, byName }, { to }) => {
    const column = byName.get(to ?? "")?.column;
    return targets.filter((target) => target.column === column).map(({ name }) => name);
  },
  winning: (table) => winningLine(table, Number(table.variant.connect)),
  join: "",
};
