// @ts-check
/** Fingers on small boards: a first tap aims, a second one plays, and boards of hexagons stand upright. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { aim, tap } from "./player.js";
import { browser, service } from "./stage.js";
import { waitForPly, ready, targetCentre, waitForTurn, violations, visit } from "./visitor.js";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** What a finger aims at: where the cross is, and whose stone stands there. @param {import("playwright-core").Page} page */
const aimed = (page) =>
  page.evaluate(() => {
    const [row, column] = document.querySelectorAll(".board .aim-cross > line");
    const { x, y } = document.querySelector(".board")?.getBoundingClientRect() ?? { x: 0, y: 0 };
    const stone = document.querySelector(".board .aim-cross > .piece");
    return row && {
      x: Math.round(column.getBoundingClientRect().x - x), y: Math.round(row.getBoundingClientRect().y - y),
      side: stone && (stone.classList.contains("first") ? "first" : "second"), play: document.querySelector(".aim button")?.textContent,
    };
  });

test("the first tap on a small board shows where the move would go; the second, or the button, plays it", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=both`, PHONE);
  await page.waitForSelector(".board.aims");
  const below = (await page.locator(".actions").boundingBox())?.y;
  await aim(page, "k10");
  const first = await aimed(page);
  assert.equal(first?.side, "first");
  assert.equal((await page.locator(".actions").boundingBox())?.y, below, "nothing moves for the button");
  assert.deepEqual(await violations(page), []);
  await aim(page, "d4");
  const second = await aimed(page);
  assert.ok(second && first && second.x < first.x && second.y > first.y);
  assert.equal((await page.locator("#app").getAttribute("data-ply")), "0");
  await page.tap('.target[data-name="d4"]');
  await waitForPly(page, 1);
  assert.equal(await aimed(page), undefined);
  await aim(page, "e5");
  assert.equal((await aimed(page))?.side, "second");
  await page.tap(".aim button");
  await waitForPly(page, 2);
  // A taken point cannot be aimed at; mouse and keyboard play at once.
  const taken = await targetCentre(page, "e5");
  await page.touchscreen.tap(taken.x, taken.y);
  assert.equal(await aimed(page), undefined);
  const { x, y } = await targetCentre(page, "f6");
  await page.mouse.click(x, y);
  await waitForPly(page, 3);
  await page.focus('.target[data-name="g7"]');
  await page.keyboard.press("Enter");
  await waitForPly(page, 4);
  assert.match(page.url(), /moves=d4_e5_f6_g7/);
  // A tried move is aimed at as well, and dropped with the position.
  await page.tap("#tab-analyse");
  await aim(page, "h8");
  await page.tap('[aria-label="Previous move"]');
  await waitForPly(page, 3);
  assert.equal(await aimed(page), undefined);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a sliding finger moves the stone under a lens; beside the board it cancels", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=both`, PHONE);
  await page.waitForSelector(".board.aims");
  const session = await context.newCDPSession(page);
  const touch = (/** @type {string} */ type, /** @type {{ x: number, y: number }[]} */ ...touchPoints) => session.send("Input.dispatchTouchEvent", { type: /** @type {any} */ (type), touchPoints });
  const [from, to] = [await targetCentre(page, "c3"), await targetCentre(page, "h8")];
  await touch("touchStart", from);
  await touch("touchMove", { x: from.x + 20, y: from.y - 20 });
  await touch("touchMove", to);
  await page.waitForFunction(() => document.querySelector(".aim button")?.textContent === "Play h8");
  const lens = await page.locator(".lens").boundingBox();
  assert.ok(lens && lens.y >= 0 && lens.y + lens.height < to.y, "the lens is above the finger");
  assert.ok(await page.locator(".lens .aim-cross .piece.first").count() === 1);
  await touch("touchEnd");
  await page.waitForSelector(".lens", { state: "detached" });
  assert.equal((await aimed(page))?.play, "Play h8");
  await touch("touchStart", to);
  await touch("touchMove", { x: to.x + 20, y: to.y });
  await touch("touchMove", { x: to.x, y: 40 });
  await touch("touchEnd");
  await page.waitForFunction(() => !document.querySelector(".aim button"));
  assert.equal(await page.locator("#app").getAttribute("data-ply"), "0");
  assert.deepEqual(faults, []);
  await context.close();
});

test("readers may always or never confirm a move", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=gomoku&human=both`, PHONE);
  const prefer = async (/** @type {string} */ value) => {
    await page.tap(".preferences > summary");
    await page.selectOption('select[name="confirm"]', value);
    await page.keyboard.press("Escape");
  };
  await page.waitForSelector(".board.aims");
  await prefer("never");
  await page.tap('.target[data-name="h8"]');
  await waitForPly(page, 1);
  await prefer("always");
  await page.goto(`${service.url}/#game=tic-tac-toe&human=both`);
  await page.waitForSelector(".board.tic-tac-toe.aims");
  await tap(page, "b2");
  await waitForPly(page, 1);
  // A piece is chosen at once; its destination is confirmed.
  await page.goto(`${service.url}/#game=xiangqi&human=both`);
  await page.waitForSelector(".board.xiangqi.aims");
  await page.tap('.target[data-name="h2"]');
  await page.waitForSelector('.target.chosen[data-name="h2"]');
  await page.tap('.target[data-name="e2"]');
  await page.waitForFunction(() => document.querySelector(".aim button")?.textContent === "Play h2e2");
  await page.tap('.target[data-name="e2"]');
  await waitForPly(page, 1);
  await context.close();
});

test("Hex stands upright on a phone, with larger cells and the same names, and lies when the phone does", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=hex&human=both&level=1&time=20`, PHONE);
  const cells = () => page.evaluate(() => ["a1", "k1", "a11", "k11", "b1"].map((name) => {
    const { x, y, width, height } = /** @type {Element} */ (document.querySelector(`.target[data-name="${name}"] .hit`)).getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }));
  const [a1, k1, a11, k11, b1] = await cells();
  assert.ok(Math.abs(a1.x - a11.x) < 1 && Math.abs(k1.x - k11.x) < 1 && a1.y < k1.y && a11.y < k11.y && a1.x < k1.x, "its sides are vertical");
  assert.ok(Math.hypot(b1.x - a1.x, b1.y - a1.y) > 30, "cells are as large as a finger needs");
  const texts = await page.evaluate(() => [...document.querySelectorAll(".board .coordinate")].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return { text: one.textContent, x: x + width / 2, y: y + height / 2 };
  }));
  const beside = (/** @type {string} */ text) => texts.filter((one) => one.text === text);
  assert.ok(beside("k").some(({ x }) => Math.abs(x - k1.x) < 2) && beside("11").some(({ y }) => Math.abs(y - a11.y) < 2), "letters stand above columns, numbers beside rows");
  await page.tap('.target[data-name="c5"]');
  await waitForPly(page, 1);
  assert.match(page.url(), /moves=c5/);
  assert.deepEqual(await violations(page), []);
  await page.setViewportSize({ width: 844, height: 390 });
  await page.waitForFunction(() => {
    const [first, last] = ["a1", "k1"].map((name) => document.querySelector(`.target[data-name="${name}"] .hit`)?.getBoundingClientRect().y);
    return first !== undefined && last !== undefined && Math.abs(first - last) < 1;
  });
  await tap(page, "e3");
  await waitForPly(page, 2);
  await page.setViewportSize(PHONE.viewport);
  await page.reload();
  await ready(page);
  assert.deepEqual((await cells())[3], k11, "it stands again");
  await waitForTurn(page, 1);
  assert.deepEqual(faults, []);
  await context.close();
});
