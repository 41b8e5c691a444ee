// @ts-check
/** Start, stop, state and progress, the same for analyses, trees and reviews. */

import { ApiError } from "../api.js";
import { button, fill, h } from "../dom.js";
import { Job } from "../job.js";
import { errorText } from "../notice.js";
import { number, w } from "../words.js";

/**
 * @template {import("../job.js").Message} M
 * @typedef {{
 *   path: string,
 *   request: () => any,
 *   onmessage: (message: M) => void,
 *   onstart?: () => void,
 *   onend?: () => void,
 *   progress: (message: M) => number,
 *   ended: (message: M) => string,
 *   live?: boolean,
 * }} Plan the request (null if impossible) and what happens with its messages; a live plan starts by itself and can be paused
 */

/** @template {import("../job.js").Message} M */
export class Runner {
  /** @type {Job<M> | null} */
  #job = null;
  #plan;
  #start = button("", () => void this.start(), { class: "primary start" });
  #stop = button("", () => void this.stop(), { class: "stop", hidden: true });
  #state = h("p", { class: "run-state", "data-state": "idle" });
  #bar = h("progress", { max: 1, value: 0 });
  /** Whether a live plan waits for the reader. */
  paused = false;
  /** The panel's additional buttons. */
  extra = h("span", { class: "extra" });
  element;

  /** @param {Plan<M>} plan */
  constructor(plan) {
    this.#plan = plan;
    this.#stop.textContent = plan.live ? w().run.pause : w().run.stop;
    this.#bar.setAttribute("aria-label", w().run.progress);
    this.element = h("div", { class: "runner" }, h("div", { class: "buttons" }, this.#start, this.#stop, this.extra), this.#bar, this.#state);
    this.#showButtons();
  }

  get running() {
    return this.#job !== null;
  }

  async start() {
    this.paused = false;
    this.abandon();
    const request = this.#plan.request();
    if (request === null) return;
    /** @type {M | null} */
    let last = null;
    /** @type {Job<M>} */
    const job = new Job(
      this.#plan.path,
      request,
      (message) => {
        last = message;
        this.#bar.value = message.final ? 1 : this.#plan.progress(message);
        this.#plan.onmessage(message);
      },
      (state, detail) => this.#showState(state, detail, last),
    );
    this.#job = job;
    this.#bar.value = 0;
    this.#showButtons();
    this.#plan.onstart?.();
    await job.run();
    if (this.#job !== job) return;
    this.#job = null;
    this.#showButtons();
    this.#plan.onend?.();
  }

  async stop() {
    this.paused = true;
    this.#showButtons();
    await this.#job?.stop();
  }

  /** Stops, and forgets what was found. */
  abandon() {
    const job = this.#job;
    this.#job = null;
    job?.abandon();
    this.#showButtons();
    this.#setState("idle", "");
  }

  toggle() {
    return this.#isActive ? this.stop() : this.start();
  }

  /** Whether it runs. A live plan counts as paused at once, though its last message is still to come. */
  get #isActive() {
    return this.running && !(this.#plan.live && this.paused);
  }

  #showButtons() {
    this.#start.textContent = this.#plan.live && this.paused ? w().run.resume : w().run.start;
    const [shown, hidden] = this.#isActive ? [this.#stop, this.#start] : [this.#start, this.#stop];
    const focused = document.activeElement === hidden;
    shown.hidden = false;
    hidden.hidden = true;
    // The keyboard focus moves between Start and Stop.
    if (focused) shown.focus();
  }

  /**
   * @param {import("../job.js").State} state
   * @param {{ seconds?: number, error?: unknown } | undefined} detail
   * @param {M | null} last
   */
  #showState(state, detail, last) {
    const { states } = w().run;
    if (state === "failed") {
      this.paused = true;
      return this.#setState(state, "", errorText(detail?.error));
    }
    if (state === "full") {
      const quota = detail?.error instanceof ApiError && detail.error.code !== "overloaded" ? errorText(detail.error) : [];
      return this.#setState(state, states.full(number(detail?.seconds ?? 1)), quota);
    }
    if (state === "done" && last) return this.#setState(state, this.#plan.ended(last));
    return this.#setState(state, states[state]);
  }

  /**
   * @param {import("../job.js").State} state
   * @param {string} text
   * @param {(Node | string)[]} [more]
   */
  #setState(state, text, more = []) {
    // Only what needs the reader is announced; the rest would be read out endlessly.
    this.#state.setAttribute("aria-live", state === "failed" || state === "full" || state === "done" ? "polite" : "off");
    this.#state.dataset.state = state;
    fill(this.#state, text, ...more);
  }
}
