// @ts-check
/** Whole games against the engine, by mouse and by keyboard alone, for every game. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { click, GAMES, playOut, SETTINGS, walk } from "./player.js";
import { browser, service } from "./stage.js";
import { waitForPly, choices, ready, boardState, waitForTurn, visit } from "./visitor.js";

/**
 * Plays to the end.
 * @param {string} link
 * @param {number} seed
 * @param {import("./player.js").Choose} choose
 */
async function game(link, seed, choose) {
  const { page, context, faults } = await visit(browser, `${service.url}/${link}${SETTINGS}`);
  const state = await playOut(page, seed, choose);
  assert.match(state.text, /wins|Draw/);
  const moves = await page.locator(".moves li button").count();
  assert.equal(moves, state.ply, "every move is listed");
  assert.deepEqual(faults, []);
  await context.close();
}

let seed = 0;
for (const [name, link] of Object.entries(GAMES)) {
  seed += 1;
  const own = seed;
  test(`${name}: a whole game by mouse`, () => game(link, own, click));
  test(`${name}: a whole game by keyboard`, () => game(link, own + 100, walk));
}

test("undo, resign, new game, the engine first", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=second${SETTINGS}`);
  let state = await waitForTurn(page, 0);
  assert.equal(state.ply, 1, "the engine has begun");
  const { targets } = await choices(page);
  await click(page, targets[0]);
  state = await waitForTurn(page, 1);
  assert.equal(state.ply, 3);
  await page.click('button[name="undo"]');
  await waitForPly(page, 1);
  assert.ok(await page.isDisabled('button[name="undo"]'), "there is nothing of the reader's to be taken back");
  // Resigning asks first.
  await page.click('button[name="resign"]');
  await page.click('dialog button[name="cancel"]');
  assert.equal((await boardState(page)).over, false);
  await page.click('button[name="resign"]');
  await page.click('dialog button[name="confirm"]');
  await page.waitForFunction(() => document.getElementById("app")?.dataset.over === "true");
  assert.match((await boardState(page)).text, /White resigned.*Black wins/);
  await page.reload();
  await ready(page);
  assert.match((await boardState(page)).text, /White resigned.*Black wins/, "a game resigned stays so");
  assert.equal((await choices(page)).targets.length, 0);
  assert.ok(await page.isDisabled('button[name="resign"]'));
  await page.click('button[name="new"]');
  // The engine begins the next game; until then the resigned one is still shown, and over.
  await page.waitForFunction(() => {
    const { ply, over } = /** @type {HTMLElement} */ (document.getElementById("app")).dataset;
    return ply === "1" && over === "false" && /** @type {HTMLElement} */ (document.querySelector(".status")).dataset.kind === "turn";
  });
  // A hint is shown even if its reasons cannot be loaded.
  await page.route("**/reasons.js", (route) => route.abort());
  await page.click('button[name="hint"]');
  await page.waitForSelector(".marks .mark");
  assert.deepEqual(faults, []);
  await context.close();
});
