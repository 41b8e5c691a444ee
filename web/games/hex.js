// @ts-check
/** Hex: stones on a rhombus of hexagons, with edges in the colours of the sides that connect them. */

import { s } from "../dom.js";
import { slab } from "../boards/ground.js";
import { corners, hexagons, honeycomb, rim } from "../boards/hexagons.js";
import { stone } from "../boards/pieces.js";
import { turnByCount, inRows } from "../boards/placing.js";

/** @typedef {import("../types.js").Schemas["HexPosition"]} Position */
/** @typedef {import("../boards/hexagons.js").Point} Point */

/** Cells, the edges' colours, letters above the columns and numbers beside the rows. @param {import("../boards/layout.js").Layout} board */
function ground(board) {
  const last = board.columns - 1;
  /** The outer sides of a cell, from one of its corners to another. @param {Point} middle @param {number[]} path @param {string} owner */
  const side = (middle, path, owner) => s("path", { class: `border ${owner}`, d: `M${path.map((corner) => corners(middle, board.upright)[corner]).join("L")}` });
  const borders = board.targets.flatMap((target) => {
    const { row, column } = target;
    return [
      row === 0 && side(target, column === last ? [5, 0] : [5, 0, 1], "first"),
      row === last && side(target, column === 0 ? [3, 2] : [4, 3, 2], "first"),
      column === 0 && side(target, [5, 4, 3], "second"),
      column === last && side(target, [0, 1, 2], "second"),
    ].filter((part) => part !== false);
  });
  return [slab(board), ...honeycomb(board, "paper"), ...borders, ...rim(board)];
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
    .hex .border { fill: none; stroke-width: 13; stroke-linecap: round; stroke-linejoin: round; }
    .hex .border.first { stroke: var(--first); }
    .hex .border.second { stroke: var(--second); }
  `,
  levels: {
    eloSteps: [95, 191, 161, 207, 120, 147, 120, 35, 0],
    losses: [0.388, 0.388, 0.277, 0.271, 0.271, 0.202, 0.172, 0.167, 0.12],
  },
  layout: ({ size }, _, upright) => hexagons(Number(size), Number(size), upright),
  ground,
  owner: (letter) => (letter === "r" ? "first" : letter === "b" ? "second" : null),
  piece: (owner, place) => stone("hex", owner, place, 40),
  last: "dot",
  picture: { variant: { name: "standard", size: 5 }, cells: ["---b-", "-brr-", "--br-", "-rb--", "-r---"] },
  winning: ({ board, position }) => (/** @type {Position} */ (position).connection).flatMap((name) => board.byName.get(name) ?? []),
  placing: { ...inRows({ letters: "rb", sides: ["r", "b"], size: ({ size }) => [Number(size), Number(size)] }), turn: turnByCount("r", "b") },
};
