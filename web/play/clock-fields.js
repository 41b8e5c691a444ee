// @ts-check
/** The time control as fields: its kind, and the numbers of that kind. */

import { field, fill, h, select } from "../dom.js";
import { w } from "../words.js";
import { KINDS, NUMBERS, withTime, DEFAULTS } from "./clock.js";

/**
 * @param {import("./clock.js").Control} control
 * @param {(control: import("./clock.js").Control) => void} onchange
 */
export function clockFields(control, onchange) {
  const words = w().play.clock;
  const element = h("div", { class: "clock-fields" });
  const draw = () => {
    const kinds = select(KINDS.map((kind) => [kind, words.kinds[kind]]), control.kind, (kind) => {
      control = DEFAULTS[/** @type {import("./clock.js").Control["kind"]} */ (kind)];
      draw();
      element.querySelector("select")?.focus();
      onchange(control);
    }, { name: "clock" });
    element.dataset.count = String(NUMBERS[control.kind].length);
    fill(element, field(words.label, kinds), NUMBERS[control.kind].map((one) => number(one)));
  };
  /** Time for the game is given in minutes. @param {[string, number, number]} one */
  const number = ([name, least, most]) => {
    const unit = name === "seconds" && control.kind !== "move" ? 60 : 1;
    const currentValue = () => /** @type {Record<string, number>} */ (/** @type {unknown} */ (control))[name];
    const input = h("input", { type: "number", name: `clock-${name}`, min: least / unit, max: most / unit, step: unit === 60 ? 0.5 : 1, value: currentValue() / unit });
    input.addEventListener("change", () => {
      const typed = Math.round(Number(input.value) * unit);
      const clamped = Math.min(most, Math.max(least, Number.isFinite(typed) ? typed : least));
      control = withTime(/** @type {any} */ ({ ...control, [name]: clamped }));
      input.value = String(currentValue() / unit);
      onchange(control);
    });
    return field(unit === 60 ? words.minutes : /** @type {any} */ (words)[name], input);
  };
  draw();
  return element;
}
