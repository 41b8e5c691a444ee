// @ts-check
/**
 * How the page draws and names each game: one module in `games/`, found by the name that the service lists. To add a game, add
 * `games/NAME.js` with a default export of type `GameModule`; there is no list of them. A game that describes its board
 * itself, as those do that come at run time, is drawn from that (`boards/described.js`), and one without either on a square grid
 * (`boards/generic.js`).
 *
 * A module draws and names things, and knows no rules: what a move does (`from`, `to`, `captured`, `claimed`, `colour`) comes from
 * the service with every legal move and every move played. It is built from the helpers in `boards/`: `squares`, `crossings`,
 * `edges` make layouts, `ground` what lies under the pieces, `pieces` stones. Names of targets are those that the service gives
 * to cells. It must not touch the document while it is loaded, since tests read its words.
 */

import { generic } from "./boards/generic.js";
import { KIND } from "./boards/pieces.js";
import { likes } from "./likes.js";
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
 * Tables of words. The page looks into `moves` (moves without a place on the board), `variants`,
 * `parameters`, `choices` (of variants), `reasons` (ends of games), `refusal` (of `lang/refusal.js`), and for what `glyphs` and `notations` offer into
 * tables of these names, where `label` is the heading. What is in no table of the game may be in one of `lang/`. Other tables are
 * the module's own.
 * @typedef {Record<string, Record<string, string>>} GameWords
 */

/**
 * What stands on the board. `line` are the moves played up to here, `last` is the target of the last of them.
 * @typedef {{ board: Layout, variant: Variant, position: Position, line: PlayedMove[], last: Target | undefined, glyphs: string }} Table
 */

/**
 * A position to look at: its variant, letters, text where that is seen, and, where pieces depend on who played what, the moves
 * before it.
 * @typedef {{ variant: Variant, cells: string[], position?: string, line?: PlayedMove[] }} Picture
 */

/**
 * @typedef {object} GameModule
 * @property {{ en: GameWords, zh: GameWords }} words
 * @property {string} style
 *   rules for its ground and pieces; the board has the game's name as a class, and so have each piece and the evaluation bar.
 *   The sides' colours are `--first` and `--second`, those of text on them `--first-ink` and `--second-ink`
 * @property {(variant: Variant, flipped: boolean, upright?: boolean) => Layout} layout
 *   where its targets are; `upright` on a screen that is narrow and high
 * @property {(board: Layout, variant: Variant, notation?: string) => SVGElement[]} ground what lies under the pieces
 * @property {(board: Layout, variant: Variant) => SVGElement[]} [front] what stands in front of them
 * @property {(letter: string) => Side | null} owner whose piece a letter of `cells` is
 * @property {(side: Side, place: Target, letter: string | null, glyphs: string) => SVGElement} piece
 *   one piece; `letter` is null for a move that has not been played
 * @property {(table: Table) => SVGElement[]} [pieces] everything that stands on the board, if not one piece for each owned cell
 * @property {(letter: string, nameOf: (side: Side) => string) => string | null} [content]
 *   a letter of `cells` in words, if more than its owner's name
 * @property {"square" | "circle" | "dot" | "none"} [last] how the last move is marked; a circle if absent
 * @property {"fall" | "land"} [enters] how a piece comes onto the board that was not there before; it lands if absent
 * @property {"drop"} [sound] what is heard then, if not the click of a stone
 * @property {(board: Layout, move: LegalMove) => string[]} [places]
 *   the targets by which a move is chosen first, if not where it starts or else where it lands
 * @property {(table: Table) => Target[]} [winning] the stones that won
 * @property {(position: Position) => [target: string, words: string][]} [barred] points that are crossed out, and why
 * @property {(position: Position) => { first: number, second: number }} [points] the score so far
 * @property {(position: Position) => string[]} [notes] what the status line adds
 * @property {Picture} [picture] a position that shows what the game is about, on a small board; the start if absent
 * @property {string} [men]
 *   letters of pieces that can be captured, for a list of those that were; positions' texts begin with the board in such letters,
 *   each side's in its own case
 * @property {typeof import("./boards/choices.js").Choices} [Choices]
 *   moves as buttons, where they can be more than words without a place; without it, of moves with the same cells the first is meant
 * @property {boolean} [asText] whether it has no cells, and a position is seen as its text
 * @property {boolean} [list] whether moves are chosen from a list of them, not on the board
 * @property {boolean} [hints] whether legal moves are hard to see, and marked unless the reader hides them
 * @property {boolean} [flips] whether the board can be turned round
 * @property {{ apart: number[], losses?: number[], decided?: boolean }} [levels]
 *   measured: Elo from each level to the next (docs/measurements/levels.md), and the mean loss of each level's moves, from level 1
 *   (benches/losses.py), where it separates them; `decided` is whether moves count in it that follow once the game is decided
 * @property {number} [candidates] so many candidates can be seen at once; 24 if absent
 * @property {string} [join] what stands between moves that are copied; a space if absent
 * @property {string[]} [records] formats of records that it can be saved in beside a list of moves, the usual one first
 * @property {import("./boards/placing.js").Placing} [placing] how a position is set up by hand, if not as text alone
 * @property {string[]} [glyphs] ways to draw its pieces, the usual one first
 * @property {string[]} [notations] notations for its moves, the usual one first
 * @property {Record<string, string>} [usual] the usual one by language, where that is another
 * @property {boolean} [puzzles] whether `puzzles/NAME.json` has puzzles of it
 * @property {(target: Target) => string} [called] what a target is called for those who listen, if not by its name
 */

/** @type {Map<string, GameModule>} */
const loaded = new Map();

/** Makes a module of a description. @type {typeof import("./boards/described.js").described | undefined} */
let describe;

/** The modules made of descriptions. @type {WeakMap<Game, GameModule>} */
const made = new WeakMap();

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
    // There is none, or it could not be reached: the generic one takes its place until the game is loaded again.
  }
}

/** Loads what makes a board of a description, with the first game that has one. */
async function prepareDescribed() {
  const { described, style } = await import("./boards/described.js");
  if (!describe) styles.adopt(style);
  describe = described;
}

/** Takes the rules of games: the page, unless embedded boards take them. */
export const styles = {
  /** @param {string} style rules that apply from now on */
  adopt(style) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets.push(sheet);
  },
};

/** The module of a game that has been prepared. @param {Game} game */
export function moduleOf(game) {
  const { name, board } = game;
  if (!board || !describe) return loaded.get(name) ?? generic;
  const module = made.get(game) ?? describe(game, board);
  made.set(game, module);
  return module;
}

/** The notation for a game's moves that the reader has chosen, else the one that is usual in their language. @param {Game} game */
export const notationOf = (game) => likes.get("notation", moduleOf(game).usual?.[lang()] ?? "coordinates");

/** Sides that are called after a colour have it. */
const COLOUR = /^(white|black|red|blue|yellow)\b/i;

/** The classes of what has a game's colours. @param {Game} game */
export function classOf({ name, board, sides }) {
  if (!board) return name;
  const colours = ["first", "second"].map((side) => [side, COLOUR.exec(sides[/** @type {Side} */ (side)].en)?.[1].toLowerCase()]);
  return [KIND, ...colours.flatMap(([side, colour]) => (colour ? [`${side}-${colour}`] : []))].join(" ");
}

/** A word of a game's, else of the page's. @param {Game} game @param {string} table @param {string} name */
export function gameWord(game, table, name) {
  const own = moduleOf(game).words[lang()][table];
  if (own && Object.hasOwn(own, name)) return own[name];
  const common = /** @type {Record<string, any>} */ (w())[table];
  if (common && Object.hasOwn(common, name)) return common[name];
  // Names of variants and parameters, which are the API's, become labels.
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
