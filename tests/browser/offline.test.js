// @ts-check
/**
 * A server that becomes unreachable during a game, where the browser cannot take over: the move made stays, and can be sent
 * once the server is back.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { click } from "./player.js";
import { browser, service, restartService } from "./stage.js";
import { waitForPly, holdRequests, storedGames, ready, boardState, waitForTurn, violations, visit, withoutEngine } from "./visitor.js";

const RETRY = '.offline button[name="retry"]';

test("a move made while the server is away is kept, and sent by Retry", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&moves=h8_h9&level=1&time=20`);
  await withoutEngine(page);
  await service.kill();
  await click(page, "i9");
  await page.waitForSelector(RETRY);
  assert.match((await page.textContent(".offline")) ?? "", /cannot be reached.*i9 is saved/);
  assert.equal(await page.locator('.board [data-pending="i9"] .piece.first').count(), 1, "the move is on the board");
  assert.deepEqual(await violations(page), []);
  // The server is still away: nothing is lost, and the focus stays where it is.
  await page.focus(RETRY);
  const refused = page.waitForEvent("requestfailed");
  await page.keyboard.press("Enter");
  await refused;
  await page.waitForFunction((button) => document.activeElement === document.querySelector(button), RETRY);
  assert.equal((await boardState(page)).ply, 2);
  // Viewing another position does not drop it either.
  await page.click('.controls button[aria-label="First position"]');
  await page.waitForSelector(".offline.retrying", { state: "detached" });
  assert.match((await page.textContent(".offline")) ?? "", /i9 is saved/);
  await restartService();
  await page.focus(RETRY);
  await page.keyboard.press("Enter");
  const { ply } = await waitForTurn(page, 3);
  assert.equal(ply, 4, "the move is played, and the engine's reply");
  assert.match(page.url(), /moves=h8_h9_i9_/);
  assert.equal(await page.locator(".offline-card, .notice p").count(), 0);
  assert.equal(await page.locator(".board [data-pending]").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the game goes on by itself once the server is back", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&moves=h8_h9&level=1&time=20&clock=fischer-300-3`);
  await withoutEngine(page);
  await service.kill();
  await click(page, "i9");
  await page.waitForSelector(RETRY);
  await page.focus(RETRY);
  await restartService();
  const { ply } = await waitForTurn(page, 3);
  assert.equal(ply, 4);
  assert.ok(await page.evaluate(() => document.activeElement?.closest(".board") !== null), "the focus is on the board");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a move that waits to be sent can be taken back, and another be made", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=dots-and-boxes&human=both`);
  await withoutEngine(page);
  await service.kill();
  await click(page, "h0,0");
  await page.waitForSelector('.board [data-pending="h0,0"] .edge.first', { state: "attached" });
  await page.click('.offline button[name="take-back"]');
  assert.equal(await page.locator(".board [data-pending], .offline-card, .notice p").count(), 0);
  await click(page, "v1,1");
  await page.waitForSelector('.board [data-pending="v1,1"]', { state: "attached" });
  assert.equal(await page.locator(".board [data-pending]").count(), 1);
  await page.click('button[name="undo"]');
  assert.equal(await page.locator(".board [data-pending], .offline-card, .notice p").count(), 0);
  await restartService();
  await click(page, "h1,1");
  await waitForTurn(page, 0);
  assert.match(page.url(), /moves=h1,1$|moves=h1,1&/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a move that waits survives the page: it is sent when the game is opened again", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=both`);
  await click(page, "h8");
  await waitForTurn(page, 0);
  await withoutEngine(page);
  await service.kill();
  await click(page, "h9");
  await page.waitForSelector('.board [data-pending="h9"]', { state: "attached" });
  // The page is gone before the service is back: it cannot have sent the move itself.
  await page.goto("about:blank");
  await restartService();
  await page.goBack();
  const { ply } = await waitForTurn(page, 1);
  assert.equal(ply, 2);
  assert.match(page.url(), /moves=h8_h9/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a new game leaves the one that waits for the server as it is kept, its move included", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=both`);
  for (const [ply, name] of ["h8", "h9"].entries()) {
    await click(page, name);
    await waitForTurn(page, ply);
  }
  await withoutEngine(page);
  // Only further moves fail; a new game can begin, though not at once.
  /** @type {() => void} */
  let release = () => {};
  const held = new Promise((resolve) => (release = () => resolve(undefined)));
  await page.route("**/v1/positions", async (route) => {
    const { moves } = route.request().postDataJSON();
    if (moves.length > 2) return route.abort();
    if (moves.length === 0) await held;
    await route.continue();
  });
  await click(page, "i9");
  await page.waitForSelector('.board [data-pending="i9"]', { state: "attached" });
  await page.click('button[name="new"]');
  const asked = page.waitForRequest((request) => request.postDataJSON()?.moves?.length === 0);
  await page.click('dialog button[name="confirm"]');
  await asked;
  // A retry does not overtake it.
  await page.click(RETRY);
  release();
  await waitForPly(page, 0);
  assert.equal(await page.locator(".board [data-pending], .offline-card").count(), 0);
  await click(page, "a1");
  await waitForTurn(page, 0);
  assert.deepEqual((await storedGames(page)).map(({ moves, pending }) => [...moves, ...pending].join("_")).sort(), ["a1", "h8_h9_i9"]);
  // Opened from the list, it continues.
  await page.unroute("**/v1/positions");
  await page.click('button[name="games"]');
  await page.click('.stored-games .open:has-text("2 moves")');
  await waitForTurn(page, 2);
  assert.match(page.url(), /moves=h8_h9_i9(&|$)/);
  assert.deepEqual(faults, []);
  await context.close();
});

/** A game of three plies, the first of them from the address, with all its positions loaded. */
async function threePlies() {
  const visitor = await visit(browser, `${service.url}/#game=gomoku&moves=h8&human=both`);
  const { page } = visitor;
  for (const [ply, name] of ["h9", "i9"].entries()) {
    await click(page, name);
    await waitForTurn(page, ply + 1);
  }
  await page.keyboard.press("[");
  await waitForPly(page, 0);
  await page.keyboard.press("]");
  await waitForPly(page, 3);
  await withoutEngine(page);
  return visitor;
}

test("who looks elsewhere while a move waits is left there until it can be played", async () => {
  const { page, context, faults } = await threePlies();
  await service.kill();
  await click(page, "a1");
  await page.waitForSelector(RETRY);
  await page.keyboard.press("[");
  await waitForPly(page, 0);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const refused = page.waitForEvent("requestfailed");
    await page.click(RETRY);
    await refused;
    await page.waitForSelector(".offline.retrying", { state: "detached" });
  }
  assert.equal((await boardState(page)).ply, 0);
  assert.equal(await page.locator(".board [data-pending]").count(), 0, "the move belongs to another position");
  await restartService();
  await waitForPly(page, 4);
  assert.match(page.url(), /moves=h8_h9_i9_a1(&|$)/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a move that waits is played where it was made, whatever is shown when the page is loaded again", async () => {
  const { page, context, faults } = await threePlies();
  const refuse = (/** @type {import("playwright-core").Route} */ route) => route.abort();
  await page.route("**/v1/positions", refuse);
  await page.keyboard.press(",");
  await waitForPly(page, 2);
  await click(page, "a1");
  await page.waitForSelector(RETRY);
  await page.keyboard.press("[");
  await waitForPly(page, 0);
  await page.goto("about:blank");
  await page.unroute("**/v1/positions", refuse);
  // It is also still there if it was not sent.
  const release = await holdRequests(page, "**/v1/positions", (request) => request.postDataJSON().moves.includes("a1"));
  await page.goBack();
  await ready(page);
  assert.equal((await boardState(page)).ply, 0);
  assert.deepEqual((await storedGames(page)).map(({ moves, pending, pendingAt }) => [moves.join("_"), pending.join("_"), pendingAt]), [["h8_h9_i9", "a1", 2]]);
  // A step overtakes it, but does not drop it.
  await page.keyboard.press("]");
  await waitForPly(page, 3);
  release();
  await page.waitForFunction(() => /moves=h8_h9_a1(&|$)/.test(location.hash));
  assert.equal((await boardState(page)).ply, 3);
  assert.deepEqual((await storedGames(page)).map(({ moves, pending }) => [moves.join("_"), pending.length]), [["h8_h9_a1", 0]]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the first move made in a game of a link waits as well, and can be sent from another position", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&moves=h8_h9&human=both`);
  await page.keyboard.press("[");
  await waitForPly(page, 0);
  await page.keyboard.press("]");
  await waitForPly(page, 2);
  await withoutEngine(page);
  const refuse = (/** @type {import("playwright-core").Route} */ route) => route.fulfill({ status: 500, body: "" });
  await page.route("**/v1/positions", refuse);
  await click(page, "i9");
  await page.waitForSelector('.notice button[name="retry"]');
  await page.keyboard.press("[");
  await waitForPly(page, 0);
  assert.match((await page.textContent(".notice")) ?? "", /i9 is saved/);
  assert.deepEqual((await storedGames(page)).map(({ moves, pending }) => [...moves, ...pending].join("_")), ["h8_h9_i9"]);
  await page.unroute("**/v1/positions", refuse);
  await page.click('.notice button[name="retry"]');
  await waitForPly(page, 3);
  assert.match(page.url(), /moves=h8_h9_i9(&|$)/);
  assert.equal(await page.locator(".notice p").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("an engine's move that could not be asked for is asked for once the server is back", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=tic-tac-toe&human=both&moves=b2`);
  await withoutEngine(page);
  await service.kill();
  await page.selectOption('select[name="human"]', "first");
  await page.waitForSelector(RETRY);
  await restartService();
  assert.equal((await waitForTurn(page, 1)).ply, 2);
  assert.equal(await page.locator(".offline-card, .notice p").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});
