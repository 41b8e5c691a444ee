// @ts-check
/** The subset of Markdown that the contract uses: paragraphs, indented code, `code`, **bold**. */

import { h } from "../dom.js";

/** @param {string | undefined} text @returns {HTMLElement[]} */
export function markdown(text) {
  if (!text) return [];
  return text.trimEnd().split(/\n{2,}/).map((block) => {
    if (block.split("\n").every((line) => line.startsWith("    "))) return h("pre", { tabindex: 0 }, h("code", {}, block.replace(/^ {4}/gm, "")));
    return h("p", {}, ...inline(block));
  });
}

/** @param {string} text @returns {(Node | string)[]} */
export function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return h("strong", {}, part.slice(2, -2));
    return part;
  });
}
