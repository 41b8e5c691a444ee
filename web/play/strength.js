// @ts-check
/**
 * "My strength": an estimate of the reader's level in each game, by results against the engine, stored in this browser.
 *
 * The rule is Elo's. If the estimate is d Elo above the level played, a score of 1 / (1 + 10^(-d / 400)) is expected; a result
 * moves the estimate by K times its difference from that, by at most one level. The Elo between levels was measured
 * (`GameModule.levels`). K falls from 400 for the first result by 50 per result to 100; games with help count half. The next
 * game has the level nearest to the estimate, where the reader scores about 50 %.
 */

import { button, fill, h } from "../dom.js";
import { moduleOf } from "../games.js";
import { FULL_STRENGTH } from "../link.js";
import { preferences, estimatedLevel } from "../preferences.js";
import words from "../lang/teaching.js";
import { winnerOf } from "../sides.js";
import { lang, number } from "../words.js";

const K = { first: 400, falls: 50, least: 100 };
/** Elo between two levels of a game without measurements. */
const DEFAULT_STEP = 200;

/** @typedef {import("../types.js").Game} Game */

/** @param {Game} game */
function estimate({ name }) {
  const [level, games] = preferences.get(`strength:${name}`, "").split(" ").map(Number);
  return level > 0 && games > 0 ? { level, games } : null;
}

/** Elo from each level to the next. @param {Game} game */
const eloSteps = (game) => moduleOf(game).levels?.eloSteps ?? Array.from({ length: FULL_STRENGTH - 1 }, () => DEFAULT_STEP);

/** Elo above level 1. @param {number} level @param {readonly number[]} steps */
const elo = (level, steps) => steps.reduce((sum, step, index) => sum + step * Math.max(0, Math.min(1, level - 1 - index)), 0);

/** The level at an Elo above level 1. @param {number} wanted @param {readonly number[]} steps */
function levelAt(wanted, steps) {
  let rest = Math.max(0, wanted);
  for (const [index, step] of steps.entries()) {
    if (rest < step) return index + 1 + rest / step;
    rest -= step;
  }
  return steps.length + 1;
}

/**
 * The estimate after a result.
 * @param {number} level before it
 * @param {number} games the number of results behind it
 * @param {number} played the engine's level
 * @param {number} score 1 for a win, 0.5 for a draw, 0 for a loss
 * @param {readonly number[]} steps
 * @param {number} weight
 */
export function updatedLevel(level, games, played, score, steps, weight) {
  const expected = 1 / (1 + 10 ** ((elo(played, steps) - elo(level, steps)) / 400));
  const moved = levelAt(elo(level, steps) + weight * Math.max(K.least, K.first - K.falls * games) * (score - expected), steps);
  return Math.min(level + 1, Math.max(level - 1, moved));
}

/** Counts the finished game. @param {import("../app.js").App} app @param {number} weight */
export function countResult({ record, settings }, weight) {
  const { game } = record;
  const winner = winnerOf(record);
  const score = winner === null ? 0.5 : winner === settings.human ? 1 : 0;
  const { level, games } = estimate(game) ?? { level: settings.level, games: 0 };
  preferences.set(`strength:${game.name}`, `${updatedLevel(level, games, settings.level, score, eloSteps(game), weight).toFixed(3)} ${games + 1}`);
}

/**
 * Draws the level in use, what it is based on, and a button to reset it.
 * @param {HTMLElement} element
 * @param {import("../app.js").App} app
 */
export function drawNote(element, app) {
  const { settings, record } = app;
  const text = words[lang()].strength;
  const known = estimate(record.game);
  const following = estimatedLevel(record.game.name, settings.level);
  const reset = () => {
    localStorage.removeItem(`strength:${record.game.name}`);
    drawNote(element, app);
    /** @type {HTMLElement | null} */ (document.querySelector('[name="level"]'))?.focus();
  };
  fill(element,
    h("p", {},
      known ? text.level(number(settings.level), number(known.games)) : text.begin(number(settings.level)),
      following !== settings.level && ` ${text.next(number(following))}`),
    known && button(text.reset, reset, { name: "reset-strength" }),
    h("small", {}, text.rule));
}
