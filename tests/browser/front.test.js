// @ts-check
/** The page for an address without a game: every game one click away, and games to resume. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { click } from "./player.js";
import { browser, gameNames, service } from "./stage.js";
import { PATIENCE, waitForPly, hasEngine, holdRequests, storedGames, ready, boardState, waitForTurn, violations, visit } from "./visitor.js";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** The games that come first. */
const FIRST = ["tic-tac-toe", "connect-four", "gomoku", "reversi", "dots-and-boxes", "xiangqi"];

/** The games that the service lists. */
const games = await gameNames();
const carried = await hasEngine();

/** Waits for the front page with its cards. @param {import("playwright-core").Page} page */
const front = (page) => page.waitForSelector('#app[data-view="front"] .card');

test("every game is there as a board, and one click plays it; Back leads here again", async () => {
  const { page, context, faults } = await visit(browser, service.url);
  const shown = await page.evaluate(() => [...document.querySelectorAll(".card[data-game]")].map((card) => /** @type {HTMLElement} */ (card).dataset.game ?? ""));
  assert.deepEqual(shown.slice(0, FIRST.length), FIRST);
  assert.deepEqual([...shown].sort(), [...games].sort());
  for (const game of shown) {
    const pieces = await page.locator(`.card[data-game="${game}"] svg.miniature :is(.piece, .edge)`).count();
    assert.ok(pieces >= 5, `${game} shows ${pieces} pieces`);
    await page.click(`.card[data-game="${game}"]`);
    await page.waitForSelector(`.board.${game}`);
    await page.waitForFunction((name) => location.hash.startsWith(`#game=${name}&`), game);
    assert.deepEqual({ ...(await boardState(page)), text: "" }, { ply: 0, over: false, kind: "turn", text: "" }, game);
    await page.goBack();
    await front(page);
    assert.equal(await page.locator(".board").count(), 0);
    assert.equal(new URL(page.url()).hash, "");
  }
  await page.goForward();
  await page.waitForSelector(`.board.${shown[shown.length - 1]}`);
  await page.click(".brand");
  await front(page);
  assert.deepEqual(faults, []);
  await context.close();
});

test("Renju and other variants are one click away, and so is the analysis of a game", async () => {
  const { page, context, faults } = await visit(browser, service.url);
  await page.click('.card[data-game="gomoku"] a:text-is("Renju")');
  await page.waitForSelector(".board.gomoku");
  await page.waitForFunction(() => /variant=renju/.test(location.hash));
  assert.match((await page.textContent(".variants summary")) ?? "", /Renju/);
  await page.goBack();
  await front(page);
  await page.click('.card[data-game="reversi"] a.analyse');
  await page.waitForSelector('#tab-analyse[aria-selected="true"]');
  await page.waitForSelector(".children tbody tr");
  // Leaving stops the search.
  const stopped = page.waitForRequest((request) => request.method() === "DELETE");
  await page.goBack();
  await front(page);
  await stopped;
  assert.deepEqual(faults, []);
  await context.close();
});

test("it can be used by keyboard; keys of the game do nothing yet", async () => {
  const { page, context, faults } = await visit(browser, service.url);
  for (const key of ["n", "u", "h", "b", "f", "s", ",", "]", "2"]) await page.keyboard.press(key);
  assert.equal(new URL(page.url()).hash, "");
  await page.focus('.card[data-game="xiangqi"] h3 a');
  await page.keyboard.press("Enter");
  await page.waitForSelector(".board.xiangqi");
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [name, screen] of Object.entries({ phone: PHONE, desktop: {} })) {
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    test(`on a ${name}, ${colorScheme}: no serious violations, headings in order, nothing too wide`, async () => {
      const { page, context, faults } = await visit(browser, service.url, { ...screen, colorScheme });
      assert.deepEqual(await violations(page), []);
      const levels = await page.evaluate(() => [...document.querySelectorAll("h1, h2, h3")].map((one) => Number(one.tagName[1])));
      assert.ok(levels[0] === 1 && levels.filter((level) => level === 1).length === 1, levels.join());
      levels.forEach((level, index) => assert.ok(level <= (levels[index - 1] ?? 0) + 1, levels.join()));
      assert.equal(await page.getByRole("link", { name: "Play Gomoku", exact: true }).count(), 1);
      assert.equal(await page.getByRole("link", { name: "Analyse Gomoku" }).count(), 1);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      // On a phone two games stand side by side; links can be hit.
      for (const link of await page.locator(".ways a").all()) assert.ok(((await link.boundingBox())?.height ?? 0) >= 24);
      assert.deepEqual(faults, []);
      await context.close();
    });
  }
}

test("the language and the board are chosen here too", async () => {
  const { page, context, faults } = await visit(browser, service.url);
  await page.click(".preferences summary");
  await page.selectOption('select[name="board"]', "paper");
  await page.selectOption('select[name="language"]', "zh");
  await page.waitForSelector('.card[data-game="gomoku"] h3:has-text("五子棋")');
  await page.click('.card[data-game="gomoku"]');
  await page.waitForSelector(".board.gomoku");
  assert.equal(await page.getAttribute("html", "data-board"), "paper");
  assert.deepEqual(faults, []);
  await context.close();
});

test("an address with a game leads to the game, as ever", async () => {
  for (const [link, board] of [["#game=hex&v.size=5", "hex"], ["#game=reversi&moves=f5&panel=review", "reversi"], ["#game=of-old", "tic-tac-toe"]]) {
    const { page, context, faults } = await visit(browser, `${service.url}/${link}`);
    assert.equal(await page.locator(`.board.${board}`).count(), 1, link);
    assert.equal(await page.locator(".front").count(), 0, link);
    assert.deepEqual(faults, []);
    await context.close();
  }
});

/** A game as this browser keeps it. @param {string} id @param {object} more */
const entry = (id, more) => ({
  id, writer: "another", changed: 1, begun: 1, variant: { name: "standard" }, start: null, resigned: null, timeout: null,
  human: "first", level: 3, time: 200, clock: "", times: null, pending: [], result: null, ...more,
});

test("games that were begun in this browser can be gone on with", async () => {
  const { page, context, faults } = await visit(browser, service.url);
  await page.evaluate((entries) => {
    for (const entry of entries) localStorage.setItem(`game:${entry.id}`, JSON.stringify(entry));
    localStorage.setItem("game:spoiled", "{");
  }, [
    entry("a", { game: "gomoku", variant: { name: "renju", size: 15 }, moves: ["h8", "h9", "i9", "g7"], changed: 20 }),
    entry("b", { game: "xiangqi", moves: ["h2e2", "h9g7"], changed: 30 }),
    entry("c", { game: "reversi", moves: ["f5"], changed: 40, result: { winner: "first" } }),
    entry("d", { game: "of-old", moves: ["a1"], changed: 50 }),
  ]);
  await page.reload();
  await ready(page);
  const begun = page.locator(".in-progress .card");
  assert.equal(await begun.count(), 2, "neither what has ended nor what nobody knows");
  assert.deepEqual(await begun.evaluateAll((cards) => cards.map((card) => /** @type {HTMLElement} */ (card).dataset.game)), ["xiangqi", "gomoku"], "the newest first");
  await page.waitForFunction(() => document.querySelectorAll('.in-progress [data-game="gomoku"] .piece').length === 4);
  assert.match((await begun.nth(1).textContent()) ?? "", /Moves: 4 · Black to move/);
  assert.deepEqual(await violations(page), []);
  await page.click('.in-progress [data-game="gomoku"]');
  await page.waitForSelector(".board.gomoku");
  assert.equal((await boardState(page)).ply, 4);
  assert.match(page.url(), /variant=renju/);
  assert.equal(await page.inputValue('select[name="level"]'), "3");
  assert.deepEqual(faults, []);
  await context.close();
});

test("of two games with the same moves, the one that is chosen is gone on with", async () => {
  const { page, context, faults } = await visit(browser, service.url);
  const twins = ["old", "new"].map((id, index) => entry(id, { game: "tic-tac-toe", moves: ["b2"], changed: 20 + index, human: "both" }));
  await page.evaluate((entries) => entries.forEach((one) => localStorage.setItem(`game:${one.id}`, JSON.stringify(one))), twins);
  await page.reload();
  await ready(page);
  // Moves that another tab has played meanwhile are included.
  await page.evaluate((one) => localStorage.setItem("game:old", JSON.stringify({ ...one, moves: ["b2", "a1"] })), twins[0]);
  await page.click('.in-progress .card:nth-child(2)');
  await waitForPly(page, 2);
  await click(page, "c3");
  await waitForTurn(page, 2);
  const games = Object.fromEntries((await storedGames(page)).map(({ id, moves }) => [id, moves.join("_")]));
  assert.deepEqual(games, { old: "b2_a1_c3", new: "b2" });
  // The same after returning from a game.
  await page.goBack();
  await front(page);
  await page.click('.in-progress .card:nth-child(2)');
  await waitForPly(page, 1);
  await click(page, "a3");
  await waitForTurn(page, 1);
  assert.deepEqual((await storedGames(page)).find(({ id }) => id === "new")?.moves, ["b2", "a3"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a game that is chosen while the page is still being fetched is opened", async () => {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const release = await holdRequests(page, "**/front.js");
  const asked = page.waitForRequest("**/front.js");
  await page.goto(service.url);
  await asked;
  await page.evaluate(() => (location.hash = "#game=hex&v.size=5"));
  await page.waitForSelector(".board.hex");
  release();
  await ready(page);
  assert.equal(await page.locator(".front").count(), 0);
  await context.close();
});

test("where the way back cannot be fetched, the page says so", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=hex&v.size=5`);
  await page.route("**/front.js", (route) => route.abort());
  await page.evaluate(() => (location.hash = ""));
  await page.waitForSelector('#app > .notice[role="alert"] button');
  assert.match((await page.textContent(".notice")) ?? "", /cannot be reached/);
  // The game is still there.
  await page.goBack();
  await page.waitForSelector(".board.hex");
  assert.deepEqual(faults, []);
  await context.close();
});

test("where searches run can be chosen here, and holds for the game", { skip: carried ? false : "the program was built without the engine for browsers" }, async () => {
  const { page, context, faults } = await visit(browser, service.url);
  await page.click(".preferences summary");
  const loaded = page.waitForEvent("load");
  await page.selectOption('select[name="place"]', "browser");
  await loaded;
  await front(page);
  await page.click('.card[data-game="gomoku"] a.analyse');
  await page.waitForSelector(".board.gomoku");
  const { most } = await page.evaluate(async () => (await (await fetch("/v1/games")).json()).budget);
  const offered = await page.getAttribute('.effort input[name="amount"]', "max");
  assert.notEqual(Number(offered), most.time_ms, "what this browser lets a search spend");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a level is chosen here, and a game comes in: pasted, asked for where several could be meant, or from a file", async () => {
  const { page, context, faults } = await visit(browser, service.url);
  await page.selectOption('select[name="level"]', "8");
  await page.click('.card[data-game="gomoku"]');
  await page.waitForSelector(".board.gomoku");
  assert.equal(await page.inputValue('select[name="level"]'), "8");
  await page.goBack();
  await front(page);
  assert.equal(await page.inputValue('select[name="level"]'), "8");
  await page.click(".import-game summary");
  const paste = async (/** @type {string} */ text) => {
    await page.fill('textarea[name="paste"]', text);
    await page.click('[name="load"]');
  };
  await paste("no game");
  await page.waitForSelector(".import-game .notice p");
  await paste("f5d6c3");
  await page.waitForSelector(".importer [data-game]");
  assert.equal(await page.locator(".import-game .notice p").count(), 0);
  assert.deepEqual(await page.locator(".importer [data-game]").evaluateAll((all) => all.map((one) => /** @type {HTMLElement} */ (one).dataset.game)), ["gomoku", "reversi"]);
  assert.deepEqual(await violations(page), []);
  await page.click('.importer [data-game="reversi"]');
  await waitForPly(page, 3);
  assert.match(page.url(), /game=reversi.*moves=f5_d6_c3&panel=review/);
  await page.goBack();
  await front(page);
  await page.click(".import-game summary");
  await paste("3/1x1/3 o");
  await page.waitForSelector('.board.tic-tac-toe');
  assert.match(page.url(), /position=3\/1x1\/3%20o&panel=analyse/);
  await page.goBack();
  await front(page);
  await page.click(".import-game summary");
  await page.waitForSelector('input[name="record"]', { state: "attached" });
  await page.setInputFiles('input[name="record"]', { name: "game.sgf", mimeType: "application/x-go-sgf", buffer: Buffer.from("(;FF[4]GM[4]SZ[15];B[hh];W[ig])") });
  await page.waitForSelector(".board.gomoku");
  await waitForPly(page, 2);
  assert.deepEqual(faults, []);
  await context.close();
});
