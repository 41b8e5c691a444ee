// @ts-check
/** The board of a game without a module: a grid as large as the variant says, with plain stones. */

import { coordinates } from "./ground.js";
import { RIM } from "./layout.js";
import { stone, stoneOwner } from "./pieces.js";
import { grid, squares } from "./squares.js";

/** @type {import("../games.js").GameModule} */
export const generic = {
  words: { en: {}, zh: {} },
  style: "",
  layout: ({ columns, rows, size }) => squares(Number(columns ?? size ?? 8), Number(rows ?? size ?? 8)),
  ground: (board) => [...grid(board, "paper"), ...coordinates(board, RIM - 1)],
  owner: (letter) => stoneOwner(letter) ?? (/[A-Z]/.test(letter) ? "first" : /[a-z]/.test(letter) ? "second" : null),
  piece: (side, place) => stone("generic", side, place, 42),
  last: "square",
};
