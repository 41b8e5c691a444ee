// @ts-check
/** The page's single-key shortcuts. They can be switched off, since speech input and slips also trigger them. */

import { newGame } from "./begin.js";
import { showKeys } from "./dialogs.js";
import { h } from "./dom.js";
import { preferences } from "./preferences.js";
import { PANELS } from "./link.js";
import { w } from "./words.js";

const shortcuts = () => preferences.get("shortcuts", "on") === "on";

export function shortcutsField() {
  const input = h("input", { type: "checkbox", name: "shortcuts", checked: shortcuts() });
  input.addEventListener("change", () => preferences.set("shortcuts", input.checked ? "on" : "off"));
  return h("label", { class: "check" }, input, w().keys.single);
}

/** @param {import("./app.js").App} app */
export function listen(app) {
  document.addEventListener("keydown", (event) => press(app, event));
}

/** @param {import("./app.js").App} app @param {KeyboardEvent} event */
function press(app, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !shortcuts() || !app.shown) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest('input:not([type="radio"], [type="checkbox"]), select, textarea, dialog')) return;
  const { record, settings } = app;
  const panel = app.panels[settings.panel];
  const go = (/** @type {number} */ ply) => app.attempt(() => record.go(ply));
  /** @param {string} name */
  const toggle = (name) => /** @type {HTMLElement | null} */ (app.root.querySelector(`[data-toggle="${name}"]:not([hidden])`))?.click();
  /** @type {{ [key: string]: () => unknown }} */
  const actions = {
    "?": () => showKeys(),
    b: () => app.board.focus(),
    n: () => newGame(app),
    u: () => settings.panel === "play" && app.panels.play.undo(),
    h: () => toggle("hints"),
    e: () => toggle("evaluation"),
    f: () => toggle("flipped"),
    s: () => "runner" in panel && panel.runner?.toggle(),
    ",": () => go(record.targetPly - 1),
    ".": () => go(record.targetPly + 1),
    "[": () => go(0),
    "]": () => go(record.moves.length),
  };
  PANELS.forEach((name, index) => (actions[String(index + 1)] = () => app.enter(name)));
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  void action();
}
