// @ts-check
/** Moves as buttons below the board: moves without a place on it, all moves of a game that lists them, and several moves with the same cells. */

import { button, fill, h } from "../dom.js";
import { gameWord } from "../games.js";
import { w } from "../words.js";

/** @typedef {import("../types.js").LegalMove} LegalMove */

export class Choices {
  /**
   * @param {HTMLElement} element
   * @param {(move: string) => void} onplay
   * @param {() => void} onleave called when the reader returns to the board
   */
  constructor(element, onplay, onleave) {
    this.element = element;
    this.onplay = onplay;
    this.onleave = onleave;
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", w().board.moves);
    element.tabIndex = -1;
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      onleave();
      event.stopPropagation();
    });
  }

  /**
   * @param {import("../types.js").Game} game
   * @param {LegalMove[]} moves
   * @param {"words" | "list" | "question"} kind
   */
  show(game, moves, kind) {
    // Inside an embedded board the focused element is known to its shadow root only.
    const focused = /** @type {Document | ShadowRoot} */ (this.element.getRootNode()).activeElement ?? null;
    const held = this.element.contains(focused);
    const move = /** @type {HTMLElement | null} */ (focused)?.dataset.move;
    this.element.classList.toggle("list", kind === "list");
    const buttons = moves.map((one) => button(gameWord(game, "moves", one.move), () => this.onplay(one.move), {
      class: kind === "list" ? "" : "primary", "data-move": one.move,
    }));
    fill(this.element, kind === "question" && h("span", {}, w().board.which), buttons);
    if (!held && kind !== "question") return;
    const next = (held && buttons.find((one) => one.dataset.move === move)) || buttons[0];
    if (next) next.focus({ preventScroll: true });
    // While the engine thinks there are none: the focus waits here for those of the next position.
    else if (kind === "list") this.element.focus({ preventScroll: true });
    else this.onleave();
  }

  focus() {
    const first = /** @type {HTMLElement} */ (this.element.querySelector("button") ?? this.element);
    first.focus();
  }
}
