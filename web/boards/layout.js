// @ts-check
/** Where things are on each game's board: its targets (cells, crossings or edges), in units of 100 per cell. */

/**
 * A place that can be chosen. `row` and `column` are its place in the grid that keyboards and screen readers walk, from the top
 * left; `name` is what the game's notation calls it.
 * @typedef {{ name: string, x: number, y: number, row: number, column: number, shape: "square" | "point" | "edge", upright?: boolean }} Target
 *
 * @typedef {{
 *   kind: "cells" | "intersections" | "edges", columns: number, rows: number, width: number, height: number,
 *   targets: Target[], byName: Map<string, Target>, flipped: boolean,
 * }} Layout
 */

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** Room around the lines of a board, for stones at its edge and for coordinates. */
export const MARGIN = 88;
/** Room around a board of cells, for coordinates. */
export const FRAME = 42;

/**
 * @param {import("../types.js").Game} game
 * @param {import("../types.js").Variant} variant
 * @param {boolean} flipped
 * @returns {Layout}
 */
export function layout(game, variant, flipped) {
  if (game.geometry === "edges") return edges(Number(variant.columns), Number(variant.rows));
  if (game.name === "xiangqi") return crossings(9, 10, variant.ranks === "from_one" ? 1 : 0, flipped);
  if (game.geometry === "intersections") return crossings(Number(variant.size), Number(variant.size), 1, false);
  return cells(Number(variant.columns ?? 8), Number(variant.rows ?? 8), game.name === "reversi");
}

/** @param {Omit<Layout, "byName">} parts @returns {Layout} */
function finish(parts) {
  return { ...parts, byName: new Map(parts.targets.map((target) => [target.name, target])) };
}

/** @param {number} columns @param {number} rows @param {boolean} fromTop whether row 1 is the top one */
function cells(columns, rows, fromTop) {
  /** @type {Target[]} */
  const targets = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const name = `${LETTERS[column]}${fromTop ? row + 1 : rows - row}`;
      targets.push({ name, x: FRAME + column * 100 + 50, y: FRAME + row * 100 + 50, row, column, shape: "square" });
    }
  }
  const [width, height] = [columns * 100 + 2 * FRAME, rows * 100 + 2 * FRAME];
  return finish({ kind: "cells", columns, rows, width, height, targets, flipped: false });
}

/** @param {number} columns @param {number} rows @param {number} lowest number of the lowest row @param {boolean} flipped */
function crossings(columns, rows, lowest, flipped) {
  /** @type {Target[]} */
  const targets = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const [file, rank] = flipped ? [columns - 1 - column, row] : [column, rows - 1 - row];
      const name = `${LETTERS[file]}${rank + lowest}`;
      targets.push({ name, x: MARGIN + column * 100, y: MARGIN + row * 100, row, column, shape: "point" });
    }
  }
  const [width, height] = [(columns - 1) * 100 + 2 * MARGIN, (rows - 1) * 100 + 2 * MARGIN];
  return finish({ kind: "intersections", columns, rows, width, height, targets, flipped });
}

/** @param {number} columns @param {number} rows */
function edges(columns, rows) {
  const size = 150;
  /** @type {Target[]} */
  const targets = [];
  for (let row = 0; row <= rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const [x, y] = [MARGIN + column * size + size / 2, MARGIN + row * size];
      targets.push({ name: `h${row},${column}`, x, y, row: 2 * row, column, shape: "edge" });
    }
    if (row === rows) break;
    for (let column = 0; column <= columns; column += 1) {
      const [x, y] = [MARGIN + column * size, MARGIN + row * size + size / 2];
      targets.push({ name: `v${row},${column}`, x, y, row: 2 * row + 1, column, shape: "edge", upright: true });
    }
  }
  const [width, height] = [columns * size + 2 * MARGIN, rows * size + 2 * MARGIN];
  return finish({ kind: "edges", columns, rows, width, height, targets, flipped: false });
}

/** Where a move starts (only pieces that walk have that) and where it ends, as names of targets. Words have neither. */
/** @param {import("../types.js").Game} game @param {string} move @returns {{ from: string | null, to: string }} */
export function ends(game, move) {
  const step = game.name === "xiangqi" ? /^([a-i]\d{1,2})([a-i]\d{1,2})$/.exec(move) : null;
  return step ? { from: step[1], to: step[2] } : { from: null, to: move };
}

/**
 * The target where a move's stone comes to lie, given the board's rows and stones put there meanwhile.
 * @param {import("../types.js").Game} game
 * @param {Layout} board
 * @param {string[]} rows the position's cells
 * @param {string} move
 * @param {Set<string>} [taken] targets taken since
 */
export function landing(game, board, rows, move, taken) {
  if (game.name !== "connect-four") return board.byName.get(ends(game, move).to);
  const column = columnOf(move);
  for (let row = board.rows - 1; row >= 0; row -= 1) {
    const target = board.targets[row * board.columns + column];
    if (target && rows[row]?.[column] === "." && !taken?.has(target.name)) return target;
  }
  return undefined;
}

/** The move of a column in Connect Four. @param {number} column from 0 */
export const columnMove = (column) => "123456789abc"[column];
/** @param {string} move */
export const columnOf = (move) => "123456789abc".indexOf(move);

/**
 * The next target in a direction: in the row beyond, the one nearest across.
 * @param {Layout} board
 * @param {Target} from
 * @param {number} dx
 * @param {number} dy
 */
export function neighbour(board, from, dx, dy) {
  const row = board.targets.filter((target) => target.row === from.row + dy);
  if (dy === 0) return row.find((target) => target.column === from.column + dx);
  return row.sort((a, b) => Math.abs(a.x - from.x) - Math.abs(b.x - from.x))[0];
}
