// @ts-check
/** Searches in the browser: by the reader's choice, and where the server is full or unreachable. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { click } from "./player.js";
import { Service } from "./service.js";
import { browser, service } from "./stage.js";
import { hasEngine, ready, boardState, waitForTurn, violations, visit } from "./visitor.js";

/** Tests that need the engine, which a program may have been built without. */
const skip = (await hasEngine()) ? false : "the program was built without the engine for browsers";

/** Requests to the service that a page makes. @param {import("playwright-core").Page} page */
function requests(page) {
  /** @type {string[]} */
  const paths = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/v1/")) paths.push(`${request.method()} ${pathname}`);
  });
  return paths;
}

/** Waits until the page header shows where searches run. @param {import("playwright-core").Page} page @param {string} text */
const waitForStatus = (page, text) => page.waitForFunction((wanted) => document.querySelector(".backend-status")?.textContent === wanted, text);

const state = (/** @type {string} */ name) => `.run-state[data-state="${name}"]`;

test("the reader's choice: everything works in the browser, and the choice is remembered", { skip }, async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=reversi&level=3&time=100`);
  await page.click(".preferences summary");
  await page.selectOption('select[name="place"]', "browser");
  await waitForStatus(page, "Searching in this browser");
  const made = requests(page);
  const { targets } = await page.evaluate(() => ({ targets: [...document.querySelectorAll(".target.open")].map((one) => /** @type {SVGElement} */ (one).dataset.name ?? "") }));
  await page.keyboard.press("Escape");
  await click(page, targets[0]);
  assert.equal((await waitForTurn(page, 1)).ply, 2, "the engine has answered");
  await page.click("#tab-analyse");
  await page.click(".engine-settings summary");
  await page.fill('input[name="amount"]', "30000");
  await page.press('input[name="amount"]', "Tab");
  await page.waitForSelector(".children tr.chosen");
  const late = await page.evaluate(async () => {
    const begin = performance.now();
    /** @type {HTMLElement} */ (document.querySelector("button.stop")).click();
    while (!document.querySelector('.run-state[data-state="done"]')) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - begin;
  });
  assert.match((await page.textContent(".run-state")) ?? "", /stopped/);
  assert.ok(late < 5000, `stopping took ${late} ms`);
  await page.click("#tab-tree");
  await page.click(".start");
  await page.waitForSelector('[role="treeitem"]');
  await page.waitForSelector(state("done"));
  await page.click("#tab-review");
  await page.click(".start");
  await page.waitForSelector(state("done"));
  assert.match((await page.textContent(".run-state")) ?? "", /2 of 2/);
  assert.deepEqual(made, [], "the server is not asked");
  assert.deepEqual(await violations(page), []);
  await page.reload();
  await ready(page);
  await waitForStatus(page, "Searching in this browser");
  assert.deepEqual(made, []);
  assert.deepEqual(faults, []);
  await context.close();
});

test("an engine that cannot be loaded: the server searches, and the page says so", { skip }, async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=hex&human=both`);
  await page.evaluate(() => localStorage.setItem("place", "browser"));
  await page.route("**/tesuji.wasm", (route) => route.abort());
  await page.reload();
  await ready(page);
  await waitForStatus(page, "Engine not loaded: searching on the server");
  await page.selectOption('select[name="human"]', "second");
  assert.equal((await waitForTurn(page, 0)).ply, 1);
  await page.click(".preferences summary");
  await page.selectOption('select[name="place"]', "server");
  await waitForStatus(page, "");
  assert.deepEqual(faults, []);
  await context.close();
});

test("the page's frames go on while the browser searches", { skip }, async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=gomoku&moves=h8_h9&panel=analyse&a.amount=60000`);
  await page.evaluate(() => localStorage.setItem("place", "browser"));
  await page.reload();
  await ready(page);
  await page.waitForSelector(".children tr.chosen");
  // No task of the page may be long: searches run in workers.
  const longest = await page.evaluate(() => new Promise((resolve) => {
    let most = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) most = Math.max(most, duration);
    });
    observer.observe({ type: "longtask" });
    setTimeout(() => resolve(most), 1500);
  }));
  assert.ok(Number(longest) < 1000, `a task of ${longest} ms`);
  await context.close();
});

test("a full server: the browser takes over, and says so", { skip }, async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=connect-four&human=both`);
  await page.route("**/v1/searches", (route) => route.fulfill({
    status: 503, contentType: "application/problem+json", headers: { "Retry-After": "1" },
    body: JSON.stringify({ type: "/problems/overloaded", title: "", status: 503, code: "overloaded", detail: "all places are taken", errors: [] }),
  }));
  await page.selectOption('select[name="human"]', "second");
  assert.equal((await waitForTurn(page, 0)).ply, 1);
  await waitForStatus(page, "Server full: searching in this browser");
  await page.unrouteAll();
  const asked = page.waitForRequest("**/v1/searches");
  await page.waitForTimeout(1000);
  const { targets } = await page.evaluate(() => ({ targets: [...document.querySelectorAll(".target.open")].map((one) => /** @type {SVGElement} */ (one).dataset.name ?? "") }));
  await click(page, targets[0]);
  await asked;
  await waitForStatus(page, "");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a server that goes away: once the page has been kept, the game and the page go on without it", { skip }, async () => {
  const own = await Service.start();
  const { page, context, faults } = await visit(browser, `${own.url}/#game=gomoku&level=1&time=50`, { serviceWorkers: "allow" });
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 50));
  });
  await own.kill();
  await click(page, "h8");
  assert.equal((await waitForTurn(page, 1)).ply, 2);
  await waitForStatus(page, "Server offline: searching in this browser");
  await page.reload();
  await ready(page);
  assert.equal((await boardState(page)).ply, 2, "the address restores the game");
  await click(page, await page.evaluate(() => /** @type {SVGElement} */ (document.querySelector(".target.open")).dataset.name ?? ""));
  assert.equal((await waitForTurn(page, 3)).ply, 4);
  assert.deepEqual(faults, []);
  await context.close();
});
