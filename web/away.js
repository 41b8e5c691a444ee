// @ts-check
/**
 * The overlay on the board while the service is unreachable: what waits, and Retry. It also retries by itself, so that the game
 * continues once the service is back; nothing is dropped until then.
 */

import { button, fill, h } from "./dom.js";
import { w } from "./words.js";

/** Seconds before the first, second, … attempt; the last one repeats. */
const PATIENCE = [1, 2, 3, 5, 8];

export class Away {
  element = h("div", { class: "away", hidden: true });
  #text = h("p");
  #retry = button("", () => void this.retry(), { class: "primary", name: "retry" });
  #back = button("", () => this.ontakeback(), { name: "take-back" });
  /** Actions to retry once the service is back, by their origin. @type {Map<string, () => Promise<unknown>>} */
  #waiting = new Map();
  #count = 0;
  #trying = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #next;
  /** Takes back the moves that wait. */
  ontakeback = () => {};
  /** Moves the focus when the focused element disappears. */
  onleave = () => {};
  /** Called when the first action begins to wait, and when none waits any longer. */
  onchange = () => {};

  constructor() {
    addEventListener("online", () => this.shown && void this.retry());
  }

  get shown() {
    return this.#waiting.size > 0;
  }

  /** @param {string} whose @param {() => Promise<unknown>} again */
  wait(whose, again) {
    const shown = this.shown;
    this.#waiting.set(whose, again);
    if (!shown) this.onchange();
    this.#plan();
  }

  /** @param {string} whose */
  clear(whose) {
    if (!this.#waiting.delete(whose) || this.shown) return;
    this.#count = 0;
    clearTimeout(this.#next);
    this.onchange();
  }

  /** Retries everything that waits. */
  async retry() {
    if (this.#trying) return;
    this.#trying = true;
    this.element.classList.add("trying");
    clearTimeout(this.#next);
    try {
      for (const again of [...this.#waiting.values()]) await again();
    } finally {
      this.#trying = false;
      this.element.classList.remove("trying");
    }
    if (this.shown) this.#plan();
  }

  #plan() {
    clearTimeout(this.#next);
    if (this.#trying) return;
    const seconds = PATIENCE[Math.min(this.#count, PATIENCE.length - 1)];
    this.#next = setTimeout(() => {
      this.#count += 1;
      void this.retry();
    }, seconds * 1000);
  }

  /** @param {string} kept the waiting moves as text; empty if there are none */
  draw(kept) {
    const focused = this.element.contains(document.activeElement);
    const words = w().away;
    this.element.hidden = !this.shown;
    if (!this.shown) {
      fill(this.element);
      if (focused) this.onleave();
      return;
    }
    this.#retry.textContent = w().notice.retry;
    this.#back.textContent = words.back;
    const text = kept ? w().notice.kept(kept) : words.nothing;
    if (this.#text.textContent !== text) this.#text.textContent = text;
    this.#back.hidden = kept === "";
    if (this.element.childElementCount > 0) return;
    fill(this.element, h("div", { class: "away-card", role: "alert" },
      h("h2", {}, w().problems.offline), this.#text, h("p", { class: "empty" }, words.itself),
      h("div", { class: "buttons" }, this.#retry, this.#back)));
  }
}
