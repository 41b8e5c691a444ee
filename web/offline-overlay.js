// @ts-check
/**
 * The overlay on the board while the service is unreachable: what waits, and Retry. It also retries by itself, so that the game
 * continues once the service is back; nothing is dropped until then.
 */

import { button, fill, h } from "./dom.js";
import { w } from "./words.js";

/** Seconds before the first, second, … attempt; the last one repeats. */
const RETRY_DELAYS = [1, 2, 3, 5, 8];

export class OfflineOverlay {
  element = h("div", { class: "offline", hidden: true });
  #text = h("p");
  #retry = button("", () => void this.retry(), { class: "primary", name: "retry" });
  #back = button("", () => this.onTakeBack(), { name: "take-back" });
  /** Actions to retry once the service is back, by their origin. @type {Map<string, () => Promise<unknown>>} */
  #actions = new Map();
  #attempts = 0;
  #retrying = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Takes back the moves that wait. */
  onTakeBack = () => {};
  /** Moves the focus when the focused element disappears. */
  onleave = () => {};
  /** Called when the first action begins to wait, and when none waits any longer. */
  onchange = () => {};

  constructor() {
    addEventListener("online", () => this.shown && void this.retry());
  }

  get shown() {
    return this.#actions.size > 0;
  }

  /** @param {string} origin @param {() => Promise<unknown>} action */
  wait(origin, action) {
    const shown = this.shown;
    this.#actions.set(origin, action);
    if (!shown) this.onchange();
    this.#scheduleRetry();
  }

  /** @param {string} origin */
  clear(origin) {
    if (!this.#actions.delete(origin) || this.shown) return;
    this.#attempts = 0;
    clearTimeout(this.#timer);
    this.onchange();
  }

  /** Retries everything that waits. */
  async retry() {
    if (this.#retrying) return;
    this.#retrying = true;
    this.element.classList.add("retrying");
    clearTimeout(this.#timer);
    try {
      for (const action of [...this.#actions.values()]) await action();
    } finally {
      this.#retrying = false;
      this.element.classList.remove("retrying");
    }
    if (this.shown) this.#scheduleRetry();
  }

  #scheduleRetry() {
    clearTimeout(this.#timer);
    if (this.#retrying) return;
    const seconds = RETRY_DELAYS[Math.min(this.#attempts, RETRY_DELAYS.length - 1)];
    this.#timer = setTimeout(() => {
      this.#attempts += 1;
      void this.retry();
    }, seconds * 1000);
  }

  /** @param {string} pending the waiting moves as text; empty if there are none */
  draw(pending) {
    const focused = this.element.contains(document.activeElement);
    const words = w().offline;
    this.element.hidden = !this.shown;
    if (!this.shown) {
      fill(this.element);
      if (focused) this.onleave();
      return;
    }
    this.#retry.textContent = w().notice.retry;
    this.#back.textContent = words.back;
    const text = pending ? w().notice.pending(pending) : words.nothing;
    if (this.#text.textContent !== text) this.#text.textContent = text;
    this.#back.hidden = pending === "";
    if (this.element.childElementCount > 0) return;
    fill(this.element, h("div", { class: "offline-card", role: "alert" },
      h("h2", {}, w().problems.offline), this.#text, h("p", { class: "empty" }, words.itself),
      h("div", { class: "buttons" }, this.#retry, this.#back)));
  }
}
