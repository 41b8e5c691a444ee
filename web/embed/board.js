// @ts-check
/**
 * `<tesuji-board>`: the page's board for other pages. Its attributes are its state: moves played on it change them, and
 * changing them shows another position.
 */

import { ApiError } from "../backend/error.js";
import { Board } from "../boards/board.js";
import { fill, h } from "../dom.js";
import { gameWord, moduleOf, prepare, sideName } from "../games.js";
import { outcomeStatus } from "../status.js";
import { lang, w } from "../words.js";
import { COMMON, PageElement } from "./framed.js";
import { serviceOf } from "./service.js";

/**
 * @typedef {import("../types.js").Position} Position
 * @typedef {import("../types.js").Game} Game
 * @typedef {{ key: string, game: Game, position: Position, service: import("./service.js").Service }} Shown
 */

export const FLAGS = ["playable", "flipped", "hints", "coordinates"];

export class TesujiBoard extends PageElement {
  static observedAttributes = ["game", "variant", "position", "moves", "ply", "notation", "glyphs", "server", ...FLAGS, ...COMMON];

  /** The last move and the result, for screen readers. */
  #announcement = h("p", { class: "visually-hidden", "aria-live": "polite" });
  #notice = h("div", { class: "notice", role: "alert", part: "error" });
  /** @type {Board | null} */
  #board = null;
  /** What is on the board, and the key of its request. @type {Shown | null} */
  shown = null;
  /** Whether the element is changing its own attributes. */
  #reflecting = false;

  /** @param {string} name */
  #list(name) {
    return this.getAttribute(name)?.trim().split(/\s+/).filter(Boolean) ?? [];
  }

  get #variant() {
    const text = this.getAttribute("variant");
    if (!text?.startsWith("{")) return text || undefined;
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new ApiError("invalid_variant", String(error));
    }
  }

  /** The moves on the board. */
  get #movesShown() {
    return this.shown?.position.line.map(({ move }) => move) ?? [];
  }

  /** How many of the moves to show on the board. */
  get #at() {
    const { length } = this.#list("moves");
    const ply = Number.parseInt(this.getAttribute("ply") ?? "", 10);
    return Number.isNaN(ply) ? length : Math.max(0, Math.min(ply, length));
  }

  /** @override */
  attributeChangedCallback() {
    if (!this.#reflecting) super.attributeChangedCallback();
  }

  /** @override */
  async update() {
    const moves = this.#list("moves");
    try {
      await this.#show(moves, this.#at);
    } catch (error) {
      // The moves before a refused one are shown.
      const bad = error instanceof ApiError ? error.refusedMove : null;
      if (bad !== null) await this.#show(moves.slice(0, bad));
      throw error;
    }
  }

  /**
   * Plays a move in the position shown; moves after it are discarded. Like all methods, it returns whether it succeeded.
   * @param {string} move
   */
  play(move) {
    return this.queue(() => this.#show([...this.#movesShown, move], undefined, true));
  }

  /** Takes back the last moves of those shown. @param {number} [count] */
  undo(count = 1) {
    return this.queue(() => this.#show(this.#movesShown.slice(0, Math.max(0, this.#movesShown.length - count)), undefined, true));
  }

  /** Shows the position after `ply` moves. @param {number} ply */
  go(ply) {
    return this.queue(() => {
      const moves = this.#list("moves");
      return this.#show(moves, Math.max(0, Math.min(ply, moves.length)), true);
    });
  }

  /** @override */
  focus() {
    this.#board?.focus();
  }

  /**
   * Shows the position after the first `at` of these moves.
   * @param {string[]} moves
   * @param {number} [at] all of them by default
   * @param {boolean} [reflected] whether to update the attributes
   */
  async #show(moves, at = moves.length, reflected = false) {
    const service = serviceOf(this.getAttribute("server"));
    const name = this.getAttribute("game");
    const position = this.getAttribute("position") ?? undefined;
    const request = { game: name, variant: this.#variant, position, moves: moves.slice(0, at) };
    const key = JSON.stringify([service.root, request]);
    const isNew = key !== this.shown?.key;
    if (isNew) this.shown = await this.#load(service, key, request);
    const { line, outcome } = /** @type {Shown} */ (this.shown).position;
    // The service has inserted omitted passes.
    const all = [...line.map(({ move }) => move), ...moves.slice(at)];
    if (reflected) this.#reflect(all, line.length);
    this.#draw();
    if (!isNew) return;
    this.#announce();
    const detail = { move: line.at(-1)?.move ?? null, moves: all, ply: line.length, position: this.shown?.position, result: outcome };
    this.dispatchEvent(new CustomEvent("change", { detail, bubbles: true }));
  }

  /** @param {Shown["service"]} service @param {string} key @param {any} request @returns {Promise<Shown>} */
  async #load(service, key, request) {
    const game = (await service.games()).find(({ name }) => name === request.game);
    if (!game) throw new ApiError("unknown_game", String(request.game));
    const [position] = await Promise.all([service.call("/v1/positions", { body: request }), prepare(game)]);
    return { key, game, position, service };
  }

  /** @param {string[]} moves @param {number} at */
  #reflect(moves, at) {
    this.#reflecting = true;
    this.setAttribute("moves", moves.join(" "));
    if (at < moves.length) this.setAttribute("ply", String(at));
    else this.removeAttribute("ply");
    this.#reflecting = false;
  }

  #draw() {
    const { game, position } = /** @type {Shown} */ (this.shown);
    const { line, variant } = position;
    this.useLanguage();
    this.applyStyles();
    fill(this.#notice);
    this.root.classList.toggle("bare", !this.hasAttribute("coordinates"));
    const module = moduleOf(game);
    const chosen = (/** @type {string[] | undefined} */ offered, /** @type {string} */ name, /** @type {string} */ fallback) => {
      const wanted = this.getAttribute(name) ?? "";
      return offered?.includes(wanted) ? wanted : fallback;
    };
    const look = {
      glyphs: chosen(module.glyphs, "glyphs", module.glyphs?.[0] ?? ""),
      notation: chosen(module.notations, "notation", module.defaultNotation?.[lang()] ?? "coordinates"),
      flipped: this.hasAttribute("flipped"),
      hints: this.hasAttribute("hints"),
      playable: this.hasAttribute("playable"),
    };
    const record = { game, variant, position, line, at: line.length, over: position.outcome !== null };
    if (this.#board) this.#board.setGame(record);
    else {
      this.#board = new Board(record, look, (move) => this.#choose(move));
      this.#board.svg.setAttribute("part", "board");
      this.#board.moveButtons.setAttribute("part", "moves");
      this.root.append(this.#board.element, this.#announcement, this.#notice);
    }
    this.#board.show(look);
  }

  /** Has the last move and the result read out. */
  #announce() {
    const { game, position } = /** @type {Shown} */ (this.shown);
    const { line, outcome } = position;
    const last = line.at(-1);
    const move = last ? w().play.played(sideName(game, last.side), gameWord(game, "moves", last.move)) : "";
    this.#announcement.textContent = [move, outcome ? outcomeStatus(game, outcome).text : ""].filter(Boolean).join(" ");
  }

  /** The reader has chosen a move, which the host page may refuse, or play itself. @param {string} move */
  #choose(move) {
    const detail = { move, moves: this.#movesShown };
    if (this.dispatchEvent(new CustomEvent("move", { detail, bubbles: true, cancelable: true }))) void this.play(move);
  }

  /** @override @param {(Node | string)[]} words */
  report(words) {
    this.applyStyles();
    this.root.append(this.#notice);
    fill(this.#notice, h("p", {}, ...words));
  }
}
