// @ts-check
/** The pieces: stones, discs, crosses and rings, Xiangqi's pieces, drawn edges and owned boxes. */

import { s } from "../dom.js";
import { MARGIN } from "./layout.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./layout.js").Target} Target
 * @typedef {import("../types.js").Side} Side
 * @typedef {"characters" | "letters"} Glyphs
 */

/** Red's and Black's characters. */
const CHARACTERS = { K: "帥", A: "仕", B: "相", N: "傌", R: "俥", C: "炮", P: "兵", k: "將", a: "士", b: "象", n: "馬", r: "車", c: "砲", p: "卒" };

/** Whose piece a letter of `cells` is. @param {string} game @param {string} letter @returns {Side | null} */
export function owner(game, letter) {
  if (game === "xiangqi") return /[A-Z]/.test(letter) ? "first" : /[a-z]/.test(letter) ? "second" : null;
  return /x/i.test(letter) ? "first" : /o/i.test(letter) ? "second" : null;
}

/** The letter of `cells` at a target. @param {Layout} board @param {string[]} cells @param {Target} target */
export function letterAt(board, cells, target) {
  if (board.kind === "edges") {
    const x = target.upright ? target.column * 4 : target.column * 4 + 2;
    return cells[target.row]?.[x] ?? " ";
  }
  const [row, column] = board.flipped ? [board.rows - 1 - target.row, board.columns - 1 - target.column] : [target.row, target.column];
  return cells[row]?.[column] ?? ".";
}

/**
 * Everything that stands on the board.
 * @param {import("../types.js").Game} game
 * @param {Layout} board
 * @param {import("../types.js").Position} position
 * @param {{ glyphs: Glyphs, fresh: string | null, owners: Map<string, Side> }} look `fresh` is the target of the last move
 */
export function pieces(game, board, position, { glyphs, fresh, owners }) {
  if (board.kind === "edges") return drawing(board, position, fresh, owners);
  return board.targets.flatMap((target) => {
    const letter = letterAt(board, position.cells, target);
    const side = owner(game.name, letter);
    if (!side) return [];
    const piece = onePiece(game.name, side, letter, target, glyphs);
    if (target.name === fresh) {
      piece.classList.add("fresh");
      if (game.name === "connect-four") piece.style.setProperty("--fall", `${-(target.row + 1) * 100}px`);
    }
    return [piece];
  });
}

/**
 * @param {string} game
 * @param {Side} side
 * @param {string} letter
 * @param {{ x: number, y: number }} place
 * @param {Glyphs} glyphs
 */
export function onePiece(game, side, letter, { x, y }, glyphs) {
  const group = s("g", { class: `piece ${game} ${side}` });
  switch (game) {
    case "tic-tac-toe":
      if (side === "first") group.append(s("path", { class: "cross", d: `M${x - 26} ${y - 26}l52 52m0 -52l-52 52` }));
      else group.append(s("circle", { class: "ring", cx: x, cy: y, r: 28 }));
      break;
    case "connect-four":
      group.append(s("circle", { class: "disc", cx: x, cy: y, r: 41 }), s("circle", { class: "rim", cx: x, cy: y, r: 29 }));
      break;
    case "xiangqi":
      group.append(
        s("circle", { class: "shadow", cx: x + 2, cy: y + 5, r: 44 }),
        s("circle", { class: "body", cx: x, cy: y, r: 44 }),
        s("circle", { class: "rim", cx: x, cy: y, r: 37 }),
        s("text", { class: `glyph ${glyphs}`, x, y }, glyphs === "letters" ? letter.toUpperCase() : characterOf(letter)),
      );
      break;
    default:
      group.append(
        s("circle", { class: "shadow", cx: x + 3, cy: y + 5, r: 44 }),
        s("circle", { class: "stone", cx: x, cy: y, r: game === "reversi" ? 42 : 46 }),
      );
  }
  return group;
}

/** @param {string} letter */
const characterOf = (letter) => /** @type {Record<string, string>} */ (CHARACTERS)[letter] ?? letter;

/**
 * Dots and Boxes: boxes in their owner's colour, edges, dots on top.
 * @param {Layout} board
 * @param {import("../types.js").Position} position
 * @param {string | null} fresh
 * @param {Map<string, Side>} owners
 */
function drawing(board, position, fresh, owners) {
  const size = 150;
  /** @type {SVGElement[]} */
  const parts = [];
  for (let row = 0; row < board.rows; row += 1) {
    for (let column = 0; column < board.columns; column += 1) {
      if (position.cells[2 * row + 1]?.[4 * column + 2] !== "#") continue;
      const side = owners.get(`${row},${column}`);
      const [x, y] = [MARGIN + column * size, MARGIN + row * size];
      parts.push(s("rect", { class: `box ${side ?? "nobody"}`, x: x + 8, y: y + 8, width: size - 16, height: size - 16, rx: 8 }));
      if (side) parts.push(side === "first" ? tick(x, y, size) : loop(x, y, size));
    }
  }
  for (const target of board.targets) {
    if (letterAt(board, position.cells, target) === " ") continue;
    const side = owners.get(target.name) ?? "nobody";
    const half = size / 2;
    const [dx, dy] = target.upright ? [0, half] : [half, 0];
    const { x, y } = target;
    const kind = `edge ${side}${target.name === fresh ? " fresh" : ""}`;
    parts.push(s("line", { class: kind, x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy }));
  }
  for (let row = 0; row <= board.rows; row += 1) {
    for (let column = 0; column <= board.columns; column += 1) {
      parts.push(s("circle", { class: "dot", cx: MARGIN + column * size, cy: MARGIN + row * size, r: 11 }));
    }
  }
  return parts;
}

/** A box is marked by more than its colour. @param {number} x @param {number} y @param {number} size */
const tick = (x, y, size) =>
  s("path", { class: "owner first", d: `M${x + size / 2 - 18} ${y + size / 2 - 18}l36 36m0 -36l-36 36` });
/** @param {number} x @param {number} y @param {number} size */
const loop = (x, y, size) => s("circle", { class: "owner second", cx: x + size / 2, cy: y + size / 2, r: 20 });

/**
 * Who drew each edge and owns each box: replayed from the moves, since the position does not tell. Boxes that were complete
 * before the first of the moves are nobody's.
 * @param {Layout} board
 * @param {string[]} moves
 * @param {Side} first who makes the first of the moves
 * @param {string[]} before the cells before them
 * @returns {Map<string, Side>}
 */
export function owners(board, moves, first, before) {
  /** @type {Map<string, Side>} */
  const owned = new Map();
  if (board.kind !== "edges") return owned;
  const drawn = new Set(board.targets.filter((target) => letterAt(board, before, target) !== " ").map(({ name }) => name));
  let side = first;
  for (const move of moves) {
    drawn.add(move);
    owned.set(move, side);
    const completed = around(move).filter(
      ([row, column]) =>
        !owned.has(`${row},${column}`) &&
        [`h${row},${column}`, `h${row + 1},${column}`, `v${row},${column}`, `v${row},${column + 1}`].every((edge) => drawn.has(edge)),
    );
    for (const [row, column] of completed) owned.set(`${row},${column}`, side);
    if (completed.length === 0) side = side === "first" ? "second" : "first";
  }
  return owned;
}

/** The boxes on both sides of an edge; some may lie off the board. @param {string} edge @returns {[number, number][]} */
function around(edge) {
  const [row, column] = edge.slice(1).split(",").map(Number);
  return edge[0] === "h" ? [[row - 1, column], [row, column]] : [[row, column - 1], [row, column]];
}

/**
 * The stones of a winning line, found round the last one.
 * @param {import("../types.js").Variant} variant
 * @param {Layout} board
 * @param {import("../types.js").Position} position
 * @param {Target | undefined} last
 * @returns {Target[]}
 */
export function winning(variant, board, position, last) {
  if (position.five) return position.five.flatMap((name) => board.byName.get(name) ?? []);
  if (position.outcome?.reason !== "line" || !last) return [];
  const length = Number(variant.k ?? variant.connect);
  const at = (/** @type {number} */ row, /** @type {number} */ column) => position.cells[row]?.[column];
  const own = at(last.row, last.column);
  for (const [dy, dx] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
    const run = [last];
    for (const sign of [1, -1]) {
      for (let step = sign; at(last.row + step * dy, last.column + step * dx) === own; step += sign) {
        const index = (last.row + step * dy) * board.columns + last.column + step * dx;
        run.push(board.targets[index]);
      }
    }
    if (run.length >= length) return run;
  }
  return [];
}
