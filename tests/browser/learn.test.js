// @ts-check
/** Learning a game: its lesson, its legal moves marked on the board, and why a move cannot be played. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { click } from "./player.js";
import { browser, gameNames, service } from "./stage.js";
import { waitForPly, choices, waitForTurn, violations, visit } from "./visitor.js";

const LESSONS = new URL("../../web/lessons/", import.meta.url);
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** @param {string} game @param {import("../../web/learn.js").Step} step */
async function position(game, { variant, position: start, moves = [] }) {
  const body = JSON.stringify({ game, ...(variant && { variant }), ...(start && { position: start }), moves });
  const response = await fetch(`${service.url}/v1/positions`, { method: "POST", headers: { "content-type": "application/json" }, body });
  return { ok: response.ok, found: await response.json() };
}

test("every game has a lesson, whose diagrams are legal positions, in both languages", async () => {
  assert.deepEqual(readdirSync(LESSONS).sort(), (await gameNames()).map((name) => `${name}.js`).sort());
  for (const game of await gameNames()) {
    /** @type {import("../../web/learn.js").Lesson} */
    const { steps, hints } = (await import(new URL(`${game}.js`, LESSONS).href)).default;
    assert.ok(steps.length >= 3 && steps.length <= 6, `${game}: ${steps.length}`);
    for (const language of /** @type {const} */ (["en", "zh"])) {
      assert.ok(hints[language].length >= 2 && hints[language].length <= 3, game);
      for (const step of steps) assert.ok(step[language].length === 2 && step[language].every(Boolean), game);
    }
    for (const [index, step] of steps.entries()) {
      const { ok, found } = await position(game, step);
      assert.ok(ok, `${game}, step ${index + 1}: ${found.detail}`);
      const moves = found.legal.filter((/** @type {any} */ { from }) => step.reach === "all" || step.reach?.includes(from));
      assert.equal(moves.length > 0, step.reach !== undefined, `${game}, step ${index + 1} shows moves`);
      // The letters in the text are those on the board.
      const letters = Object.values(step.signs ?? {}).filter((sign) => /[A-Z]/.test(sign));
      for (const language of /** @type {const} */ (["en", "zh"])) {
        for (const letter of letters) assert.match(step[language][1], new RegExp(`\\b${letter}\\b`), `${game}, step ${index + 1}, ${language}`);
      }
    }
  }
});

for (const [scheme, locale, screen] of /** @type {["light" | "dark", string, object][]} */ ([["light", "en-GB", {}], ["dark", "zh-CN", PHONE]])) {
  test(`a lesson shows its diagrams, ${scheme}, ${locale}: nothing too wide, no violations`, async () => {
    const { page, context, faults } = await visit(browser, `${service.url}/#learn=xiangqi`, { ...screen, colorScheme: scheme, locale });
    for (const game of ["xiangqi", "gomoku", "dots-and-boxes"]) {
      await page.evaluate((name) => (location.hash = `#learn=${name}`), game);
      await page.waitForFunction((name) => document.querySelector(`.steps svg.${name}`), game);
      const steps = await page.locator(".steps > li").count();
      await page.waitForFunction((count) => document.querySelectorAll('.steps svg[role="img"]').length === count, steps);
      // Screen readers get the content of a diagram.
      const labels = await page.locator('.steps svg[role="img"]').evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
      assert.ok(labels.every((text) => /: /.test(text)), labels.join(" | "));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
      assert.deepEqual(await violations(page), [], game);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("a lesson is opened from the game and from its card, and Back leads back; the first game is weak", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=hex&human=both&moves=a1&level=7`);
  await page.click('[name="new"]');
  await page.click('[name="confirm"]');
  await waitForPly(page, 0);
  await click(page, "c3");
  await waitForTurn(page, 0);
  await page.click(".variants > summary");
  await page.click(".variants a.learn");
  await page.waitForFunction(() => document.querySelectorAll('.steps svg[role="img"]').length === 5);
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H2");
  await page.click('button[name="back"]');
  await page.waitForSelector(".board.hex");
  await waitForPly(page, 1);
  await page.click(".brand");
  await page.click('.card[data-game="reversi"] a.learn');
  await page.waitForFunction(() => document.querySelectorAll('.steps svg.reversi .hint').length === 4);
  assert.match(page.url(), /#learn=reversi$/);
  await page.click(".lesson a.primary");
  await page.waitForSelector(".board.reversi");
  assert.equal(await page.inputValue('select[name="level"]'), "1");
  // A game without moves leads there too.
  assert.equal(await page.locator(".moves a.learn").count(), 1);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a user's game shows its description; without one, there is no link", async () => {
  const context = await browser.newContext({ locale: "en-GB", serviceWorkers: "block" });
  await context.route("**/v1/games", async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const change = (/** @type {string} */ name, /** @type {string} */ text) =>
      Object.assign(answer.games.find((/** @type {any} */ one) => one.name === name), { source: "script", how_to_play: { en: text, zh: text } });
    change("hex", "<b>Connect</b> two edges.");
    change("reversi", " ");
    await route.fulfill({ response, json: answer });
  });
  const { page, faults } = await visit({ newContext: async () => context }, service.url);
  assert.equal(await page.locator('.card[data-game="reversi"] a.learn').count(), 0);
  await page.click('.card[data-game="hex"] a.learn');
  await page.waitForSelector(".lesson .described svg");
  assert.equal(await page.textContent(".lesson .described p"), "<b>Connect</b> two edges.");
  assert.equal(await page.locator(".steps").count(), 0);
  await page.evaluate(() => (location.hash = "#learn=of-old"));
  await page.waitForSelector(".cards");
  assert.deepEqual(faults, []);
  await context.close();
});

/** The reason why nothing could be played. @param {import("playwright-core").Page} page */
async function refusalText(page) {
  await page.waitForFunction(() => document.querySelector(".hint-text")?.textContent);
  return page.textContent(".hint-text");
}

test("what cannot be played shakes, and the page says why", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=tic-tac-toe&human=both&moves=b2`, { reducedMotion: "no-preference" });
  const shakes = () => page.evaluate(() => document.getAnimations().filter((one) => /translateX/.test(JSON.stringify(/** @type {KeyframeEffect} */ (one.effect).getKeyframes()))).length);
  await click(page, "b2");
  assert.equal(await refusalText(page), "This place is taken.");
  assert.equal(await shakes(), 1);
  await click(page, "a1");
  await waitForTurn(page, 1);
  assert.equal(await page.textContent(".hint-text"), "");
  const open = async (/** @type {string} */ link) => {
    await page.evaluate((hash) => (location.hash = hash), link);
    await page.waitForFunction((name) => document.querySelector(`.board.${name}`), /game=([a-z-]+)/.exec(link)?.[1] ?? "");
  };
  const cases = /** @type {[string, string[], RegExp][]} */ ([
    ["#game=reversi&human=both", ["a1"], /would turn no other/],
    ["#game=connect-four&human=both&moves=4_4_4_4_4_4", ["d6"], /column is full/],
    ["#game=dots-and-boxes&human=both&moves=h0,0", ["h0,0"], /drawn already/],
    ["#game=xiangqi&human=both", ["e5"], /one of your pieces first/],
    ["#game=xiangqi&human=both&at=0", ["a9"], /Not your piece: Red moves/],
    ["#game=xiangqi&human=both&at=0&time=999", ["a0", "e5"], /cannot go there/],
    ["#game=tic-tac-toe&human=both&moves=a1_b1_a2_b2_a3", ["c3"], /game is over/],
    ["#game=gomoku&human=both&v.opening=swap2&moves=h8_h9_i9", ["a1"], /below the board/],
  ]);
  for (const [link, taps, why] of cases) {
    await open(link);
    for (const tap of taps) await click(page, tap);
    assert.match((await refusalText(page)) ?? "", why, link);
  }
  // Another piece is just chosen, without a reason.
  await open("#game=xiangqi&human=both&at=0");
  await click(page, "a0");
  await click(page, "b0");
  assert.equal(await page.locator('.target.chosen[data-name="b0"]').count(), 1);
  assert.equal(await page.textContent(".hint-text"), "");
  // During the engine's turn, only that is reported.
  await open("#game=gomoku&human=second&level=10&time=5000");
  await page.waitForSelector('.status[data-kind="thinking"]');
  await click(page, "a1");
  assert.equal(await refusalText(page), "Not your turn: Black moves.");
  assert.equal(await shakes(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("legal moves are marked where that helps, until the reader chooses", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=reversi&human=first`);
  const marks = () => page.locator(".board .hint").count();
  const open = async (/** @type {string} */ link) => {
    await page.evaluate((hash) => (location.hash = hash), link);
    await page.waitForFunction((name) => document.querySelector(`.board.${name}`), /game=([a-z-]+)/.exec(link)?.[1] ?? "");
    return marks();
  };
  assert.equal(await marks(), 4);
  assert.equal(await page.getAttribute('[data-toggle="hints"]', "aria-pressed"), "true");
  // One for each column, where the disc lands; none at higher levels.
  assert.equal(await open("#game=connect-four&human=first&level=3"), 7);
  await page.selectOption('select[name="level"]', "4");
  assert.equal(await marks(), 0);
  // Marks on every empty cell would be useless.
  assert.equal(await open("#game=tic-tac-toe&human=first&level=1"), 0);
  await page.click('[data-toggle="hints"]');
  assert.equal(await marks(), 9);
  await page.click('[data-toggle="hints"]');
  assert.equal(await open("#game=reversi&human=both"), 0, "what the reader has chosen holds");
  assert.equal((await choices(page)).targets.length, 4);
  assert.deepEqual(faults, []);
  await context.close();
});
