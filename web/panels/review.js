// @ts-check
/** The review of a game: its value by ply as a graph, how well each side played, and its mistakes, each of them an exercise. */

import { button, fill, h, refill, select } from "../dom.js";
import { classOf, sideName } from "../games.js";
import { wordFor, number, percent, w } from "../words.js";
import { plyNumbers } from "../play/moves.js";
import { requestFields, effortFields, settingsFold } from "./effort.js";
import { loadModule } from "./lazy-panel.js";
import { Runner } from "./runner.js";
import { reviewedLossText, marginText } from "./values.js";

/**
 * @typedef {import("../types.js").Review} Message
 * @typedef {Message["moves"][number]} Move
 * @typedef {import("../types.js").Side} Side
 */

/** The classes of marked moves, the worst last. */
const FAULTS = ["inaccuracy", "mistake", "blunder"];
/** @type {readonly Side[]} */
const SIDES = ["first", "second"];

export class Review {
  /** @type {Message | null} */
  #message = null;
  /** The settings of the current review's searches. @type {any} */
  #settings = {};
  /** Whether all moves are shown, or only mistakes. */
  #all = false;
  /** Whose moves are shown. @type {"both" | Side} */
  #side = "both";
  /** Loaded with the first exercise. @type {import("./exercise.js").Exercise | null} */
  exercise = null;
  /** Loaded with the first review. @type {import("./review-details.js").ReviewDetails | null} */
  #details = null;
  /** @type {Promise<unknown> | null} */
  #fetching = null;
  /** The number before each move. @type {string[]} */
  #numbers = [];

  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    const words = w().review;
    this.runner = new Runner({
      path: "/v1/reviews",
      request: () => this.#request(),
      onstart: () => this.#show(null),
      onmessage: (/** @type {Message} */ message) => this.#show(message),
      progress: ({ plies }) => (plies.total > 0 ? plies.reviewed / plies.total : 0),
      ended: ({ plies, status }) =>
        status === "failed" ? w().run.states.failed : words.done(number(plies.reviewed), number(plies.total)),
    });
    this.effort = this.#effort();
    fill(this.runner.extra, settingsFold(this.effort.element));
    this.empty = h("p", { class: "empty" });
    this.frame = h("div");
    this.sums = h("table", { class: "sums" });
    this.practise = button("", () => this.#practise(0), { class: "primary", name: "practise" });
    this.filter = h("div", { class: "filter" });
    this.body = h("tbody");
    const heads = [words.move, words.value, words.loss, words.verdict];
    this.table = h("table", { class: "plies" }, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)), h("td"))), this.body);
    this.flawless = h("p", { class: "empty" }, words.flawless);
    this.list = h("div", { class: "review-list" },
      this.runner.element, this.empty, this.frame, this.sums, this.filter, this.flawless,
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": words.heading }, this.table));
    this.element = h("div", { class: "review" }, this.list);
    this.#drawFilter();
    this.#draw();
  }

  /** The moves reviewed so far. */
  get moves() {
    return this.#message?.moves ?? [];
  }

  /** Whether all moves have been reviewed. */
  get complete() {
    return this.#message?.status === "done";
  }

  #effort() {
    const { app } = this;
    return effortFields(app.record.game, app.policy, app.settings.review, () => app.settingsChanged());
  }

  /** @returns {any} */
  #request() {
    const { record, settings } = this.app;
    if (record.mainMoves.length === 0) return null;
    this.exercise?.reset();
    this.#settings = requestFields(record.game, settings.review);
    return { ...record.request(0), moves: record.mainMoves, ...this.#settings };
  }

  /** @param {Message | null} message */
  #show(message) {
    this.#message = message;
    this.#draw();
    this.#evaluate();
  }

  /** Shows the review's value of the position on the evaluation bar. */
  #evaluate() {
    const { record } = this.app;
    if (record.at > record.shared) return;
    const next = this.moves[record.at];
    const last = this.moves[record.at - 1];
    const [value, score] = next ? [next.value_before, next.score_before] : last ? [last.value_after, last.score_after] : [null, null];
    if (value !== null) this.app.showEvaluation(toKnowledge(value, score, record.game.unit), (next ?? last).side);
  }

  /** @param {string} cause */
  refresh(cause) {
    if (cause === "load") {
      const effort = this.#effort();
      this.effort.element.replaceWith(effort.element);
      this.effort = effort;
    }
    if (cause === "load" || cause === "play" || cause === "undo") {
      this.runner.abandon();
      this.exercise?.reset();
      this.#message = null;
    }
    if (cause === "load") this.#drawFilter();
    if (this.exercise?.isElsewhere) this.exercise.stop();
    this.#draw();
    if (this.app.settings.panel !== "review") return;
    this.exercise?.draw();
    this.#evaluate();
  }

  /** The verdict on each move, by ply. */
  get verdicts() {
    return this.moves.map((move) => ({ class: move.class, loss: reviewedLossText(move) }));
  }

  leave() {
    this.exercise?.leave();
  }

  /** Starts the exercises with one of the mistakes shown. @param {number} index */
  #practise(index) {
    const [faults, effort] = [this.#faults(), this.#settings];
    void this.app.attempt(async () => {
      const { Exercise } = await loadModule(import("./exercise.js"));
      if (!this.exercise) {
        this.exercise = new Exercise(this.app, () => this.#toggleList());
        this.element.prepend(this.exercise.element);
      }
      await this.exercise.start(faults, index, effort);
    });
  }

  /** Hides the list during an exercise, since it would reveal the solution. */
  #toggleList() {
    if (!this.exercise) return;
    const { active, element } = this.exercise;
    const focused = element.contains(document.activeElement);
    element.hidden = !active;
    this.list.hidden = active;
    this.#draw();
    if (!active && focused) /** @type {HTMLElement | null} */ (this.practise.hidden ? this.frame.querySelector("[tabindex]") : this.practise)?.focus();
  }

  /** Draws the filter: mistakes or all moves, of one side or both. */
  #drawFilter() {
    const words = w().review;
    const shown = (/** @type {string} */ value, /** @type {boolean} */ all) => {
      const input = h("input", { type: "radio", name: "shown", value, checked: this.#all === all });
      input.addEventListener("change", () => {
        this.#all = all;
        this.#draw();
      });
      return h("label", {}, input, h("span", { "data-count": value }));
    };
    const sides = SIDES.map((side) => /** @type {[string, string]} */ ([side, sideName(this.app.record.game, side)]));
    fill(this.filter,
      this.practise,
      h("div", { class: "segments", role: "radiogroup", "aria-label": words.shown.label }, shown("faults", false), shown("all", true)),
      select([["both", words.both], ...sides], this.#side, (value) => {
        this.#side = /** @type {"both" | Side} */ (value);
        this.#draw();
      }, { name: "whose", "aria-label": words.whose }));
  }

  /** The moves of the side chosen. */
  #sideMoves() {
    return this.moves.filter(({ side }) => this.#side === "both" || side === this.#side);
  }

  #faults() {
    return this.#sideMoves().filter(isFault);
  }

  #draw() {
    const { record } = this.app;
    const words = w().review;
    const { moves } = this;
    this.#numbers = plyNumbers(moves);
    this.table.className = `plies ${classOf(record.game)}`;
    const [own, faults] = [this.#sideMoves(), this.#faults()];
    this.runner.element.hidden = record.mainMoves.length === 0;
    this.empty.hidden = moves.length > 0;
    this.empty.textContent = record.mainMoves.length === 0 ? words.empty : this.runner.running ? w().run.states.starting : words.none;
    for (const part of [this.filter, this.frame, this.sums]) part.hidden = moves.length === 0;
    if (this.#details && moves.length > 0) this.#details.draw();
    else if (moves.length > 0) this.#fetching ??= this.#fetch();
    this.#drawSums();
    const counts = { faults: words.shown.faults(number(faults.length)), all: words.shown.all(number(own.length)) };
    for (const label of this.filter.querySelectorAll("[data-count]")) {
      label.textContent = counts[/** @type {keyof typeof counts} */ (/** @type {HTMLElement} */ (label).dataset.count)];
    }
    this.practise.hidden = faults.length === 0;
    this.practise.textContent = words.practise(number(faults.length));
    const rows = this.#all ? own : faults;
    this.table.hidden = rows.length === 0;
    this.flawless.hidden = moves.length === 0 || rows.length > 0;
    refill(this.body, "data-key", rows.map((move) => this.#row(move, faults)));
  }

  /** How each side played. */
  #drawSums() {
    const words = w().review;
    const sides = this.#message?.sides;
    const heads = ["", words.accuracy, words.counts.inaccuracy, words.counts.mistake, words.counts.blunder];
    fill(this.sums, h("thead", {}, h("tr", {}, heads.map((head) => (head ? h("th", { scope: "col" }, head) : h("td"))))),
      h("tbody", {}, SIDES.map((side) => {
        const { accuracy = null, inaccuracies = 0, mistakes = 0, blunders = 0 } = sides?.[side] ?? {};
        const count = (/** @type {number} */ value, /** @type {string} */ kind) => h("td", {}, h("span", { class: `verdict ${value > 0 ? kind : "none"}` }, number(value)));
        return h("tr", { "data-side": side }, h("th", { scope: "row" }, sideName(this.app.record.game, side)),
          h("td", {}, accuracy === null ? "–" : percent(accuracy / 100, 1)),
          count(inaccuracies, "inaccuracy"), count(mistakes, "mistake"), count(blunders, "blunder"));
      })));
  }

  async #fetch() {
    await this.app.attempt(async () => {
      const { ReviewDetails } = await loadModule(import("./review-details.js"));
      this.#details ??= new ReviewDetails(this, (ply) => this.#go(ply));
      fill(this.frame, this.#details.element);
      this.#draw();
    });
    this.#fetching = null;
  }

  /** @param {number} ply */
  #go(ply) {
    void this.app.attempt(() => this.app.record.leaveBranch(ply));
  }

  /** @param {Move} one */
  #label({ ply, move }) {
    const { record, look } = this.app;
    return record.label(ply - 1, move, look.notation, record.mainLine);
  }

  /** A move with its number, as in the list of moves. @param {Move} one */
  numbered(one) {
    return `${this.#numbers[one.ply - 1]} ${this.#label(one)}`;
  }

  /** @param {Move} one @param {Move[]} faults */
  #row(one, faults) {
    const { ply, side, move, best, class: kind } = one;
    const { record, look } = this.app;
    const words = w().review;
    const current = record.at === ply && ply <= record.shared;
    const label = this.numbered(one);
    // Among the mistakes, the better move is shown only once its exercise is done.
    const revealed = best !== move && isFault(one) && (this.#all || Boolean(this.exercise?.donePlies.has(ply)));
    const better = revealed ? words.better(record.label(ply - 1, best, look.notation, record.mainLine)) : "";
    return h("tr", { class: `${side}${current ? " current" : ""}`, "data-class": kind },
      h("th", { scope: "row" }, h("span", { class: "swatch", title: sideName(record.game, side) }), button(label, () => this.#go(ply), { "aria-current": current && "step", "data-key": ply })),
      h("td", {}, worth(one.value_before, one.score_before, record.game.unit, 1) || "–"),
      h("td", { class: "number" }, reviewedLossText(one)),
      h("td", {}, h("span", { class: `verdict ${kind ?? ""}` }, kind ? wordFor(words.classes, kind) : ""), better && h("small", {}, ` ${better}`), isFault(one) && this.#details?.why(one, revealed)),
      h("td", {}, isFault(one) && button(words.try, () => this.#practise(faults.indexOf(one)), { class: "try-better", "data-key": `try ${ply}`, "aria-label": words.tryMove(label) })));
  }
}

/** @param {Move} move */
export const isFault = ({ class: kind }) => FAULTS.includes(kind ?? "");

/** The first player's expected points before a move. @param {Move} move */
export const shareBefore = ({ value_before: value, side }) => shareOf(value, side);
/** The same after it. @param {Move} move */
export const shareAfter = ({ value_after: value, side }) => shareOf(value, side);

/** @param {number | null} value win minus loss of a side @param {Side} side */
function shareOf(value, side) {
  if (value === null) return null;
  return side === "first" ? (1 + value) / 2 : (1 - value) / 2;
}

/** The first player's share as a value for a side. @param {Side} side @param {number | null} share */
export const shareFor = (side, share) => (share === null ? null : side === "first" ? 2 * share - 1 : 1 - 2 * share);

/**
 * A position's worth to a side: the margin if known, else the chance to win.
 * @param {number | null} value
 * @param {number | null} score
 * @param {string | null} unit
 * @param {number} [digits] of the chance
 */
export function worth(value, score, unit, digits = 0) {
  if (typeof score === "number") return marginText(score, unit);
  return value === null ? "" : percent((1 + value) / 2, digits);
}

/**
 * A value in the form that the evaluation bar takes.
 * @param {number} value
 * @param {number | null} score
 * @param {string | null} unit
 * @returns {import("../types.js").Knowledge}
 */
function toKnowledge(value, score, unit) {
  const points = typeof score === "number" ? { value: score, unit: unit ?? "" } : null;
  return { value, win: (1 + value) / 2, draw: 0, loss: (1 - value) / 2, stderr: null, score: points, bound: "exact", proven: null, distance: null };
}
