// @ts-check
/** Moves tried in an analysis or a review do not change the game: they are branches, with a way back. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { click } from "./player.js";
import { browser, service } from "./stage.js";
import { waitForPly, storedGames, ready, waitForTurn, violations, visit, withoutEngine } from "./visitor.js";

/** @typedef {import("playwright-core").Page} Page */

/** A parameter of the address. @param {Page} page @param {string} name */
const given = (page, name) => new URLSearchParams(new URL(page.url()).hash.slice(1)).getAll(name);

/** Waits until the address has these branches. @param {Page} page @param {string[]} branches */
const tried = (page, branches) =>
  page.waitForFunction((wanted) => new URLSearchParams(location.hash.slice(1)).getAll("try").join() === wanted, branches.join());

const LINK = "#game=gomoku&moves=h8_h9_i9_g7_i7&human=both&a.limit=simulations&a.amount=300";

test("a try is a branch: the game stays, and one button leads back", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/${LINK}&panel=analyse&at=2`);
  assert.equal(await page.locator(".branches:visible").count(), 0);
  await click(page, "j10");
  await waitForPly(page, 3);
  await click(page, "k11");
  await waitForPly(page, 4);
  await tried(page, ["2_j10_k11"]);
  assert.deepEqual(given(page, "moves"), ["h8_h9_i9_g7_i7"]);
  assert.match((await page.textContent(".status")) ?? "", /^Variation · /);
  // Another try from within it is a branch as well; the moves of a known one, and of the game, are only followed.
  await page.keyboard.press(",");
  await waitForPly(page, 3);
  await click(page, "a1");
  await waitForPly(page, 4);
  await tried(page, ["2_j10_k11", "2_j10_a1"]);
  await page.keyboard.press(",");
  await waitForPly(page, 3);
  await click(page, "k11");
  await page.waitForSelector('.branch[aria-current]:has-text("k11")');
  await tried(page, ["2_j10_k11", "2_j10_a1"]);
  assert.deepEqual(await page.locator(".branch").allTextContents(), ["After 1… h9: j10 k11", "After 1… h9: j10 a1"]);
  assert.deepEqual(await violations(page), []);
  await page.click('button[name="home"]');
  await waitForPly(page, 2);
  await page.waitForSelector('button[name="home"]', { state: "detached" });
  await click(page, "i9");
  await waitForPly(page, 3);
  assert.equal((await page.locator(".branch[aria-current]").count()), 0, "the game's own move is no try");
  // A branch is opened from the list, and a link to it opens it too.
  await page.click('.branch:has-text("a1")');
  await waitForPly(page, 4);
  await page.waitForSelector('.piece[data-at="a1"]');
  const link = page.url();
  const other = await visit(browser, link);
  await waitForPly(other.page, 4);
  await other.page.waitForSelector('.piece[data-at="a1"]');
  assert.equal(await other.page.locator(".branch").count(), 2);
  await other.page.click('button[name="home"]');
  await waitForPly(other.page, 2);
  await other.context.close();
  // Deleting the branch shown leads back to the game.
  await page.click('li:has([aria-current]) button[name="prune"]');
  await tried(page, ["2_j10_k11"]);
  await waitForPly(page, 2);
  // Returning to the play panel from a branch leads to the game's end.
  await page.click(".branch");
  await waitForPly(page, 4);
  await page.click("#tab-play");
  await waitForPly(page, 5);
  assert.equal(await page.locator(".moves li button").count(), 5);
  assert.ok(await page.locator(".branches").isHidden());
  assert.deepEqual(faults, []);
  await context.close();
});

test("a game that is played is not moved on by an analysis, nor is its review lost", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=tic-tac-toe&human=both&r.limit=nodes&r.amount=2000&a.limit=nodes&a.amount=2000`);
  for (const [ply, name] of ["b2", "b1", "a3"].entries()) {
    await click(page, name);
    await waitForTurn(page, ply);
  }
  await page.click("#tab-review");
  await page.click(".start");
  await page.waitForSelector('.run-state[data-state="done"]');
  await click(page, "c1");
  await waitForPly(page, 4);
  await tried(page, ["3_c1"]);
  assert.deepEqual((await storedGames(page)).map(({ moves, branches }) => [moves.length, branches]), [[3, [{ at: 3, moves: ["c1"] }]]], "a closed tab loses no try");
  assert.match((await page.textContent(".run-state")) ?? "", /3 of 3/);
  assert.equal(await page.locator(".graph").count(), 1, "the review is still there");
  await page.click("#tab-play");
  await waitForPly(page, 3);
  await click(page, "c3");
  await waitForTurn(page, 3);
  assert.deepEqual(given(page, "moves"), ["b2_b1_a3_c3"]);
  await page.reload();
  await ready(page);
  await page.click("#tab-analyse");
  assert.deepEqual(await page.locator(".branch").allTextContents(), ["After 2. a3: c1"]);
  // It is kept with the game, too.
  await page.click("#tab-play");
  await page.goto("about:blank");
  await page.goto(`${service.url}/#game=hex`);
  await ready(page);
  await page.click('button[name="games"]');
  await page.click(".stored-games .open");
  await page.waitForSelector(".board.tic-tac-toe");
  await tried(page, ["3_c1"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("an analysis of nobody's game goes on with it", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&panel=analyse&a.limit=simulations&a.amount=300`);
  for (const [ply, name] of ["h8", "h9"].entries()) {
    await click(page, name);
    await waitForPly(page, ply + 1);
  }
  assert.deepEqual([given(page, "moves"), given(page, "try")], [["h8_h9"], []]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a branch is removed without what is shown being searched again, and only once the game can be shown", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/${LINK}&panel=analyse&try=2_j10_k11&try=2_j10_a1&in=1`);
  await page.waitForSelector('.piece[data-at="k11"]');
  await page.waitForSelector('.run-state[data-state="done"]');
  let started = 0;
  page.on("request", (request) => void (started += Number(request.method() === "POST")));
  await page.click('li:not(:has([aria-current])) button[name="prune"]');
  await tried(page, ["2_j10_k11"]);
  assert.equal(await page.getAttribute(".run-state", "data-state"), "done");
  assert.equal(started, 0, "nothing is asked for");
  await withoutEngine(page);
  await page.route("**/v1/positions", (route) => route.abort());
  await page.click('button[name="prune"]');
  await page.waitForSelector('.offline button[name="retry"]');
  assert.equal(await page.locator(".branch[aria-current]").count(), 1);
  await page.unroute("**/v1/positions");
  await page.click('.offline button[name="retry"]');
  await waitForPly(page, 2);
  await tried(page, []);
  assert.deepEqual(faults, []);
  await context.close();
});

test("branches are saved in SGF, beside a game that reads as before", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/${LINK}&try=2_j10_k11&try=2_j10_a1&try=5_c3`);
  await page.click(".transfer summary");
  await page.selectOption('select[name="format"]', "sgf");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click('button[name="save-record"]')]);
  const text = await readFile(await download.path(), "utf8");
  const point = (/** @type {string} */ name) => `${name[0]}${"onmlkjihgfedcba"[Number(name.slice(1)) - 1]}`;
  const moves = (/** @type {string} */ names, /** @type {number} */ ply) => names.split(" ").map((name, index) => `;${"BW"[(ply + index) % 2]}[${point(name)}]`).join("");
  const plain = text.replace(/\s/g, "");
  assert.ok(plain.includes(`${moves("h8 h9", 0)}(${moves("i9 g7 i7", 2)}(;)(${moves("c3", 5)}))(${moves("j10 k11", 2)})(${moves("j10 a1", 2)})`), text);
  const read = await (await fetch(`${service.url}/v1/records`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text }) })).json();
  assert.deepEqual(read.moves.map((/** @type {{ move: string }} */ { move }) => move), ["h8", "h9", "i9", "g7", "i7"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a branch of a link that the rules refuse is told, and the game is there", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/${LINK}&panel=analyse&try=2_h8&in=1`);
  await page.waitForSelector(".notice p");
  assert.match((await page.textContent(".notice")) ?? "", /Illegal move/);
  await waitForPly(page, 5);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a move of the game that waits for the server is played in the game, whatever is tried meanwhile", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=both&a.limit=simulations&a.amount=300`);
  for (const [ply, name] of ["h8", "h9"].entries()) {
    await click(page, name);
    await waitForTurn(page, ply);
  }
  await withoutEngine(page);
  let away = true;
  await page.route("**/v1/positions", (route) => (away && route.request().postDataJSON().moves.includes("i9") ? route.abort() : route.continue()));
  await click(page, "i9");
  await page.waitForSelector('.offline button[name="retry"]');
  await page.click("#tab-analyse");
  away = false;
  await page.click('.offline button[name="retry"]');
  await page.waitForFunction(() => /moves=h8_h9_i9(&|$)/.test(location.hash));
  assert.deepEqual(given(page, "try"), []);
  assert.deepEqual(faults, []);
  await context.close();
});
