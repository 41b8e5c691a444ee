// @ts-check
/**
 * The board of a game that describes itself at run time: cells in one of four shapes, pieces as discs, letters or paths, moves by
 * clicks or as a list. A game without cells is shown as the text of its position.
 *
 * Descriptions are untrusted: their texts become text nodes, their paths the `d` of a path clipped to its cell, and sizes are
 * limited.
 */

import { s } from "../dom.js";
import { width } from "../words.js";
import { Choices } from "./choices.js";
import { crossings, lattice } from "./crossings.js";
import { free, pits } from "./free.js";
import { coordinates, slab } from "./ground.js";
import { hexagons, honeycomb, outline, rim } from "./hexagons.js";
import { layout, letterAt, LETTERS, placeOf, RIM } from "./layout.js";
import { DESCRIBED_CLASS, markTarget, shadow } from "./pieces.js";
import { grid, squares } from "./squares.js";

/**
 * @typedef {import("../types.js").GameBoard} GameBoard
 * @typedef {import("../types.js").BoardPiece} BoardPiece
 * @typedef {import("../types.js").Side} Side
 * @typedef {import("../types.js").Variant} Variant
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./layout.js").Target} Target
 */

/** The maximum number of columns and of rows. */
const LONGEST = 40;
/** The longest name of a cell. */
const NAME = 40;
/** The longest path. */
const PATH = 4000;
/** The CSS of such boards, which the page adopts once. */
export const style = `
.field.wood { fill: none; }
.chequer { fill: var(--rule); opacity: 0.2; }
.pit { fill: color-mix(in srgb, var(--rule) 22%, transparent); stroke: var(--rule); stroke-width: var(--rule-width); }
.nameplate { font-size: 16px; font-weight: 500; fill: var(--board-ink); }
.own-game { --neutral: #8d8677; }
.first-white { --first: #fbfaf6; --first-ink: #1d1d1f; }
.first-black { --first: #1d1d1f; --first-ink: #fff; }
.first-red { --first: var(--red, #c8402f); --first-ink: var(--red-ink, #fff); }
.first-blue { --first: var(--blue, #2d6cc0); --first-ink: var(--blue-ink, #fff); }
.first-yellow { --first: var(--yellow, #f6c935); --first-ink: var(--yellow-ink, #2b2100); }
.second-white { --second: #fbfaf6; --second-ink: #1d1d1f; }
.second-black { --second: #1d1d1f; --second-ink: #fff; }
.second-red { --second: var(--red, #c8402f); --second-ink: var(--red-ink, #fff); }
.second-blue { --second: var(--blue, #2d6cc0); --second-ink: var(--blue-ink, #fff); }
.second-yellow { --second: var(--yellow, #f6c935); --second-ink: var(--yellow-ink, #2b2100); }
.own-game .letters { font-weight: 700; fill: var(--board-ink); }
.own-game.first .letters { fill: var(--first-ink); }
.own-game.second .letters { fill: var(--second-ink); }
.own-game.neutral .letters { fill: #fff; }
.own-game.neutral > .stone { fill: var(--neutral); }
.figure { stroke-width: 4; stroke-linejoin: round; paint-order: stroke; }
.first .figure { fill: var(--first); stroke: var(--first-ink); }
.second .figure { fill: var(--second); stroke: var(--second-ink); }
.neutral .figure { fill: var(--neutral); stroke: #fff; }
.board-moves.list { min-height: 2.6rem; max-height: 13rem; overflow: auto; padding: 0.2rem; }
.board-text { container-type: inline-size; display: grid; place-items: center; min-height: 12rem; max-height: 60dvh; overflow: auto; padding: 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--board-shadow); }
.board-text pre { margin: 0; max-width: 100%; white-space: pre-wrap; overflow-wrap: anywhere; font-size: clamp(0.9rem, 140cqi / var(--length, 20), 2.4rem); line-height: 1.35; }
`;

/** How many letters of a text are drawn on a cell; all of them are read out. */
const SHOWN = 8;

/** @type {Record<Exclude<GameBoard["cells"], "free">, (columns: number, rows: number, upright?: boolean) => Layout>} */
const LAYOUTS = { squares: (columns, rows) => squares(columns, rows), hexagons, points: (columns, rows) => crossings(columns, rows) };

/** @type {Record<GameBoard["cells"], (board: Layout, walks: boolean) => SVGElement[]>} */
const GROUNDS = {
  squares: (board, walks) => [...grid(board, "wood"), ...(walks ? checks(board) : []), ...coordinates(board, RIM - 1), ...nameplates(board)],
  hexagons: (board) => [slab(board), ...honeycomb(board, "wood"), ...rim(board), ...nameplates(board)],
  points: (board) => [slab(board), ...lattice(board), ...coordinates(board, RIM), ...nameplates(board)],
  free: (board) => [slab(board), ...pits(board), ...board.targets.map(nameplate)],
};

/** @param {import("../types.js").Game} game @param {GameBoard} about @returns {import("../games.js").GameModule} */
export function describedModule(game, about) {
  const start = /** @type {import("../types.js").Position} */ (/** @type {unknown} */ (game.start));
  const asText = (start.cells ?? []).length === 0 || (about.cells === "free" && about.at.length === 0);
  const walks = start.legal.some(({ from, to }) => from !== null && to !== null);
  const known = (/** @type {string} */ letter) => (Object.hasOwn(about.pieces, letter) ? about.pieces[letter] : null);
  const owner = (/** @type {string} */ letter) => known(letter)?.side ?? null;
  const piece = (/** @type {Side | null} */ side, /** @type {Target} */ place, /** @type {string | null} */ letter) => {
    const own = Object.values(about.pieces).filter((one) => one.side === side);
    // What is put down is known only if the side has one kind of piece.
    const kind = letter === null ? (own.length === 1 ? own[0] : {}) : known(letter);
    return kind ? drawn(side, place, kind) : letters(place, letter ?? "");
  };
  return {
    words: { en: {}, zh: {} },
    style: "",
    asText,
    Choices,
    list: about.clicks === "list",
    layout: (variant, flipped, upright) => (asText ? EMPTY : flipped ? turned(named(about, variant, upright)) : named(about, variant, upright)),
    ground: (board) => (asText ? [] : GROUNDS[about.cells](board, walks)),
    owner,
    piece,
    pieces: ({ board, position }) => board.targets.flatMap((target) => {
      const text = letterAt(position.cells, target);
      return text.trim() === "" ? [] : [markTarget(piece(owner(text), target, text), target.name)];
    }),
    content: (letter, nameOf) => {
      if (letter.trim() === "") return null;
      const kind = known(letter);
      const words = kind?.text ?? (kind && !kind.path ? "" : letter);
      return [kind?.side && nameOf(kind.side), words].filter(Boolean).join(" ") || letter;
    },
    last: about.cells === "squares" ? "square" : "circle",
    flips: walks && !asText,
    // Arrows of more pieces would hide the board.
    candidates: walks ? 5 : 24,
  };
}

const EMPTY = layout({ columns: 0, rows: 0, width: 800, height: 500, targets: [] });

/** The board of a variant, with the game's own names of cells. @param {GameBoard} about @param {Variant} variant @param {boolean} [upright] */
function named(about, variant, upright) {
  const extent = (/** @type {number | string} */ one) => {
    const value = Math.floor(Number(typeof one === "string" ? Object.hasOwn(variant, one) && variant[one] : one)) || 8;
    return Math.min(LONGEST, Math.max(1, value));
  };
  const board = about.cells === "free" ? free(about.at) : LAYOUTS[about.cells](extent(about.columns), extent(about.rows), upright);
  const targets = board.targets.map((target, order) => {
    const { index = order, row, column } = target;
    const own = about.names[index] ?? "";
    const generated = about.cells === "free" ? String(index + 1) : `${lettersOf(column)}${board.rows - row}`;
    return { ...target, index, name: own !== "" && own.length <= NAME ? own : generated };
  });
  return layout({ ...board, targets });
}

/** A column's letters: a to z, then aa, ab and on. @param {number} column */
const lettersOf = (column) => (column < LETTERS.length ? LETTERS[column] : LETTERS[Math.floor(column / LETTERS.length) - 1] + LETTERS[column % LETTERS.length]);

/** A board as seen from the other side. @param {Layout} board */
function turned(board) {
  const last = Math.max(...board.targets.map(({ row }) => row));
  const length = (/** @type {number} */ row) => board.targets.filter((one) => one.row === row).length;
  const lengths = Array.from({ length: last + 1 }, (_, row) => length(row));
  const targets = board.targets.map((target) => {
    const middle = { x: board.width - target.x, y: board.height - target.y };
    const place = { row: last - target.row, column: lengths[target.row] - 1 - target.column };
    return { ...target, ...middle, ...place, outline: target.outline && outline(middle, board.upright) };
  });
  return layout({ ...board, targets: targets.reverse(), flipped: true });
}

/** A piece as its game describes it. @param {Side | null} side @param {Target} place @param {Partial<BoardPiece>} kind */
function drawn(side, place, { text, path }) {
  const { x, y } = place;
  // The inner svg clips the path to its cell.
  const body = path && path.length <= PATH
    ? [s("svg", { x: x - 50, y: y - 50, width: 100, height: 100, viewBox: "0 0 100 100" }, s("path", { class: "figure", d: path }))]
    : [shadow(x, y, 42), s("circle", { class: "stone", cx: x, cy: y, r: 42 }), s("circle", { class: "gloss", cx: x, cy: y, r: 42 })];
  return s("g", { class: `piece ${DESCRIBED_CLASS} ${side ?? "neutral"}` }, ...body, text && lettering(place, text, 64));
}

/** A text without a described piece. @param {Target} place @param {string} text */
const letters = (place, text) => s("g", { class: `piece ${DESCRIBED_CLASS}` }, lettering(place, text, 78));

/** A text as large as its cell allows. @param {Target} place @param {string} text @param {number} room */
function lettering({ x, y }, text, room) {
  const all = [...text.trim()];
  const shown = all.length > SHOWN ? `${all.slice(0, SHOWN - 1).join("")}…` : all.join("");
  // A digit is about six tenths as wide as it is high.
  const size = Math.min(48, room / (0.62 * Math.max(1, width(shown))));
  return s("text", { class: "letters", x, y, "font-size": size.toFixed(1) }, shown);
}

/** The darker squares, including the lower left one. @param {Layout} board */
const checks = (board) =>
  board.targets.filter(({ row, column }) => (board.rows - 1 - row + column) % 2 === 0)
    .map(({ x, y }) => s("rect", { class: "chequer", x: x - 50, y: y - 50, width: 100, height: 100 }));

/** The names of cells that the coordinates beside the board do not give. @param {Layout} board */
const nameplates = (board) => board.targets.filter(({ name }) => placeOf(name).letter === "").map(nameplate);

/** @param {Target} target */
const nameplate = ({ name, x, y }) => s("text", { class: "nameplate", x, y: y + 37, "aria-hidden": "true" }, [...name].slice(0, SHOWN).join(""));
