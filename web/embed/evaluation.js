// @ts-check
/** `<tesuji-eval>`: the page's evaluation bar, for the position of a `<tesuji-board>` of the same page. */

import { ApiError } from "../backend/error.js";
import { Evaluation } from "../panels/evaluation.js";
import words from "../lang/embed.js";
import { lang, w } from "../words.js";
import { TesujiBoard } from "./board.js";
import { COMMON, PageElement } from "./framed.js";

/** Attributes that limit the search, and the fields of its budget. */
const LIMITS = { time: "time_ms", simulations: "simulations", nodes: "nodes", depth: "depth" };
/** The default budget. */
const DEFAULT_BUDGET = { time_ms: 300 };

export class TesujiEval extends PageElement {
  static observedAttributes = ["for", ...Object.keys(LIMITS), ...COMMON];

  /** The bar, once there are words. @type {Evaluation | null} */
  #bar = null;
  /** The search in progress. @type {AbortController | null} */
  #search = null;
  /** The root in which the board is looked up. @type {Document | ShadowRoot | null} */
  #scope = null;

  /** @override */
  connectedCallback() {
    this.#scope = /** @type {Document | ShadowRoot} */ (this.getRootNode());
    this.#scope.addEventListener("change", this.#follow);
    super.connectedCallback();
  }

  disconnectedCallback() {
    this.#scope?.removeEventListener("change", this.#follow);
    this.#search?.abort();
  }

  #follow = (/** @type {Event} */ { target }) => {
    if (target instanceof TesujiBoard && target.id === this.getAttribute("for")) this.refresh();
  };

  /** @override */
  refresh() {
    this.#search?.abort();
    super.refresh();
  }

  /** @override */
  async update() {
    const board = this.#scope?.getElementById(this.getAttribute("for") ?? "");
    this.useLanguage();
    if (!(board instanceof TesujiBoard)) throw new ApiError("no_board", this.getAttribute("for") ?? "");
    // The board sends an event once it shows something.
    if (!board.shown) return;
    const { game, position, service } = board.shown;
    const { outcome, variant, to_move } = position;
    if (outcome && !outcome.adjudicated) return this.#show(game, evaluationOf(outcome.winner, to_move), to_move);
    const control = (this.#search = new AbortController());
    const moves = position.line.map(({ move }) => move);
    const body = { game: game.name, variant, position: position.start ?? undefined, moves, budget: this.#budget, report: { children: "best", pv_length: 1 } };
    try {
      const found = await service.call("/v1/searches", { body, signal: control.signal });
      if (control.signal.aborted) return;
      this.#show(game, found.root, to_move);
      this.dispatchEvent(new CustomEvent("value", { detail: found, bubbles: true }));
    } catch (error) {
      if (!control.signal.aborted) throw error;
    }
  }

  /** The budget of the search. Texts that are not numbers are left for the service to refuse. */
  get #budget() {
    const limits = Object.entries(LIMITS).flatMap(([name, field]) => {
      const text = this.getAttribute(name);
      return text === null ? [] : [[field, Number.isNaN(Number(text)) ? text : Number(text)]];
    });
    return limits.length > 0 ? Object.fromEntries(limits) : DEFAULT_BUDGET;
  }

  /** The bar, in the element's language and colours. */
  #styledBar() {
    this.useLanguage();
    this.applyStyles();
    if (!this.#bar) {
      this.#bar = new Evaluation();
      this.#bar.element.setAttribute("part", "bar");
      this.root.append(this.#bar.element);
    }
    this.#bar.element.removeAttribute("title");
    return this.#bar;
  }

  /** @param {import("../types.js").Game} game @param {import("../types.js").Knowledge} known @param {import("../types.js").Side} side */
  #show(game, known, side) {
    const bar = this.#styledBar();
    bar.of(game);
    bar.show(known, side);
  }

  /** @override @param {(Node | string)[]} reason */
  report(reason) {
    const bar = this.#styledBar();
    bar.show(null);
    bar.text.textContent = "?";
    bar.element.setAttribute("aria-label", `${w().analyse.evaluation}: ${words[lang()].unknown}`);
    bar.element.title = reason.map((part) => (part instanceof Node ? part.textContent : part)).join(" ");
  }
}

/**
 * The value of a finished game.
 * @param {import("../types.js").Side | null} winner
 * @param {import("../types.js").Side} side
 * @returns {import("../types.js").Knowledge}
 */
function evaluationOf(winner, side) {
  const proven = winner === null ? "draw" : winner === side ? "win" : "loss";
  const [win, draw, loss] = ["win", "draw", "loss"].map((one) => Number(one === proven));
  return { value: win - loss, win, draw, loss, stderr: null, score: null, bound: "exact", proven, distance: null };
}
