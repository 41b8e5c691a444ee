// @ts-check
/** A visitor who plays games to their ends, by mouse or by keyboard. */

import assert from "node:assert/strict";
import { choices, randomNumbers, targetCentre, boardState, waitForTurn } from "./visitor.js";

/** @typedef {(page: import("playwright-core").Page, name: string) => Promise<void>} Choose chooses a target of the board */

/** Links to each game; the visitor plays at random, so games are short, and boards are small where that makes them shorter. */
export const GAMES = {
  "tic-tac-toe": "#game=tic-tac-toe",
  "connect-four": "#game=connect-four",
  reversi: "#game=reversi",
  "dots-and-boxes": "#game=dots-and-boxes&v.columns=2&v.rows=2",
  gomoku: "#game=gomoku&variant=freestyle&v.size=9",
  renju: "#game=gomoku&variant=renju",
  xiangqi: "#game=xiangqi&v.no_capture_plies=12",
  hex: "#game=hex&v.size=5",
};
export const SETTINGS = "&level=2&time=50";
const LONGEST = 400;

/**
 * Plays at random to the end, against the engine.
 * @param {import("playwright-core").Page} page
 * @param {number} seed
 * @param {Choose} choose
 */
export async function playOut(page, seed, choose) {
  const pick = randomNumbers(seed);
  let state = await boardState(page);
  for (let count = 0; !state.over; count += 1) {
    assert.ok(count < LONGEST, `the game goes on after ${state.ply} plies`);
    const { words, targets } = await choices(page);
    if (words.length > 0 && targets.length === 0) await page.focus(".board-moves button").then(() => page.keyboard.press("Enter"));
    else {
      await choose(page, targets[pick(targets.length)]);
      // A piece that moves is chosen first, then its destination.
      if ((await page.locator(".target.chosen").count()) > 0) {
        const reach = (await choices(page)).targets;
        const hinted = await page.evaluate(() => [...document.querySelectorAll('.target[aria-label*="legal target"]')].map((one) => /** @type {SVGElement} */ (one).dataset.name ?? ""));
        assert.ok(hinted.length > 0 && hinted.every((name) => reach.includes(name)), "a chosen piece shows where it can go");
        await choose(page, hinted[pick(hinted.length)]);
      }
    }
    state = await waitForTurn(page, state.ply);
  }
  return state;
}

/** @param {import("playwright-core").Page} page @param {string} name */
export async function click(page, name) {
  const { x, y } = await targetCentre(page, name);
  await page.mouse.click(x, y);
}

/** Aims at a target by finger, on a board with small ones: the first tap shows where the move would go. @param {import("playwright-core").Page} page @param {string} name */
export async function aim(page, name) {
  await page.waitForSelector(".board.aims");
  await page.tap(`.target[data-name="${name}"]`);
  await page.waitForFunction((wanted) => document.querySelector(".aim button")?.textContent?.endsWith(` ${wanted}`), name);
}

/** Plays at a target: by a second tap. @param {import("playwright-core").Page} page @param {string} name */
export async function tap(page, name) {
  await aim(page, name);
  await page.tap(`.target[data-name="${name}"]`);
}

/** Walks to a target by arrow keys and presses Enter. @param {import("playwright-core").Page} page @param {string} name */
export async function walk(page, name) {
  if (!(await page.evaluate(() => document.activeElement?.closest(".board") !== null))) await page.keyboard.press("b");
  for (let steps = 0; steps < 80; steps += 1) {
    const key = await page.evaluate((wanted) => {
      const here = document.activeElement;
      const there = document.querySelector(`.target[data-name="${wanted}"]`);
      if (!here?.parentElement || !there?.parentElement) return null;
      const place = (/** @type {Element} */ cell) => {
        const row = /** @type {Element} */ (cell.parentElement);
        return [[...(row.parentElement?.children ?? [])].indexOf(row), [...row.children].indexOf(cell)];
      };
      const [[y, x], [toY, toX]] = [place(here), place(there)];
      return y < toY ? "ArrowDown" : y > toY ? "ArrowUp" : x < toX ? "ArrowRight" : x > toX ? "ArrowLeft" : "Enter";
    }, name);
    assert.ok(key, "the focus is on the board");
    await page.keyboard.press(key);
    if (key === "Enter") return;
  }
  assert.fail(`${name} is not reached`);
}
