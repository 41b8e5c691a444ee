// @ts-check
/** Clocks: their arithmetic, the engine's budgets under them, losses on time, and what survives a reload. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { timeAfter as spend, budget, clockText, face, formatControl, initialTime, parseControl, replay, total, DEFAULTS } from "../../web/play/clock.js";
import { click } from "./player.js";
import { browser, service } from "./stage.js";
import { waitForPly, holdRequests, ready, boardState, waitForTurn, violations, visit } from "./visitor.js";

const FISCHER = parseControl("fischer-60-2");
const MOVE = parseControl("move-10");
const BYO = parseControl("byo-yomi-60-3-10");

test("controls are read and written; what is none is none", () => {
  for (const control of Object.values(DEFAULTS)) assert.deepEqual(parseControl(formatControl(control)), control);
  assert.deepEqual(BYO, { kind: "byo-yomi", seconds: 60, periods: 3, period: 10 });
  for (const text of ["", "fischer", "fischer-60", "fischer-60-2-1", "fischer-a-2", "move--3", "blitz-3-2", null]) {
    assert.deepEqual(parseControl(text), { kind: "none" }, String(text));
  }
  assert.deepEqual(parseControl("move-0"), { kind: "move", seconds: 1 }, "brought into range");
  assert.deepEqual(parseControl("fischer-0-0"), { kind: "fischer", seconds: 60, increment: 0 }, "nobody could move");
});

test("what is left after moves", () => {
  assert.deepEqual(spend(FISCHER, initialTime(FISCHER), 10_000), { main: 52_000, periods: 0 });
  assert.deepEqual(spend(MOVE, initialTime(MOVE), 9000), initialTime(MOVE));
  assert.equal(total(BYO, initialTime(BYO)), 90_000);
  // 85 seconds: all of the main time, two periods whole, and half of the third, which comes back.
  assert.deepEqual(spend(BYO, initialTime(BYO), 85_000), { main: 0, periods: 1 });
  assert.deepEqual(spend(BYO, { main: 0, periods: 1 }, 9999), { main: 0, periods: 1 });
  const { first, second } = replay(FISCHER, ["first", "second", "first"], [null, 4000, 20_000]);
  assert.deepEqual([first.main, second.main], [42_000, 58_000]);
  assert.deepEqual(face(BYO, initialTime(BYO), 59_000), { ms: 1000, periods: null });
  assert.deepEqual(face(BYO, initialTime(BYO), 73_000), { ms: 7000, periods: 2 });
  assert.deepEqual(face(BYO, initialTime(BYO), 99_000), { ms: 0, periods: 0 });
  assert.deepEqual([125_000, 20_000, 9940, 50, 0, 3_600_000].map(clockText), ["2:05", "0:20", "0:10", "0:00.1", "0:00.0", "1:00:00"]);
});

test("an engine's budget never costs it the game, nor a period", () => {
  for (const control of [FISCHER, MOVE, BYO, parseControl("fischer-30-0"), parseControl("byo-yomi-0-1-1"), parseControl("move-1")]) {
    let left = initialTime(control);
    for (let move = 0; move < 150; move += 1) {
      const granted = budget(control, left, 100);
      assert.ok(granted >= 1 && granted < total(control, left), `${formatControl(control)}: ${granted} of ${JSON.stringify(left)}`);
      const next = spend(control, left, granted);
      assert.equal(next.periods, left.periods);
      left = next;
    }
  }
  assert.equal(budget(DEFAULTS.none, initialTime(DEFAULTS.none), 100), Infinity);
});

/** What the strips' clocks show, the reader's first. @param {import("playwright-core").Page} page */
const clocks = (page) => page.locator(".clock").allTextContents().then(([upper, lower]) => [lower, upper]);

test("the engine obeys its clock, and both clocks run", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&level=10&time=30000&clock=fischer-30-0`);
  assert.deepEqual(await clocks(page), ["0:30", "0:30"]);
  assert.equal(await page.locator('select[name="time"]').count(), 0, "the clock decides");
  /** @type {number[]} */
  const budgets = [];
  page.on("request", (request) => request.url().endsWith("/v1/searches") && budgets.push(request.postDataJSON().budget.time_ms));
  await click(page, "h8");
  await page.waitForSelector(".strip.turn .thinking-indicator");
  await waitForTurn(page, 1);
  assert.equal(budgets.length, 1);
  assert.ok(budgets[0] >= 10 && budgets[0] <= 1200, `${budgets[0]} of 30 seconds`);
  const [own, engines] = await clocks(page);
  assert.equal(own, "0:30", "the first move is free");
  assert.notEqual(engines, "0:30");
  await page.waitForFunction(() => document.querySelector(".strip.first .clock")?.textContent !== "0:30");
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a person loses on time, which a reload does not change", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&level=1&time=20&clock=move-2`);
  await click(page, "h8");
  await waitForTurn(page, 1);
  await page.waitForSelector('.end-card[data-result="lost"]');
  assert.match((await boardState(page)).text, /Black ran out of time. White wins/);
  assert.match((await page.textContent(".end-card")) ?? "", /You lose.*Black ran out of time/);
  assert.match(page.url(), /&timeout=first(&|$)/);
  assert.equal(await page.locator(".target.open").count(), 0);
  await page.reload();
  await ready(page);
  assert.match((await boardState(page)).text, /Black ran out of time/);
  assert.equal(await page.locator(".clock.running").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("clocks stand still elsewhere, go on after a reload, and are taken back with moves", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&level=1&time=20&clock=fischer-600-0`);
  await click(page, "h8");
  await waitForTurn(page, 1);
  // Less than ten minutes, and the seconds fall.
  await page.waitForFunction(() => /^9:5[0-7]$/.test(document.querySelector(".strip.first .clock")?.textContent ?? ""));
  await page.click("#tab-analyse");
  assert.equal(await page.locator(".clock.running").count(), 1, "it is that side's turn");
  const [before] = await clocks(page);
  await page.reload();
  await ready(page);
  const [later] = await clocks(page);
  assert.equal(later, before, "no time passes in the analysis, nor while the page is loaded");
  await page.click("#tab-play");
  await page.waitForFunction((text) => document.querySelector(".strip.first .clock")?.textContent !== text, before);
  await page.click('button[name="undo"]');
  await waitForPly(page, 0);
  assert.deepEqual(await clocks(page), ["10:00", "10:00"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a clock runs on where a step overtakes the move that is being sent", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=both&clock=fischer-600-0`);
  await click(page, "h8");
  await waitForTurn(page, 0);
  await page.keyboard.press("[");
  await waitForPly(page, 0);
  await page.keyboard.press("]");
  await waitForPly(page, 1);
  const release = await holdRequests(page, "**/v1/positions");
  const asked = page.waitForRequest("**/v1/positions");
  await click(page, "h9");
  await asked;
  await page.keyboard.press("[");
  await waitForPly(page, 0);
  release();
  const white = () => page.textContent(".strip.second .clock");
  const before = await white();
  await page.waitForFunction((text) => document.querySelector(".strip.second .clock")?.textContent !== text, before);
  await page.keyboard.press("]");
  await waitForPly(page, 1);
  assert.match(page.url(), /moves=h8(&|$)/, "the move was not played");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a time control is chosen on the page, and is part of the link", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=reversi&level=1`);
  assert.equal(await page.locator(".clock").count(), 0);
  await page.selectOption('select[name="clock"]', "byo-yomi");
  assert.match(page.url(), /&clock=byo-yomi-300-3-30/);
  await page.fill('input[name="clock-seconds"]', "0.5");
  await page.fill('input[name="clock-period"]', "5");
  await page.press('input[name="clock-period"]', "Tab");
  assert.match(page.url(), /&clock=byo-yomi-30-3-5/);
  assert.deepEqual(await clocks(page), ["0:30", "0:30"]);
  await page.selectOption('select[name="clock"]', "none");
  assert.ok(!page.url().includes("clock="));
  assert.equal(await page.locator('select[name="time"]').count(), 1);
  assert.deepEqual(faults, []);
  await context.close();
});

test("each of the engine's moves has its own seconds; nothing counts once the game is left", async () => {
  const { page, context, faults } = await visit(browser, service.url);
  await page.evaluate(() => {
    const [begin, end] = [window.setInterval, window.clearInterval];
    /** @type {Set<unknown>} */
    const beats = (/** @type {any} */ (window).beats = new Set());
    Object.assign(window, {
      setInterval: (/** @type {() => void} */ what, /** @type {number} */ ms) => {
        const beat = begin(what, ms);
        beats.add(beat);
        return beat;
      },
      clearInterval: (/** @type {number} */ beat) => {
        beats.delete(beat);
        end(beat);
      },
    });
  });
  /** @type {(() => void)[]} */
  const waiting = [];
  await page.route("**/v1/searches", async (route) => {
    await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    await route.fulfill({ json: { move: ["a1", "b1"][waiting.length - 1], timing: { search_ms: 1 } } });
  });
  await page.evaluate(() => (location.hash = "#game=tic-tac-toe&human=none"));
  await page.waitForFunction(() => document.querySelector(".thinking-indicator .seconds")?.textContent === "2 s");
  const [dots, beats] = await page.evaluate(() => [document.querySelectorAll(".thinking-indicator i").length, /** @type {any} */ (window).beats.size]);
  assert.deepEqual([dots, beats], [3, 1]);
  waiting[0]();
  await waitForPly(page, 1);
  await page.waitForSelector(".strip.second .thinking-indicator");
  assert.match((await page.textContent(".thinking-indicator .seconds")) ?? "", /^(1 s)?$/);
  await page.click("#tab-analyse");
  assert.equal(await page.locator(".thinking-indicator").count(), 0);
  await page.click("#tab-play");
  await page.waitForSelector(".strip.second .thinking-indicator");
  await page.evaluate(() => (location.hash = ""));
  await page.waitForSelector(".front");
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).beats.size), 0);
  for (const release of waiting) release();
  assert.deepEqual(faults, []);
  await context.close();
});
