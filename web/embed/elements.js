// @ts-check
/** Defines the elements, and the properties that reflect their attributes. */

import { FLAGS, TesujiBoard } from "./board.js";
import { TesujiEval } from "./evaluation.js";
import { origin, defaults } from "./service.js";

/** @param {"here" | "none"} server whether the files come from a server that answers requests */
export function define(server) {
  if (server === "here") defaults.server = origin();
  for (const [name, element] of Object.entries({ "tesuji-board": TesujiBoard, "tesuji-eval": TesujiEval })) {
    // Another server's module may have defined it already.
    if (customElements.get(name)) continue;
    for (const attribute of element.observedAttributes) {
      // HTML defines this one.
      if (attribute !== "lang") Object.defineProperty(element.prototype, attribute, reflecting(attribute));
    }
    customElements.define(name, element);
  }
}

/** @param {string} name @returns {PropertyDescriptor & ThisType<HTMLElement>} */
function reflecting(name) {
  const isFlag = FLAGS.includes(name);
  return {
    configurable: true,
    enumerable: true,
    get() {
      return isFlag ? this.hasAttribute(name) : (this.getAttribute(name) ?? "");
    },
    /** @param {any} value text, a list of moves, or the fields of a variant */
    set(value) {
      if (isFlag) this.toggleAttribute(name, Boolean(value));
      else if (value === null || value === undefined) this.removeAttribute(name);
      else this.setAttribute(name, Array.isArray(value) ? value.join(" ") : typeof value === "object" ? JSON.stringify(value) : String(value));
    },
  };
}
