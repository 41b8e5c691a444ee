// @ts-check
/** Dialogs: the list of keys, and the service's wish for a key of another kind. */

import { button, field, h } from "./dom.js";
import { w } from "./words.js";

/** @param {string} heading @param {...Node} content */
function dialog(heading, ...content) {
  const element = h("dialog", { "aria-label": heading }, h("h2", {}, heading), ...content);
  document.body.append(element);
  element.addEventListener("close", () => element.remove());
  element.showModal();
  return element;
}

export function showKeys() {
  const rows = w().keys.list.map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, what)));
  const element = dialog(w().keys.heading, h("table", { class: "keys" }, h("tbody", {}, rows)),
    button(w().menu.close, () => element.close(), { class: "primary" }));
}

/** The question under way: several requests may be refused at once, the reader is asked once. @type {Promise<string | null> | null} */
let asking = null;

/** @returns {Promise<string | null>} null where none was given */
export function askForKey() {
  asking ??= new Promise((resolve) => {
    const words = w().key;
    const input = h("input", { type: "password", name: "key", autocomplete: "off" });
    /** @type {string | null} */
    let typed = null;
    const send = () => {
      typed = input.value.trim() || null;
      element.close();
    };
    input.addEventListener("keydown", (event) => event.key === "Enter" && send());
    const element = dialog(words.heading, field(words.label, input),
      h("div", { class: "buttons" }, button(words.send, send, { class: "primary" }), button(words.cancel, () => element.close())));
    element.addEventListener("close", () => {
      asking = null;
      resolve(typed);
    });
  });
  return asking;
}
