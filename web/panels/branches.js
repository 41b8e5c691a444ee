// @ts-check
/** The branches tried beside the game: each can be shown again or removed, and each leads back to the game. */

import { button, h, refill } from "../dom.js";
import { icon } from "../icons.js";
import { plyNumbers } from "../play/moves.js";
import { w } from "../words.js";

export class Branches {
  element = h("section", { class: "branches", hidden: true });

  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  draw() {
    const { app } = this;
    const { record, settings } = app;
    const { branches, branch, shared } = record;
    const words = w().branches;
    this.element.hidden = branches.length === 0 || settings.panel === "play" || settings.panel === "setup";
    this.element.setAttribute("aria-label", words.heading);
    const focused = this.element.contains(document.activeElement);
    refill(this.element, "data-key",
      h("h3", {}, words.heading),
      branch !== null && button(words.back, () => void app.attempt(() => record.leaveBranch(shared)), { class: "primary", name: "home", "data-key": "home" }),
      h("ol", {}, branches.map((one, index) => this.#row(one, index))));
    if (focused && !this.element.contains(document.activeElement)) app.board.focus();
  }

  /** @param {import("../record.js").Branch} one @param {number} index */
  #row(one, index) {
    const { app } = this;
    const { at, moves } = one;
    const { record } = app;
    const words = w().branches;
    const { mainLine } = record;
    const line = record.lines.text(at, moves, app.look.notation, mainLine);
    const before = () => record.label(at - 1, mainLine[at - 1].move, app.look.notation, mainLine);
    const from = at === 0 ? words.start : words.after(`${plyNumbers(mainLine)[at - 1]} ${before()}`);
    const shown = record.branch === index;
    return h("li", {},
      button(h("span", {}, h("small", {}, `${from}: `), line), () => void app.attempt(() => record.showBranch(index)),
        { class: "branch", "aria-current": shown && "true", "data-key": `${at} ${moves.join(" ")}` }),
      button(icon("close"), () => void app.attempt(() => this.#prune(one)),
        { class: "icon", name: "prune", "aria-label": words.remove(line), title: words.remove(line) }));
  }

  /** Removes a branch; if it is shown, the game is shown first. @param {import("../record.js").Branch} one */
  async #prune(one) {
    const { record, session } = this.app;
    const { branches, shared } = record;
    if (branches[record.branch ?? -1] === one) await record.leaveBranch(shared);
    const index = record.branches.indexOf(one);
    // The reader may have returned to it meanwhile.
    if (index < 0 || index === record.branch) return;
    if (record.branch !== null && index < record.branch) record.branch -= 1;
    record.branches.splice(index, 1);
    session.recordChanged("branch");
    this.draw();
  }
}
