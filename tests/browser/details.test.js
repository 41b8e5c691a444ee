// @ts-check
/** Smaller problems that readers ran into. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, service } from "./stage.js";
import { waitForPly, ready, violations, visit } from "./visitor.js";

test("one bad move in a link: the moves before it are there, and it is named in words", async () => {
  for (const [locale, words] of /** @type {[string, RegExp][]} */ ([["en-GB", /Move 3 of the link, h8, is illegal/], ["zh-CN", /链接中的第 3 手 h8 不合规则/]])) {
    const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&moves=h8_h9_h8_i9&level=1&time=20`, { locale });
    await waitForPly(page, 2);
    assert.match((await page.textContent(".notice")) ?? "", words);
    assert.match(page.url(), /moves=h8_h9(&|$)/);
    assert.deepEqual(await violations(page), []);
    // The next move clears it.
    await page.click('.target[data-name="i9"]');
    await page.waitForFunction(() => document.querySelector(".notice")?.childElementCount === 0);
    assert.deepEqual(faults, []);
    await context.close();
  }
});

test("a link with a bad first move opens the start position and names the word", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=xiangqi&moves=nonsense_h2e2&human=both&panel=analyse`);
  await waitForPly(page, 0);
  assert.match((await page.textContent(".notice")) ?? "", /Move 1 of the link, nonsense, is illegal/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("refusals and rules are Chinese on a Chinese page", async () => {
  const link = `${service.url}/#game=gomoku&moves=h8_h8&human=both`;
  const { page, context, faults } = await visit(browser, link, { locale: "zh-CN" });
  assert.equal(await page.textContent(".notice"), "链接中的第 2 手 h8 不合规则，只载入了之前的着法。");
  assert.equal(await page.locator('.rules[lang="en"]').count(), 0);
  await page.click("#tab-setup");
  await page.waitForSelector('.setup .rules:has-text("为黑")');
  assert.deepEqual(faults, []);
  await context.close();
});

test("what the engine is to answer in a cut link does not take the word away", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&moves=h8_h8&level=10&time=10000`);
  await page.waitForSelector(".strip .thinking-indicator");
  assert.match((await page.textContent(".notice")) ?? "", /Move 2 of the link, h8, is illegal/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("popovers close by Esc, which gives the focus back, and by a click elsewhere", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=reversi&human=both`);
  for (const name of ["preferences", "variants"]) {
    await page.click(`.${name} > summary`);
    await page.focus(`.${name} select`);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".popover[open]").count(), 0);
    assert.ok(await page.evaluate((one) => document.activeElement?.parentElement?.classList.contains(one), name));
    await page.click(`.${name} > summary`);
    await page.click(`.${name} .popup`, { position: { x: 4, y: 4 } });
    assert.equal(await page.locator(".popover[open]").count(), 1);
    await page.click(".status");
    assert.equal(await page.locator(".popover[open]").count(), 0);
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test("the result appears once, in words", async () => {
  const cases = /** @type {[string, string][]} */ ([
    ["#game=tic-tac-toe&moves=a1_b1_a2_b2_a3&human=first", "You win: a complete line"],
    ["#game=tic-tac-toe&moves=a1_b1_a2_b2_a3&human=both", "X wins: a complete line"],
    ["#game=gomoku&moves=h8_h9&resigned=second&human=first", "You win: White resigned"],
    ["#game=tic-tac-toe&moves=a1_b1_a2_b2_a3&human=second", "You lose: a complete line"],
  ]);
  for (const [link, words] of cases) {
    const { page, context, faults } = await visit(browser, `${service.url}/${link}`);
    await page.waitForSelector(".end-card h2");
    assert.equal(await page.textContent(".end-card h2"), words);
    assert.ok(await page.locator(".status").isHidden());
    await page.click("#tab-analyse");
    assert.ok(await page.locator(".status").isVisible());
    assert.deepEqual(faults, []);
    await context.close();
  }
});

test("the players' signs are pieces of each game", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=tic-tac-toe&human=both`);
  assert.equal(await page.locator('.strip[data-side="first"] .piece-icon .cross').count(), 1);
  assert.equal(await page.locator('.strip[data-side="second"] .piece-icon .ring').count(), 1);
  for (const [game, piece] of Object.entries({ gomoku: ".stone", xiangqi: ".glyph", "connect-four": ".disc", "dots-and-boxes": ".edge", hex: ".stone" })) {
    await page.selectOption('select[name="game"]', game);
    await page.waitForSelector(`.board.${game}`);
    assert.equal(await page.locator(`.strip .piece-icon ${piece}`).count(), 2, game);
  }
  await context.close();
});

test("Connect Four's cells are read out by their columns", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=connect-four&moves=4_4&human=both`);
  assert.equal(await page.getAttribute('.target[data-name="d2"]', "aria-label"), "column 4, row 2, Yellow, last move");
  const chinese = await visit(browser, `${service.url}/#game=connect-four&human=both`, { locale: "zh-CN" });
  assert.equal(await chinese.page.getAttribute('.target[data-name="d2"]', "aria-label"), "第 4 列第 2 行, 空");
  await chinese.context.close();
  await context.close();
});

test("Xiangqi in Chinese begins with its own notation, and numbers of the files", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=xiangqi&moves=h2e2&human=both`, { locale: "zh-CN" });
  await page.waitForFunction(() => document.querySelector(".moves li button")?.textContent === "炮二平五");
  const rows = () => page.evaluate(() => {
    const texts = [...document.querySelectorAll(".board .coordinate")].map((one) => ({ text: one.textContent, x: Number(one.getAttribute("x")), y: Number(one.getAttribute("y")) }));
    return [Math.min, Math.max].map((pick) => texts.filter(({ y }) => y === pick(...texts.map((one) => one.y))).sort((a, b) => a.x - b.x).map(({ text }) => text).join(""));
  });
  assert.deepEqual(await rows(), ["123456789", "九八七六五四三二一"]);
  await page.click('[data-toggle="flipped"]');
  assert.deepEqual(await rows(), ["一二三四五六七八九", "987654321"]);
  await page.click(".preferences summary");
  await page.selectOption('select[name="notation"]', "coordinates");
  assert.equal(await page.textContent(".moves li button"), "h2e2");
  await page.reload();
  await ready(page);
  assert.equal(await page.textContent(".moves li button"), "h2e2", "another choice is kept");
  assert.ok((await page.locator('.coordinate:text-is("a")').count()) > 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the clock of a fallen flag stays at zero", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=gomoku&moves=h8_h9_i9&timeout=second&human=both&clock=fischer-60-5`);
  assert.equal(await page.textContent('.strip[data-side="second"] .clock'), "0:00.0");
  assert.match((await page.textContent('.strip[data-side="first"] .clock')) ?? "", /^1:/);
  await context.close();
});

test("without moves a review offers nothing to start", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=hex&human=both&panel=review`);
  assert.match((await page.textContent(".review .empty")) ?? "", /No moves to review yet/);
  assert.ok(await page.locator(".start").isHidden());
  await page.click("#tab-play");
  await page.click('.target[data-name="f6"]');
  await waitForPly(page, 1);
  await page.click("#tab-review");
  assert.ok(await page.locator(".start").isVisible());
  await context.close();
});

test("rings round the stones that won do not overlap", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=connect-four&moves=1_2_1_2_1_2_1&human=both`);
  const rings = await page.evaluate(() => [...document.querySelectorAll(".board .halo")].map((one) => {
    const { x, y, width } = one.getBoundingClientRect();
    return { x: x + width / 2, y: y + width / 2, outer: width / 2 + (Number.parseFloat(getComputedStyle(one).strokeWidth) / 2) * (width / (2 * Number(one.getAttribute("r")))) };
  }));
  assert.equal(rings.length, 4);
  for (const [index, one] of rings.entries()) for (const other of rings.slice(index + 1)) {
    assert.ok(Math.hypot(one.x - other.x, one.y - other.y) >= one.outer + other.outer - 0.5);
  }
  await context.close();
});
