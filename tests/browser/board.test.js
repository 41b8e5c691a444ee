// @ts-check
/** What is drawn on the board and beside it is correct and legible. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, service } from "./stage.js";
import { waitForPly, changeSearches, waitForTurn, visit } from "./visitor.js";

/** The lightness of a computed colour. @param {string} colour */
const lightness = (colour) => Math.max(...(colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number));

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`the stone that hovers has the colour to be played, ${colorScheme}`, async () => {
    const { page, context } = await visit(browser, `${service.url}/#game=gomoku&v.opening=swap2&human=both`, { colorScheme });
    // Of swap2's first three stones, all of the first player's, the second is white.
    for (const [ply, point] of ["h8", "h9", "i9"].entries()) {
      const hit = `.target[data-name="${point}"] .hit`;
      await page.hover(hit);
      const colour = await page.locator(".hover .stone").evaluate((one) => getComputedStyle(one).fill);
      assert.equal(lightness(colour) < 128, ply !== 1, `${point}: ${colour}`);
      await page.click(hit);
      await waitForTurn(page, ply);
    }
    const stones = await page.evaluate(() => [...document.querySelectorAll(".board .piece")].map((one) => one.classList.contains("first")));
    assert.equal(stones.filter(Boolean).length, 2);
    await context.close();
  });
}

/** Restarts an analysis that has ended. @param {import("playwright-core").Page} page */
const restartAnalysis = (page) => page.click(".start");

/**
 * The sides in whose colours a line's ghosts are drawn.
 * @param {string} link
 * @param {string[]} line
 */
async function ghosts(link, line) {
  const { page, context, faults } = await visit(browser, `${service.url}/${link}`);
  await changeSearches(page, ({ children }) => Object.assign(children[0], { move: line[0], pv: line }));
  await restartAnalysis(page);
  await page.hover(".children tbody tr:first-child .move");
  await page.waitForFunction((count) => document.querySelectorAll(".marks .ghost").length === count, line.filter((move) => /\d/.test(move)).length);
  const sides = await page.evaluate(() => [...document.querySelectorAll(".marks .ghost")].map((one) => (one.classList.contains("first") ? "first" : "second")));
  assert.deepEqual(faults, []);
  await context.close();
  return sides;
}

const SHORT = "&human=both&panel=analyse&a.limit=time_ms&a.amount=50";

test("a line shows who really moves: swap2's stones", async () => {
  const sides = await ghosts(`#game=gomoku&v.opening=swap2&moves=h8_h9_i9${SHORT}`, ["place", "g9", "j10", "white", "h10", "h7"]);
  // White, black, and after the choice white again: five stones lie there.
  assert.deepEqual(sides, ["second", "first", "second", "first"]);
});

test("a line shows who really moves: whoever completes a box moves again", async () => {
  const sides = await ghosts(`#game=dots-and-boxes&v.columns=2&v.rows=2&moves=h0,0_v0,0_h1,0${SHORT}`, ["v0,1", "h2,0", "h0,1", "v0,2", "h1,1"]);
  assert.deepEqual(sides, ["second", "second", "first", "second", "first"]);
});

test("a line shows who really moves: after a pass", async () => {
  const start = encodeURIComponent("XXO------------------------------------------------------------- O");
  const sides = await ghosts(`#game=reversi&position=${start}${SHORT}`, ["pass", "d1"]);
  assert.deepEqual(sides, ["first"]);
});

/** The number of boxes of each kind. @param {import("playwright-core").Page} page */
const boxes = (page) =>
  page.evaluate(() => Object.fromEntries(["first", "second", "nobody"].map((kind) => [kind, document.querySelectorAll(`.box.${kind}`).length])));

test("boxes and edges belong to whoever drew them; what was there before is nobody's", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=dots-and-boxes&v.columns=2&v.rows=1&moves=h0,0_h1,0_v0,0_h0,1_v0,1&human=both`);
  // The second player's fourth move leaves the box to the first.
  assert.deepEqual(await boxes(page), { first: 1, second: 0, nobody: 0 });
  assert.equal(await page.locator(".board .edge.first").count(), 3);
  assert.equal(await page.locator(".board .edge.second").count(), 2);
  await page.click('.target[data-name="h1,1"]');
  await waitForTurn(page, 5);
  await page.click('.target[data-name="v0,2"]');
  await waitForTurn(page, 6);
  assert.deepEqual(await boxes(page), { first: 1, second: 1, nobody: 0 });
  await page.keyboard.press(",");
  await page.keyboard.press(",");
  await waitForPly(page, 5);
  assert.deepEqual(await boxes(page), { first: 1, second: 0, nobody: 0 });
  const start = encodeURIComponent("1010110 1-0 second");
  const setUp = await visit(browser, `${service.url}/#game=dots-and-boxes&v.columns=2&v.rows=1&position=${start}&moves=h0,1_h1,1_v0,2&human=both`);
  assert.deepEqual(await boxes(setUp.page), { first: 0, second: 1, nobody: 1 });
  assert.deepEqual([...faults, ...setUp.faults], []);
  await setUp.context.close();
  await context.close();
});

test("discs are turned, and a board is turned round where sides sit opposite each other", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=reversi&moves=f5&human=both`);
  assert.equal(await page.locator(".board .piece.first").count(), 4);
  assert.equal(await page.locator(".board .piece.second").count(), 1);
  assert.ok(await page.locator('[data-toggle="flipped"]').isHidden());
  await page.selectOption('select[name="game"]', "xiangqi");
  await page.waitForSelector(".board.xiangqi");
  /** Where Red's left chariot stands. */
  const chariot = async () => {
    assert.match((await page.getAttribute('.target[data-name="a0"]', "aria-label")) ?? "", /Red chariot/);
    const box = await page.locator('.target[data-name="a0"] .hit').boundingBox();
    return [Math.round(box?.x ?? 0), Math.round(box?.y ?? 0)];
  };
  const [x, y] = await chariot();
  await page.click('[data-toggle="flipped"]');
  const [turnedX, turnedY] = await chariot();
  assert.ok(turnedX > x && turnedY < y);
  await page.click('.target[data-name="h2"]');
  await page.click('.target[data-name="e2"]');
  await waitForTurn(page, 0);
  assert.match((await page.getAttribute('.target[data-name="e2"]', "aria-label")) ?? "", /Red cannon, last move/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a game without a module is drawn as a grid, and can be played", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=gomoku&human=both`);
  await page.route("**/games/tic-tac-toe.js", (route) => route.abort());
  await page.selectOption('select[name="game"]', "tic-tac-toe");
  await page.waitForFunction(() => document.querySelectorAll(".target").length === 9);
  await page.click('.target[data-name="b2"]');
  await waitForTurn(page, 0);
  await page.click('.target[data-name="a1"]');
  const { text } = await waitForTurn(page, 1);
  assert.equal(text, "X to move", "the service names the sides");
  assert.equal(await page.locator(".board .piece.first").count(), 1);
  assert.equal(await page.locator(".board .piece.second").count(), 1);
  await context.close();
});

test("candidates show values and colours by what they give up; bounds stand in the table only", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=reversi&moves=f5_d6_c3${SHORT}`);
  const value = (/** @type {number} */ share, /** @type {object} */ more) =>
    ({ value: 2 * share - 1, win: share, draw: 0, loss: 1 - share, score: null, proven: null, distance: null, bound: "exact", visits: null, ...more });
  /**
   * The values of the moves, the best first, and how each is shown.
   * @type {[object, grade: string, bubble: string | null, cell: string][]}
   */
  const cases = [
    [value(0.6, { loss_vs_best: 0, depth: 17, nodes: 2_460_000 }), "best", "60", "60.0%"],
    [value(0.5, { loss_vs_best: 0.2, depth: 13, nodes: 1200 }), "fair", "50", "50.0%"],
    [value(0.45, { loss_vs_best: null, bound: "upper", depth: 9, nodes: 80 }), "open", null, "≤45.0%"],
    [value(0, { loss_vs_best: 1.2, bound: "upper", proven: "loss", distance: 8, depth: 8, nodes: 7 }), "bad", "L≤8", "loss in ≤8"],
  ];
  await changeSearches(page, ({ root, children }) => {
    root.visits = null;
    assert.equal(children.length, cases.length);
    children.forEach((/** @type {object} */ child, /** @type {number} */ index) => Object.assign(child, cases[index][0]));
  });
  await restartAnalysis(page);
  await page.waitForSelector('.run-state[data-state="done"]');
  const moves = await page.evaluate(() => [...document.querySelectorAll(".children tbody tr")].map((row) => /** @type {HTMLElement} */ (row).dataset.move));
  for (const [index, [, grade, bubble, cell]] of cases.entries()) {
    const row = page.locator(`.children tr[data-move="${moves[index]}"]`);
    assert.equal(await row.getAttribute("data-grade"), grade);
    assert.equal(await row.locator(".value").textContent(), cell);
    const mark = page.locator(`.marks .mark[data-move="${moves[index]}"]`);
    assert.equal(await mark.count(), bubble === null ? 0 : 1, cell);
    if (bubble === null) continue;
    assert.equal(await mark.locator(".value").textContent(), bubble);
    assert.match((await mark.getAttribute("class")) ?? "", new RegExp(`\\b${grade}\\b`));
  }
  // A search may have only a lower bound for the chosen move: it is marked without a number.
  Object.assign(cases[0][0], { bound: "lower" });
  await restartAnalysis(page);
  await page.waitForFunction(() => document.querySelector(".children tbody tr .value")?.textContent === "≥60.0%");
  assert.equal(await page.locator(".marks .mark.chosen.best").count(), 1);
  assert.equal(await page.locator(".marks .mark.chosen .value").count(), 0);
  assert.equal(await page.locator(".children thead th").nth(2).textContent(), "Depth · nodes");
  assert.equal(await page.locator(".children tbody tr:first-child td.number").first().textContent(), "17 · 2.46M");
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [game, moves] of [["reversi", "f5_d6_c3_d3_c4_f4_f6"], ["xiangqi", "h2e2_h9g7"]]) {
  test(`${game}: an analysis gives most legal moves a value`, async () => {
    const { page, context } = await visit(browser, `${service.url}/#game=${game}&moves=${moves}&human=both&panel=analyse&a.amount=2000`);
    await page.waitForSelector('.run-state[data-state="done"]');
    const values = await page.locator(".children tbody .value").allTextContents();
    assert.ok(values.length >= 4, values.join());
    const bounds = values.filter((text) => /[≤≥–]/.test(text));
    assert.ok(bounds.length * 2 < values.length, `${bounds.length} of ${values.length} are only bounds`);
    for (const text of await page.locator(".marks .value").allTextContents()) assert.match(text, /^[-+]?[\d.]+$/);
    await context.close();
  });
}

/** The numbers on stones, by their places. @param {import("playwright-core").Page} page */
const numbered = (page) =>
  page.evaluate(() => Object.fromEntries([...document.querySelectorAll(".board .number")].map((one) => [/** @type {SVGElement} */ (one).dataset.of, one.querySelector("text")?.textContent])));

/** Waits for numbers on stones. @param {import("playwright-core").Page} page @param {Record<string, string>} wanted */
async function numbers(page, wanted) {
  await page.waitForFunction((count) => document.querySelectorAll(".board .number").length === count, Object.keys(wanted).length);
  assert.deepEqual(await numbered(page), wanted);
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`stones that stay can bear the numbers of their moves, ${colorScheme}`, async () => {
    const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&moves=h8_h9_i9&human=both`, { colorScheme });
    assert.deepEqual(await numbered(page), {});
    assert.equal(await page.locator(".last.dot:visible").count(), 1);
    await page.click(".preferences > summary");
    await page.selectOption('select[name="numbers"]', "all");
    await page.keyboard.press("Escape");
    await numbers(page, { h8: "1", h9: "2", i9: "3" });
    assert.equal(await page.locator(".last.dot:visible").count(), 0, "its number marks the last move");
    const inks = await page.evaluate(() => ["h8", "h9"].map((name) =>
      [`.number[data-of="${name}"] text`, `.piece[data-at="${name}"] .stone`].map((selector) => getComputedStyle(/** @type {Element} */ (document.querySelector(selector))).fill)));
    for (const [ink, stone] of inks) assert.ok(Math.abs(lightness(ink) - lightness(stone)) > 150, `${ink} on ${stone}`);
    for (const panel of ["analyse", "review"]) {
      await page.click(`#tab-${panel}`);
      await page.keyboard.press(",");
      await waitForPly(page, panel === "analyse" ? 2 : 1);
      await numbers(page, panel === "analyse" ? { h8: "1", h9: "2" } : { h8: "1" });
    }
    // A disc that was turned keeps its number, in the ink of its colour; a stone that went elsewhere, and pieces that move,
    // have none.
    await page.goto(`${service.url}/#game=reversi&moves=f5_d6_c3_d3&human=both`);
    await page.waitForSelector(".board.reversi");
    await numbers(page, { f5: "1", d6: "2", c3: "3", d3: "4" });
    await page.goto(`${service.url}/#game=hex&moves=c1_swap_f6&human=both`);
    await page.waitForSelector(".board.hex");
    await numbers(page, { f6: "3" });
    await page.click(".preferences > summary");
    await page.selectOption('select[name="numbers"]', "last");
    await page.goto(`${service.url}/#game=gomoku&moves=h8_h9_i9&human=both`);
    await page.waitForSelector(".board.gomoku");
    await numbers(page, { i9: "3" });
    await page.goto(`${service.url}/#game=xiangqi&moves=h2e2&human=both`);
    await page.waitForSelector(".board.xiangqi .last");
    await numbers(page, {});
    assert.deepEqual(faults, []);
    await context.close();
  });
}
