// @ts-check
/** Analyses: live, paused, deeper, without a move; on the board and in the table alike; proven results; and a stream that breaks. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Service } from "./service.js";
import { browser, service } from "./stage.js";
import { PATIENCE, waitForPly, changeSearches, ready, visit, withoutEngine } from "./visitor.js";

/** @param {import("playwright-core").Page} page @param {string} state */
const runState = (page, state) => page.waitForSelector(`.run-state[data-state="${state}"]`);

/** Counts how often the facts of the analysis change from here on. @param {import("playwright-core").Page} page */
const countChanges = (page) =>
  page.evaluate(() => {
    const facts = /** @type {HTMLElement} */ (document.querySelector(".facts"));
    const seen = new Set();
    Object.assign(window, { seen });
    new MutationObserver(() => facts.textContent && seen.add(facts.textContent)).observe(facts, { childList: true, subtree: true });
  });

/** @param {import("playwright-core").Page} page @param {number} times */
const waitForChanges = (page, times) => page.waitForFunction((wanted) => /** @type {any} */ (window).seen.size >= wanted, times);

const LONG = "&panel=analyse&a.amount=60000";

for (const [name, link] of Object.entries({
  // A search that keeps running: a solver may know the answer at once.
  "connect-four": "#game=connect-four&moves=4_4_3&a.engine=mcts",
  gomoku: "#game=gomoku&moves=h8_h9_i8",
  reversi: "#game=reversi&moves=f5_d6_c3",
  xiangqi: "#game=xiangqi&moves=h2e2_h9g7",
})) {
  test(`${name}: an analysis starts by itself, reports progress, and pauses`, async () => {
    const { page, context, faults } = await visit(browser, `${service.url}/${link}${LONG}`);
    await page.waitForSelector(".facts", { state: "attached" });
    await countChanges(page);
    await waitForChanges(page, 3);
    await page.waitForSelector(".marks .mark.chosen");
    await page.click("button.stop");
    await runState(page, "done");
    const rows = await page.locator(".children tbody tr").count();
    assert.ok(rows > 1 && rows <= 8, `${rows} candidates`);
    assert.equal(await page.locator(".children tr.chosen").count(), 1);
    const best = await page.locator(".children tr.chosen").getAttribute("data-move");
    assert.equal(await page.locator(".marks .mark.chosen").getAttribute("data-move"), best, "board and table say the same");
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("a line is shown on the board and can be played; a move can be excluded; deeper is more", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=connect-four&moves=4_4&panel=analyse&a.limit=simulations&a.amount=2000`);
  await runState(page, "done");
  await page.focus(".children tbody tr:first-child .move");
  await page.waitForSelector(".marks .ghost");
  const best = await page.locator(".children tr.chosen").getAttribute("data-move");
  await page.click(`.children tr[data-move="${best}"] .line-text`);
  await page.click(".children .exclude");
  await page.waitForFunction((gone) => !document.querySelector(`.children tr[data-move="${gone}"]`) && document.querySelector('.run-state[data-state="done"]'), best);
  assert.match(page.url(), new RegExp(`a\\.avoid=${best}`));
  await page.click(".excluded button");
  await page.waitForSelector(`.children tr[data-move="${best}"]`);
  await runState(page, "done");
  await page.click(".deeper");
  await page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.querySelector('input[name="amount"]')).value === "8000");
  await runState(page, "done");
  // An analysis follows the game.
  await page.click(".children tbody tr:first-child .line-text");
  await page.click(".children .ply >> nth=1");
  await waitForPly(page, 5);
  await page.waitForSelector(".children tbody tr");
  assert.deepEqual(faults, []);
  await context.close();
});

test("proven results are shown with their distance", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=tic-tac-toe&position=xx1/oo1/3 x&panel=analyse`);
  await page.waitForSelector(".children tr.proven");
  await runState(page, "done");
  assert.match((await page.locator(".children tr.chosen .value").textContent()) ?? "", /win in 1/);
  assert.equal(await page.locator(".marks .mark.chosen .value").textContent(), "W1");
  assert.match((await page.locator(".evaluation").getAttribute("aria-label")) ?? "", /win in 1/);
  await context.close();
});

test("the engine, its options, threads and memory are sent as they are chosen", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=connect-four&panel=analyse&a.engine=mcts&a.limit=simulations&a.amount=3000&a.threads=2&a.memory=32&a.o.exploration=0.9`);
  await runState(page, "done");
  const sent = page.waitForRequest((request) => request.url().endsWith("/v1/searches") && request.method() === "POST");
  await page.click(".start");
  const body = (await sent).postDataJSON();
  assert.deepEqual(body.engine, { name: "mcts", exploration: 0.9 });
  assert.deepEqual(body.budget, { simulations: 3000, memory_mb: 32 });
  assert.equal(body.threads, 2);
  await runState(page, "done");
  await context.close();
});

test("a server that is restarted in mid-stream is found again", async () => {
  let own = await Service.start();
  const { port } = own;
  const { page, context } = await visit(browser, `${own.url}/#game=gomoku&moves=h8_h9${LONG}`);
  await page.waitForSelector(".facts", { state: "attached" });
  await countChanges(page);
  await waitForChanges(page, 2);
  await own.kill();
  await page.waitForSelector('.run-state[data-state="reconnecting"], .run-state[data-state="restarting"], .run-state[data-state="starting"]');
  own = await Service.start([], port);
  try {
    await runState(page, "running");
    await page.evaluate(() => /** @type {any} */ (window).seen.clear());
    await waitForChanges(page, 2);
    await page.click("button.stop");
    await runState(page, "done");
  } finally {
    await context.close();
    await own.kill();
  }
});

test("a full service is waited for", async () => {
  const own = await Service.start(["--max-searches", "1"]);
  try {
    const control = new AbortController();
    const long = fetch(`${own.url}/v1/searches`, {
      method: "POST", body: JSON.stringify({ game: "gomoku", budget: { time_ms: 60_000 } }), signal: control.signal,
    }).catch(() => {});
    // Wait until the service reports that it is full.
    for (let tries = 0; (await fetch(`${own.url}/readyz`)).ok; tries += 1) {
      assert.ok(tries < PATIENCE / 20, "the first search runs");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { page, context } = await visit(browser, `${own.url}/#game=connect-four&moves=4&human=both&a.limit=simulations&a.amount=2000`);
    await withoutEngine(page);
    await page.click("#tab-analyse");
    await runState(page, "full");
    assert.match((await page.locator(".run-state").textContent()) ?? "", /full.*Retrying in/);
    control.abort();
    await long;
    await runState(page, "done");
    await page.waitForSelector(".children tr.chosen");
    await context.close();
  } finally {
    await own.kill();
  }
});

test("one line a move: the best eight, the rest on demand, and a whole line by a tap", async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&moves=h8_h9_i9&panel=analyse&a.engine=mcts&a.limit=simulations&a.amount=4000`, phone);
  await runState(page, "done");
  const rows = page.locator(".children tbody tr");
  assert.equal(await rows.count(), 8);
  for (const box of await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect()))) assert.ok(box.height < 44, `a row is ${box.height} pixels high`);
  const high = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(high < 1500, `the page is ${high} pixels high`);
  const cut = await page.locator(".children .line-text").first().evaluate((one) => [one.scrollWidth, one.clientWidth, getComputedStyle(one).textOverflow]);
  assert.ok(cut[0] > cut[1] && cut[2] === "ellipsis", `the line is cut: ${cut}`);
  await page.tap(".children tbody tr:first-child .line-text");
  const line = await page.textContent(".children tbody tr:first-child .line-text");
  assert.equal((await page.locator(".children .opened .ply").allTextContents()).join(" "), line);
  assert.equal(await page.getAttribute(".children tbody tr:first-child .line-text", "aria-expanded"), "true");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await page.tap(".children tbody tr:first-child .line-text");
  assert.equal(await page.locator(".children .opened").count(), 0);
  const all = Number(/\d+/.exec((await page.textContent('button[name="all-moves"]')) ?? "")?.[0]);
  await page.tap('button[name="all-moves"]');
  assert.equal(await rows.count(), all);
  assert.ok(all > 8);
  await page.tap('button[name="all-moves"]');
  assert.equal(await rows.count(), 8);
  assert.deepEqual(faults, []);
  await context.close();
});

test("all moves of a line are in the notation of the list of moves", async () => {
  const link = `${service.url}/#game=xiangqi&human=both&panel=analyse&a.limit=time_ms&a.amount=50`;
  const { page, context, faults } = await visit(browser, link, { locale: "zh-CN" });
  const line = ["h2e2", "h9g7", "h0g2", "i9h9"];
  await changeSearches(page, (answer) => (answer.children = [{ ...answer.children[0], move: line[0], pv: line }]));
  await page.reload();
  await ready(page);
  const texts = ["马８进７", "马二进三", "车９平８"];
  await page.waitForFunction((text) => document.querySelector(".children .line-text")?.textContent === text, texts.join(" "));
  assert.equal(await page.textContent(".children .move"), "炮二平五");
  assert.equal(await page.locator(".marks .mark.chosen").count(), 1, "the candidates stay on the board");
  await page.click(".children .line-text");
  assert.deepEqual(await page.locator(".children .ply").allTextContents(), texts);
  await page.click(".children .ply >> nth=2");
  await waitForPly(page, 4);
  assert.deepEqual(faults, []);
  // The analysis of this position is still under way.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.close();
});

test("an analysis runs while it is open: each position anew, other settings anew, until it is paused", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=connect-four&moves=4_4_3&human=both&a.engine=mcts&a.limit=simulations&a.amount=1000`);
  /** @type {any[]} */
  const asked = [];
  page.on("request", (request) => request.method() === "POST" && request.url().endsWith("/v1/searches") && asked.push(request.postDataJSON()));
  await page.click("#tab-analyse");
  await runState(page, "done");
  // What has ended by itself cannot be paused.
  assert.ok(await page.locator("button.stop").isHidden());
  assert.equal(await page.textContent(".start"), "Start");
  await page.keyboard.press(",");
  await waitForPly(page, 2);
  await runState(page, "done");
  assert.deepEqual(asked.map(({ moves }) => moves.length), [3, 2]);
  await page.click(".engine-settings summary");
  await page.fill('.effort input[name="amount"]', "1500");
  await page.press('.effort input[name="amount"]', "Tab");
  await runState(page, "done");
  assert.equal(asked.at(-1).budget.simulations, 1500);
  // The result is still there after a visit to the game.
  await page.click("#tab-play");
  await page.click("#tab-analyse");
  await page.waitForSelector(".evaluation:not(.unknown)");
  await page.waitForSelector(".marks .mark.chosen");
  assert.equal(asked.length, 3);
  await page.fill('.effort input[name="amount"]', "1000000000");
  await page.press('.effort input[name="amount"]', "Tab");
  await page.click("button.stop");
  assert.equal(await page.textContent(".start"), "Resume");
  await runState(page, "done");
  await page.fill('.effort input[name="amount"]', "1500");
  await page.press('.effort input[name="amount"]', "Tab");
  await page.focus(".start");
  await page.keyboard.press("[");
  await waitForPly(page, 0);
  assert.match((await page.textContent(".analysis .empty")) ?? "", /Paused/);
  assert.equal(asked.length, 4, "nothing is asked while it is paused");
  await page.keyboard.press("s");
  await runState(page, "done");
  assert.deepEqual(asked.at(-1).moves, []);
  assert.deepEqual(faults, []);
  await context.close();
});
