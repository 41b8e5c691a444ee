// @ts-check
/** What is drawn on the board and beside it is true, and can be read. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Service } from "./service.js";
import { launch, turn, visit } from "./visitor.js";

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

/** How light a colour is that the browser computed. @param {string} colour */
const lightness = (colour) => Math.max(...(colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number));

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`the stone that hovers has the colour to be played, ${colorScheme}`, async () => {
    const { page, context } = await visit(browser, `${service.url}/#game=gomoku&v.opening=swap2&human=both`, { colorScheme });
    // Of swap2's first three stones, all of the first player's, the second is white.
    for (const [ply, point] of ["h8", "h9", "i9"].entries()) {
      const hit = `.target[data-name="${point}"] .hit`;
      await page.hover(hit);
      const colour = await page.locator(hit).evaluate((one) => getComputedStyle(one).fill);
      assert.equal(lightness(colour) < 128, ply !== 1, `${point}: ${colour}`);
      await page.click(hit);
      await turn(page, ply);
    }
    const stones = await page.evaluate(() => [...document.querySelectorAll(".piece")].map((one) => one.classList.contains("first")));
    assert.equal(stones.filter(Boolean).length, 2);
    await context.close();
  });
}

/**
 * Has the page find something else in the service's answers to searches: what is found there is the engines' affair.
 * @param {import("playwright-core").Page} page
 * @param {(answer: any) => void} change
 */
async function found(page, change) {
  await page.unrouteAll();
  await page.route("**/v1/searches", async (route) => {
    const response = await route.fetch({ headers: { "content-type": "application/json", accept: "application/json" } });
    const answer = await response.json();
    change(answer);
    await route.fulfill({ contentType: "text/event-stream", body: `id: 1\ndata: ${JSON.stringify(answer)}\n\n` });
  });
}

/**
 * The sides as which a line's ghosts are drawn.
 * @param {string} link
 * @param {string[]} line
 */
async function ghosts(link, line) {
  const { page, context, faults } = await visit(browser, `${service.url}/${link}`);
  await found(page, ({ children }) => Object.assign(children[0], { move: line[0], pv: line }));
  await page.click(".start");
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

/** How many of each kind of box there are. @param {import("playwright-core").Page} page */
const boxes = (page) =>
  page.evaluate(() => Object.fromEntries(["first", "second", "nobody"].map((kind) => [kind, document.querySelectorAll(`.box.${kind}`).length])));

test("boxes and edges belong to whoever drew them; what was there before is nobody's", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=dots-and-boxes&v.columns=2&v.rows=1&moves=h0,0_h1,0_v0,0_h0,1_v0,1&human=both`);
  // The second player's fourth move leaves the box to the first.
  assert.deepEqual(await boxes(page), { first: 1, second: 0, nobody: 0 });
  assert.equal(await page.locator(".edge.first").count(), 3);
  assert.equal(await page.locator(".edge.second").count(), 2);
  await page.click('.target[data-name="h1,1"]');
  await turn(page, 5);
  await page.click('.target[data-name="v0,2"]');
  await turn(page, 6);
  assert.deepEqual(await boxes(page), { first: 1, second: 1, nobody: 0 });
  await page.keyboard.press(",");
  await page.keyboard.press(",");
  await page.waitForFunction(() => document.getElementById("app")?.dataset.ply === "5");
  assert.deepEqual(await boxes(page), { first: 1, second: 0, nobody: 0 });
  const start = encodeURIComponent("1010110 1-0 second");
  const told = await visit(browser, `${service.url}/#game=dots-and-boxes&v.columns=2&v.rows=1&position=${start}&moves=h0,1_h1,1_v0,2&human=both`);
  assert.deepEqual(await boxes(told.page), { first: 0, second: 1, nobody: 1 });
  assert.deepEqual([...faults, ...told.faults], []);
  await told.context.close();
  await context.close();
});

test("discs are turned, and a board is turned round where sides sit opposite each other", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=reversi&moves=f5&human=both`);
  assert.equal(await page.locator(".piece.first").count(), 4);
  assert.equal(await page.locator(".piece.second").count(), 1);
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
  await turn(page, 0);
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
  await turn(page, 0);
  await page.click('.target[data-name="a1"]');
  const { text } = await turn(page, 1);
  assert.match(text, /First player/);
  assert.equal(await page.locator(".piece.first").count(), 1);
  assert.equal(await page.locator(".piece.second").count(), 1);
  await context.close();
});

/** What may be known of a position, as the bar says it. @type {Record<string, object>} */
const FIGURES = {
  100: { win: 1, draw: 0, loss: 0 },
  "≥99": { win: 0.99, draw: 0, loss: 0.01, bound: "lower" },
  W23: { proven: "win", distance: 23 },
  L104: { proven: "loss", distance: 104, win: 0, loss: 1 },
  "-12.5": { score: { value: -12.5, unit: "discs" }, win: 0.1, loss: 0.9 },
  "≥+63.5": { score: { value: 63.5, unit: "discs" }, win: 0.9, loss: 0.1, bound: "lower" },
};

for (const [name, viewport] of Object.entries({ phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } })) {
  test(`the figures of the evaluation bar can be read, ${name}`, async () => {
    const { page, context } = await visit(browser, `${service.url}/#game=reversi${SHORT}`, { viewport });
    for (const [text, known] of Object.entries(FIGURES)) {
      const unknown = { value: 0, win: 1, draw: 0, loss: 0, score: null, bound: "exact", proven: null, distance: null };
      await found(page, ({ root }) => Object.assign(root, unknown, known));
      await page.click(".start");
      await page.waitForFunction((wanted) => document.querySelector(".evaluation-text")?.textContent === wanted, text);
      const outside = await page.evaluate(() => {
        const span = /** @type {HTMLElement} */ (document.querySelector(".evaluation-text"));
        const range = document.createRange();
        range.selectNodeContents(span);
        const inner = range.getBoundingClientRect();
        const outer = /** @type {HTMLElement} */ (span.parentElement).getBoundingClientRect();
        return Math.max(outer.left + 1 - inner.left, inner.right - outer.right + 1, outer.top - inner.top, inner.bottom - outer.bottom);
      });
      assert.ok(outside <= 0, `${text} is cut off by ${outside} pixels`);
      await page.waitForSelector('.run-state[data-state="done"]');
    }
    await context.close();
  });
}
