// @ts-check
/** The buttons below the board: which position is shown, and how. */

import { letterAt, NARROW } from "./boards/layout.js";
import { button, h, whileShown } from "./dom.js";
import { contentName, moduleOf } from "./games.js";
import { icon } from "./icons.js";
import { preferences } from "./preferences.js";
import { w } from "./words.js";

/** @param {import("./app.js").App} app */
export function controls(app) {
  const words = w().board;
  const { record } = app;
  const step = (/** @type {"first" | "back" | "forward" | "end"} */ sign, /** @type {string} */ label, /** @type {() => number} */ to) =>
    button(icon(sign), () => void app.attempt(() => record.go(to())), { "aria-label": label, title: label });
  const element = h("div", { class: "controls" },
    step("first", words.first, () => 0),
    step("back", words.back, () => record.targetPly - 1),
    step("forward", words.forward, () => record.targetPly + 1),
    step("end", words.end, () => record.moves.length),
    toggle(app, "hints", words.hints),
    toggle(app, "evaluation", words.evaluation),
    toggle(app, "flipped", words.flip));
  // The board may turn with the screen.
  whileShown(element, matchMedia(NARROW), "change", () => redraw(app));
  return element;
}

/** Redraws the board and the marks on it. @param {import("./app.js").App} app */
export function redraw(app) {
  app.show();
  app.showStatus();
  app.panels[app.settings.panel].refresh("enter");
}

/** The highest level at which legal moves are marked for beginners. */
const EASY = 3;

/** Decides whether legal moves are marked: as the reader chose, else where it helps. @param {import("./app.js").App} app */
export function showHints(app) {
  app.look.hints = app.look.hinted ?? showsHintsByDefault(app);
  app.root.querySelector('[data-toggle="hints"]')?.setAttribute("aria-pressed", String(app.look.hints));
}

/** @param {import("./app.js").App} app */
function showsHintsByDefault({ record, settings }) {
  const { game, variant, position } = record;
  const module = moduleOf(game);
  if (settings.panel !== "play") return false;
  if (module.hints) return true;
  if (settings.level > EASY || settings.human === "both" || settings.human === "none") return false;
  // Where every empty place is legal, marks are useless.
  const ends = new Set(position.legal.map(({ to }) => to));
  const empty = module.layout(variant, false).targets.filter((target) => contentName(game, letterAt(position.cells, target)) === null);
  return position.legal.some(({ from }) => from !== null) || empty.some(({ name }) => !ends.has(name));
}

/** @param {import("./app.js").App} app @param {"hints" | "evaluation" | "flipped"} name @param {string} label */
function toggle(app, name, label) {
  const element = button(icon(name), () => {
    app.look[name] = !app.look[name];
    if (name === "hints") app.look.hinted = app.look.hints;
    if (name === "evaluation") preferences.set(name, app.look[name] ? "shown" : "hidden");
    element.setAttribute("aria-pressed", String(app.look[name]));
    const { top } = element.getBoundingClientRect();
    redraw(app);
    // On a phone the bar appears above the buttons: without scrolling, a second tap would hit another one.
    scrollBy({ top: element.getBoundingClientRect().top - top, behavior: "instant" });
  }, { "aria-label": label, title: label, "aria-pressed": String(app.look[name]), "data-toggle": name });
  return element;
}
