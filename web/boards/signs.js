// @ts-check
/** What is drawn over the places of a board: the last move, stones that won, legal moves, forbidden points, and short texts. */

import { s } from "../dom.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./layout.js").Target} Target
 */

/**
 * The last move, under the pieces and over them.
 * @param {"square" | "circle" | "dot" | "none" | undefined} kind
 * @param {Layout} board
 * @param {import("../types.js").PlayedMove | undefined} move
 * @returns {{ under: SVGElement[], over: SVGElement[] }}
 */
export function lastMove(kind = "circle", board, move) {
  const target = board.byName.get(move?.to ?? "");
  if (!move || !target || kind === "none") return { under: [], over: [] };
  const { x, y } = target;
  const start = board.byName.get(move.from ?? "");
  const square = (/** @type {Target} */ one) => s("rect", { class: "last", x: one.x - 50, y: one.y - 50, width: 100, height: 100 });
  if (kind === "square") return { under: [square(target), ...(start && start !== target ? [square(start)] : [])], over: [] };
  if (kind === "dot") return { under: [], over: [s("circle", { class: `last dot ${move.colour ?? move.side}`, cx: x, cy: y, r: 12 })] };
  return {
    under: start ? [s("circle", { class: "last from", cx: start.x, cy: start.y, r: 24 })] : [],
    over: [s("circle", { class: "last", cx: x, cy: y, r: 48 })],
  };
}

/** Stones that won. @param {Target[]} stones */
export const winningStones = (stones) => stones.flatMap(({ x, y }) =>
  [s("circle", { class: "halo", cx: x, cy: y, r: 42 }), s("circle", { class: "winning", cx: x, cy: y, r: 42 })]);

/** Where a move can go; a ring where something stands. @param {Target} target @param {boolean} taken */
export const legalTarget = ({ x, y }, taken) => (taken ? s("circle", { class: "hint ring", cx: x, cy: y, r: 47 }) : s("circle", { class: "hint", cx: x, cy: y, r: 13 }));

/** A point that is forbidden. @param {Target} target */
export const forbiddenPoint = ({ x, y }) => s("path", { class: "forbidden", d: `M${x - 16} ${y - 16}l32 32m0 -32l-32 32` });

/** A number or a letter on a plate. @param {{ x: number, y: number }} place @param {string | number} text */
export const plate = ({ x, y }, text) => [s("circle", { class: "plate", cx: x, cy: y, r: 24 }), s("text", { class: "count", x, y }, text)];
