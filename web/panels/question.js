// @ts-check
/** What exercises have in common: a task for the position on the board, verdicts on moves, a hint, the solution. */

import { showCandidates, showLine } from "../boards/marks.js";
import { button, fill, h, s } from "../dom.js";
import { w } from "../words.js";

/**
 * @typedef {import("../boards/extras.js").Table} Table
 *
 * What there is to see: `tries` are the marks of moves tried, `best` the move that is wanted, `line` the solution from here on.
 * @typedef {{
 *   title: import("../dom.js").Child[], task: import("../dom.js").Child[], verdicts: import("../dom.js").Child[],
 *   tries: import("../boards/marks.js").Candidate[], best: string, line: string[], buttons: import("../dom.js").Child[],
 * }} Shown
 */

/** A hint's circle is so large, and so far beside the move. */
const AROUND = { radius: 165, beside: 100 };

export class Question {
  hinted = false;
  revealed = false;
  task = h("p", { class: "task" });
  told = h("div", { class: "verdicts", "aria-live": "polite" });
  buttons = h("div", { class: "buttons" });

  /** @param {Table} table @param {string} label @param {HTMLElement} heading */
  constructor(table, label, heading) {
    this.table = table;
    this.heading = heading;
    this.element = h("section", { class: "exercise", "aria-label": label }, heading, this.task, this.told, this.buttons);
  }

  /** After how many moves it is asked. */
  get ply() {
    return this.table.record.at;
  }

  /** Whether the move that was wanted has been found. */
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

  /** Words and marks, also anew in another notation. */
  draw() {}

  hintButton() {
    return !this.solved && !this.revealed && button(w().exercise.hint, () => this.hint(), { name: "exercise-hint", disabled: this.hinted });
  }

  solutionButton() {
    return !this.revealed && button(w().exercise.solution, () => this.reveal(), { name: "solution" });
  }

  /** A move of the position, in the reader's notation. @param {string} move */
  label(move) {
    const { record, look } = this.table;
    return record.label(this.ply, move, look.notation);
  }

  /** @param {Shown} shown */
  show({ title, task, verdicts, tries, best, line, buttons }) {
    fill(this.heading, title);
    fill(this.task, task);
    const text = this.table.record.lineText(this.ply, line, this.table.look.notation);
    fill(this.told, verdicts, this.hinted && !this.revealed && h("p", {}, this.#hintText(best)),
      this.revealed && h("p", { class: "solution" }, w().exercise.solutionIs(text)));
    const focused = this.buttons.contains(document.activeElement);
    fill(this.buttons, buttons);
    // Whoever pressed a button with a key goes on from there.
    if (focused && !this.buttons.contains(document.activeElement)) /** @type {HTMLElement | null} */ (this.buttons.querySelector(".primary, button"))?.focus();
    this.#mark(tries, best, line);
  }

  /** @param {string} best */
  #hintText(best) {
    const words = w().exercise;
    const { from, near } = this.#hintPlace(best);
    return from ? words.piece(from) : near ? words.around(near.name) : words.word;
  }

  /** Where a hint points to: the piece to be moved, or a place beside the one where the move goes. @param {string} best */
  #hintPlace(best) {
    const { record, board } = this.table;
    const move = record.position.legal.find((one) => one.move === best);
    const target = board.layout.byName.get(move?.to ?? "");
    const from = board.layout.byName.get(move?.from ?? "");
    // Always beside it in the same direction as seen from the move, so that the hint does not wander; which one, its name decides.
    const others = board.layout.targets.filter((one) => target && one !== target && Math.hypot(one.x - target.x, one.y - target.y) <= AROUND.beside * 1.5);
    const near = target && others[(target.name.charCodeAt(0) + target.row) % others.length];
    return { from: from?.name, near: from ?? near };
  }

  /** The moves tried, the hint, or the solution on the board. @param {Shown["tries"]} tries @param {string} best @param {string[]} line */
  #mark(tries, best, line) {
    const { board, record } = this.table;
    if (this.revealed) return showLine(board, record, line);
    showCandidates(board, record, tries);
    const { from, near } = this.#hintPlace(best);
    if (!this.hinted || this.solved || !near) return;
    board.layers.marks.append(s("circle", { class: "hint-area", cx: near.x, cy: near.y, r: from ? 50 : AROUND.radius }));
  }
}
