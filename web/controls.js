// @ts-check
/** The buttons below the board: which position is shown, and how. */

import { button, h } from "./dom.js";
import { icon } from "./icons.js";
import { likes } from "./likes.js";
import { w } from "./words.js";

/** @param {import("./app.js").App} app */
export function controls(app) {
  const words = w().board;
  const { record } = app;
  const step = (/** @type {"first" | "back" | "forward" | "end"} */ sign, /** @type {string} */ label, /** @type {() => number} */ to) =>
    button(icon(sign), () => void app.attempt(() => record.go(to())), { "aria-label": label, title: label });
  return h("div", { class: "controls" },
    step("first", words.first, () => 0),
    step("back", words.back, () => record.heading - 1),
    step("forward", words.forward, () => record.heading + 1),
    step("end", words.end, () => record.moves.length),
    toggle(app, "hints", words.hints),
    toggle(app, "evaluation", words.evaluation),
    toggle(app, "flipped", words.flip));
}

/** @param {import("./app.js").App} app @param {"hints" | "evaluation" | "flipped"} name @param {string} label */
function toggle(app, name, label) {
  const element = button(icon(name), () => {
    app.look[name] = !app.look[name];
    if (name === "evaluation") likes.set(name, app.look[name] ? "shown" : "hidden");
    element.setAttribute("aria-pressed", String(app.look[name]));
    app.show();
    app.showStatus();
    app.panels[app.settings.panel].refresh("enter");
  }, { "aria-label": label, title: label, "aria-pressed": String(app.look[name]), "data-toggle": name });
  return element;
}
