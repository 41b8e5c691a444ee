// @ts-check
/** The value of a position in few words: on the board, in tables, and for screen readers. */

import { wordFor, number, percent, signed, w } from "../words.js";

/**
 * @typedef {import("../types.js").Knowledge} Knowledge
 * @typedef {import("../types.js").Side} Side
 */

const BOUNDS = { exact: "", lower: "≥", upper: "≤" };

/** Expected points: a win is 1, a draw one half. @param {Knowledge} known */
export function expectedPoints(known) {
  return known.win === null || known.draw === null ? null : known.win + known.draw / 2;
}

/**
 * Converts values for `side` to values for the first player, or the other way round.
 * @param {Knowledge} known
 * @param {Side} side
 * @returns {Knowledge}
 */
export function forFirstPlayer(known, side) {
  if (side === "first") return known;
  const turned = /** @type {const} */ ({ win: "loss", draw: "draw", loss: "win", lower: "upper", upper: "lower", exact: "exact" });
  return {
    ...known,
    value: known.value === null ? null : -known.value,
    win: known.loss,
    loss: known.win,
    score: known.score && { ...known.score, value: -known.score.value },
    bound: known.bound && turned[known.bound],
    proven: known.proven && turned[known.proven],
  };
}

/**
 * The distance to a proven win or loss: an upper bound, unless the value is exact.
 * @param {Knowledge} known
 */
function distanceText({ bound, distance }) {
  return `${bound === "exact" ? "" : "≤"}${number(distance ?? 0)}`;
}

/**
 * Whether there is a value: an estimate or a proof. For moves that it could discard, alpha-beta may leave a bound that proves
 * nothing.
 * @param {Knowledge} known
 */
export const hasValue = ({ bound, proven }) => bound === "exact" || (bound !== null && proven !== null);

/**
 * A value in about five characters.
 * @param {Knowledge} known
 * @param {boolean} [whole] margins of ten and more without decimals, where there is less room
 */
export function shortValue(known, whole = false) {
  const { short } = w().proven;
  if (known.proven) {
    if (known.score) return BOUNDS[known.bound ?? "exact"] + signed(known.score.value, 0);
    return `${short[known.proven]}${known.distance === null ? "" : distanceText(known)}`;
  }
  const prefix = BOUNDS[known.bound ?? "exact"];
  if (known.score) return prefix + signed(known.score.value, whole && Math.abs(known.score.value) >= 9.95 ? 0 : 1);
  const share = expectedPoints(known);
  return share === null ? "–" : prefix + number(Math.round(share * 100));
}

/** A margin in its unit. @param {number} score @param {string | null} unit @param {number} [digits] */
export const marginText = (score, unit, digits = 1) => `${signed(score, digits)} ${wordFor(w().units, unit ?? "")}`;

/** A value as tables show it. @param {Knowledge} known */
export function valueText(known) {
  const words = w().proven;
  const points = known.score ? marginText(known.score.value, known.score.unit, known.proven ? 0 : 1) : null;
  if (known.proven) {
    if (points) return `${words.short[known.proven]} ${BOUNDS[known.bound ?? "exact"]}${points}`;
    if (known.proven === "draw") return words.draw;
    if (known.distance === null) return known.proven === "win" ? words.won : words.lost;
    return words[known.proven](distanceText(known));
  }
  const prefix = BOUNDS[known.bound ?? "exact"];
  if (points) return prefix + points;
  const share = expectedPoints(known);
  if (share === null) return "–";
  // Half the error of win minus loss, in per cent; left out if it rounds to zero.
  const half = (known.stderr ?? 0) * 50;
  const error = half < 0.05 || half > 50 ? "" : ` ±${number(half, { maximumFractionDigits: 1 })}`;
  return prefix + percent(share, 1) + error;
}

/** The loss of a move, in percentage points of winning chance. @param {number} loss in win minus loss */
export const lossText = (loss) => number(loss / 2, { style: "percent", maximumFractionDigits: 1 });

/**
 * The loss of a reviewed move, in points if they are known.
 * @param {{ loss: number | null, score_loss: number | null }} move
 */
export function reviewedLossText({ loss, score_loss: points }) {
  if (typeof points === "number") return inPoints(points);
  return loss === null ? "" : lossText(loss);
}

/** @param {number} points */
const inPoints = (points) => number(points, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/**
 * The loss of a move compared with the best one: in points if both scores are known, else in winning chance.
 * @param {import("../types.js").Child} child
 * @param {import("../types.js").Child} best
 */
export function lossVersusBest({ loss_vs_best: loss, score }, best) {
  if (loss === null) return "";
  if (!score || !best.score) return lossText(loss);
  return inPoints(loss === 0 ? 0 : Math.max(0, best.score.value - score.value));
}

/**
 * The share of its budget that a search has spent, by the limit that is nearest.
 * @param {import("../types.js").Search} search
 */
export function budgetShare({ budget, root }) {
  const { granted, used } = budget;
  const shares = [
    granted.time_ms ? used.time_ms / granted.time_ms : 0,
    granted.simulations ? (used.simulations ?? 0) / granted.simulations : 0,
    granted.nodes ? root.nodes / granted.nodes : 0,
    granted.depth ? used.depth / granted.depth : 0,
  ];
  return Math.min(1, Math.max(...shares));
}
