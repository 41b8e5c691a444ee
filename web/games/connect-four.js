// @ts-check
/** Connect Four: discs behind a frame with a hole for each cell. A move is a column, and lands where the service says. */

import { s } from "../dom.js";
import { label } from "../boards/ground.js";
import { LETTERS, RIM } from "../boards/layout.js";
import { piece, stoneOwner } from "../boards/pieces.js";
import { turnByCount, drop, inRows } from "../boards/placing.js";
import { squares, winningLine } from "../boards/squares.js";
import { lang } from "../words.js";

const NAME = "connect-four";
/** The moves of the columns. */
const COLUMNS = "123456789abc";

/** @type {import("../games.js").GameModule["words"]} */
const words = {
  en: {
    parameters: { connect: "In a row", blocked: "Blocked cell" },
    cells: { blocked: "blocked" },
    refusal: { taken: "This column is full." },
  },
  zh: {
    parameters: { connect: "连子数", blocked: "封闭格" },
    cells: { blocked: "封闭" },
    refusal: { taken: "这一列已满。" },
  },
};

/** @type {import("../games.js").GameModule} */
export default {
  puzzles: true,
  words,
  style: `
    .connect-four {
      --first: var(--red, #d43a2f); --first-ink: var(--red-ink, #fff); --second: var(--yellow, #f6c935); --second-ink: var(--yellow-ink, #2b2100);
      --hint: var(--sheet-mark); --board-focus: var(--plastic-ink);
    }
    .back { fill: var(--socket); }
    .frame { fill: var(--plastic); stroke: var(--edge-line); stroke-width: var(--edge-width); }
    .frame-light { fill: url(#sheen); display: var(--depth); }
    .hole { fill: none; stroke: url(#hollow); stroke-width: 5; display: var(--depth); }
    .blocked { fill: none; stroke: var(--plastic-ink); stroke-width: 6; stroke-linecap: round; opacity: 0.55; }
    .connect-four .coordinate { fill: var(--plastic-ink); }
    .connect-four.first .disc { fill: var(--first); }
    .connect-four.second .disc { fill: var(--second); }
    .connect-four .disc { stroke: var(--edge-line); stroke-width: var(--edge-width); }
    .connect-four .rim { fill: none; stroke: var(--first-ink); stroke-width: 4; opacity: 0.5; }
    .connect-four.second .rim { stroke: var(--second-ink); stroke-dasharray: 15 15.4; }
  `,
  levels: {
    eloSteps: [230, 147, 131, 160, 150, 127, 131, 168, 282],
    losses: [0.676, 0.523, 0.295, 0.295, 0.194, 0.125, 0.125, 0.122, 0.099],
    decided: true,
  },
  layout: ({ columns, rows }) => squares(Number(columns), Number(rows)),
  ground: ({ width, height }) => [s("rect", { class: "back", x: 4, y: 4, width: width - 8, height: height - 8, rx: 14 })],
  // The discs are seen through the holes of a frame.
  front: (board, { blocked }) => {
    const { width, height } = board;
    const holes = board.targets.filter(({ name }) => name !== blocked);
    const d = `M9 0H${width - 9}q9 0 9 9V${height - 9}q0 9 -9 9H9q-9 0 -9 -9V9Q0 0 9 0Z` +
      holes.map(({ x, y }) => `M${x - 41} ${y}a41 41 0 0 0 82 0a41 41 0 0 0 -82 0Z`).join("");
    const bar = board.byName.get(String(blocked ?? ""));
    return [
      s("path", { class: "frame", "fill-rule": "evenodd", d }), s("path", { class: "frame-light", "fill-rule": "evenodd", d }),
      ...holes.map(({ x, y }) => s("circle", { class: "hole", cx: x, cy: y, r: 43 })),
      ...(bar ? [s("path", { class: "blocked", d: `M${bar.x - 22} ${bar.y - 22}l44 44m0 -44l-44 44` })] : []),
      ...board.targets.filter(({ row }) => row === 0).flatMap(({ x, column }) =>
        [RIM - 1, height - RIM + 1].map((y) => label(board, x, y, COLUMNS[column]))),
    ];
  },
  owner: stoneOwner,
  targetName: ({ column, name }) => (lang() === "zh" ? `第 ${COLUMNS[column]} 列第 ${name.slice(1)} 行` : `column ${COLUMNS[column]}, row ${name.slice(1)}`),
  piece: (side, { x, y }) => piece(NAME, side,
    s("circle", { class: "disc", cx: x, cy: y, r: 44 }), s("circle", { class: "rim", cx: x, cy: y, r: 29 }), s("circle", { class: "dome", cx: x, cy: y, r: 44 })),
  content: (letter) => (letter === "#" ? words[lang()].cells.blocked : null),
  // Any cell of a column plays it.
  clickTargets: ({ targets, byName }, { to }) => {
    const column = byName.get(to ?? "")?.column;
    return targets.filter((target) => target.column === column).map(({ name }) => name);
  },
  winning: (contents) => winningLine(contents, Number(contents.variant.connect)),
  last: "dot",
  entrance: "fall",
  picture: {
    variant: { name: "standard", columns: 7, rows: 6, connect: 4 },
    cells: ["-------", "-------", "---X---", "--OO---", "-XXOX--", "-OXXOO-"],
  },
  sound: "drop",
  join: "",
  placing: {
    ...inRows({ letters: "xo", size: ({ columns, rows }) => [Number(columns), Number(rows)], fixed: blockedCell }),
    turn: turnByCount("x", "o"),
    put: drop,
  },
};

/** Where the blocked cell is, if there is one. @param {import("../types.js").Variant} variant */
function blockedCell({ rows, blocked }) {
  const [, letter, row] = /^([a-z])(\d+)$/.exec(String(blocked)) ?? [];
  if (!letter) return null;
  return { at: /** @type {[number, number]} */ ([Number(rows) - Number(row), LETTERS.indexOf(letter)]), letter: "#" };
}
