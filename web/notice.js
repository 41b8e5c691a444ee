// @ts-check
/** Errors in words: what went wrong, and its details, in the reader's language where it has words for them. */

import { ApiError } from "./backend/error.js";
import { button, fill, h } from "./dom.js";
import { w } from "./words.js";

/**
 * An error as text, followed by the server's detail.
 * @param {unknown} error
 * @param {string} [text] a text that replaces the usual sentence
 * @returns {(Node | string)[]}
 */
export function errorText(error, text) {
  if (!(error instanceof ApiError)) return [w().problems.unexpected, h("small", { class: "detail" }, String(error))];
  const known = Object.hasOwn(w().problems, error.code);
  const sentence = known ? w().problems[error.code] : w().problems.unexpected;
  const details = error.errors.length > 0 ? error.errors.map(({ pointer, detail }) => `${pointer}: ${detail}`) : [error.message];
  const silent = error.code === "offline" || error.code === "overloaded";
  // A text that replaces the sentence already names what is refused.
  const own = silent ? "" : w().details(error);
  if (own !== null) return [text ?? sentence, ...(own && !text ? [h("small", { class: "detail" }, own)] : [])];
  return [text ?? sentence, h("small", { class: "detail", lang: "en" }, details.join("; "))];
}

/**
 * An action that retries, the moves that wait for it, and a text that replaces the error's usual sentence.
 * @typedef {{ retry?: () => void, pending?: string, text?: () => string }} More
 */

/** Shows the error of the last action, with a retry button where a retry may help. */
export class Notice {
  element = h("div", { class: "notice", role: "alert" });
  /** Moves the focus when the focused element disappears. */
  onleave = () => {};
  /** The error shown. @type {{ error: unknown, more: More } | null} */
  #shown = null;

  /** @param {unknown} error @param {More} [more] */
  show(error, more = {}) {
    this.#shown = { error, more };
    this.draw();
  }

  /**
   * Runs an action and shows its error, if any. Returns whether it succeeded; rethrows errors other than `ApiError`.
   * @param {() => Promise<unknown>} action
   * @param {() => void} [retry]
   */
  async attempt(action, retry = () => void this.attempt(action)) {
    this.clear();
    try {
      await action();
      return true;
    } catch (error) {
      const isRefused = error instanceof ApiError;
      this.show(error, { retry: isRefused && error.isTemporary ? retry : undefined });
      if (!isRefused) throw error;
      return false;
    }
  }

  clear() {
    if (!this.#shown) return;
    this.#shown = null;
    this.draw();
  }

  /** Draws the notice, also after a change of language. */
  draw() {
    const focused = this.element.contains(document.activeElement);
    const shown = this.#shown;
    const { retry, pending, text } = shown?.more ?? {};
    const again = retry && button(w().notice.retry, retry, { name: "retry" });
    fill(this.element, shown && h("p", {}, ...errorText(shown.error, text?.()), pending && ` ${w().notice.pending(pending)}`, again && " ", again));
    if (!focused) return;
    if (again) again.focus();
    else this.onleave();
  }
}
