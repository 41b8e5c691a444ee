// @ts-check
/** Where things are on a board: its targets (cells, crossings or edges), in units of 100 per cell. */

/**
 * A place that can be chosen. `row` and `column` are its position, from the top left, in the grid for keyboards and screen
 * readers; `name` is the service's name for it; `at` is the row and column of its letter in a position's `cells`, or `index`
 * its place in `cells` if each entry is the text of one target. `outline` is the path of the area that can be hit, if none of
 * the shapes fits.
 * @typedef {{
 *   name: string, x: number, y: number, row: number, column: number, at: [row: number, column: number],
 *   index?: number, shape: "square" | "point" | "edge", upright?: boolean, outline?: string,
 * }} Target
 *
 * `upright` is a board of hexagons whose sides are vertical, higher than it is wide.
 *
 * @typedef {{
 *   columns: number, rows: number, width: number, height: number, targets: Target[], byName: Map<string, Target>, flipped: boolean, upright?: boolean,
 * }} Layout
 */

export const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** Room around the lines of a board, for stones at its edge and for coordinates. */
export const MARGIN = 96;
/** Room around a board of cells, for coordinates. */
export const FRAME = 46;
/** Screens on which boards of hexagons stand upright, which makes their cells larger. */
export const NARROW = "(max-width: 40rem) and (orientation: portrait)";
/** The inset of coordinates: midway between the edge of a board and the stones at the rim. */
export const RIM = 25;

/** A layout of these parts. @param {Omit<Layout, "byName" | "flipped"> & { flipped?: boolean }} parts @returns {Layout} */
export function layout(parts) {
  return { flipped: false, ...parts, byName: new Map(parts.targets.map((target) => [target.name, target])) };
}

/** The letter or text of `cells` at a target. @param {string[]} cells @param {Target} target */
export const letterAt = (cells, { at: [row, column], index }) => (index === undefined ? cells[row]?.[column] : cells[index]) ?? " ";

/** The column letter and the row number in a target's name; both empty for names of another kind. @param {string} name */
export function placeOf(name) {
  const [, letter, number] = /^([a-z]{1,2})(\d{1,2})$/i.exec(name) ?? ["", "", ""];
  return { letter, number };
}

/**
 * The next target in a direction; in another row, the nearest one.
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

/** The first or the last target of a row, for Home or End. @param {Layout} board @param {Target} from @param {string} key */
export function rowEnd(board, from, key) {
  const row = board.targets.filter((target) => target.row === from.row);
  return key === "Home" ? row[0] : key === "End" ? row[row.length - 1] : undefined;
}
