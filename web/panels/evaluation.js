// @ts-check
/**
 * The evaluation bar beside the board: how likely each result is, in the colours of the two sides and a third one for draws.
 * The figure is the position's value for the side to move, at that side's end.
 */

import { h } from "../dom.js";
import { classOf, sideName } from "../games.js";
import { w, width } from "../words.js";
import { shortValue, expectedPoints, forFirstPlayer, valueText } from "./values.js";

export class Evaluation {
  part = h("div", { class: "evaluation-first" });
  text = h("span", { class: "evaluation-text" });
  element = h("div", { class: "evaluation", role: "img", "aria-label": w().analyse.evaluation }, this.part, h("div", { class: "evaluation-draw" }), this.text);
  /** @type {import("../types.js").Game | undefined} */
  #game;
  /** @type {string[]} */
  #classes = [];

  /** Sets the game, whose colours and names of sides are used. @param {import("../types.js").Game} game */
  of(game) {
    this.element.classList.remove(...this.#classes);
    this.#classes = classOf(game).split(" ");
    this.element.classList.add(...this.#classes);
    this.#game = game;
  }

  /**
   * @param {import("../types.js").Knowledge | null} known
   * @param {import("../types.js").Side} [side] the perspective
   */
  show(known, side = "first") {
    const share = known && expectedPoints(known);
    const { win, draw } = known && share !== null ? forFirstPlayer(known, side) : { win: 0.5, draw: 0 };
    this.element.classList.toggle("unknown", share === null);
    this.element.style.setProperty("--win", String(win));
    this.element.style.setProperty("--draw", String(draw));
    this.text.textContent = known === null || share === null ? "" : shortValue(known);
    this.text.style.setProperty("--length", String(width(this.text.textContent)));
    this.text.classList.toggle("upper", side === "second");
    const label = w().analyse.evaluation;
    this.element.setAttribute("aria-label", known === null || !this.#game ? label : `${label}, ${sideName(this.#game, side)}: ${valueText(known)}`);
  }
}
