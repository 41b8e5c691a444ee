// @ts-check
/**
 * How positions are set up by hand: what can be put on a board, and how that becomes the game's notation and back. Only the
 * service knows which positions are valid: it may refuse a draft.
 */

import { EDGE } from "./edges.js";
import { layout } from "./layout.js";
import { stoneOwner } from "./pieces.js";

/**
 * @typedef {import("../types.js").Side} Side
 * @typedef {import("../types.js").Variant} Variant
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./layout.js").Target} Target
 *
 * A position being set up: letters of cells as in a position's `cells`, the side to move, and the rest of its text.
 * @typedef {{ cells: string[][], side: Side, rest: string }} Draft
 *
 * @typedef {object} Placing
 * @property {string} letters what can be put on the board
 * @property {(variant: Variant) => Draft} clear the empty board
 * @property {(draft: Draft, variant: Variant) => string} write the draft in the game's notation
 * @property {(text: string, variant: Variant) => Draft | null} read parses the text of `write`; null for any other text
 * @property {(draft: Draft, target: Target, letter: string | null, variant: Variant) => void} put
 *   changes the draft at a target; the same piece again, or null, removes what is there
 * @property {(draft: Draft) => Side | null} [turn] the side to move, if the number of stones determines it
 * @property {(variant: Variant) => string[]} [stages] the choice of words that can follow the side to move in a text
 * @property {(board: Layout) => Layout} [layout] a layout with more targets than the game's moves have
 * @property {(draft: Draft, target: Target) => boolean} [open] whether anything can be put there; everywhere if absent
 * @property {number} [reach] half the size of a piece, in units of the board; 55 if absent
 */

/** The letter of an empty cell. */
const EMPTY = ".";

/** @param {number} rows @param {number} columns @param {string} [letter] @returns {string[][]} */
const blank = (rows, columns, letter = EMPTY) => Array.from({ length: rows }, () => Array.from({ length: columns }, () => letter));

/** Puts a piece on a cell; the same piece again, or null, empties it. @type {Placing["put"]} */
function put({ cells }, { at: [row, column] }, letter) {
  cells[row][column] = letter === cells[row][column] || letter === null ? EMPTY : letter;
}

/**
 * Boards in rows from the top, with numbers for runs of empty cells, followed by the side to move.
 * @param {{
 *   letters: string, sides?: [first: string, second: string], size: (variant: Variant) => [columns: number, rows: number],
 *   rest?: string, fixed?: (variant: Variant) => { at: [row: number, column: number], letter: string } | null,
 * }} kind `rest` follows the side to move in a new text, `fixed` is a cell that is never empty
 * @returns {Placing}
 */
export function inRows({ letters, sides = ["x", "o"], size, rest = "", fixed }) {
  const clear = (/** @type {Variant} */ variant) => {
    const [columns, rows] = size(variant);
    const cells = blank(rows, columns);
    const block = fixed?.(variant);
    if (block) cells[block.at[0]][block.at[1]] = block.letter;
    return { cells, side: /** @type {Side} */ ("first"), rest };
  };
  return {
    letters,
    clear,
    put,
    write: ({ cells, side, rest: behind }) => {
      const rows = cells.map((row) => row.join("").replace(/\.+/g, (run) => String(run.length)));
      return [rows.join("/"), sides[side === "first" ? 0 : 1], behind].filter(Boolean).join(" ");
    },
    read: (text, variant) => {
      const [board, side, ...behind] = text.trim().split(/\s+/);
      const [columns, rows] = size(variant);
      const cells = board.split("/").map((row) => [...row.replace(/\d+/g, (run) => EMPTY.repeat(Math.min(Number(run), columns + 1)))]);
      const known = cells.every((row) => row.length === columns && row.every((letter) => letter === EMPTY || letter === "#" || letters.includes(letter)));
      const index = sides.indexOf(side);
      return known && cells.length === rows && index >= 0 ? { cells, side: index === 0 ? "first" : "second", rest: behind.join(" ") } : null;
    },
  };
}

/**
 * The side to move where sides alternate, placing one stone each: the first player if both have as many.
 * @param {string} first @param {string} second
 * @returns {NonNullable<Placing["turn"]>}
 */
export const turnByCount = (first, second) => ({ cells }) => {
  const count = (/** @type {string} */ letter) => cells.flat().filter((one) => one === letter).length;
  const more = count(first) - count(second);
  return more === 0 ? "first" : more === 1 ? "second" : null;
};

/**
 * Stones that fall: one put anywhere in a column lands on the others, and removing one lets those above it fall. A blocked cell
 * is skipped: stones lie above and below it without gaps.
 * @type {Placing["put"]}
 */
export function drop({ cells }, { at: [row, column] }, letter) {
  const places = cells.map((_, index) => index).filter((index) => cells[index][column] !== "#").reverse();
  const stones = places.map((index) => cells[index][column]).filter((one) => one !== EMPTY);
  const here = places.indexOf(row);
  const there = stones[here];
  if (there === undefined) {
    if (letter !== null && stones.length < places.length) stones.push(letter);
  } else if (letter === null || letter === there) stones.splice(here, 1);
  else stones[here] = letter;
  for (const [height, index] of places.entries()) cells[index][column] = stones[height] ?? EMPTY;
}

/** A square board as a line of letters, cell by cell, and the side to move. @param {(variant: Variant) => number} size @returns {Placing} */
export function inOneLine(size) {
  const sides = ["X", "O"];
  return {
    letters: "XO",
    clear: (variant) => ({ cells: blank(size(variant), size(variant), "-"), side: "first", rest: "" }),
    put: ({ cells }, { at: [row, column] }, letter) => {
      cells[row][column] = letter === cells[row][column] || letter === null ? "-" : letter;
    },
    write: ({ cells, side }) => `${cells.map((row) => row.join("")).join("")} ${sides[side === "first" ? 0 : 1]}`,
    read: (text, variant) => {
      const [board, side, ...behind] = text.trim().split(/\s+/);
      const [index, width] = [sides.indexOf(side), size(variant)];
      if (board.length !== width * width || !/^[XO-]*$/.test(board) || index < 0 || behind.length > 0) return null;
      const cells = Array.from({ length: width }, (_, row) => [...board.slice(row * width, (row + 1) * width)]);
      return { cells, side: index === 0 ? "first" : "second", rest: "" };
    },
  };
}

/**
 * The edges between dots. Letters give the owner of an edge, which the notation omits, and of a complete box. The notation only
 * counts each side's boxes: the first ones are the first player's.
 * @type {Placing}
 */
export const ofEdges = {
  letters: "xo",
  reach: 85,
  clear: ({ columns, rows }) => ({ cells: blank(2 * Number(rows) + 1, 4 * Number(columns) + 1, " "), side: "first", rest: "" }),
  put: ({ cells }, { at: [row, column], shape }, letter) => {
    const drawn = cells[row][column] !== " ";
    if (shape === "edge") cells[row][column] = drawn || letter === null ? " " : letter;
    else if (drawn && letter !== null) cells[row][column] = letter;
    assignBoxes(cells, letter ?? "x");
  },
  open: ({ cells }, { shape, at: [row, column] }) => shape === "edge" || cells[row][column] !== " ",
  write: ({ cells, side }, variant) => {
    const edges = places(variant).map(([row, column]) => (cells[row][column] === " " ? "0" : "1"));
    const owned = (/** @type {string} */ letter) => boxes(cells).filter(([row, column]) => cells[row][column] === letter).length;
    return `${edges.join("")} ${owned("x")}-${owned("o")} ${side}`;
  },
  read: (text, variant) => {
    const [, edges, first, side] = /^\s*([01]+) (\d+)-\d+ (first|second)\s*$/.exec(text) ?? [];
    const all = places(variant);
    if (edges?.length !== all.length) return null;
    const { cells } = ofEdges.clear(variant);
    for (const [index, [row, column]] of all.entries()) if (edges[index] === "1") cells[row][column] = "#";
    assignBoxes(cells, "x");
    for (const [row, column] of boxes(cells).filter(([y, x]) => cells[y][x] === "x").slice(Number(first))) cells[row][column] = "o";
    return { cells, side: side === "first" ? "first" : "second", rest: "" };
  },
  layout: ({ targets, ...board }) => {
    const all = targets.map((target) => (target.upright ? { ...target, column: 2 * target.column } : target));
    for (const { name, x, y, row, column, at: [top, left] } of targets) {
      // There is a box below each horizontal edge but the lowest.
      if (!name.startsWith("h") || row === 2 * board.rows) continue;
      all.push({ name: `${row / 2},${column}`, x, y: y + EDGE / 2, row: row + 1, column: 2 * column + 1, at: [top + 1, left], shape: "square" });
    }
    return layout({ ...board, targets: all.sort((a, b) => a.row - b.row || a.column - b.column) });
  },
};

/** Where edges are, in the order of the notation. @param {Variant} variant @returns {[row: number, column: number][]} */
function places({ columns, rows }) {
  const [wide, high] = [Number(columns), Number(rows)];
  /** @type {[number, number][]} */
  const all = [];
  for (let row = 0; row <= high; row += 1) for (let column = 0; column < wide; column += 1) all.push([2 * row, 4 * column + 2]);
  for (let row = 0; row < high; row += 1) for (let column = 0; column <= wide; column += 1) all.push([2 * row + 1, 4 * column]);
  return all;
}

/** Where boxes are. @param {string[][]} cells @returns {[row: number, column: number][]} */
function boxes(cells) {
  return cells.flatMap((letters, row) => (row % 2 === 0 ? [] : letters.flatMap((_, column) => (column % 4 === 2 ? [/** @type {[number, number]} */ ([row, column])] : []))));
}

/**
 * Gives newly complete boxes to a side, and clears those that are no longer complete.
 * @param {string[][]} cells
 * @param {string} letter
 */
function assignBoxes(cells, letter) {
  for (const [row, column] of boxes(cells)) {
    const around = [cells[row - 1][column], cells[row + 1][column], cells[row][column - 2], cells[row][column + 2]];
    const complete = !around.includes(" ");
    if (!complete) cells[row][column] = " ";
    else if (!stoneOwner(cells[row][column])) cells[row][column] = letter;
  }
}
