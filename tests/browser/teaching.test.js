// @ts-check
/** Teach me, My strength, and the level that a review estimates. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { range } from "../../web/panels/level-estimate.js";
import { updatedLevel } from "../../web/play/strength.js";
import { browser, gameNames, service } from "./stage.js";
import { waitForPly, ready, boardState, waitForTurn, violations, visit } from "./visitor.js";

const CARD = ".remark:not([hidden])";
/** Red wins in column 4; else the engine can in column 1. */
const WINS = "#game=connect-four&level=1&moves=4_1_4_1_4_1";
/** @param {string} column */
const column = (column) => `.target[data-name="${column}1"]`;

/** A visitor with "Teach me" on. @param {string} hash @param {import("playwright-core").BrowserContextOptions} [options] */
async function learn(hash, options) {
  const visitor = await visit(browser, `${service.url}/${hash}`, options);
  await visitor.page.check('input[name="teach"]');
  return visitor;
}

test("a missed win is named before the engine answers: shown, taken back, played on", async () => {
  const { page, context, faults } = await learn(`${WINS}&clock=fischer-300-0`);
  await page.click(column("g"));
  await page.waitForSelector(CARD);
  assert.match(await page.innerText(CARD), /7: blunder\. It misses a win within 1 ply\..* Take it back\?/s);
  assert.equal((await boardState(page)).ply, 7, "the engine waits");
  assert.equal(await page.isDisabled('button[name="hint"]'), true);
  await page.clock.install();
  await page.clock.fastForward(60_000);
  for (const clock of await page.locator(".clock").allTextContents()) assert.match(clock, /5:00|4:5\d/, "clocks stand still");
  assert.deepEqual(await violations(page), []);
  // Leaving the panel does not answer it.
  await page.click("#tab-analyse");
  assert.equal(await page.locator(CARD).count(), 0);
  await page.click("#tab-play");
  await page.click(`${CARD} [name="show"]`);
  await waitForPly(page, 6);
  assert.equal(await page.locator('.marks .mark.best[data-move="4"]').count(), 1);
  assert.match(await page.innerText(CARD), /within 1 ply: 4\..* Better is 4\./);
  await page.click(`${CARD} [name="take-back"]`);
  await page.waitForFunction(() => !location.hash.includes("1_7&"));
  assert.equal(await page.locator(CARD).count(), 0);
  await page.click(column("g"));
  await page.click(`${CARD} [name="play-on"]`);
  assert.ok((await waitForTurn(page, 7)).ply >= 8);
  assert.equal(await page.locator(CARD).count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a grade that is refused holds nothing up; nobody is taught among friends", async () => {
  const { page, context, faults } = await learn("#game=connect-four&level=1");
  await page.route("**/v1/searches", (route) => (route.request().postDataJSON().grade
    ? route.fulfill({ status: 422, contentType: "application/problem+json", body: JSON.stringify({ code: "invalid_request", title: "Invalid", status: 422, detail: "", errors: [] }) })
    : route.continue()));
  await page.click(column("g"));
  assert.ok((await waitForTurn(page, 1)).ply === 2);
  await page.unrouteAll();
  await page.selectOption('select[name="human"]', "both");
  await page.locator(".target.open").first().click();
  await waitForPly(page, 3);
  assert.equal(await page.locator(CARD).count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("an only move is praised, a mere block is not", async () => {
  const { page, context, faults } = await learn("#game=connect-four&level=1&moves=5_2_2_6_4_5");
  await page.click('.target[data-name="f2"]');
  assert.match(await page.innerText(".praise:not(:empty)"), /only 6 keeps the result/);
  await waitForTurn(page, 7);
  assert.equal(await page.locator(".praise:not(:empty)").count(), 1, "it stays while the game goes on");
  await page.goto(`${service.url}/#game=connect-four&level=1&moves=7_4_1_4_7_4`);
  await waitForPly(page, 6);
  assert.equal(await page.locator(".praise:not(:empty)").count(), 0);
  await page.click('.target[data-name="d4"]');
  await waitForTurn(page, 7);
  assert.equal(await page.locator(".praise:not(:empty)").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("results move the estimate as Elo does, by one level at most", () => {
  const steps = Array.from({ length: 9 }, () => 200);
  assert.equal(updatedLevel(5, 0, 5, 1, steps, 1), 6);
  assert.equal(updatedLevel(5, 0, 5, 0, steps, 0.5), 4.5);
  assert.equal(updatedLevel(5, 3, 5, 0.5, steps, 1), 5);
  assert.ok(updatedLevel(5, 9, 4, 1, steps, 1) < 5.13, "an expected win moves little");
  assert.ok(updatedLevel(5, 9, 6, 1, steps, 1) > 5.35);
  assert.equal(updatedLevel(10, 0, 10, 1, steps, 1), 10);
  assert.equal(updatedLevel(1, 0, 1, 0, steps, 1), 1);
  assert.equal(updatedLevel(3, 0, 3, 1, [200, 200, 7, 7, 7, 7, 7, 7, 7], 1), 4, "where levels are hardly apart");
});

test("My strength: the level follows the results, of games that count", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=connect-four&level=3`);
  const estimate = () => page.evaluate(() => localStorage.getItem("strength:connect-four"));
  await page.selectOption('select[name="level"]', "auto");
  await page.waitForSelector(".strength small");
  assert.match(await page.innerText(".strength"), /Level 3, until your first result/);
  assert.match(page.url(), /level=3(&|$)/, "a link holds the level itself");
  await page.click(column("d"));
  await waitForTurn(page, 1);
  await page.click('button[name="resign"]');
  await page.click("dialog .primary");
  await page.waitForSelector('.strength [name="reset-strength"]');
  assert.match(await page.innerText(".strength"), /Level 3, by your results in 1 game\. Next game: level 2\./);
  assert.equal(await estimate(), "2.000 1");
  await page.click('.end-card [name="rematch"]');
  await page.waitForFunction(() => location.hash.includes("level=2"));
  await waitForTurn(page, 0);
  // A reload keeps the automatic level; games with a hint or a move taken back count half.
  await page.reload();
  await ready(page);
  assert.equal(await page.inputValue('select[name="level"]'), "auto");
  assert.match(await page.innerText(".strip.first"), /level 2/);
  await page.click(column("d"));
  await waitForTurn(page, 2);
  await page.click('button[name="undo"]');
  await page.reload();
  await ready(page);
  await page.click('button[name="resign"]');
  await page.click("dialog .primary");
  await page.waitForFunction(() => localStorage.getItem("strength:connect-four")?.endsWith(" 2"));
  assert.ok(Number((await estimate())?.split(" ")[0]) > 1);
  // A game that is replayed, or came from a link, does not count.
  await page.goto(`${service.url}/#game=connect-four&level=2&moves=4_1_4_6_4_1&human=first`);
  await page.click(column("d"));
  await page.waitForSelector('.end-card[data-result="won"]');
  assert.match((await estimate()) ?? "", / 2$/);
  await page.goto(`${service.url}/#game=connect-four&level=auto`);
  await page.waitForSelector('[name="reset-strength"]');
  assert.deepEqual(await violations(page), []);
  await page.click('[name="reset-strength"]');
  assert.equal(await estimate(), null);
  assert.deepEqual(faults, []);
  await context.close();
});

test("levels are as far apart as measured, and their losses fall", async () => {
  const rows = readFileSync(new URL("../../docs/measurements/levels.jsonl", import.meta.url), "utf8").trim().split("\n").map((row) => JSON.parse(row));
  const names = await gameNames();
  for (const game of names) {
    const { levels, words } = (await import(`../../web/games/${game}.js`)).default;
    const measured = rows.filter(({ status, topic, change, against }) =>
      status === "current" && topic.toLowerCase().replaceAll(/\W/g, "-") === game && /^level/.test(change) && /^level/.test(against));
    assert.ok(words);
    assert.deepEqual(levels.eloSteps, measured.map(({ result }) => Number.parseInt(result)), game);
    const losses = levels.losses ?? [];
    assert.ok(losses.every((/** @type {number} */ loss, /** @type {number} */ index) => index === 0 || loss <= losses[index - 1]), game);
  }
  assert.ok(names.length >= 7);
});

test("the mean loss of a side's moves lies within a range of levels", () => {
  const losses = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1];
  const even = (/** @type {number} */ loss) => Array.from({ length: 10 }, () => loss);
  assert.deepEqual(range(even(0.5), losses), [5, 5]);
  assert.deepEqual(range(even(0.45), losses), [5, 6]);
  assert.deepEqual(range(even(1.5), losses), [1, 1]);
  assert.deepEqual(range(even(0), losses), [9, 10]);
  // Of ten moves, three give away everything: 0.6 with an error of 0.31.
  assert.deepEqual(range([2, 2, 2, ...Array.from({ length: 7 }, () => 0)], losses), [1, 7]);
  assert.equal(range([2, 0, 0, 0, 0, 0, 0, 2, 0, 1], [0.75, 0.7, 0.65, 0.6, 0.5, 0.45, 0.4, 0.35, 0.3]), null);
});

test("a review estimates the level of each side, from eight moves on", async () => {
  const moves = "4_2_3_4_2_4_5_6_3_6_5_4_4_5_7_1_3_3_3_5_4_6_6_6_5_2_2_2_6_2_3_5_1_1_1_1_1_7_7";
  const { page, context, faults } = await visit(browser, `${service.url}/#game=connect-four&panel=review&r.amount=20&moves=${moves}`);
  await page.click(".start");
  await page.waitForSelector(".played p");
  const [own, other, ...more] = await page.locator(".played p").allTextContents();
  assert.match(own, /^You played at about level \d+( to \d+)?\.$/);
  assert.match(other, /^Yellow played at about level \d+( to \d+)?\.$/);
  assert.equal(more.length, 0);
  assert.deepEqual(await violations(page), []);
  await page.goto(`${service.url}/#game=connect-four&panel=review&r.amount=20&moves=${moves.split("_").slice(0, 14).join("_")}`);
  await waitForPly(page, 14);
  await page.click(".start");
  await page.waitForSelector(".plies tr, .flawless");
  await page.waitForSelector('.run-state[data-state="done"]');
  assert.equal(await page.locator(".played p").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});
