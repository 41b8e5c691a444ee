// @ts-check
/** Marks of an analysis on the board: candidates by colour, size and text, and a line of play as numbered ghosts. */

import { fill, s } from "../dom.js";
import { ends, landing } from "./layout.js";
import { onePiece } from "./pieces.js";

/**
 * How good a move is beside the best, in classes that differ in lightness as well as in colour.
 * @typedef {"best" | "good" | "fair" | "poor" | "bad" | "open"} Grade
 * @typedef {{ move: string, grade: Grade, share: number | null, text: string, chosen: boolean }} Candidate
 */

/** @type {[Grade, number][]} the most that `loss_vs_best` may be */
const GRADES = [["best", 0.02], ["good", 0.1], ["fair", 0.25], ["poor", 0.5], ["bad", Infinity]];

/**
 * Of a move that is only known to be no better than the best, what it gives up is known from below: it may be worse than good.
 * @param {import("../types.js").Child} child
 * @returns {Grade}
 */
export function grade({ loss_vs_best: loss, bound, order }) {
  if (loss === null) return "open";
  const [found] = GRADES.find(([, most]) => loss <= most) ?? GRADES[4];
  return bound !== "exact" && order > 0 && (found === "best" || found === "good") ? "open" : found;
}

/**
 * Draws the candidates, the best on top.
 * @param {import("./board.js").Board} board
 * @param {import("../record.js").Record} record
 * @param {Candidate[]} candidates the best first
 */
export function showCandidates(board, record, candidates) {
  const { game, position } = record;
  const marks = candidates.map((candidate) => {
    const target = landing(game, board.layout, position.cells, candidate.move);
    if (!target) return null;
    const from = board.layout.byName.get(ends(game, candidate.move).from ?? "");
    // Area, not radius, is the share of the visits; the smallest can still be read.
    const radius = candidate.share === null ? 30 : 20 + 24 * Math.sqrt(candidate.share);
    const parts = [];
    if (from) parts.push(s("path", { class: "arrow", d: arrow(from, target, radius) }));
    parts.push(
      s("circle", { class: "candidate", cx: target.x, cy: target.y, r: radius }),
      s("text", { class: "value", x: target.x, y: target.y, "font-size": Math.min(30, (radius * 2.6) / Math.max(2.2, candidate.text.length)) }, candidate.text),
    );
    return s("g", { class: `mark ${candidate.grade}${candidate.chosen ? " chosen" : ""}`, "data-move": candidate.move }, ...parts);
  });
  // Of several moves to one square, the best hides the others.
  fill(board.layers.marks, marks.reverse());
}

/**
 * Draws a line of play as numbered ghosts.
 * @param {import("./board.js").Board} board
 * @param {import("../record.js").Record} record
 * @param {string[]} moves
 */
export function showLine(board, record, moves) {
  const { game, position } = record;
  /** @type {Set<string>} */
  const taken = new Set();
  /** Numbers at places where something was put before stand beside it. @type {Map<string, number>} */
  const numbers = new Map();
  let side = position.to_move;
  const ghosts = [];
  for (const [index, move] of moves.entries()) {
    const target = landing(game, board.layout, position.cells, move, taken);
    if (target) {
      const from = board.layout.byName.get(ends(game, move).from ?? "");
      ghosts.push(ghost(game.name, side, target, from, index + 1, numbers.get(target.name) ?? 0));
      taken.add(target.name);
      numbers.set(target.name, (numbers.get(target.name) ?? 0) + 1);
    }
    side = side === "first" ? "second" : "first";
  }
  fill(board.layers.marks, ghosts);
}

/**
 * @param {string} game
 * @param {import("../types.js").Side} side
 * @param {import("./layout.js").Target} target
 * @param {import("./layout.js").Target | undefined} from
 * @param {number} count
 * @param {number} repeated
 */
function ghost(game, side, target, from, count, repeated) {
  const { x, y } = target;
  const number = s("text", { class: "count", x: x + repeated * 30, y }, count);
  if (from) return s("g", { class: `ghost ${side}` }, s("path", { class: "arrow", d: arrow(from, target, 26) }), plate(x + repeated * 30, y), number);
  if (target.shape === "edge") return s("g", { class: "ghost" }, plate(x, y), number);
  const piece = onePiece(game, side, side === "first" ? "x" : "o", target, "letters");
  return s("g", { class: `ghost ${side}` }, piece, plate(x, y), number);
}

/** @param {number} x @param {number} y */
const plate = (x, y) => s("circle", { class: "plate", cx: x, cy: y, r: 24 });

/** A tapering arrow that ends before the mark at its tip. @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to @param {number} gap */
function arrow(from, to, gap) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const at = (/** @type {number} */ along, /** @type {number} */ across) =>
    `${(from.x + ux * along - uy * across).toFixed(1)} ${(from.y + uy * along + ux * across).toFixed(1)}`;
  const end = Math.max(length - gap, length / 3);
  return `M${at(0, 4)}L${at(end, 10)}L${at(end, -10)}L${at(0, -4)}Z`;
}
