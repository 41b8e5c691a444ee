// @ts-check
/** What only some readers see on the board: numbers on stones, and where a finger would play. The scripts are fetched for them. */

import { fill, h } from "../dom.js";
import { likes } from "../likes.js";

export class Extras {
  /** The button that plays what a finger aims at. */
  element = h("div", { class: "aim", "aria-live": "polite", hidden: true });
  /** @type {import("./aim.js").Aim | undefined} */
  #aim;

  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    // Where the script is away, the first tap plays.
    if (matchMedia("(any-pointer: coarse)").matches) void import("./aim.js").then(({ Aim }) => (this.#aim = new Aim(app, this.element)), () => {});
  }

  draw() {
    this.#aim?.draw();
    const { board, record } = this.app;
    const wanted = likes.get("numbers", "none");
    fill(board.layers.numbers);
    if (wanted === "none") board.svg.classList.remove("numbered");
    else void import("./numbers.js").then(({ number }) => number(board, record, wanted === "last"), () => {});
  }
}
