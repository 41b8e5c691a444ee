// @ts-check
/** Boards that games describe themselves: the games here are built-in ones, whose descriptions and cells the tests replace. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { click, tap, walk } from "./player.js";
import { browser, service } from "./stage.js";
import { choices, waitForTurn, violations, visit } from "./visitor.js";

/**
 * @typedef {import("playwright-core").Page} Page
 * @typedef {{ board: Record<string, any>, about?: Record<string, any>, change?: (position: any) => void }} Described
 */

const LINK = "&human=both";
const EVERY = { names: [], at: [], pieces: {}, clicks: "board" };

/**
 * A visitor to whom a game describes its board.
 * @param {string} game
 * @param {string} link
 * @param {Described} described
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
async function described(game, link, { board, about = {}, change = () => {} }, options = {}) {
  const redescribe = (/** @type {any} */ position) => {
    position.cells = position.cells.flatMap((/** @type {string} */ row) => [...row].map((letter) => (/[.-]/.test(letter) ? "" : letter)));
    change(position);
  };
  const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce", serviceWorkers: "block", viewport: { width: 1280, height: 800 }, ...options });
  await context.route(/\/v1\/(games|positions)$/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    if (route.request().url().endsWith("/games")) {
      const one = answer.games.find((/** @type {any} */ { name }) => name === game);
      Object.assign(one, about, { board: { ...EVERY, ...board } });
      redescribe(one.start);
    } else if (response.ok()) redescribe(answer);
    await route.fulfill({ response, json: answer });
  });
  const visited = await visit({ newContext: async () => context }, `${service.url}/#game=${game}${link}${LINK}`);
  return visited;
}

/** The pieces on the board: where each stands, whose it is, and the letters on it. @param {Page} page @returns {Promise<Record<string, string>>} */
const pieces = (page) =>
  page.evaluate(() => Object.fromEntries([...document.querySelectorAll(".board .piece[data-at]")].map((one) =>
    [/** @type {SVGElement} */ (one).dataset.at, [...one.classList].filter((name) => /^(first|second|neutral)$/.test(name)).join() + (one.querySelector("text")?.textContent ?? "")])));

const DISCS = { r: { side: "first" }, b: { side: "second" } };
/** Hex counts rows from the top. */
const FROM_TOP = Array.from({ length: 25 }, (_, index) => `${"abcde"[index % 5]}${Math.floor(index / 5) + 1}`);

test("hexagons: stones of both sides, placed by mouse and by keyboard", async () => {
  const board = { cells: "hexagons", columns: "size", rows: "size", names: FROM_TOP, pieces: DISCS };
  const { page, context, faults } = await described("hex", "&v.size=5", { board });
  assert.equal(await page.locator(".target").count(), 25);
  await click(page, "b3");
  await waitForTurn(page, 0);
  await walk(page, "d2");
  await waitForTurn(page, 1);
  assert.deepEqual(await pieces(page), { b3: "first", d2: "second" });
  assert.equal(await page.getAttribute('.target[data-name="d2"]', "aria-label"), "d2, Blue, last move");
  assert.equal(await page.locator(".last").count(), 1);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await context.close();
});

test("on a phone hexagons stand upright and can be turned, and small cells are aimed at", async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const board = { cells: "hexagons", columns: "size", rows: "size", names: FROM_TOP, pieces: DISCS };
  // The board of a game with moving pieces can be turned.
  const change = (/** @type {any} */ position) => {
    for (const move of position.legal) if (move.to === "e5") move.from = "d4";
  };
  const { page, context, faults } = await described("hex", "&v.size=5", { board, change }, phone);
  const corners = () => page.evaluate(() => ["a1", "e5"].map((name) => {
    const { x, y, width, height } = /** @type {Element} */ (document.querySelector(`.target[data-name="${name}"] .hit`)).getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2, flat: width > height };
  }));
  const [first, last] = await corners();
  assert.ok(first.flat && last.x - first.x < last.y - first.y, JSON.stringify([first, last]));
  await page.tap('[data-toggle="flipped"]');
  const [turned, other] = await corners();
  assert.ok(turned.flat && Math.abs(turned.x - last.x) < 1 && Math.abs(turned.y - last.y) < 1 && Math.abs(other.y - first.y) < 1);
  await page.tap('.target[data-name="b3"]');
  await waitForTurn(page, 0);
  assert.deepEqual(await pieces(page), { b3: "first" });
  assert.deepEqual(faults, []);
  await context.close();
  const names = Array.from({ length: 225 }, (_, index) => `${"abcdefghijklmno"[index % 15]}${15 - Math.floor(index / 15)}`);
  const small = await described("gomoku", "", { board: { cells: "squares", columns: "size", rows: "size", names, pieces: { x: { side: "first" }, o: { side: "second" } } } }, phone);
  await tap(small.page, "c4");
  await waitForTurn(small.page, 0);
  assert.deepEqual(await pieces(small.page), { c4: "first" });
  await small.context.close();
});

/** Xiangqi's pieces as letters on discs. */
const LETTERS = Object.fromEntries([..."KABNRCPkabnrcp"].map((letter) => [letter, { side: letter < "a" ? "first" : "second", text: letter.toUpperCase() }]));
const FILES = Array.from({ length: 90 }, (_, index) => `${"abcdefghi"[index % 9]}${9 - Math.floor(index / 9)}`);
const POINTS = { cells: "points", columns: 9, rows: 10, names: FILES, pieces: LETTERS };

test("a piece is chosen, then where it goes; the board can be turned", async () => {
  const { page, context, faults } = await described("xiangqi", "", { board: POINTS });
  await click(page, "h2");
  assert.ok((await choices(page)).targets.includes("e2"));
  await click(page, "e2");
  await waitForTurn(page, 0);
  const after = await pieces(page);
  assert.equal(after.e2, "firstC");
  assert.equal(after.h2, undefined);
  assert.equal(Object.keys(after).length, 32);
  const height = () => page.locator('.target[data-name="e2"]').evaluate((one) => one.getBoundingClientRect().y);
  const below = await height();
  await page.click('[data-toggle="flipped"]');
  assert.ok((await height()) < below - 100);
  await walk(page, "h9");
  await walk(page, "g7");
  await waitForTurn(page, 1);
  assert.equal((await pieces(page)).g7, "secondN");
  assert.deepEqual(faults, []);
  await context.close();
});

test("of moves with the same cells, one is chosen by its text", async () => {
  const change = (/** @type {any} */ position) => {
    // Another move to b2.
    for (const move of position.legal) if (move.to === "a1") move.to = "b2";
  };
  const { page, context, faults } = await described("tic-tac-toe", "", { board: { cells: "squares", columns: 3, rows: 3 }, change });
  await walk(page, "b2");
  await page.waitForFunction(() => document.activeElement?.closest(".board-moves"));
  assert.deepEqual((await choices(page)).words.sort(), ["a1", "b2"]);
  await page.keyboard.press("Escape");
  assert.deepEqual((await choices(page)).words, []);
  assert.ok(await page.evaluate(() => document.activeElement?.closest(".board")), "the board has the focus again");
  await click(page, "b2");
  await page.click('.board-moves [data-move="a1"]');
  await waitForTurn(page, 0);
  // A text without an entry among the pieces is drawn as its letters.
  assert.deepEqual(await pieces(page), { a1: "x" });
  assert.deepEqual(faults, []);
  await context.close();
});

test("a list of moves beside the position's text, by mouse and keyboard", async () => {
  const change = (/** @type {any} */ position) => (position.cells = []);
  const { page, context, faults } = await described("tic-tac-toe", "", { board: { cells: "squares", columns: 8, rows: 8, clicks: "list" }, change });
  assert.equal(await page.textContent(".board-text"), "3/3/3 x");
  assert.equal(await page.isVisible(".board"), false);
  await page.click('.board-moves [data-move="b2"]');
  await waitForTurn(page, 0);
  assert.equal(await page.textContent(".board-text"), "3/1x1/3 o");
  await page.keyboard.press("b");
  assert.ok(await page.evaluate(() => document.activeElement?.matches(".board-moves button")), "the keyboard is among the moves");
  await page.keyboard.press("Enter");
  await waitForTurn(page, 1);
  assert.ok(await page.evaluate(() => document.activeElement?.matches(".board-moves button")), "and stays there");
  assert.equal((await choices(page)).words.length, 7);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await context.close();
});

const HOUSES = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"];
const RING = HOUSES.map((_, index) => [2 + 2 * Math.sin(index), 2 + 2 * Math.cos(index)]);

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`free cells with numbers in them are houses that are sown from, ${colorScheme}`, async () => {
    const change = (/** @type {any} */ position) => (position.cells = position.cells.map((/** @type {string} */ letter) => (letter ? "12" : "0")));
    const { page, context, faults } = await described("tic-tac-toe", "", { board: { cells: "free", columns: 8, rows: 8, names: HOUSES, at: RING }, change }, { colorScheme });
    assert.equal(await page.locator(".pit").count(), 9);
    await page.hover('.target[data-name="b2"] .hit');
    assert.equal(await page.locator(".hover > *").count(), 0, "nothing is put into a house");
    await click(page, "b2");
    await waitForTurn(page, 0);
    assert.equal((await pieces(page)).b2, "12");
    assert.equal(await page.getAttribute('.target[data-name="b2"]', "aria-label"), "b2, 12, last move");
    await walk(page, "c1");
    await waitForTurn(page, 1);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

const MARKUP = '<img src=x onerror="document.title=`broken`">';

test("texts of a description stay texts, within bounds", async () => {
  const text = { en: MARKUP.repeat(20), zh: MARKUP };
  const about = { names: text, sides: { first: text, second: text }, how_to_play: text };
  const pieces = { x: { side: "first", path: "M-900-900H900V900H-900Z" }, o: { side: "second", text: MARKUP }, ["__proto__"]: { path: 7 } };
  const board = { cells: "squares", columns: 1e9, rows: -7, names: [MARKUP, "__proto__"], pieces };
  const change = (/** @type {any} */ position) => (position.cells = ["x", "o", MARKUP, "constructor", "\u202e".repeat(5000)]);
  const { page, context, faults } = await described("tic-tac-toe", "", { board, about, change }, { viewport: { width: 390, height: 844 } });
  assert.equal(await page.locator(".target").count(), 40);
  assert.equal(await page.locator("#app img").count(), 0);
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  assert.equal(await wide(), false);
  // The path is larger than the board; its cell clips it.
  assert.equal(await page.locator(".board .figure").evaluate((one) => getComputedStyle(/** @type {Element} */ (one.parentElement)).overflow), "hidden");
  await page.goto(`${service.url}/#`);
  await page.waitForSelector(".cards");
  assert.equal(await wide(), false);
  assert.equal(await page.locator("#app img").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});
