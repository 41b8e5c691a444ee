// @ts-check
/**
 * "Teach me": explains a mistake before the engine answers it, so that it can be taken back. A move is graded as in reviews; if
 * that fails, the game goes on.
 */

import { ApiError, call } from "../api.js";
import { backend } from "../backend/router.js";
import { showCandidates } from "../boards/marks.js";
import { button, fill, h, refill } from "../dom.js";
import words from "../lang/teaching.js";
import { lossText } from "../panels/values.js";
import { sentences } from "../reasons.js";
import { lang, wordFor, w } from "../words.js";

/**
 * @typedef {import("../types.js").PlayedMove} PlayedMove
 * @typedef {NonNullable<import("../types.js").Search["grades"]>[number]} Grade
 */

/** Milliseconds for the search of a grade, and for the whole request: the longest that the engine is delayed. */
const [SEARCH_MS, TIMEOUT_MS] = [300, 3000];
const FAULTS = ["mistake", "blunder"];

/** Whether a move deserves a remark. @param {Grade} grade */
const deservesRemark = ({ class: kind, proof }) => FAULTS.includes(kind ?? "") || proof === "thrown_away";

/**
 * Whether a move deserves praise: it is the only good one, and neither an immediate win nor the answer to a threat, which only
 * the server knows.
 * @param {Grade} grade
 */
const deservesPraise = ({ class: kind, reasons }) => kind === "best" && backend.current === "server" &&
  reasons.some((one) => one.kind === "only_move" && one.distance !== 1) && reasons.every((one) => one.kind !== "answers_threat");

export class Teacher {
  /**
   * The line up to the last graded move, that move's grade, and the best move.
   * @type {{ line: PlayedMove[], grade: Grade, best: string } | null}
   */
  #graded = null;
  /** The line that the engine may answer. @type {PlayedMove[] | null} */
  #acceptedLine = null;
  /** Lets the engine answer. @type {(() => void) | null} */
  #continue = null;
  /** Whether the better move is shown. */
  #shown = false;
  #card = h("section", { class: "remark", hidden: true });
  #praise = h("p", { class: "praise" });

  /** @param {import("../app.js").App} app @param {HTMLElement} place */
  constructor(app, place) {
    this.app = app;
    fill(place, this.#praise, this.#card);
  }

  /** Whether the reader is asked what to do. */
  get isAsking() {
    return this.#continue !== null;
  }

  /** Grades the reader's last move; returns once the engine may answer. @param {AbortSignal} signal */
  async check(signal) {
    const { record, settings, timer } = this.app;
    const { line } = record;
    const ply = line.length - 1;
    if (line[ply]?.side !== settings.human || this.#acceptedLine === line) return;
    timer.hold("lesson", true);
    try {
      fill(this.#praise);
      if (this.#graded?.line !== line) {
        this.#graded = null;
        await this.#grade(ply, signal);
      }
      if (signal.aborted || !this.#graded) return;
      const { grade } = this.#graded;
      if (deservesPraise(grade)) fill(this.#praise, words[lang()].card.praise(this.#label(ply, grade.move)));
      if (deservesRemark(grade)) await this.#ask(signal);
      if (!signal.aborted) this.#acceptedLine = line;
    } finally {
      timer.hold("lesson", false);
    }
  }

  /** @param {number} ply @param {AbortSignal} signal */
  async #grade(ply, signal) {
    const { record, settings } = this.app;
    const { line } = record;
    const control = new AbortController();
    const stop = () => control.abort();
    signal.addEventListener("abort", stop, { once: true });
    const timeout = setTimeout(stop, TIMEOUT_MS);
    try {
      const body = { ...record.request(ply), grade: [line[ply].move], budget: { time_ms: Math.min(SEARCH_MS, settings.time) }, report: { children: "best", pv_length: 1 } };
      const { move, grades } = await call("/v1/searches", { body, signal: control.signal });
      // The browser's engine answers an aborted search with its result so far.
      if (!control.signal.aborted) this.#graded = { line, grade: grades[0], best: move };
    } catch (error) {
      if (!control.signal.aborted && !(error instanceof ApiError)) throw error;
    } finally {
      clearTimeout(timeout);
      signal.removeEventListener("abort", stop);
    }
  }

  /** Shows the card until it is answered. @param {AbortSignal} signal */
  async #ask(signal) {
    this.#shown = false;
    const answered = new Promise((resolve) => {
      this.#continue = () => resolve(undefined);
      signal.addEventListener("abort", this.#continue, { once: true });
    });
    this.draw();
    this.app.showStatus();
    this.#card.scrollIntoView({ block: "nearest" });
    await answered;
    this.#continue = null;
    this.draw();
  }

  /** Clears the praise: another game is loaded, or a move taken back. */
  clearPraise() {
    fill(this.#praise);
  }

  /** Draws the card, shown while the move or the position before it is on the board. */
  draw() {
    const { record, settings, board, look } = this.app;
    const found = this.#graded;
    const ply = (found?.line.length ?? 0) - 1;
    const hidden = !this.isAsking || settings.panel !== "play" || found?.line !== record.line || record.at < ply;
    if (hidden && this.#card.contains(document.activeElement)) board.focus();
    this.#card.hidden = hidden;
    if (hidden || !found) return fill(this.#card);
    const { best, grade: { move, class: kind, loss, reasons } } = found;
    const text = words[lang()].card;
    const texts = (/** @type {readonly string[]} */ line) => record.lines.texts(ply, line, look.notation);
    const why = sentences(reasons, texts, (line) => this.#shown || line[0] !== best);
    this.#card.dataset.class = kind ?? "";
    this.#card.setAttribute("aria-label", text.label);
    refill(this.#card, "name",
      h("p", {}, h("b", {}, text.verdict(this.#label(ply, move), wordFor(w().review.classes, kind ?? ""))), text.space,
        why.join(text.space) || text.loss(lossText(loss ?? 0)), text.space,
        this.#shown && text.better(this.#label(ply, best)) + text.space, h("b", {}, text.ask)),
      h("div", { class: "buttons" },
        button(text.back, () => this.app.panels.play.undo(ply), { name: "take-back", class: "primary" }),
        button(text.on, () => void this.#playOn(), { name: "play-on" }),
        button(text.show, () => void this.#show(ply), { name: "show", disabled: this.#shown })));
    if (this.#shown && record.at === ply) showCandidates(board, record, [{ move: best, grade: "best", share: null, text: "★", chosen: true }]);
  }

  /** @param {number} ply @param {string} move */
  #label(ply, move) {
    return this.app.record.label(ply, move, this.app.look.notation);
  }

  async #playOn() {
    const { record } = this.app;
    if (await this.app.attempt(() => record.go(record.line.length))) this.#continue?.();
  }

  /** Shows the better move on the board before the mistake. @param {number} ply */
  async #show(ply) {
    this.#shown = true;
    this.app.session.noteHelp();
    if (await this.app.attempt(() => this.app.record.go(ply))) this.draw();
  }
}
