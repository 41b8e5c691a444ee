// @ts-check
/** Dialogs: the common frame and the confirmation. The others are loaded on demand. */

import { button, h } from "./dom.js";
import { w } from "./words.js";

/** @param {string} heading @param {...(Node | false)} content */
export function dialog(heading, ...content) {
  const element = h("dialog", { "aria-label": heading }, h("h2", {}, heading), ...content);
  document.body.append(element);
  element.addEventListener("close", () => element.remove());
  element.showModal();
  return element;
}

/**
 * Asks to confirm an irreversible action.
 * @param {string} heading
 * @param {string} text
 * @param {string} action the label of the button that confirms
 * @returns {Promise<boolean>}
 */
export function confirm(heading, text, action) {
  return new Promise((resolve) => {
    let agreed = false;
    const agree = () => {
      agreed = true;
      element.close();
    };
    const element = dialog(heading, h("p", {}, text), h("div", { class: "buttons" },
      button(action, agree, { class: "primary", name: "confirm" }), button(w().key.cancel, () => element.close(), { name: "cancel" })));
    element.addEventListener("close", () => resolve(agreed));
  });
}

export const showKeys = async () => (await import("./dialogs/keys.js")).showKeys();

/** @param {import("./app.js").App} app */
export const showGames = async (app) => (await import("./dialogs/games.js")).showGames(app);

/** @returns {Promise<string | null>} null if none was given */
export const askForKey = async () => (await import("./dialogs/key.js")).askForKey();
