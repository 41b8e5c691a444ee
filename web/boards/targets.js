// @ts-check
/** The invisible shapes over targets that take clicks and focus. */

import { s } from "../dom.js";

/** The area of a target that can be hit, and the mark of its focus. @param {import("./layout.js").Target} target */
export function shapes({ shape, x, y, upright, outline }) {
  if (outline) return [s("path", { class: "hit", d: outline }), s("path", { class: "focus", d: outline })];
  if (shape === "edge") {
    const [width, height] = upright ? [52, 112] : [112, 52];
    const box = { x: x - width / 2, y: y - height / 2, width, height, rx: 16 };
    const [long, thin] = upright ? [14, 108] : [108, 14];
    const ghost = { x: x - long / 2, y: y - thin / 2, width: long, height: thin, rx: 7 };
    return [s("rect", { class: "hit", ...box }), s("rect", { class: "ghost", ...ghost }), s("rect", { class: "focus", ...box })];
  }
  const box = { x: x - 49, y: y - 49, width: 98, height: 98, rx: shape === "point" ? 49 : 6 };
  return [s("rect", { class: "hit", ...box }), s("rect", { class: "focus", ...box })];
}
