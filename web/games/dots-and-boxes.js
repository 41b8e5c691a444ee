// @ts-check
/** Dots and Boxes: pencil on paper, each side's edges and boxes in its colour. */

import { s } from "../dom.js";
import { dots, EDGE, edge, edges } from "../boards/edges.js";
import { slab } from "../boards/ground.js";
import { letterAt, MARGIN } from "../boards/layout.js";
import { lang, w } from "../words.js";

/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("../types.js").Schemas["DotsAndBoxesPosition"]} Position */

/** @type {import("../games.js").GameModule["words"]} */
const words = {
  en: { sides: { first: "Blue", second: "Orange" }, cells: { drawn: "drawn" } },
  zh: { sides: { first: "蓝方", second: "橙方" }, cells: { drawn: "已画" } },
};

/** @type {import("../games.js").GameModule} */
export default {
  words,
  style: `
    .dots-and-boxes {
      --first: light-dark(#1f5fbf, #74a9ff); --first-ink: light-dark(#fff, #0b1a30);
      --second: light-dark(#c25400, #ff9d4d); --second-ink: light-dark(#fff, #2e1500);
    }
    .edge { stroke-width: 13; stroke-linecap: round; }
    .edge.first { stroke: var(--first); }
    .edge.second { stroke: var(--second); }
    .edge.nobody { stroke: var(--strong-line); }
    .edge.fresh { stroke-width: 19; }
    .dot { fill: var(--ink); }
    .box.first { fill: light-dark(#dbe8fb, #21395f); }
    .box.second { fill: light-dark(#fde5d0, #573617); }
    .box.nobody { fill: var(--line); }
    .owner { fill: none; stroke-width: 9; stroke-linecap: round; }
    .owner.first { stroke: var(--first); }
    .owner.second { stroke: var(--second); }
    .dots-and-boxes .target.open .ghost { fill: light-dark(#0000000d, #ffffff12); }
    @media (hover: hover) {
      .dots-and-boxes .target.open:hover .hit { fill: none; }
      .dots-and-boxes .target.open:hover .ghost { fill: var(--accent); }
    }
  `,
  layout: ({ columns, rows }) => edges(Number(columns), Number(rows)),
  ground: (board) => [slab(board, "paper")],
  owner: () => null,
  piece: (side, place) => edge(place, side),
  pieces: ({ board, position, line, last }) => {
    const owned = owners(line);
    const drawn = board.targets.filter((target) => letterAt(position.cells, target) !== " ");
    const parts = drawn.map((target) => edge(target, `${owned.get(target.name) ?? "nobody"}${target === last ? " fresh" : ""}`));
    return [...boxes(board, position.cells, owned), ...parts, ...dots(board)];
  },
  content: (letter) => (letter === " " ? w().board.empty : words[lang()].cells.drawn),
  last: "none",
  points: (position) => /** @type {Position} */ (position).boxes,
};

/**
 * Who drew each edge and owns each box, by their names. What was there before the first move is nobody's, since a position does
 * not tell.
 * @param {import("../types.js").PlayedMove[]} line
 */
function owners(line) {
  /** @type {Map<string, Side>} */
  const owned = new Map();
  for (const { side, to, claimed } of line) for (const name of [to ?? "", ...claimed]) owned.set(name, side);
  return owned;
}

/**
 * The complete boxes, each marked by more than its colour.
 * @param {import("../boards/layout.js").Layout} board
 * @param {string[]} cells
 * @param {Map<string, Side>} owned
 */
function boxes({ columns, rows }, cells, owned) {
  /** @type {SVGElement[]} */
  const parts = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (cells[2 * row + 1]?.[4 * column + 2] !== "#") continue;
      const side = owned.get(`${row},${column}`);
      const [x, y] = [MARGIN + column * EDGE, MARGIN + row * EDGE];
      parts.push(s("rect", { class: `box ${side ?? "nobody"}`, x: x + 8, y: y + 8, width: EDGE - 16, height: EDGE - 16, rx: 8 }));
      if (side) parts.push(side === "first" ? cross(x + EDGE / 2, y + EDGE / 2) : ring(x + EDGE / 2, y + EDGE / 2));
    }
  }
  return parts;
}

/** @param {number} x @param {number} y */
const cross = (x, y) => s("path", { class: "owner first", d: `M${x - 18} ${y - 18}l36 36m0 -36l-36 36` });
/** @param {number} x @param {number} y */
const ring = (x, y) => s("circle", { class: "owner second", cx: x, cy: y, r: 20 });
