// @ts-check
/** A game of thirty plies reviewed: progress, graph, counts, mistakes first, jumping to a move by mouse and by keyboard. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { click } from "./player.js";
import { browser, service } from "./stage.js";
import { waitForPly, violations, visit } from "./visitor.js";

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
  assert.ok(await page.evaluate(() => /** @type {any} */ (window).seen.size > 0), "the progress is told");
  const points = await page.getAttribute(".graph .curve", "d");
  assert.ok((points?.match(/[ML]/g)?.length ?? 0) >= 30, "the graph has every ply");
  const faulty = await page.locator(".plies tbody tr").count();
  assert.equal(await page.locator('.plies tr:is([data-class="inaccuracy"], [data-class="mistake"], [data-class="blunder"])').count(), faulty, "mistakes come first, and alone");
  assert.ok(faulty > 0, "moves chosen without thought are no masterpiece");
  assert.equal(await page.locator(".graph .fault").count(), faulty, "graph and table mark the same moves");
  assert.ok((await page.locator(".plies .why").count()) > 0, "mistakes have reasons");
  for (const why of await page.locator(".plies .why").allTextContents()) assert.match(why, /^It .+\.$/);
  // Each side's counts are labelled, and add up.
  assert.deepEqual(await page.locator(".sums thead th").allTextContents(), ["Accuracy", "Inaccuracies", "Mistakes", "Blunders"]);
  const counts = await page.locator('.sums tbody td:nth-child(n + 3)').allTextContents();
  assert.equal(counts.reduce((sum, text) => sum + Number(text), 0), faulty);
  for (const [side, name] of [["first", "Black"], ["second", "White"]]) {
    await page.selectOption('select[name="whose"]', side);
    const own = await page.locator(`.plies tbody tr.${side}`).count();
    assert.equal(await page.locator(".plies tbody tr").count(), own);
    const counted = await page.locator(`.sums tr[data-side="${side}"] td:nth-child(n + 3)`).allTextContents();
    assert.equal(counted.reduce((sum, text) => sum + Number(text), 0), own, name);
    assert.match((await page.textContent(`.sums tr[data-side="${side}"]`)) ?? "", new RegExp(`^${name}\\d+\\.\\d%`));
  }
  await page.selectOption('select[name="whose"]', "both");
  await page.check('input[name="shown"][value="all"]', { force: true });
  assert.equal(await page.locator(".plies tbody tr").count(), 30);
  // Moves have the numbers of the list of moves, and values the names of their sides.
  assert.deepEqual(await page.locator(".plies tbody th button").evaluateAll((all) => all.slice(0, 2).map((one) => one.textContent?.split(" ")[0])), ["1.", "1…"]);
  assert.equal(await page.locator(".plies tbody tr:nth-child(2) .swatch").getAttribute("title"), "White");
  // In a game for points, values and losses are margins.
  for (const text of await page.locator(".plies tbody td:nth-child(2)").allTextContents()) assert.match(text, /^[+-]?\d+\.\d discs$/);
  for (const text of await page.locator(".plies tbody tr .number").allTextContents()) assert.match(text, /^\d+\.\d$/);
  await page.click(".plies tbody tr:nth-child(12) button");
  await waitForPly(page, 12);
  assert.equal(await page.locator(".plies tr.current").count(), 1, "the review stays as one steps through it");
  await page.click(".graph", { position: { x: 2, y: 20 } });
  await waitForPly(page, 0);
  // The graph is a slider to the keyboard, and its mistakes are buttons that the arrow keys reach.
  const slider = page.locator(".graph-slider");
  await slider.press("ArrowRight");
  await waitForPly(page, 1);
  assert.equal(await slider.getAttribute("aria-valuenow"), "1");
  assert.match((await slider.getAttribute("aria-valuetext")) ?? "", new RegExp(`^After 1\\. ${moves[0]} \\(.+\\): Black [+-]?\\d+\\.\\d discs$`));
  assert.equal(await page.textContent(".graph-text"), await slider.getAttribute("aria-valuetext"), "what is said can be read");
  await slider.press("End");
  await waitForPly(page, 30);
  assert.ok(await slider.evaluate((one) => one === document.activeElement), "the focus stays on the graph");
  await page.keyboard.press("Tab");
  const held = () => page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).dataset.ply ?? "");
  const plies = await page.evaluate(() => [...document.querySelectorAll(".graph .fault")].map((one) => /** @type {HTMLElement} */ (one).dataset.ply ?? ""));
  assert.equal(await held(), plies[0]);
  await page.keyboard.press("End");
  assert.equal(await held(), plies.at(-1));
  await page.keyboard.press("ArrowLeft");
  assert.equal(await held(), plies.at(-2));
  await page.keyboard.press("Enter");
  await waitForPly(page, Number(plies.at(-2)));
  assert.equal(await held(), plies.at(-2), "the focus stays on the mistake");
  assert.match((await page.locator(`.fault[data-ply="${plies[0]}"]`).getAttribute("aria-label")) ?? "", /^\d+[.…] \w+, (Black|White): (inaccuracy|mistake|blunder)$/);
  assert.deepEqual(await violations(page), []);
  // Another game's graph is in its colours alone.
  await page.selectOption('select[name="game"]', "tic-tac-toe");
  await page.waitForSelector(".board.tic-tac-toe");
  await click(page, "b2");
  await waitForPly(page, 1);
  await page.click(".start");
  await page.waitForSelector(".graph-frame.tic-tac-toe");
  assert.equal(await page.getAttribute(".graph-frame", "class"), "graph-frame tic-tac-toe");
  assert.deepEqual(faults, []);
  await context.close();
});
