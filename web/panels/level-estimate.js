// @ts-check
/**
 * The approximate level at which a side played in a reviewed game: its mean loss compared with those of the engine's levels,
 * measured for each game (benches/losses.py; `GameModule.levels`). It is a range, since the mean of few moves has a wide error.
 */

import { moduleOf } from "../games.js";
import { FULL_STRENGTH } from "../link.js";

/** @typedef {import("./review.js").Move} Move */

/** The minimum number of moves. */
const LEAST = 8;
/** The value beyond which a game is decided and losses say little. */
const DECIDED = 0.9;

/**
 * @param {import("../record.js").Record} record
 * @param {Move[]} moves of one side
 * @returns {[low: number, high: number] | null} null where too little is known
 */
export function estimateLevels({ game, variant, start }, moves) {
  const { losses, decided = false } = moduleOf(game).levels ?? {};
  const isDefaultVariant = Object.entries(game.start.variant).every(([name, value]) => variant[name] === value);
  if (!losses || !isDefaultVariant || start !== null) return null;
  const counted = moves.flatMap(({ loss, value_before: value }) => (loss !== null && value !== null && (decided || Math.abs(value) < DECIDED) ? [loss] : []));
  return counted.length < LEAST ? null : range(counted, losses);
}

/**
 * The levels whose loss lies within the standard error of the mean.
 * @param {number[]} counted
 * @param {readonly number[]} losses of the levels, falling
 * @returns {[low: number, high: number] | null} null where that is every level
 */
export function range(counted, losses) {
  const mean = counted.reduce((sum, one) => sum + one, 0) / counted.length;
  const error = Math.sqrt(counted.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (counted.length - 1) / counted.length);
  const worst = losses.findIndex((loss) => loss <= mean + error);
  const best = losses.findLastIndex((loss) => loss >= mean - error);
  // Full strength was not measured: it loses less than the level before.
  const ends = [worst < 0 ? losses.length : worst + 1, best === losses.length - 1 ? FULL_STRENGTH : Math.max(1, best + 1)];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  return low === 1 && high === FULL_STRENGTH ? null : [low, high];
}
