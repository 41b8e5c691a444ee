// @ts-check
/**
 * Materials of boards and pieces: light and shadow as gradients shared by all boards of the page, and the grain of wood.
 * Colours are variables of the themes (`style/themes.css`), so that one drawing serves all of them. No filters: a board is
 * redrawn with each move, and gradients cost nothing there.
 */

import { s } from "../dom.js";

/** @typedef {[offset: number, colour: string, opacity: number]} Stop */

/** @param {Stop[]} stops */
const shades = (stops) => stops.map(([offset, colour, opacity]) => s("stop", { offset, "stop-color": colour, "stop-opacity": opacity }));

/** Light that falls from the upper left onto something round. @param {string} id @param {Stop[]} stops */
const round = (id, stops) => s("radialGradient", { id, cx: 0.5, cy: 0.5, r: 0.5, fx: 0.34, fy: 0.28 }, ...shades(stops));

/** The board's look unless the reader chooses one. */
export const defaultBoard = () => (matchMedia("(prefers-contrast: more)").matches ? "contrast" : "wood");

/** Puts the gradients into the page, or into the root of an embedded board. @param {Element} root */
export function addGradients(root) {
  root.append(s("svg", { id: "materials", width: 0, height: 0, "aria-hidden": "true" }, s("defs", {},
    round("gloss", [[0, "#fff", 0.62], [0.22, "#fff", 0.2], [0.5, "#fff", 0], [0.72, "#000", 0], [0.93, "#000", 0.2], [1, "#000", 0.42]]),
    round("dome", [[0, "#fff", 0.5], [0.6, "#fff", 0.06], [0.85, "#000", 0.04], [1, "#000", 0.22]]),
    s("radialGradient", { id: "shade" }, ...shades([[0.6, "#000", 0.55], [0.85, "#000", 0.22], [1, "#000", 0]])),
    s("linearGradient", { id: "sheen", x1: 0, y1: 0, x2: 0.5, y2: 1 }, ...shades([[0, "#fff", 0.18], [0.5, "#fff", 0], [1, "#2a1500", 0.13]])),
    s("linearGradient", { id: "hollow", x1: 0, y1: 0, x2: 0, y2: 1 }, ...shades([[0, "#000", 0.5], [0.55, "#000", 0.06], [1, "#fff", 0.32]])))));
}

/** The approximate distance between lines of the grain. */
const GAP = 23;

/**
 * The grain of a plank: almost parallel lines in two strengths, the same at every visit.
 * @param {number} width
 * @param {number} height
 */
export function grain(width, height) {
  /** @type {[string, string]} */
  const strengths = ["", ""];
  const step = height / 4;
  for (let index = 0, x = 6; x < width - 4; index += 1) {
    // Sines with unrelated periods look random, but give the same plank each time.
    const chance = Math.sin(index * 12.9898) + Math.sin(index * 4.1414 + 1);
    const bend = (/** @type {number} */ y) => 9 * Math.sin(y / 310 + x / 260) + 4 * Math.sin(y / 120 + x / 75 + chance);
    const at = (/** @type {number} */ y) => `${Math.min(width - 2, Math.max(2, x + bend(y))).toFixed(1)} ${y.toFixed(1)}`;
    let path = `M${at(3)}`;
    for (let y = step / 2; y < height; y += step) path += `Q${at(y)} ${at(Math.min(height - 3, y + step / 2))}`;
    strengths[chance > 0.35 ? 1 : 0] += path;
    x += GAP * (0.65 + 0.35 * chance * Math.sin(index));
    if (chance < -1.2) x += GAP * 0.6;
  }
  return strengths.map((d, index) => s("path", { class: `grain ${index === 0 ? "fine" : "broad"}`, d }));
}
