// @ts-check
/** Marks of an analysis on the board: candidates by colour, size and text, and a line of play as numbered ghosts. */

import { fill, s } from "../dom.js";
import { moduleOf } from "../games.js";
import { width } from "../words.js";
import { plate } from "./signs.js";

/**
 * @typedef {import("../types.js").PlayedMove} PlayedMove
 *
 * How good a move is compared with the best, in classes that differ in lightness as well as in colour.
 * @typedef {"best" | "good" | "fair" | "poor" | "bad" | "open"} Grade
 * @typedef {{ move: string, grade: Grade, share: number | null, text: string, chosen: boolean }} Candidate
 */

/** @type {[Grade, number][]} the maximum `loss_vs_best` of each */
const GRADES = [["best", 0.02], ["good", 0.1], ["fair", 0.25], ["poor", 0.5], ["bad", Infinity]];

/**
 * The grade of a move by its loss; `open` if that is unknown.
 * @param {import("../types.js").Child} child
 * @returns {Grade}
 */
export function grade({ loss_vs_best: loss }) {
  if (loss === null) return "open";
  const [found] = GRADES.find(([, most]) => loss <= most) ?? GRADES[4];
  return found;
}

/**
 * Draws the candidates, the best on top.
 * @param {import("./board.js").Board} board
 * @param {import("../record.js").Record} record
 * @param {Candidate[]} candidates the best first
 */
export function showCandidates(board, record, candidates) {
  const facts = new Map(record.position.legal.map((one) => [one.move, one]));
  const marks = candidates.map((candidate) => {
    const move = facts.get(candidate.move);
    const target = board.layout.byName.get(move?.to ?? "");
    if (!target) return null;
    const from = board.layout.byName.get(move?.from ?? "");
    // The area is proportional to the share of visits, with a legible minimum. Without shares, all are as large as their
    // neighbours allow, and smaller beside arrows and edges.
    const radius = candidate.share !== null ? 24 + 20 * Math.sqrt(candidate.share) : from || target.shape === "edge" ? 31 : 37;
    const size = Math.min(32, (radius * 2.4) / Math.max(1.9, width(candidate.text)));
    const parts = [];
    if (from) parts.push(s("path", { class: "arrow", d: arrow(from, target, radius) }));
    parts.push(s("circle", { class: "candidate", cx: target.x, cy: target.y, r: radius }));
    if (candidate.text) parts.push(s("text", { class: "value", x: target.x, y: target.y, "font-size": size.toFixed(1) }, candidate.text));
    return s("g", { class: `mark ${candidate.grade}${candidate.chosen ? " chosen" : ""}`, "data-move": candidate.move }, ...parts);
  });
  // Of several moves to one square, the best hides the others.
  fill(board.layers.marks, marks.reverse());
}

/**
 * Draws a line of play as numbered ghosts. The service describes its moves; until it has, only the known ones are drawn.
 * @param {import("./board.js").Board} board
 * @param {import("../record.js").Record} record
 * @param {string[]} moves
 */
export function showLine(board, record, moves) {
  const layer = board.layers.marks;
  const draw = (/** @type {PlayedMove[]} */ line) => {
    // The next drawing removes this.
    const own = s("g", {}, numbered(board, record, line));
    fill(layer, own);
    return own;
  };
  const known = record.knownPreview(moves);
  const own = draw(known);
  if (known.length === moves.length) return;
  void record.preview(moves).then((line) => own.isConnected && draw(line));
}

/**
 * @param {import("./board.js").Board} board
 * @param {import("../record.js").Record} record
 * @param {PlayedMove[]} line
 */
function numbered(board, record, line) {
  /** The moves so far at each target: further numbers stand beside the first. @type {Map<string, number>} */
  const numbers = new Map();
  return moveTargets(board, line).map(({ side, target, from, index }) => {
    const repeated = numbers.get(target.name) ?? 0;
    numbers.set(target.name, repeated + 1);
    const place = { x: target.x + repeated * 30, y: target.y };
    return s("g", { class: `ghost ${side}` }, ghost(record, side, target, from), plate(place, index + 1));
  });
}

/**
 * Draws moves that could not be sent to the service yet.
 * @param {import("./board.js").Board} board
 * @param {import("../record.js").Record} record
 * @param {string[]} moves
 */
export function showPending(board, record, moves) {
  const ghosts = moveTargets(board, record.knownPreview(moves)).map(({ side, target, from }) =>
    s("g", { class: `ghost ${side}`, "data-pending": target.name }, ghost(record, side, target, from)));
  fill(board.layers.pending, ghosts);
}

/**
 * The target and the colour of each move of a line; moves without a place are left out.
 * @param {import("./board.js").Board} board
 * @param {PlayedMove[]} line
 */
function moveTargets({ layout }, line) {
  return line.flatMap(({ to, from, side, colour }, index) => {
    const target = layout.byName.get(to ?? "");
    return target ? [{ index, side: colour ?? side, target, from: layout.byName.get(from ?? "") }] : [];
  });
}

/**
 * What a move draws: an arrow, or the piece it puts on the board.
 * @param {import("../record.js").Record} record
 * @param {import("../types.js").Side} side
 * @param {import("./layout.js").Target} target
 * @param {import("./layout.js").Target | undefined} from
 */
function ghost({ game }, side, target, from) {
  if (from) return s("path", { class: "arrow", d: arrow(from, target, 26) });
  return moduleOf(game).piece(side, target, null, "");
}

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
