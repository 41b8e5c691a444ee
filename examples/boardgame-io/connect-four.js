// @ts-check
/** Connect Four for boardgame.io: seven columns, six rows, four in a row. */

const [COLUMNS, ROWS] = [7, 6];

/**
 * The owner of each cell, row by row from the bottom (null where it is empty), and the columns played so far, counted from 0.
 * @typedef {{ cells: (string | null)[], columns: number[] }} Board
 */

/** @param {Board} board @param {number} column */
const height = ({ columns }, column) => columns.filter((played) => played === column).length;

/** Whether the last stone made four in a row. @param {Board} board */
function wins({ cells, columns }) {
  const column = columns.at(-1);
  if (column === undefined) return false;
  const row = columns.filter((played) => played === column).length - 1;
  const own = cells[row * COLUMNS + column];
  const run = (/** @type {number} */ dx, /** @type {number} */ dy) => {
    let length = 0;
    for (let [x, y] = [column + dx, row + dy]; x >= 0 && x < COLUMNS && y >= 0 && y < ROWS; [x, y] = [x + dx, y + dy]) {
      if (cells[y * COLUMNS + x] !== own) break;
      length += 1;
    }
    return length;
  };
  return [[1, 0], [0, 1], [1, 1], [1, -1]].some(([dx, dy]) => run(dx, dy) + run(-dx, -dy) >= 3);
}

export const connectFour = /** @satisfies {import("boardgame.io").Game<Board>} */ ({
  name: "connect-four",
  setup: () => ({ cells: Array(COLUMNS * ROWS).fill(null), columns: [] }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop: ({ G, playerID }, /** @type {number} */ column) => {
      const row = height(G, column);
      if (!(column >= 0 && column < COLUMNS && row < ROWS)) return "INVALID_MOVE";
      G.cells[row * COLUMNS + column] = playerID;
      G.columns.push(column);
    },
  },
  endIf: ({ G, ctx }) => {
    if (wins(G)) return { winner: ctx.currentPlayer };
    if (G.columns.length === COLUMNS * ROWS) return { draw: true };
  },
  ai: {
    enumerate: (/** @type {Board} */ G) =>
      Array.from({ length: COLUMNS }, (_, column) => column)
        .filter((column) => height(G, column) < ROWS)
        .map((column) => ({ move: "drop", args: [column] })),
  },
});

/** The service's request for a position: it counts columns from 1. @param {Board} board */
export const request = ({ columns }) => ({ game: /** @type {const} */ ("connect-four"), moves: columns.map((column) => `${column + 1}`) });

/** A move as the service writes it. @param {{ args: number[] }} move */
export const notation = ({ args: [column] }) => `${column + 1}`;

/** The board as text, from the top. @param {Board} board */
export function show({ cells }) {
  const rows = Array.from({ length: ROWS }, (_, row) => cells.slice(row * COLUMNS, (row + 1) * COLUMNS));
  return rows.reverse().map((row) => row.map((cell) => (cell === null ? "." : "xo"[Number(cell)])).join(" ")).join("\n");
}
