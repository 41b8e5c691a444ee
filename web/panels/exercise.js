// @ts-check
/**
 * Mistakes of a reviewed game as exercises: the board before the mistake, on which the reader looks for a better move. A move is
 * graded as the review graded the one that was played: by the value of the position it leads to.
 */

import { ApiError, insist } from "../api.js";
import { button, fill, h } from "../dom.js";
import { sideName } from "../games.js";
import { explain } from "../notice.js";
import { named, number, w } from "../words.js";
import { Question } from "./question.js";
import { given } from "./values.js";

/**
 * @typedef {import("./review.js").Move} Move
 * @typedef {"best" | "good" | "inaccuracy" | "mistake" | "blunder"} Class
 *
 * A move that was tried, and what it gives away: not known while it is looked at, nor where the search has found no value.
 * @typedef {{ move: string, loss: number | null, class: Class | null, looking?: boolean }} Try
 */

/** What a move may give away and still be as good: less than can be told from a search to the next. */
const AS_GOOD = 0.02;
/** From how much on a move has the class, as in reviews. @type {[Class, number][]} */
const CLASSES = [["blunder", 0.3], ["mistake", 0.2], ["inaccuracy", 0.1], ["good", AS_GOOD]];
/** So many plies of a solution are shown. */
const PLIES = 6;

/** @param {number} loss @returns {Class} */
const classOf = (loss) => CLASSES.find(([, least]) => loss >= least)?.[0] ?? "best";

export class Exercise extends Question {
  /** The mistakes, the worst first in no way: as they were made. @type {Move[]} */
  #faults = [];
  #index = 0;
  /** The ply to return to, and the branch it is in. */
  #back = 0;
  /** @type {import("../record.js").Branch | undefined} */
  #from;
  /** What searches are asked beside the position: the review's effort. @type {any} */
  #effort = {};
  /** @type {Try[]} */
  #tries = [];
  /** Mistakes for which a better move was found without the solution, and those that are done either way, by ply. */
  #found = new Set();
  done = new Set();
  /** The search for what a move is worth. @type {AbortController | null} */
  #grading = null;
  /** Whether an exercise is on the board. */
  active = false;

  /** @param {import("../app.js").App} app @param {() => void} onchange when it begins or ends */
  constructor(app, onchange) {
    super(app, w().exercise.heading, h("h3", { tabindex: -1 }));
    this.app = app;
    this.onchange = onchange;
    this.element.hidden = true;
  }

  /** What is solved belongs to a review; another one begins anew. */
  reset() {
    this.drop();
    this.#found.clear();
    this.done.clear();
  }

  /**
   * Begins with one of the mistakes.
   * @param {Move[]} faults
   * @param {number} index
   * @param {any} effort of the review
   */
  async start(faults, index, effort) {
    const { at, branch, branches } = this.app.record;
    if (!this.active) [this.#back, this.#from] = [at, branches[branch ?? -1]];
    this.#faults = faults;
    this.#effort = effort;
    await this.#show(index);
  }

  /** The position before a mistake. @param {number} index */
  async #show(index) {
    const { ply } = this.#faults[index];
    this.#grading?.abort();
    const began = !this.active;
    this.#index = index;
    this.#tries = [];
    this.hinted = false;
    this.revealed = false;
    this.active = true;
    const shown = await this.app.attempt(() => this.app.record.home(ply - 1));
    if (!shown || this.app.record.at !== ply - 1) {
      if (began) this.drop();
      return;
    }
    this.onchange();
    this.draw();
    this.heading.focus({ preventScroll: true });
    this.app.board.element.scrollIntoView({ block: "nearest" });
  }

  /** Whether another position than the exercise's is on the board: the reader went there. */
  get strayed() {
    const { at, heading, branch } = this.app.record;
    return this.active && (branch !== null || at !== this.#fault.ply - 1 && heading !== this.#fault.ply - 1);
  }

  /** Ends it where the board is. */
  drop() {
    if (!this.active) return;
    this.#grading?.abort();
    this.active = false;
    fill(this.app.board.layers.marks);
    this.onchange();
  }

  /** Ends it, and returns to where the reader was. */
  leave() {
    if (!this.active) return;
    this.drop();
    const { record, settings } = this.app;
    if (!this.#from) return void this.app.attempt(() => record.go(this.#back));
    const index = record.branches.indexOf(this.#from);
    // What was tried is not shown where the game is played, nor where it was removed.
    const shown = settings.panel !== "play" && index >= 0;
    void this.app.attempt(() => (shown ? record.enter(index, this.#back) : record.go(record.line.length)));
  }

  get #fault() {
    return this.#faults[this.#index];
  }

  /** @override */
  get ply() {
    return this.#fault.ply - 1;
  }

  /** Whether a move was found that is as good, or nearly. @override */
  get solved() {
    return this.#tries.some((one) => one.class === "best" || one.class === "good");
  }

  /** Takes a move made on the board. @param {string} move */
  async try(move) {
    const fault = this.#fault;
    if (this.solved || this.revealed || this.#tries.some((one) => one.move === move && one.class !== null)) return;
    this.#grading?.abort();
    this.#tries = this.#tries.filter((one) => one.move !== move && one.class !== null);
    if (move === fault.best) return this.#grade(move, 0);
    if (move === fault.move) return this.#grade(move, fault.loss);
    const control = new AbortController();
    this.#grading = control;
    this.#tries.push({ move, loss: null, class: null, looking: true });
    this.draw();
    try {
      const value = await this.#valueAfter(move, control.signal);
      if (control.signal.aborted) return;
      this.#grade(move, value === null || fault.value_before === null ? null : Math.max(0, fault.value_before - value));
    } catch (error) {
      if (control.signal.aborted) return;
      this.#tries = this.#tries.filter((one) => one.class !== null);
      this.draw();
      if (!(error instanceof ApiError)) throw error;
      fill(this.told, h("p", {}, ...explain(error)));
    }
  }

  /** What the position after a move is worth to whoever played it. @param {string} move @param {AbortSignal} signal */
  async #valueAfter(move, signal) {
    const { record } = this.app;
    const question = record.question(this.#fault.ply - 1);
    const response = await insist("/v1/searches", {
      body: { ...question, moves: [...question.moves, move], ...this.#effort, perspective: "first_player", report: { children: "best", pv_length: 1 } },
      signal,
      onwait: (seconds) => fill(this.told, h("p", {}, w().run.states.full(number(seconds)))),
    });
    /** @type {import("../types.js").Search} */
    const { root } = await response.json();
    return root.value === null ? null : this.#fault.side === "first" ? root.value : -root.value;
  }

  /** @param {string} move @param {number | null} loss */
  #grade(move, loss) {
    const kind = loss === null ? null : classOf(loss);
    this.#tries = [...this.#tries.filter((one) => one.move !== move), { move, loss, class: kind }];
    if (this.solved) {
      if (!this.revealed) this.#found.add(this.#fault.ply);
      this.done.add(this.#fault.ply);
    }
    this.draw();
  }

  /** @override */
  reveal() {
    this.done.add(this.#fault.ply);
    super.reveal();
  }

  /** @override */
  draw() {
    this.element.hidden = !this.active;
    if (!this.active) return;
    const words = w().exercise;
    const { app } = this;
    const fault = this.#fault;
    const side = sideName(app.record.game, fault.side);
    const over = this.solved || this.revealed;
    const last = this.#index + 1 === this.#faults.length;
    this.show({
      title: [words.heading, h("span", { class: "count" }, words.of(number(this.#index + 1), number(this.#faults.length)))],
      task: [words.played(side, this.label(fault.move), named(w().review.classes, fault.class ?? "")), " ", words.task(side)],
      verdicts: this.#tries.map((one) => this.#verdict(one)),
      tries: this.#tries.map(mark),
      best: fault.best,
      line: fault.line[0] === fault.best ? fault.line.slice(0, PLIES) : [fault.best],
      buttons: [
        this.hintButton(),
        this.solutionButton(),
        !last && button(words.next, () => void this.#show(this.#index + 1), { name: "next", class: over ? "primary" : "" }),
        button(words.back, () => this.leave(), { name: "back", class: over && last ? "primary" : "" }),
      ],
    });
    if (over && last) this.told.append(h("p", { class: "sum" }, words.finished(number(this.#foundOf()), number(this.#faults.length))));
  }

  #foundOf() {
    return this.#faults.filter(({ ply }) => this.#found.has(ply)).length;
  }

  /** @param {Try} tried */
  #verdict({ move, loss, class: kind, looking }) {
    const words = w().exercise;
    const label = this.label(move);
    if (loss === null) return h("p", { class: "verdict open" }, looking ? words.looking(label) : words.unknown(label));
    if (move === this.#fault.best) return h("p", { class: "verdict best" }, words.best(label));
    if (kind === "best") return h("p", { class: "verdict best" }, words.asGood(label));
    if (kind === "good") return h("p", { class: "verdict good" }, words.nearly(label, given(loss)));
    if (move === this.#fault.move) return h("p", { class: `verdict ${this.#fault.class ?? ""}` }, words.same(label));
    return h("p", { class: `verdict ${kind}` }, words.worse(label, named(w().review.classes, kind ?? ""), given(loss)));
  }
}

/** A move tried, as it is marked on the board. @param {Try} tried @returns {import("../boards/marks.js").Candidate} */
function mark({ move, class: kind, looking }) {
  const grades = /** @type {const} */ ({ best: "best", good: "good", inaccuracy: "poor", mistake: "bad", blunder: "bad" });
  const text = looking ? "…" : kind === null ? "?" : kind === "best" || kind === "good" ? "✓" : "✗";
  return { move, grade: kind ? grades[kind] : "open", share: null, text, chosen: kind === "best" };
}
