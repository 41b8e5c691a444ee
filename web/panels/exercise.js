// @ts-check
/**
 * Mistakes of a reviewed game as exercises: the reader looks for a better move in the position before the mistake. A move is
 * graded like the played one in the review: by the value of the position it leads to.
 */

import { ApiError, sendWithRetry } from "../api.js";
import { button, fill, h } from "../dom.js";
import { sideName } from "../games.js";
import { errorText } from "../notice.js";
import { wordFor, number, w } from "../words.js";
import { Question } from "./question.js";
import { lossText } from "./values.js";

/**
 * @typedef {import("./review.js").Move} Move
 * @typedef {"best" | "good" | "inaccuracy" | "mistake" | "blunder"} Class
 *
 * A tried move and its loss, which is null while it is searched, or if the search found no value.
 * @typedef {{ move: string, loss: number | null, class: Class | null, checking?: boolean }} Try
 */

/** The loss below which a move counts as equally good: less than searches of the same position differ by. */
const AS_GOOD = 0.02;
/** The smallest loss of each class, as in reviews. @type {[Class, number][]} */
const CLASSES = [["blunder", 0.3], ["mistake", 0.2], ["inaccuracy", 0.1], ["good", AS_GOOD]];
/** How many plies of a solution are shown. */
const PLIES = 6;

/** @param {number} loss @returns {Class} */
const classOf = (loss) => CLASSES.find(([, least]) => loss >= least)?.[0] ?? "best";

export class Exercise extends Question {
  /** The mistakes, in the order in which they were made. @type {Move[]} */
  #faults = [];
  #index = 0;
  /** The ply to return to, and the branch it is in. */
  #returnPly = 0;
  /** @type {import("../record.js").Branch | undefined} */
  #returnBranch;
  /** The request fields besides the position: the review's effort. @type {any} */
  #effort = {};
  /** @type {Try[]} */
  #tries = [];
  /** Plies of the mistakes for which a better move was found without the solution, and of those done either way. */
  #foundPlies = new Set();
  donePlies = new Set();
  /** The search that grades a move. @type {AbortController | null} */
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

  /** Clears what was solved, since it belongs to one review. */
  reset() {
    this.stop();
    this.#foundPlies.clear();
    this.donePlies.clear();
  }

  /**
   * Starts with one of the mistakes.
   * @param {Move[]} faults
   * @param {number} index
   * @param {any} effort of the review
   */
  async start(faults, index, effort) {
    const { at, branch, branches } = this.app.record;
    if (!this.active) [this.#returnPly, this.#returnBranch] = [at, branches[branch ?? -1]];
    this.#faults = faults;
    this.#effort = effort;
    await this.#show(index);
  }

  /** Shows the position before a mistake. @param {number} index */
  async #show(index) {
    const { ply } = this.#faults[index];
    this.#grading?.abort();
    const began = !this.active;
    this.#index = index;
    this.#tries = [];
    this.hinted = false;
    this.revealed = false;
    this.active = true;
    const shown = await this.app.attempt(() => this.app.record.leaveBranch(ply - 1));
    if (!shown || this.app.record.at !== ply - 1) {
      if (began) this.stop();
      return;
    }
    this.onchange();
    this.draw();
    this.heading.focus({ preventScroll: true });
    this.app.board.element.scrollIntoView({ block: "nearest" });
  }

  /** Whether the reader has gone to another position than the exercise's. */
  get isElsewhere() {
    const { at, targetPly, branch } = this.app.record;
    return this.active && (branch !== null || at !== this.#fault.ply - 1 && targetPly !== this.#fault.ply - 1);
  }

  /** Ends it without changing the position shown. */
  stop() {
    if (!this.active) return;
    this.#grading?.abort();
    this.active = false;
    fill(this.app.board.layers.marks);
    this.onchange();
  }

  /** Ends it, and returns to where the reader was. */
  leave() {
    if (!this.active) return;
    this.stop();
    const { record, settings } = this.app;
    if (!this.#returnBranch) return void this.app.attempt(() => record.go(this.#returnPly));
    const index = record.branches.indexOf(this.#returnBranch);
    // A branch is not shown on the play panel, nor if it was removed.
    const shown = settings.panel !== "play" && index >= 0;
    void this.app.attempt(() => (shown ? record.showBranch(index, this.#returnPly) : record.go(record.line.length)));
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
    this.#tries.push({ move, loss: null, class: null, checking: true });
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
      fill(this.verdicts, h("p", {}, ...errorText(error)));
    }
  }

  /** The value of the position after a move, for the side that played it. @param {string} move @param {AbortSignal} signal */
  async #valueAfter(move, signal) {
    const { record } = this.app;
    const request = record.request(this.#fault.ply - 1);
    const response = await sendWithRetry("/v1/searches", {
      body: { ...request, moves: [...request.moves, move], ...this.#effort, perspective: "first_player", report: { children: "best", pv_length: 1 } },
      signal,
      onwait: (seconds) => fill(this.verdicts, h("p", {}, w().run.states.full(number(seconds)))),
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
      if (!this.revealed) this.#foundPlies.add(this.#fault.ply);
      this.donePlies.add(this.#fault.ply);
    }
    this.draw();
  }

  /** @override */
  reveal() {
    this.donePlies.add(this.#fault.ply);
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
      task: [words.played(side, this.label(fault.move), wordFor(w().review.classes, fault.class ?? "")), " ", words.task(side)],
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
    if (over && last) this.verdicts.append(h("p", { class: "sum" }, words.finished(number(this.#foundCount()), number(this.#faults.length))));
  }

  #foundCount() {
    return this.#faults.filter(({ ply }) => this.#foundPlies.has(ply)).length;
  }

  /** @param {Try} tried */
  #verdict({ move, loss, class: kind, checking }) {
    const words = w().exercise;
    const label = this.label(move);
    if (loss === null) return h("p", { class: "verdict open" }, checking ? words.checking(label) : words.unknown(label));
    if (move === this.#fault.best) return h("p", { class: "verdict best" }, words.best(label));
    if (kind === "best") return h("p", { class: "verdict best" }, words.asGood(label));
    if (kind === "good") return h("p", { class: "verdict good" }, words.nearly(label, lossText(loss)));
    if (move === this.#fault.move) return h("p", { class: `verdict ${this.#fault.class ?? ""}` }, words.same(label));
    return h("p", { class: `verdict ${kind}` }, words.worse(label, wordFor(w().review.classes, kind ?? ""), lossText(loss)));
  }
}

/** The mark of a tried move on the board. @param {Try} tried @returns {import("../boards/marks.js").Candidate} */
function mark({ move, class: kind, checking }) {
  const grades = /** @type {const} */ ({ best: "best", good: "good", inaccuracy: "poor", mistake: "bad", blunder: "bad" });
  const text = checking ? "…" : kind === null ? "?" : kind === "best" || kind === "good" ? "✓" : "✗";
  return { move, grade: kind ? grades[kind] : "open", share: null, text, chosen: kind === "best" };
}
