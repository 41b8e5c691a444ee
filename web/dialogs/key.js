// @ts-check
/** The dialog that asks for the service's key. */

import { key } from "../backend/key.js";
import { dialog } from "../dialogs.js";
import { button, field, h } from "../dom.js";
import { w } from "../words.js";

/**
 * The open question: several requests may be refused at once, but the reader is asked once.
 * @type {Promise<string | null> | null}
 */
let asking = null;

/** @returns {Promise<string | null>} null if none was given */
export function askForKey() {
  asking ??= new Promise((resolve) => {
    const words = w().key;
    const input = h("input", { type: "password", name: "key", autocomplete: "off" });
    const remember = h("input", { type: "checkbox", name: "remember", checked: key.remembered });
    /** @type {string | null} */
    let known = null;
    const send = () => {
      known = input.value.trim() || null;
      if (known !== null) key.set(known, remember.checked);
      element.close();
    };
    input.addEventListener("keydown", (event) => event.key === "Enter" && send());
    const element = dialog(words.heading, field(words.label, input),
      h("label", { class: "check" }, remember, words.remember),
      h("div", { class: "buttons" }, button(words.send, send, { class: "primary" }), button(words.cancel, () => element.close())));
    // A key entered in another tab is used here too.
    void key.next().then((other) => {
      known ??= other;
      element.close();
    });
    element.addEventListener("close", () => {
      asking = null;
      resolve(known);
    });
  });
  return asking;
}
