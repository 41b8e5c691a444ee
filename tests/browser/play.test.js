// @ts-check
/** Whole games against the engine, by mouse and by keyboard alone, for every game. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Service } from "./service.js";
import { choices, launch, numbers, ready, table, turn, visit } from "./visitor.js";

/** Links to each game; the reader plays at random, so games are short, and boards are small where that makes them shorter. */
const GAMES = {
  "tic-tac-toe": "#game=tic-tac-toe",
  "connect-four": "#game=connect-four",
  reversi: "#game=reversi",
  "dots-and-boxes": "#game=dots-and-boxes&v.columns=2&v.rows=2",
  gomoku: "#game=gomoku&variant=freestyle&v.size=9",
  renju: "#game=gomoku&variant=renju",
  xiangqi: "#game=xiangqi&v.no_capture_plies=12",
  hex: "#game=hex&v.size=5",
};
const SETTINGS = "&level=2&time=50";
const LONGEST = 400;

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Service} */
let service;
before(async () => {
  [browser, service] = await Promise.all([launch(), Service.start()]);
});
after(async () => {
  await browser?.close();
  await service?.kill();
});

/**
 * Plays to the end.
 * @param {string} link
 * @param {number} seed
 * @param {(page: import("playwright-core").Page, name: string) => Promise<void>} choose chooses a target of the board
 */
async function game(link, seed, choose) {
  const { page, context, faults } = await visit(browser, `${service.url}/${link}${SETTINGS}`);
  const pick = numbers(seed);
  let state = await table(page);
  for (let count = 0; !state.over; count += 1) {
    assert.ok(count < LONGEST, `the game goes on after ${state.ply} plies`);
    const { words, targets } = await choices(page);
    if (words.length > 0 && targets.length === 0) await page.focus(".board-words button").then(() => page.keyboard.press("Enter"));
    else {
      await choose(page, targets[pick(targets.length)]);
      // A piece that walks is chosen first, then where it goes.
      if ((await page.locator(".target.chosen").count()) > 0) {
        const reach = (await choices(page)).targets;
        const hinted = await page.evaluate(() => [...document.querySelectorAll('.target[aria-label*="legal target"]')].map((one) => /** @type {SVGElement} */ (one).dataset.name ?? ""));
        assert.ok(hinted.length > 0 && hinted.every((name) => reach.includes(name)), "a chosen piece shows where it can go");
        await choose(page, hinted[pick(hinted.length)]);
      }
    }
    state = await turn(page, state.ply);
  }
  assert.match(state.text, /wins|Draw/);
  const moves = await page.locator(".moves li button").count();
  assert.equal(moves, state.ply, "every move is listed");
  assert.deepEqual(faults, []);
  await context.close();
}

/** @param {import("playwright-core").Page} page @param {string} name */
async function click(page, name) {
  const box = await page.locator(`.target[data-name="${name}"] .hit`).boundingBox();
  assert.ok(box, `${name} can be seen`);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** Walks to a target by arrow keys and presses Enter. @param {import("playwright-core").Page} page @param {string} name */
async function walk(page, name) {
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

let seed = 0;
for (const [name, link] of Object.entries(GAMES)) {
  seed += 1;
  const own = seed;
  test(`${name}: a whole game by mouse`, () => game(link, own, click));
  test(`${name}: a whole game by keyboard`, () => game(link, own + 100, walk));
}

test("undo, resign, new game, the engine first", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=second${SETTINGS}`);
  let state = await turn(page, 0);
  assert.equal(state.ply, 1, "the engine has begun");
  const { targets } = await choices(page);
  await click(page, targets[0]);
  state = await turn(page, 1);
  assert.equal(state.ply, 3);
  await page.click('button[name="undo"]');
  await page.waitForFunction(() => document.getElementById("app")?.dataset.ply === "1");
  await page.click('button[name="resign"]');
  await page.waitForFunction(() => document.getElementById("app")?.dataset.over === "true");
  assert.match((await table(page)).text, /White resigned.*Black wins/);
  await page.reload();
  await ready(page);
  assert.match((await table(page)).text, /White resigned.*Black wins/, "a game resigned stays so");
  assert.equal((await choices(page)).targets.length, 0);
  await page.click('button[name="new"]');
  // The engine begins anew; until then the resigned game is still there, and over.
  await page.waitForFunction(() => {
    const { ply, over } = /** @type {HTMLElement} */ (document.getElementById("app")).dataset;
    return ply === "1" && over === "false" && /** @type {HTMLElement} */ (document.querySelector(".status")).dataset.kind === "turn";
  });
  await page.click('button[name="hint"]');
  await page.waitForSelector(".marks .mark");
  assert.deepEqual(faults, []);
  await context.close();
});
