// @ts-check
/** The common part of exercises and puzzles: a task for the position on the board, verdicts on moves, a hint, the solution. */

import { showCandidates, showLine } from "../boards/marks.js";
import { button, fill, h, s } from "../dom.js";
import { w } from "../words.js";

/**
 * @typedef {import("../boards/extras.js").GameView} Table
 *
 * What to show: `tries` are the marks of tried moves, `best` is the wanted move, `line` the rest of the solution.
 * @typedef {{
 *   title: import("../dom.js").Child[], task: import("../dom.js").Child[], verdicts: import("../dom.js").Child[],
 *   tries: import("../boards/marks.js").Candidate[], best: string, line: string[], buttons: import("../dom.js").Child[],
 * }} Shown
 */

/** The radius of a hint's circle, and its distance from the move. */
const AROUND = { radius: 165, beside: 100 };

export class Question {
  hinted = false;
  revealed = false;
  task = h("p", { class: "task" });
  verdicts = h("div", { class: "verdicts", "aria-live": "polite" });
  buttons = h("div", { class: "buttons" });

  /** @param {Table} view @param {string} label @param {HTMLElement} heading */
  constructor(view, label, heading) {
    this.view = view;
    this.heading = heading;
    this.element = h("section", { class: "exercise", "aria-label": label }, heading, this.task, this.verdicts, this.buttons);
  }

  /** The number of moves before the position. */
  get ply() {
    return this.view.record.at;
  }

  /** Whether the wanted move has been found. */
  get solved() {
    return false;
  }

  hint() {
    this.hinted = true;
    this.draw();
  }

  reveal() {
    this.revealed = true;
    this.draw();
  }

  /** Draws words and marks, also after a change of notation. */
  draw() {}

  hintButton() {
    return !this.solved && !this.revealed && button(w().exercise.hint, () => this.hint(), { name: "exercise-hint", disabled: this.hinted });
  }

  solutionButton() {
    return !this.revealed && button(w().exercise.solution, () => this.reveal(), { name: "solution" });
  }

  /** A move of the position, in the reader's notation. @param {string} move */
  label(move) {
    const { record, look } = this.view;
    return record.label(this.ply, move, look.notation);
  }

  /** @param {Shown} shown */
  show({ title, task, verdicts, tries, best, line, buttons }) {
    fill(this.heading, title);
    fill(this.task, task);
    const text = this.view.record.lines.text(this.ply, line, this.view.look.notation);
    fill(this.verdicts, verdicts, this.hinted && !this.revealed && h("p", {}, this.#hintText(best)),
      this.revealed && h("p", { class: "solution" }, w().exercise.solutionIs(text)));
    const focused = this.buttons.contains(document.activeElement);
    fill(this.buttons, buttons);
    // Keeps the keyboard focus among the buttons.
    if (focused && !this.buttons.contains(document.activeElement)) /** @type {HTMLElement | null} */ (this.buttons.querySelector(".primary, button"))?.focus();
    this.#mark(tries, best, line);
  }

  /** @param {string} best */
  #hintText(best) {
    const words = w().exercise;
    const { from, near } = this.#hintPlace(best);
    return from ? words.piece(from) : near ? words.around(near.name) : words.word;
  }

  /** Where a hint points: the piece to move, or a place beside the move's destination. @param {string} best */
  #hintPlace(best) {
    const { record, board } = this.view;
    const move = record.position.legal.find((one) => one.move === best);
    const target = board.layout.byName.get(move?.to ?? "");
    const from = board.layout.byName.get(move?.from ?? "");
    // The destination alone determines the place beside it, so that the hint does not wander.
    const others = board.layout.targets.filter((one) => target && one !== target && Math.hypot(one.x - target.x, one.y - target.y) <= AROUND.beside * 1.5);
    const near = target && others[(target.name.charCodeAt(0) + target.row) % others.length];
    return { from: from?.name, near: from ?? near };
  }

  /**
   * Marks the tried moves and the hint, or the solution, on the board.
   * @param {Shown["tries"]} tries
   * @param {string} best
   * @param {string[]} line
   */
  #mark(tries, best, line) {
    const { board, record } = this.view;
    if (this.revealed) return showLine(board, record, line);
    showCandidates(board, record, tries);
    const { from, near } = this.#hintPlace(best);
    if (!this.hinted || this.solved || !near) return;
    board.layers.marks.append(s("circle", { class: "hint-area", cx: near.x, cy: near.y, r: from ? 50 : AROUND.radius }));
  }
}
