// @ts-check
/** Dots and Boxes: pencil on paper, each side's edges and boxes in its colour. */

import { s } from "../dom.js";
import { dots, EDGE, edge, edges } from "../boards/edges.js";
import { field, label, slab } from "../boards/ground.js";
import { letterAt, MARGIN, RIM } from "../boards/layout.js";
import { markTarget, stoneOwner } from "../boards/pieces.js";
import { ofEdges } from "../boards/placing.js";
import { lang } from "../words.js";

/** @typedef {import("../types.js").Side} Side */
/** @typedef {import("../types.js").Schemas["DotsAndBoxesPosition"]} Position */

/** @type {import("../games.js").GameModule["words"]} */
const words = {
  en: { cells: { drawn: "drawn" }, refusal: { taken: "This edge is drawn already." } },
  zh: { cells: { drawn: "已画" }, refusal: { taken: "这条边已经画过。" } },
};

/** @type {import("../games.js").GameModule} */
export default {
  puzzles: true,
  words,
  style: `
    .dots-and-boxes {
      --first: var(--blue, light-dark(#1f5fbf, #74a9ff)); --first-ink: var(--blue-ink, light-dark(#fff, #0b1a30));
      --second: var(--orange, light-dark(#c25400, #ff9d4d)); --second-ink: var(--orange-ink, light-dark(#fff, #2e1500));
      --hint: var(--sheet-mark); --board-focus: var(--sheet-mark);
    }
    .edge { stroke-width: 13; stroke-linecap: round; }
    .edge.first { stroke: var(--first); }
    .edge.second { stroke: var(--second); }
    .edge.nobody { stroke: var(--strong-line); }
    .edge.fresh { stroke-width: 19; }
    .dot { fill: var(--sheet-ink); }
    .box.first { fill: color-mix(in oklab, var(--first) 24%, var(--sheet)); }
    .box.second { fill: color-mix(in oklab, var(--second) 24%, var(--sheet)); }
    .box.nobody { fill: var(--line); }
    .owner { fill: none; stroke-width: 9; stroke-linecap: round; }
    .owner.first { stroke: var(--first); }
    .owner.second { stroke: var(--second); }
    .dots-and-boxes .target.open .ghost { fill: color-mix(in srgb, var(--sheet-ink) 9%, transparent); }
  `,
  levels: {
    eloSteps: [108, 96, 96, 164, 63, 60, 89, 45, 0],
    losses: [0.704, 0.451, 0.382, 0.268, 0.195, 0.195, 0.174, 0.142, 0.105],
    decided: true,
  },
  layout: ({ columns, rows }) => edges(Number(columns), Number(rows)),
  ground,
  owner: () => null,
  piece: (side, place) => edge(place, side),
  pieces: ({ board, position, line, last }) => {
    const owned = owners(line);
    const drawn = board.targets.filter((target) => target.shape === "edge" && letterAt(position.cells, target) !== " ");
    const whose = (/** @type {import("../boards/layout.js").Target} */ target) => owned.get(target.name) ?? stoneOwner(letterAt(position.cells, target)) ?? "nobody";
    const parts = drawn.map((target) => markTarget(edge(target, `${whose(target)}${target === last ? " fresh" : ""}`), target.name));
    return [...boxes(board, position.cells, owned), ...parts, ...dots(board)];
  },
  picture: picture(["h0,0 v0,0 v0,1 h1,1 v1,2 v2,2 h3,2 v2,3", "h1,0 h0,1 h2,1 v1,1 h2,2 h0,2"], "0,0 1,1"),
  content: (letter, nameOf) => {
    const side = stoneOwner(letter);
    return letter === " " ? null : side ? nameOf(side) : words[lang()].cells.drawn;
  },
  last: "none",
  points: (position) => /** @type {Position} */ (position).boxes,
  placing: ofEdges,
};

/** Paper on the board, with the numbers of the rows and columns of dots, by which edges are named. @param {import("../boards/layout.js").Layout} board */
function ground(board) {
  const { width, height, columns, rows } = board;
  const numbers = (/** @type {number} */ count) => Array.from({ length: count + 1 }, (_, index) => index);
  const texts = [
    ...numbers(columns).flatMap((column) => [RIM, height - RIM].map((y) => label(board, MARGIN + column * EDGE, y, String(column)))),
    ...numbers(rows).flatMap((row) => [RIM, width - RIM].map((x) => label(board, x, MARGIN + row * EDGE, String(row)))),
  ];
  const room = MARGIN - 46;
  return [slab(board), field(room, room, width - 2 * room, height - 2 * room, "paper"), ...texts];
}

/**
 * A position of three by three boxes, from the edges of each side and the boxes that the second side closed.
 * @param {[first: string, second: string]} edges
 * @param {string} boxes
 */
function picture([first, second], boxes) {
  const cells = Array.from({ length: 7 }, () => " ".repeat(13));
  const put = (/** @type {number} */ row, /** @type {number} */ column, /** @type {string} */ letter) =>
    (cells[row] = cells[row].slice(0, column) + letter + cells[row].slice(column + 1));
  const drawn = (/** @type {Side} */ side, /** @type {string} */ names) => names.split(" ").map((to) => {
    const [row, column] = to.slice(1).split(",").map(Number);
    if (to[0] === "h") put(2 * row, 4 * column + 2, "-");
    else put(2 * row + 1, 4 * column, "-");
    return /** @type {any} */ ({ side, to, claimed: /** @type {string[]} */ ([]) });
  });
  const line = [...drawn("first", first), ...drawn("second", second)];
  line[line.length - 1].claimed = boxes.split(" ");
  for (const box of boxes.split(" ")) {
    const [row, column] = box.split(",").map(Number);
    put(2 * row + 1, 4 * column + 2, "#");
  }
  return { variant: { name: "standard", columns: 3, rows: 3 }, cells, line };
}

/**
 * The owners of edges and boxes, by their names. Those from before the first move have none, since a position does not tell.
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
      const letter = cells[2 * row + 1]?.[4 * column + 2] ?? " ";
      if (letter === " ") continue;
      const side = owned.get(`${row},${column}`) ?? stoneOwner(letter);
      const [x, y] = [MARGIN + column * EDGE, MARGIN + row * EDGE];
      const box = s("rect", { class: `box ${side ?? "nobody"}`, x: x + 8, y: y + 8, width: EDGE - 16, height: EDGE - 16, rx: 8 });
      parts.push(markTarget(box, `${row},${column}`));
      if (side) parts.push(side === "first" ? cross(x + EDGE / 2, y + EDGE / 2) : ring(x + EDGE / 2, y + EDGE / 2));
    }
  }
  return parts;
}

/** @param {number} x @param {number} y */
const cross = (x, y) => s("path", { class: "owner first", d: `M${x - 18} ${y - 18}l36 36m0 -36l-36 36` });
/** @param {number} x @param {number} y */
const ring = (x, y) => s("circle", { class: "owner second", cx: x, cy: y, r: 20 });
