// @ts-check
/** A whole game looked at: its value by ply as a graph, what each move gave up, the mistakes, and how well each side played. */

import { button, fill, h } from "../dom.js";
import { sideName } from "../games.js";
import { named, number, percent, w } from "../words.js";
import { asked, effortFields } from "./effort.js";
import { graph } from "./graph.js";
import { Runner } from "./runner.js";

/**
 * @typedef {import("../types.js").Review} Message
 * @typedef {Message["moves"][number]} Move
 */

/** Moves that are marked, the worst last. */
const FAULTS = ["inaccuracy", "mistake", "blunder"];

export class Review {
  /** @type {Message | null} */
  #found = null;

  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    this.runner = new Runner({
      path: "/v1/reviews",
      request: () => this.#request(),
      onstart: () => this.#show(null),
      onmessage: (/** @type {Message} */ message) => this.#show(message),
      progress: ({ plies }) => (plies.total > 0 ? plies.reviewed / plies.total : 0),
      ended: ({ plies, status }) =>
        status === "failed" ? w().run.states.failed : w().review.done(number(plies.reviewed), number(plies.total)),
    });
    this.effort = this.#effort();
    this.empty = h("p", { class: "empty" });
    this.graph = h("div", { class: "graph-frame" });
    this.sums = h("dl", { class: "facts" });
    this.body = h("tbody");
    const words = w().review;
    const heads = [words.move, words.value, words.loss, words.verdict];
    this.table = h("table", { class: "plies" }, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), this.body);
    this.only = h("input", { type: "checkbox", name: "faults" });
    this.only.addEventListener("change", () => this.#draw());
    this.filter = h("label", { class: "check" }, this.only, words.mistakes);
    this.element = h("div", { class: "review" }, this.effort.element, this.runner.element, this.empty, this.graph, this.sums, this.filter,
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": words.heading }, this.table));
    this.#draw();
  }

  #effort() {
    const { app } = this;
    return effortFields(app.record.game, app.policy, app.settings.review, () => app.settingsChanged());
  }

  /** @returns {any} */
  #request() {
    const { record, settings } = this.app;
    if (record.moves.length === 0) return null;
    return { ...record.question(record.moves.length), ...asked(record.game, settings.review) };
  }

  /** @param {Message | null} message */
  #show(message) {
    this.#found = message;
    this.#draw();
    this.#evaluate();
  }

  /** The bar beside the board shows what the review thinks of the position. */
  #evaluate() {
    const { record } = this.app;
    const next = this.#found?.moves[record.at];
    const last = this.#found?.moves[record.at - 1];
    const share = next ? shareBefore(next) : last ? shareAfter(last) : null;
    if (share !== null) this.app.evaluate(asKnown(share), "first");
  }

  /** @param {string} cause */
  refresh(cause) {
    if (cause === "load") {
      this.effort = this.#effort();
      this.element.firstElementChild?.replaceWith(this.effort.element);
    }
    if (cause === "load" || cause === "play" || cause === "undo") {
      this.runner.abandon();
      this.#found = null;
    }
    this.#draw();
    if (this.app.settings.panel === "review") this.#evaluate();
  }

  /** What was found of each move, by plies. */
  get verdicts() {
    return (this.#found?.moves ?? []).map(({ class: kind, loss }) => ({ class: kind, loss }));
  }

  leave() {}

  #draw() {
    const { record } = this.app;
    const words = w().review;
    const found = this.#found;
    const moves = found?.moves ?? [];
    this.empty.hidden = moves.length > 0;
    this.empty.textContent = record.moves.length === 0 ? words.empty : this.runner.running ? w().run.states.starting : words.none;
    for (const part of [this.table, this.filter, this.graph]) part.hidden = moves.length === 0;
    fill(this.graph, moves.length > 0 && graph(this.#points(moves), record.at, words.graph, (ply) => this.#go(ply)));
    fill(this.sums, /** @type {const} */ (["first", "second"]).flatMap((side) => (found ? this.#sums(found, side) : [])));
    const shown = moves.filter(({ class: kind }) => !this.only.checked || FAULTS.includes(kind ?? ""));
    fill(this.body, shown.map((move) => this.#row(move)));
  }

  /** How a side played. @param {Message} found @param {import("../types.js").Side} side */
  #sums(found, side) {
    const { accuracy, inaccuracies, mistakes, blunders } = found.sides[side];
    const { classes, accuracy: word } = w().review;
    if (accuracy === null) return [];
    const faults = [[inaccuracies, "inaccuracy"], [mistakes, "mistake"], [blunders, "blunder"]];
    const counts = faults.map(([count, kind]) => h("span", { class: `verdict ${kind}`, title: classes[kind] }, number(Number(count)), h("span", { class: "unseen" }, ` ${classes[kind]}`)));
    return [h("div", {}, h("dt", {}, `${word}, ${sideName(this.app.record.game, side)}`), h("dd", {}, percent(accuracy / 100, 1), " ", counts))];
  }

  /** The value before each move, and after the last. @param {Move[]} moves */
  #points(moves) {
    const points = moves.map((one) => ({
      share: shareBefore(one),
      kind: one.class && FAULTS.includes(one.class) ? one.class : null,
      label: `${number(one.ply)}. ${one.move}: ${named(w().review.classes, one.class ?? "")}`,
    }));
    return [...points, { share: shareAfter(moves[moves.length - 1]), kind: null, label: "" }];
  }

  /** @param {number} ply */
  #go(ply) {
    void this.app.attempt(() => this.app.record.go(ply));
  }

  /** @param {Move} one */
  #row(one) {
    const { ply, side, move, best, loss, class: kind } = one;
    const { record, look } = this.app;
    const words = w().review;
    const current = record.at === ply;
    const label = record.label(ply - 1, move, look.notation);
    const better = best !== move && FAULTS.includes(kind ?? "") ? words.better(record.label(ply - 1, best, look.notation)) : "";
    const share = shareBefore(one);
    return h("tr", { class: `${side}${current ? " current" : ""}`, "data-class": kind },
      h("th", { scope: "row" }, button(`${number(ply)}. ${label}`, () => this.#go(ply), { "aria-current": current && "step" })),
      h("td", {}, share === null ? "–" : percent(share, 1)),
      h("td", { class: "number" }, loss === null ? "" : number(loss, { maximumFractionDigits: 2 })),
      h("td", {}, h("span", { class: `verdict ${kind ?? ""}` }, kind ? named(words.classes, kind) : ""), better && h("small", {}, ` ${better}`)));
  }
}

/** What the first player can expect of the position before a move, in points. @param {Move} move */
const shareBefore = ({ value_before: value, side }) => shareOf(value, side);
/** The same after it. @param {Move} move */
const shareAfter = ({ value_after: value, side }) => shareOf(value, side);

/** @param {number | null} value win minus loss of a side @param {import("../types.js").Side} side */
function shareOf(value, side) {
  if (value === null) return null;
  return side === "first" ? (1 + value) / 2 : (1 - value) / 2;
}

/** A share as the bar beside the board wants it. @param {number} share @returns {import("../types.js").Knowledge} */
function asKnown(share) {
  return { value: 2 * share - 1, win: share, draw: 0, loss: 1 - share, stderr: null, score: null, bound: "exact", proven: null, distance: null };
}
