// @ts-check
/** Levels: their names, in requests, remembered, and in addresses. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, service } from "./stage.js";
import { ready, waitForTurn, visit } from "./visitor.js";

const LEVEL = 'select[name="level"]';

/** The page's next search request. @param {import("playwright-core").Page} page */
const search = async (page) =>
  (await page.waitForRequest((request) => request.url().endsWith("/v1/searches") && request.method() === "POST")).postDataJSON();

test("ten levels have names, in both languages", async () => {
  for (const [locale, first, last] of [["en-GB", "1 · Beginner", "10 · Full strength"], ["zh-CN", "1 · 入门", "10 · 全力"]]) {
    const { page, context } = await visit(browser, `${service.url}/#game=gomoku`, { locale });
    const names = await page.locator(`${LEVEL} option:not([value="auto"])`).allTextContents();
    assert.equal(names.length, 10);
    assert.equal(new Set(names.map((name) => name.split(" · ")[1])).size, 10);
    assert.deepEqual([names[0], names[9]], [first, last]);
    await context.close();
  }
});

test("the engine's move is asked for at the level chosen; a hint at full strength", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=connect-four&level=3&time=50`);
  let sent = search(page);
  await page.click('.target[data-name="d1"]');
  const low = await sent;
  assert.equal(low.level, 3);
  assert.deepEqual([low.report.children, low.budget], ["best", { time_ms: 50 }]);
  for (const absent of ["engine", "variety", "reuse"]) assert.ok(!(absent in low), absent);
  await waitForTurn(page, 1);
  sent = search(page);
  await page.click('button[name="hint"]');
  const hint = await sent;
  assert.equal(hint.report.children, "best");
  for (const absent of ["level", "variety"]) assert.ok(!(absent in hint), absent);
  await page.waitForSelector(".marks .mark.chosen");
  await page.selectOption(LEVEL, "10");
  assert.match(page.url(), /&level=10(&|$)/);
  sent = search(page);
  await page.click('.target[data-name="c1"]');
  const full = await sent;
  assert.ok(!("level" in full));
  assert.ok(full.variety > 0 && full.variety <= 0.5, "games differ");
  assert.equal(full.report.children, "best");
  await waitForTurn(page, 3);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the level chosen is remembered; an address that names one wins", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=hex`);
  assert.equal(await page.inputValue(LEVEL), "5");
  await page.selectOption(LEVEL, "8");
  await page.goto(`${service.url}/docs`);
  await page.goto(`${service.url}/#game=hex`);
  await ready(page);
  assert.equal(await page.inputValue(LEVEL), "8");
  await page.goto(`${service.url}/docs`);
  await page.goto(`${service.url}/#game=reversi&level=5`);
  await ready(page);
  assert.equal(await page.inputValue(LEVEL), "5");
  // A level in the address is not the reader's choice.
  await page.reload();
  await ready(page);
  assert.equal(await page.inputValue(LEVEL), "5", "a reload keeps what the address says");
  await page.goto(`${service.url}/docs`);
  await page.goto(`${service.url}/#game=reversi`);
  await ready(page);
  assert.equal(await page.inputValue(LEVEL), "8");
  assert.deepEqual(faults, []);
  await context.close();
});

test("addresses with the five levels of old load, and others are brought into range", async () => {
  for (const [text, level] of [["1", "1"], ["3", "3"], ["5", "5"], ["0", "1"], ["99", "10"], ["strong", "5"]]) {
    const { page, context } = await visit(browser, `${service.url}/#game=tic-tac-toe&level=${text}`);
    assert.equal(await page.inputValue(LEVEL), level, text);
    await context.close();
  }
});
