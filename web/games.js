// @ts-check
/**
 * How the page draws and names each game: one module in `games/`, found by the service's name of the game. To add a game, add
 * `games/NAME.js` with a default export of type `GameModule`; there is no list of modules. A game with a description of its
 * board, such as one added at run time, is drawn from it (`boards/described.js`), and a game with neither on a square grid
 * (`boards/generic.js`).
 *
 * A module draws and names things, and contains no rules: what a move does (`from`, `to`, `captured`, `claimed`, `colour`)
 * comes from the service with every legal and every played move. Helpers in `boards/`: `squares`, `crossings` and `edges` make
 * layouts, `ground` the background, `pieces` stones. Targets have the service's names of cells. A module must not touch the
 * document while it loads, since tests read its words.
 */

import { generic } from "./boards/generic.js";
import { DESCRIBED_CLASS } from "./boards/pieces.js";
import { preferences } from "./preferences.js";
import { clipped, lang, w } from "./words.js";

/**
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").Side} Side
 * @typedef {import("./types.js").Variant} Variant
 * @typedef {import("./types.js").Position} Position
 * @typedef {import("./types.js").LegalMove} LegalMove
 * @typedef {import("./types.js").PlayedMove} PlayedMove
 * @typedef {import("./boards/layout.js").Layout} Layout
 * @typedef {import("./boards/layout.js").Target} Target
 */

/**
 * Tables of words. The page reads `moves` (moves without a place on the board), `variants`, `parameters`, `choices` (of
 * variants), `reasons` (ends of games) and `refusal` (see `lang/refusal.js`); the options in `glyphs` and `notations` have
 * tables of these names, with `label` as the heading. A word in none of the game's tables is looked up in `lang/`. Other tables
 * are for the module itself.
 * @typedef {Record<string, Record<string, string>>} GameWords
 */

/**
 * The contents of the board. `line` is the moves played so far, `last` the target of the last one.
 * @typedef {{ board: Layout, variant: Variant, position: Position, line: PlayedMove[], last: Target | undefined, glyphs: string }} BoardContents
 */

/**
 * A position to draw: its variant, letters, its text where positions are shown as text, and the moves before it where pieces
 * depend on who played them.
 * @typedef {{ variant: Variant, cells: string[], position?: string, line?: PlayedMove[] }} Picture
 */

/**
 * @typedef {object} GameModule
 * @property {{ en: GameWords, zh: GameWords }} words
 * @property {string} style
 *   CSS for its board and pieces; the game's name is a class of the board, of each piece and of the evaluation bar. The sides'
 *   colours are `--first` and `--second`, those of text on them `--first-ink` and `--second-ink`
 * @property {(variant: Variant, flipped: boolean, upright?: boolean) => Layout} layout
 *   where its targets are; `upright` on narrow, tall screens
 * @property {(board: Layout, variant: Variant, notation?: string) => SVGElement[]} ground what lies under the pieces
 * @property {(board: Layout, variant: Variant) => SVGElement[]} [front] what is drawn in front of them
 * @property {(letter: string) => Side | null} owner the owner of a letter of `cells`
 * @property {(side: Side, place: Target, letter: string | null, glyphs: string) => SVGElement} piece
 *   one piece; `letter` is null for a move that has not been played
 * @property {(contents: BoardContents) => SVGElement[]} [pieces] all pieces on the board, if not one per owned cell
 * @property {(letter: string, nameOf: (side: Side) => string) => string | null} [content]
 *   a letter of `cells` in words, if more than its owner's name
 * @property {"square" | "circle" | "dot" | "none"} [last] how the last move is marked; a circle if absent
 * @property {"fall" | "land"} [entrance] how a new piece enters the board; `land` if absent
 * @property {"drop"} [sound] the sound of that, if not the click of a stone
 * @property {(board: Layout, move: LegalMove) => string[]} [clickTargets]
 *   the targets to choose first for a move, if not its start or else its destination
 * @property {(contents: BoardContents) => Target[]} [winning] the stones that won
 * @property {(position: Position) => [target: string, words: string][]} [forbidden] points that are crossed out, and why
 * @property {(position: Position) => { first: number, second: number }} [points] the score so far
 * @property {(position: Position) => string[]} [notes] additions to the status line
 * @property {Picture} [picture] a typical position for the small board; the start if absent
 * @property {string} [capturable]
 *   letters of pieces that can be captured, for the list of captured ones; positions' texts begin with the board in these
 *   letters, with a different case for each side
 * @property {typeof import("./boards/choices.js").Choices} [Choices]
 *   moves as buttons, where words without a place are not enough; without it, the first of several moves with the same cells is
 *   played
 * @property {boolean} [asText] whether it has no cells, and positions are shown as text
 * @property {boolean} [list] whether moves are chosen from a list, not on the board
 * @property {boolean} [hints] whether legal moves are hard to see, and therefore marked unless the reader hides them
 * @property {boolean} [flips] whether the board can be turned round
 * @property {{ eloSteps: number[], losses?: number[], decided?: boolean }} [levels]
 *   measured: Elo from each level to the next (docs/measurements/levels.md), and the mean loss of each level's moves, from level 1
 *   (benches/losses.py), where that separates levels; `decided` is whether it counts moves after the game is decided
 * @property {number} [candidates] how many candidates are shown at once; 24 if absent
 * @property {string} [join] the separator of copied moves; a space if absent
 * @property {string[]} [records] record formats besides a list of moves, the default first
 * @property {import("./boards/placing.js").Placing} [placing] how a position is set up by hand, if not as text alone
 * @property {string[]} [glyphs] ways to draw its pieces, the default first
 * @property {string[]} [notations] notations for its moves, the default first
 * @property {Record<string, string>} [defaultNotation] the default notation by language, where it differs
 * @property {boolean} [puzzles] whether `puzzles/NAME.json` has puzzles of it
 * @property {(target: Target) => string} [targetName] a target's name for screen readers, if different
 */

/** @type {Map<string, GameModule>} */
const loaded = new Map();

/** Makes a module from a description, once loaded. @type {typeof import("./boards/described.js").describedModule | undefined} */
let makeModule;

/** The modules made from descriptions. @type {WeakMap<Game, GameModule>} */
const describedModules = new WeakMap();

/** Loads the module of a game. @param {{ name: string, board?: Game["board"] }} game */
export async function prepare({ name, board }) {
  try {
    if (board) return await prepareDescribed();
    if (loaded.has(name)) return;
    if (!/^[a-z\d-]+$/.test(name)) throw new TypeError(name);
    /** @type {GameModule} */
    const module = (await import(`./games/${name}.js`)).default;
    if (!loaded.has(name)) styles.adopt(module.style);
    loaded.set(name, module);
  } catch {
    // Missing or unreachable: the generic module replaces it until the game is loaded again.
  }
}

/** Loads the module for described boards, with the first game that has a description. */
async function prepareDescribed() {
  const { describedModule, style } = await import("./boards/described.js");
  if (!makeModule) styles.adopt(style);
  makeModule = describedModule;
}

/** Where the CSS of games goes: the page, unless embedded boards override this. */
export const styles = {
  /** @param {string} style CSS to apply from now on */
  adopt(style) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets.push(sheet);
  },
};

/** The module of a game that has been prepared. @param {Game} game */
export function moduleOf(game) {
  const { name, board } = game;
  if (!board || !makeModule) return loaded.get(name) ?? generic;
  const module = describedModules.get(game) ?? makeModule(game, board);
  describedModules.set(game, module);
  return module;
}

/** The reader's notation for a game's moves, else the default in their language. @param {Game} game */
export const notationOf = (game) => preferences.get("notation", moduleOf(game).defaultNotation?.[lang()] ?? "coordinates");

/** Sides named after a colour are drawn in it. */
const COLOUR = /^(white|black|red|blue|yellow)\b/i;

/** The CSS classes of elements in a game's colours. @param {Game} game */
export function classOf({ name, board, sides }) {
  if (!board) return name;
  const colours = ["first", "second"].map((side) => [side, COLOUR.exec(sides[/** @type {Side} */ (side)].en)?.[1].toLowerCase()]);
  return [DESCRIBED_CLASS, ...colours.flatMap(([side, colour]) => (colour ? [`${side}-${colour}`] : []))].join(" ");
}

/** A word from a game's table, else from the page's. @param {Game} game @param {string} table @param {string} name */
export function gameWord(game, table, name) {
  const own = moduleOf(game).words[lang()][table];
  if (own && Object.hasOwn(own, name)) return own[name];
  const common = /** @type {Record<string, any>} */ (w())[table];
  if (common && Object.hasOwn(common, name)) return common[name];
  // The API's names of variants and parameters become labels.
  return clipped(/^[vp]a/.test(table) ? name.replace(/[-_]/g, " ") : name);
}

/** A side's name in a game. @param {Game} game @param {Side} side */
export const sideName = (game, side) => clipped(game.sides[side][lang()]);

/** A letter of `cells` in words; null for an empty cell. @param {Game} game @param {string} letter */
export function contentName(game, letter) {
  const module = moduleOf(game);
  const owner = module.owner(letter);
  return module.content?.(letter, (side) => sideName(game, side)) ?? (owner && sideName(game, owner));
}
