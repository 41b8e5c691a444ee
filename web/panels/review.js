// @ts-check
/** A whole game looked at: its value by ply as a graph, what each move gave up, the mistakes, and how well each side played. */

import { button, fill, h } from "../dom.js";
import { named, number, percent, sideName, w } from "../words.js";
import { asked, effortFields } from "./effort.js";
import { graph } from "./graph.js";
import { Runner } from "./runner.js";
import { expected, ofFirst, plain } from "./values.js";

/**
 * @typedef {import("../types.js").Review} Message
 * @typedef {Message["plies"][number]} Ply
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
      progress: ({ progress }) => (progress.total > 0 ? progress.done / progress.total : 0),
      ended: ({ progress, status }) =>
        status === "failed" ? w().run.states.failed : w().review.done(number(progress.done), number(progress.total)),
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
    const next = this.#found?.plies[record.at];
    const last = this.#found?.plies[record.at - 1];
    if (next) this.app.evaluate(next.before, next.side);
    else if (last?.after) this.app.evaluate(last.after, last.side);
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

  leave() {}

  #draw() {
    const { record } = this.app;
    const words = w().review;
    const found = this.#found;
    const plies = found?.plies ?? [];
    this.empty.hidden = plies.length > 0;
    this.empty.textContent = record.moves.length === 0 ? words.empty : this.runner.running ? w().run.states.starting : words.none;
    for (const part of [this.table, this.filter, this.graph]) part.hidden = plies.length === 0;
    fill(this.graph, plies.length > 0 && graph(this.#points(plies), record.at, words.graph, (ply) => this.#go(ply)));
    const { accuracy } = found ?? {};
    const sums = /** @type {const} */ (["first", "second"]).flatMap((side) => {
      const share = accuracy?.[side] ?? null;
      if (share === null) return [];
      return [h("div", {}, h("dt", {}, `${words.accuracy}, ${sideName(record.game.name, side)}`), h("dd", {}, percent(share, 1)))];
    });
    fill(this.sums, sums);
    const shown = plies.filter(({ class: kind }) => !this.only.checked || FAULTS.includes(kind ?? ""));
    fill(this.body, shown.map((ply) => this.#row(ply)));
  }

  /** The value before each move, and after the last. @param {Ply[]} plies */
  #points(plies) {
    const points = plies.map(({ before, side, class: kind, ply, move }) => ({
      share: expected(ofFirst(before, side)),
      kind: kind && FAULTS.includes(kind) ? kind : null,
      label: `${number(ply + 1)}. ${move}: ${named(w().review.classes, kind ?? "")}`,
    }));
    const last = plies[plies.length - 1];
    const end = last?.after ? expected(ofFirst(last.after, last.side)) : null;
    return [...points, { share: end, kind: null, label: "" }];
  }

  /** @param {number} ply */
  #go(ply) {
    void this.app.attempt(this.app.record.go(ply));
  }

  /** @param {Ply} ply */
  #row({ ply, side, move, best, before, loss, class: kind }) {
    const { record, look } = this.app;
    const words = w().review;
    const current = record.at === ply + 1;
    const label = record.label(ply, move, look.notation);
    const better = best && best !== move && loss !== null && loss > 0 ? words.better(record.label(ply, best, look.notation)) : "";
    return h("tr", { class: `${side}${current ? " current" : ""}`, "data-class": kind },
      h("th", { scope: "row" }, button(`${number(ply + 1)}. ${label}`, () => this.#go(ply + 1), { "aria-current": current && "step" })),
      h("td", {}, plain(ofFirst(before, side))),
      h("td", { class: "number" }, loss === null ? "" : number(loss, { maximumFractionDigits: 2 })),
      h("td", {}, h("span", { class: `verdict ${kind ?? ""}` }, kind ? named(words.classes, kind) : ""), better && h("small", {}, ` ${better}`)));
  }
}
