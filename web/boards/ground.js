// @ts-check
/** What lies under the pieces: wood, felt, frames, lines, coordinates. */

import { s } from "../dom.js";
import { columnMove, FRAME, MARGIN } from "./layout.js";

/** @typedef {import("./layout.js").Layout} Layout */

/**
 * @param {import("../types.js").Game} game
 * @param {import("../types.js").Variant} variant
 * @param {Layout} board
 * @returns {SVGElement[]}
 */
export function ground(game, variant, board) {
  switch (game.name) {
    case "xiangqi":
      return [slab(board, "wood"), ...river(board), ...coordinates(board)];
    case "gomoku":
      return [slab(board, "wood"), ...lattice(board), ...stars(board), ...coordinates(board)];
    case "dots-and-boxes":
      return [slab(board, "paper")];
    case "connect-four":
      return [...sockets(board, variant), ...columns(board)];
    default:
      return [...squares(board, game.name === "reversi" ? "felt" : "paper"), ...coordinates(board)];
  }
}

/** @param {Layout} board @param {string} material */
function slab({ width, height }, material) {
  return s("rect", { class: `slab ${material}`, width, height, rx: 14 });
}

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {string} [kind] */
const line = (x1, y1, x2, y2, kind = "rule") => s("line", { class: kind, x1, y1, x2, y2 });

/** @param {Layout} board @param {string} material */
function squares(board, material) {
  const { columns, rows } = board;
  const parts = [slab(board, `${material} frame`)];
  parts.push(s("rect", { class: `field ${material}`, x: FRAME, y: FRAME, width: columns * 100, height: rows * 100 }));
  /** @type {SVGElement[]} */
  const lines = [];
  for (let column = 0; column <= columns; column += 1) {
    lines.push(line(FRAME + column * 100, FRAME, FRAME + column * 100, FRAME + rows * 100, `rule ${material}`));
  }
  for (let row = 0; row <= rows; row += 1) {
    lines.push(line(FRAME, FRAME + row * 100, FRAME + columns * 100, FRAME + row * 100, `rule ${material}`));
  }
  const dots = material === "felt" ? [2, 6].flatMap((x) => [2, 6].map((y) => dot(FRAME + x * 100, FRAME + y * 100, 7, material))) : [];
  return [...parts, ...lines, ...dots];
}

/** @param {number} cx @param {number} cy @param {number} r @param {string} material */
const dot = (cx, cy, r, material) => s("circle", { class: `star ${material}`, cx, cy, r });

/** Connect Four's frame, with a hole for each cell. @param {Layout} board @param {import("../types.js").Variant} variant */
function sockets(board, variant) {
  const parts = [slab(board, "plastic")];
  for (const { name, x, y } of board.targets) {
    if (name === variant.blocked) {
      parts.push(s("rect", { class: "blocked", x: x - 40, y: y - 40, width: 80, height: 80, rx: 14 }));
    } else {
      parts.push(/** @type {any} */ (s("circle", { class: "socket", cx: x, cy: y, r: 41 })));
    }
  }
  return parts;
}

/** @param {Layout} board */
function lattice({ columns, rows, width, height }) {
  const lines = [];
  for (let column = 0; column < columns; column += 1) {
    const x = MARGIN + column * 100;
    lines.push(line(x, MARGIN, x, height - MARGIN));
  }
  for (let row = 0; row < rows; row += 1) {
    const y = MARGIN + row * 100;
    lines.push(line(MARGIN, y, width - MARGIN, y));
  }
  return lines;
}

/** The star points: the fourth lines, and the middle. @param {Layout} board */
function stars({ columns }) {
  if (columns < 9) return [];
  const near = columns < 13 ? 2 : 3;
  const places = [near, columns - 1 - near];
  const middle = (columns - 1) / 2;
  const points = places.flatMap((x) => places.map((y) => [x, y]));
  if (Number.isInteger(middle)) points.push([middle, middle]);
  return points.map(([x, y]) => dot(MARGIN + x * 100, MARGIN + y * 100, 9, "wood"));
}

/** Xiangqi's nine by ten lines, with river, palaces, and the marks of cannons and pawns. @param {Layout} board */
function river(board) {
  const at = (/** @type {number} */ column) => MARGIN + column * 100;
  const lines = [];
  for (let row = 0; row < 10; row += 1) lines.push(line(at(0), at(row), at(8), at(row)));
  for (let column = 0; column < 9; column += 1) {
    if (column === 0 || column === 8) lines.push(line(at(column), at(0), at(column), at(9)));
    else lines.push(line(at(column), at(0), at(column), at(4)), line(at(column), at(5), at(column), at(9)));
  }
  for (const top of [0, 7]) {
    lines.push(line(at(3), at(top), at(5), at(top + 2)), line(at(5), at(top), at(3), at(top + 2)));
  }
  const places = [[1, 2], [7, 2], [1, 7], [7, 7], ...[0, 2, 4, 6, 8].flatMap((column) => [[column, 3], [column, 6]])];
  const marks = places.map(([column, row]) => s("path", { class: "rule", d: corners(column, row) }));
  const words = board.flipped ? ["漢 界", "楚 河"] : ["楚 河", "漢 界"];
  const names = words.map((word, index) =>
    s("text", { class: "river", x: at(2 + 4 * index), y: at(4.5), "aria-hidden": "true" }, word),
  );
  return [s("rect", { class: "rule thick", x: at(0) - 12, y: at(0) - 12, width: 824, height: 924 }), ...lines, ...marks, ...names];
}

/** The small corners round a crossing. @param {number} column @param {number} row */
function corners(column, row) {
  const [gap, arm] = [9, 18];
  const sides = [...(column > 0 ? [-1] : []), ...(column < 8 ? [1] : [])];
  const [x, y] = [MARGIN + column * 100, MARGIN + row * 100];
  const corner = (/** @type {number} */ a, /** @type {number} */ b) =>
    `M${x + a * gap} ${y + b * (gap + arm)}v${-b * arm}h${a * arm}`;
  return sides.flatMap((a) => [corner(a, -1), corner(a, 1)]).join("");
}

/** Letters under the columns and numbers beside the rows, read off the targets' names. @param {Layout} board */
function coordinates(board) {
  const inset = board.kind === "cells" ? FRAME / 2 : 24;
  const texts = [];
  for (const { name, x, y, row, column } of board.targets) {
    const [, letter, number] = /** @type {RegExpExecArray} */ (/^([a-z])(\d+)$/.exec(name));
    if (row === board.rows - 1) texts.push(s("text", { class: "coordinate", x, y: board.height - inset }, letter));
    if (column === 0) texts.push(s("text", { class: "coordinate", x: inset, y }, number));
  }
  return hidden(board, texts);
}

/** In Connect Four a move is a column. @param {Layout} board */
function columns(board) {
  const bottom = board.targets.filter(({ row }) => row === board.rows - 1);
  const texts = bottom.map(({ x, column }) => s("text", { class: "coordinate", x, y: board.height - FRAME / 2 }, columnMove(column)));
  return hidden(board, texts);
}

/** The cells have names of their own. On large boards letters are larger, so that they can be read on small screens. */
/** @param {Layout} board @param {SVGTextElement[]} texts */
function hidden(board, texts) {
  for (const text of texts) {
    text.setAttribute("aria-hidden", "true");
    text.setAttribute("font-size", String(Math.max(25, Math.round(board.width / 48))));
  }
  return texts;
}
