// @ts-check
/** Errors in words: what went wrong in the reader's language, and what the server said about it. */

import { ApiError } from "./api.js";
import { fill, h } from "./dom.js";
import { w } from "./words.js";

/**
 * An error as text, with the server's own words behind.
 * @param {unknown} error
 * @returns {(Node | string)[]}
 */
export function explain(error) {
  if (!(error instanceof ApiError)) return [w().problems.unexpected, h("small", { class: "detail" }, String(error))];
  const known = Object.hasOwn(w().problems, error.code);
  const sentence = known ? w().problems[error.code] : w().problems.unexpected;
  const details = error.errors.length > 0 ? error.errors.map(({ pointer, detail }) => `${pointer}: ${detail}`) : [error.message];
  const silent = error.code === "offline" || error.code === "overloaded";
  return [sentence, ...(silent ? [] : [h("small", { class: "detail", lang: "en" }, details.join("; "))])];
}

/** The page's one place for errors of what was just tried. */
export class Notice {
  element = h("div", { class: "notice", role: "alert" });

  /** @param {unknown} error */
  show(error) {
    fill(this.element, h("p", {}, ...explain(error)));
  }

  clear() {
    if (this.element.hasChildNodes()) fill(this.element);
  }
}
