// @ts-check
/** Optional parts of the board, loaded on demand: move numbers on stones, and aiming by finger. */

import { fill, h } from "../dom.js";
import { preferences } from "../preferences.js";

/**
 * A game on a board.
 * @typedef {{ record: import("../record.js").Record, board: import("./board.js").Board, look: import("./board.js").Look }} GameView
 */

export class Extras {
  /** The button that plays what a finger aims at. */
  element = h("div", { class: "aim", "aria-live": "polite", hidden: true });
  /** @type {import("./aim.js").Aim | undefined} */
  #aim;

  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    // If the module cannot be loaded, the first tap plays.
    if (matchMedia("(any-pointer: coarse)").matches) void import("./aim.js").then(({ Aim }) => this.#take(Aim), () => {});
  }

  /** Starts aiming, unless the board has been rebuilt meanwhile. @param {typeof import("./aim.js").Aim} Aim */
  #take(Aim) {
    if (this.view.board.svg.isConnected) this.#aim = new Aim(this.view, this.element);
  }

  draw() {
    this.#aim?.draw();
    const { board, record } = this.view;
    const wanted = preferences.get("numbers", "none");
    fill(board.layers.numbers);
    if (wanted === "none") board.svg.classList.remove("numbered");
    else void import("./numbers.js").then(({ number }) => number(board, record, wanted === "last"), () => {});
  }
}
