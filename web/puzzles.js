// @ts-check
/** The pages of puzzles: a game's puzzles to choose from, or one puzzle on a board. */

import { Board } from "./boards/board.js";
import { button, fill, h, select } from "./dom.js";
import { moduleOf, notationOf, prepare, styles } from "./games.js";
import { header } from "./header.js";
import { preferences } from "./preferences.js";
import { defaults, format } from "./link.js";
import { Notice } from "./notice.js";
import { Puzzle } from "./panels/puzzle.js";
import { isSolved, numberOf, gamesWithPuzzles, puzzlesOf, words } from "./puzzle-book.js";
import { Record } from "./record.js";
import { gameName, number, w } from "./words.js";

/**
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").Puzzle} Task
 */

/** The difficulty that the reader chose; 0 is all of them. */
const level = () => Number(preferences.get("puzzle-level", "0"));

/** Puzzles of a game. */
export class Puzzles {
  notice = new Notice();
  /** The games that have puzzles. @type {Game[]} */
  games = [];
  /** @type {Task[]} */
  puzzles = [];

  /**
   * @param {HTMLElement} root
   * @param {Game[]} games
   * @param {{ game: string, id: string | null }} asked what the address names
   */
  constructor(root, games, asked) {
    this.root = root;
    this.all = games;
    this.asked = asked;
  }

  /** Shows the page, unless the address changes meanwhile. */
  async show() {
    const { hash } = location;
    await Promise.all(this.all.map(prepare));
    this.games = gamesWithPuzzles(this.all);
    const { game, id } = this.asked;
    this.game = this.games.find(({ name }) => name === game) ?? this.games[0];
    if (this.game) this.puzzles = await puzzlesOf(this.game.name);
    const puzzle = this.puzzles.find((one) => one.id === id);
    const record = puzzle && (await this.#record(puzzle));
    if (location.hash !== hash) return;
    document.title = `${w().title}: ${words().heading}`;
    this.root.dataset.view = puzzle ? "puzzle" : "puzzles";
    if (puzzle && record) this.#solve(puzzle, record);
    else this.#list(id !== null);
  }

  /** Redraws the page after a change of language. */
  build() {
    void this.notice.attempt(() => this.show());
  }

  /** The backend has changed, and its limits with it. */
  backendChanged() {
    location.reload();
  }

  /** Shows the puzzles to choose from. @param {boolean} missing whether the puzzle in the address does not exist */
  #list(missing) {
    const chosen = level();
    const shown = this.#chosen;
    const next = shown.find((one) => !isSolved(one));
    const levels = words().levels.map((name, index) => /** @type {[string, string]} */ ([String(index + 1), `${"★".repeat(index + 1)} ${name}`]));
    const filter = select([["0", words().anyLevel], ...levels], String(chosen), (value) => {
      preferences.set("puzzle-level", value);
      this.#list(false);
      /** @type {HTMLElement | null} */ (this.root.querySelector('select[name="level"]'))?.focus();
    }, { name: "level", "aria-label": words().level });
    fill(this.root, header(this), this.notice.element, h("main", { class: "front puzzles" },
      h("h2", {}, words().heading),
      missing && h("p", { class: "notice", role: "alert" }, words().missing),
      h("nav", { "aria-label": words().games }, this.games.map((game) =>
        h("a", { href: listOf(game.name), "aria-current": game === this.game && "page" }, gameName(game)))),
      h("div", { class: "choice" }, filter,
        h("p", { role: "status" }, words().count(number(shown.filter(isSolved).length), number(shown.length))),
        next ? h("a", { class: "go", href: linkTo(next.id) }, words().solve) : shown.length > 0 && h("p", {}, words().done)),
      shown.length === 0 ? h("p", { class: "empty" }, words().none) : h("ol", {}, shown.map((one) => h("li", {}, tile(one))))));
  }

  /** The puzzles of the chosen difficulty. */
  get #chosen() {
    return this.puzzles.filter(({ difficulty }) => level() === 0 || difficulty === level());
  }

  /** The next unsolved puzzle after another. @param {Task} puzzle */
  #after(puzzle) {
    const place = this.puzzles.indexOf(puzzle);
    const open = this.#chosen.filter((one) => one !== puzzle && !isSolved(one));
    return open.find((one) => this.puzzles.indexOf(one) > place) ?? open[0];
  }

  /** A record of a puzzle's position. @param {Task} puzzle */
  async #record({ variant, moves }) {
    const record = new Record(/** @type {Game} */ (this.game));
    await record.load({ game: record.game, variant, moves });
    return record;
  }

  /** Shows a puzzle on a board, from the solver's side. @param {Task} puzzle @param {Record} record */
  #solve(puzzle, record) {
    const { game } = record;
    const look = {
      glyphs: preferences.get("glyphs", "characters"), notation: notationOf(game), flipped: moduleOf(game).flips === true && puzzle.side === "second",
      hints: false, playable: true, evaluation: false,
    };
    const board = new Board(record, look, (move) => void question.try(move));
    /** @param {boolean} over */
    const links = (over) => {
      const next = this.#after(puzzle);
      return [
        next && button(words().next, () => location.replace(linkTo(next.id)), { name: "next", class: over ? "primary" : "" }),
        h("a", { href: analysis(puzzle, record), "data-link": "analyse" }, w().panels.analyse),
        h("a", { href: listOf(game.name), "data-link": "all" }, words().all),
      ];
    };
    const question = new Puzzle({ record, board, look }, puzzle, (action, retry) => this.notice.attempt(action, retry), links);
    record.addEventListener("change", (event) => {
      if (/** @type {CustomEvent} */ (event).detail !== "labels") board.show(look);
      question.draw();
    });
    fill(this.root, header(this), this.notice.element, h("main", {},
      h("section", { class: "table" }, h("div", { class: "stage" }, board.element)),
      h("div", { class: "side" }, question.element)));
    board.show(look);
    question.draw();
    question.heading.focus({ preventScroll: true });
  }
}

/** @param {string} game */
const listOf = (game) => `#${new URLSearchParams({ puzzles: game })}`;

/** @param {string} id */
const linkTo = (id) => `#${new URLSearchParams({ puzzle: id })}`;

/**
 * The link to the analysis of the position shown, with the reader on the solver's side.
 * @param {Task} puzzle
 * @param {Record} record
 */
function analysis({ side }, { game, variant, moves, at }) {
  const settings = { ...defaults(), panel: /** @type {const} */ ("analyse"), human: side };
  return `#${format({ game: game.name, variant, start: null, moves, at, resigned: null, timeout: null }, settings)}`;
}

/** A puzzle to choose. @param {Task} puzzle */
function tile(puzzle) {
  const solved = isSolved(puzzle);
  const label = [words().one(numberOf(puzzle)), words().levels[puzzle.difficulty - 1], solved && words().isSolved];
  return h("a", { href: linkTo(puzzle.id), "aria-label": label.filter(Boolean).join(", "), "data-solved": String(solved) },
    numberOf(puzzle), h("small", {}, "★".repeat(puzzle.difficulty)), solved && h("span", { class: "tick" }, "✓"));
}

styles.adopt(`
  .puzzles { gap: 1rem; }
  .puzzles nav { display: flex; flex-wrap: wrap; gap: 0.4rem; }
  .puzzles nav a { padding: 0.3rem 0.8rem; border: 1px solid var(--strong-line); border-radius: 999px; color: var(--ink); text-decoration: none; }
  .puzzles nav a[aria-current] { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); font-weight: 600; }
  .puzzles .choice { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: center; }
  .puzzles .choice p { color: var(--muted); }
  .go { padding: 0.34rem 1.2rem; border-radius: 8px; background: var(--accent); color: var(--accent-ink); font-weight: 600; text-decoration: none; }
  .puzzles ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.6rem; grid-template-columns: repeat(auto-fill, minmax(5.5rem, 1fr)); }
  .puzzles li a { position: relative; display: grid; justify-items: center; padding: 0.5rem 0.3rem; font-weight: 600; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); color: var(--ink); text-decoration: none; }
  .puzzles li a:hover { border-color: var(--accent); }
  .puzzles li small { color: var(--muted); font-weight: 400; letter-spacing: 0.05em; }
  .puzzles [data-solved="true"] { background: var(--wash); border-color: var(--accent); }
  .tick { position: absolute; inset: 0.15rem 0.4rem auto auto; color: var(--accent); }

  [data-view="puzzle"] .stage { --room: calc(100dvh - 7rem); }
  [data-view="puzzle"] .board-frame { width: min(100%, var(--room) * var(--ratio, 1)); }
  [data-view="puzzle"] .side { padding: 1rem; }
  [data-view="puzzle"] .exercise h2 { outline: none; display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; font-size: 1rem; color: var(--muted); }
  [data-view="puzzle"] .task { font-size: 1.2rem; font-weight: 650; line-height: 1.35; text-wrap: balance; }
  [data-view="puzzle"] .verdicts { display: grid; min-height: 2.4rem; align-content: start; }
  [data-view="puzzle"] .aim:not([hidden]) { position: static; min-height: 2.6rem; }
  [data-view="puzzle"] .buttons a { padding: 0.3rem 0.4rem; }
  @media (max-width: 699.98px), (max-width: 60.99rem) and (orientation: portrait) {
    [data-view="puzzle"] main { grid-template-columns: minmax(0, 1fr); }
    [data-view="puzzle"] .stage { --room: calc(100dvh - 19rem); }
    [data-view="puzzle"] .side { padding: 0.8rem; }
    [data-view="puzzle"] .exercise { gap: 0.6rem; }
  }
  @media (min-width: 700px) and (max-height: 30rem) and (orientation: landscape) {
    #app[data-view="puzzle"] { display: grid; grid-template-columns: auto minmax(0, 1fr); grid-auto-rows: min-content; }
    [data-view="puzzle"] :is(main, .table) { display: contents; }
    [data-view="puzzle"] :is(header, .notice, .side) { grid-column: 2; }
    [data-view="puzzle"] .stage { --room: calc(100dvh - 1rem); grid-area: 1 / 1 / span 9; align-self: start; padding: 0.5rem; width: auto; }
    [data-view="puzzle"] .board-frame { width: min(54vw, var(--room) * var(--ratio, 1)); }
    [data-view="puzzle"] .side { margin: 0.5rem 0.5rem 0.5rem 0; }
  }
`);
