// @ts-check
/**
 * The evaluation bar beside the board, in the colours of the two sides: how much of the point each can expect. The figure is what
 * the position is worth to the side ahead, at that side's end.
 */

import { h } from "../dom.js";
import { classOf, sideName } from "../games.js";
import { w, width } from "../words.js";
import { brief, expected, ofFirst, plain } from "./values.js";

export class Evaluation {
  part = h("div", { class: "evaluation-first" });
  text = h("span", { class: "evaluation-text" });
  element = h("div", { class: "evaluation", role: "img", "aria-label": w().analyse.evaluation }, this.part, this.text);
  #label = w().analyse.evaluation;
  /** @type {string[]} */
  #classes = [];

  /** Takes a game's colours, and the name of its first player. @param {import("../types.js").Game} game */
  of(game) {
    this.element.classList.remove(...this.#classes);
    this.#classes = classOf(game).split(" ");
    this.element.classList.add(...this.#classes);
    this.#label = `${w().analyse.evaluation}, ${sideName(game, "first")}`;
  }

  /**
   * @param {import("../types.js").Knowledge | null} told
   * @param {import("../types.js").Side} [side] whose view it is
   */
  show(told, side = "first") {
    const known = told && ofFirst(told, side);
    const share = known && expected(known);
    this.element.classList.toggle("unknown", share === null);
    this.part.style.setProperty("--share", String(share ?? 0.5));
    const ahead = (share ?? 1) < 0.5 ? "second" : "first";
    this.text.textContent = known === null || share === null ? "" : brief(ofFirst(known, ahead));
    this.text.style.setProperty("--length", String(width(this.text.textContent)));
    this.text.classList.toggle("upper", ahead === "second");
    this.element.setAttribute("aria-label", known === null ? w().analyse.evaluation : `${this.#label}: ${plain(known)}`);
  }
}
