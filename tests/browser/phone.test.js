// @ts-check
/** Phones and other small screens: the board and the numbers together, actions below the thumb, two columns on the side. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { tap } from "./player.js";
import { browser, service } from "./stage.js";
import { waitForTurn, violations, visit } from "./visitor.js";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const LANDSCAPE = { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true };

/** Where something is on the screen. @param {import("playwright-core").Page} page @param {string} selector */
const box = (page, selector) =>
  page.evaluate((wanted) => {
    const found = [...document.querySelectorAll(wanted)].find((one) => one.checkVisibility());
    const { left, right, top, bottom, width, height } = /** @type {Element} */ (found).getBoundingClientRect();
    return { left, right, top, bottom, width, height };
  }, selector);

/** @param {import("playwright-core").Page} page */
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const GAMES = { gomoku: "h8_h9_i9", hex: "f6_d8", xiangqi: "h2e2_h9g7", reversi: "f5_d6", "connect-four": "4_4", "dots-and-boxes": "h0,0" };

for (const [game, moves] of Object.entries(GAMES)) {
  test(`${game} on a phone: board and candidates are seen together, and the board stays in view`, async () => {
    const { page, context, faults } = await visit(browser, `${service.url}/#game=${game}&moves=${moves}&panel=analyse&a.limit=simulations&a.amount=1000&a.engine=mcts`, PHONE);
    await page.waitForSelector('.run-state[data-state="done"]');
    assert.ok(await overflow(page) <= 0);
    const first = await box(page, ".children tbody tr");
    const board = await box(page, ".board");
    assert.ok(board.top >= 0 && first.top < 844, `the first candidate is at ${first.top}`);
    await page.locator(".children tbody tr").last().scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollBy(0, 300));
    const [stays, last] = [await box(page, ".board"), await box(page, ".children tbody tr:last-child")];
    assert.ok(stays.top >= 0 && stays.bottom <= 560, `the board is from ${stays.top} to ${stays.bottom}`);
    assert.ok(last.bottom <= 844, "the last of them is seen with it");
    assert.ok(await page.locator(".engine-settings .effort").isHidden());
    await page.tap(".engine-settings summary");
    assert.ok(await page.locator(".engine-settings .effort").isVisible());
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test(`${game} on a phone that lies on its side: two columns, and the board as high as the screen`, async () => {
    const { page, context, faults } = await visit(browser, `${service.url}/#game=${game}&moves=${moves}&panel=analyse&a.limit=simulations&a.amount=1000&a.engine=mcts`, LANDSCAPE);
    await page.waitForSelector('.run-state[data-state="done"]');
    assert.ok(await overflow(page) <= 0);
    const [board, table] = [await box(page, ".board"), await box(page, ".children")];
    assert.ok(board.height >= 270 && board.top >= 0 && board.bottom <= 390, `the board is ${board.height} high, from ${board.top}`);
    assert.ok(table.left >= board.right, "the table is to its right");
    await page.click("#tab-play");
    const played = await box(page, ".board");
    assert.ok(played.height >= 250 && played.bottom <= 390, `in a game it is ${played.height} high`);
    assert.ok(await overflow(page) <= 0);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("actions stand under the board, within the thumb's reach", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&level=1&time=20`, PHONE);
  await tap(page, "h8");
  await waitForTurn(page, 1);
  const board = await box(page, ".board");
  for (const name of ["undo", "hint", "resign"]) {
    const { top, bottom, height } = await box(page, `button[name="${name}"]`);
    assert.ok(top >= board.bottom && bottom <= 844, `${name} is from ${top} to ${bottom}`);
    assert.ok(height >= 35);
  }
  // Also while the moves are read.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const { top, bottom } = await box(page, ".board");
  const list = await box(page, ".moves");
  assert.ok(top >= 0 && bottom <= list.top && list.top < 844, `board from ${top} to ${bottom}, moves at ${list.top}`);
  await page.tap('button[name="hint"]');
  await page.waitForFunction(() => /engine would play/.test(document.querySelector(".hint-text")?.textContent ?? ""));
  await page.tap('button[name="undo"]');
  await page.waitForSelector('#app[data-ply="0"]');
  await page.tap("#tab-analyse");
  assert.ok(await page.locator(".actions").isHidden());
  assert.deepEqual(faults, []);
  await context.close();
});

test("a tablet on its side has two columns; one that stands has one", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=reversi&moves=f5&panel=analyse`, { viewport: { width: 900, height: 700 } });
  assert.ok((await box(page, ".side")).left >= (await box(page, ".board")).right);
  await page.setViewportSize({ width: 700, height: 900 });
  assert.ok((await box(page, ".side")).top >= (await box(page, ".board")).bottom);
  assert.ok(await overflow(page) <= 0);
  await context.close();
});

for (const locale of ["en-GB", "zh-CN"]) {
  test(`nothing is wider than 320 pixels, ${locale}`, async () => {
    const { page, context } = await visit(browser, `${service.url}/#game=xiangqi&human=both`, { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true, locale });
    for (const panel of ["play", "analyse", "tree", "review", "setup"]) {
      await page.tap(`#tab-${panel}`);
      await page.waitForSelector(`#tab-${panel}[aria-selected="true"]`);
      assert.ok(await overflow(page) <= 0, `${panel} is too wide`);
      const tabs = await page.locator(".tabs").evaluate((one) => [one.scrollWidth, one.clientWidth]);
      assert.ok(tabs[0] <= tabs[1], `tabs: ${tabs}`);
    }
    await context.close();
  });
}
