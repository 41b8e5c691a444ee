// @ts-check
/**
 * The puzzles of each game, in `puzzles/GAME.json`, and which of them were solved in this browser. A game's module states
 * whether there is such a file. Loaded on demand.
 */

import { ApiError } from "./backend/error.js";
import { gameWord, moduleOf, sideName } from "./games.js";
import table from "./lang/puzzles.js";
import { preferences } from "./preferences.js";
import { lang, number, w } from "./words.js";

/**
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").Puzzle} Puzzle
 */

/** Words of puzzles in the reader's language. */
export const words = () => table[lang()];

/** The games that have puzzles; their modules must be loaded. @param {Game[]} games */
export const gamesWithPuzzles = (games) => games.filter((game) => moduleOf(game).puzzles);

/** @type {Map<string, Promise<Puzzle[]>>} */
const books = new Map();

/** The puzzles of a game, the easiest first. @param {string} game */
export function puzzlesOf(game) {
  const book = books.get(game) ?? read(game);
  books.set(game, book);
  // It may succeed later.
  book.catch(() => books.delete(game));
  return book;
}

/** @param {string} game @returns {Promise<Puzzle[]>} */
async function read(game) {
  let response;
  try {
    response = await fetch(new URL(`puzzles/${game}.json`, import.meta.url));
  } catch (error) {
    throw new ApiError("offline", String(error));
  }
  if (!response.ok) throw new ApiError("not_found", response.url, { status: response.status });
  /** @type {Puzzle[]} */
  const puzzles = await response.json();
  return puzzles.sort((a, b) => a.difficulty - b.difficulty);
}

const DAY = 24 * 60 * 60 * 1000;
/** A prime larger than any list, so that every puzzle gets its day, with easy and hard ones mixed. */
const STRIDE = 7919;

/** The puzzle of a day (UTC): games take turns. @param {Game[]} games @param {number} [now] */
export async function daily(games, now = Date.now()) {
  const names = gamesWithPuzzles(games).map(({ name }) => name).sort();
  const day = Math.floor(now / DAY);
  const puzzles = await puzzlesOf(names[day % names.length]);
  return puzzles[(Math.floor(day / names.length) * STRIDE) % puzzles.length];
}

/** A puzzle's number within its game. @param {Puzzle} puzzle */
export const numberOf = ({ id, game }) => id.slice(game.length + 1);

/** @param {string} game */
const solved = (game) => new Set(preferences.get(`solved:${game}`, "").split(" ").filter(Boolean));

/** Whether a puzzle was solved in this browser. @param {Puzzle} puzzle */
export const isSolved = (puzzle) => solved(puzzle.game).has(numberOf(puzzle));

/** Marks a puzzle as solved. @param {Puzzle} puzzle */
export const markSolved = (puzzle) => store(`solved:${puzzle.game}`, [...solved(puzzle.game).add(numberOf(puzzle))].join(" "));

/** How many puzzles in a row were solved on the first try, without help. */
export const streak = () => Number(preferences.get("solved-row", "0"));

/** @param {number} count */
export const storeStreak = (count) => store("solved-row", String(count));

/** @param {string} name @param {string} value */
function store(name, value) {
  try {
    preferences.set(name, value);
  } catch {
    // Storage is full: nothing is kept.
  }
}

/**
 * Moves until the solver wins, after `played` plies of the solution; 0 if unlimited.
 * @param {Puzzle} puzzle
 * @param {number} [played]
 */
export const movesToWin = ({ plies }, played = 0) => (plies === undefined ? 0 : Math.ceil((plies - played) / 2));

/** The task in words. @param {Game} game @param {Puzzle} puzzle */
export function task(game, puzzle) {
  const { win, draw, points } = words().tasks;
  const side = sideName(game, puzzle.side);
  if (puzzle.kind === "win") return win(side, movesToWin(puzzle), number(movesToWin(puzzle)));
  if (puzzle.kind === "draw") return draw(side);
  const { score = 0 } = puzzle;
  const margin = score === 0 ? "" : w().status.by(number(Math.abs(score)), gameWord(game, "units", game.unit ?? ""));
  return points(side, Math.sign(score), margin);
}
