// @ts-check
/** A game of thirty plies reviewed: progress, graph, mistakes, jumping to a move. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Service } from "./service.js";
import { launch, violations, visit } from "./visitor.js";

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

/** Thirty legal moves, not good ones. */
async function thirtyMoves() {
  /** @type {string[]} */
  const moves = [];
  while (moves.length < 30) {
    const response = await fetch(`${service.url}/v1/positions`, { method: "POST", body: JSON.stringify({ game: "reversi", moves }) });
    const { legal_moves: legal } = await response.json();
    moves.push(legal[(moves.length * 7) % legal.length]);
  }
  return moves;
}

test("a game of thirty plies is reviewed", async () => {
  const moves = await thirtyMoves();
  const link = `#game=reversi&moves=${moves.join("_")}&panel=review&r.limit=nodes&r.amount=2000`;
  const { page, context, faults } = await visit(browser, `${service.url}/${link}`);
  await page.evaluate(() => {
    const bar = /** @type {HTMLProgressElement} */ (document.querySelector(".panel progress"));
    const seen = new Set();
    Object.assign(window, { seen });
    new MutationObserver(() => seen.add(bar.value)).observe(bar, { attributes: true });
  });
  await page.click(".start");
  await page.waitForSelector('.run-state[data-state="done"]');
  assert.match((await page.textContent(".run-state")) ?? "", /30 of 30/);
  assert.equal(await page.locator(".plies tbody tr").count(), 30);
  assert.ok(await page.evaluate(() => /** @type {any} */ (window).seen.size > 0), "the progress is told");
  const points = await page.getAttribute(".graph .curve", "d");
  assert.ok((points?.match(/[ML]/g)?.length ?? 0) >= 30, "the graph has every ply");
  const faulty = await page.locator('.plies tr:is([data-class="inaccuracy"], [data-class="mistake"], [data-class="blunder"])').count();
  assert.ok(faulty > 0, "moves chosen without thought are no masterpiece");
  assert.equal(await page.locator(".graph .fault").count(), faulty, "graph and table mark the same moves");
  await page.check('input[name="faults"]');
  assert.equal(await page.locator(".plies tbody tr").count(), faulty);
  await page.uncheck('input[name="faults"]');
  await page.click(".plies tbody tr:nth-child(12) button");
  await page.waitForFunction(() => document.getElementById("app")?.dataset.ply === "12");
  assert.equal(await page.locator(".plies tr.current").count(), 1, "the review stays as one steps through it");
  await page.click(".graph", { position: { x: 2, y: 20 } });
  await page.waitForFunction(() => document.getElementById("app")?.dataset.ply === "0");
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await context.close();
});
