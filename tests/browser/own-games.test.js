// @ts-check
/** Games from a folder: listed, played against a level to the end, analysed and reviewed, with no more than their files. */

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { click, playOut, walk } from "./player.js";
import { Service } from "./service.js";
import { launch, waitForTurn, violations, visit } from "./visitor.js";

/** @typedef {import("playwright-core").Page} Page */

/** Where tests/games/build puts the example games. */
const FOLDER = process.env.GAMES ?? new URL("../../target/games/", import.meta.url).pathname;
const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => /\.(wasm|js)$/.test(name)) : [];
const options = { skip: files.length === 0 && "no modules (see tests/games/build)" };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** The smallest variant, so that games are short. @type {Record<string, string>} */
const LINKS = { breakthrough: "&v.columns=4&v.rows=5", kalah: "&v.houses=3&v.seeds=3" };

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Service} */
let service;
/** The games of the folder. @type {any[]} */
let games = [];

before(async () => {
  if (options.skip) return;
  [browser, service] = await Promise.all([launch(), Service.start(["--games", FOLDER])]);
  const listed = await (await fetch(`${service.url}/v1/games`)).json();
  games = listed.games.filter((/** @type {any} */ { source }) => source !== "built_in");
});

after(async () => {
  await browser?.close();
  await service?.kill();
});

/** @param {string} game @param {string} more */
const link = (game, more) => `${service.url}/#game=${game}${LINKS[game] ?? ""}${more}`;

for (const [locale, language] of [["en-GB", "en"], ["zh-CN", "zh"]]) {
  test(`every file is a game, with its name and its board on the first page, ${language}`, options, async () => {
    assert.equal(games.length, files.length);
    const { page, context, faults } = await visit(browser, `${service.url}/`, { locale });
    for (const { name, names } of games) {
      const card = page.locator(`.card[data-game="${name}"]`);
      assert.ok((await card.locator("h3").textContent())?.includes(names[language]), name);
      assert.ok((await card.locator(".miniature .piece, .miniature .rule, .miniature.as-text").count()) > 0, name);
    }
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

/** Presses `Start`, and waits for the end. @param {Page} page */
async function run(page) {
  await page.click(".start");
  await page.waitForSelector('.run-state[data-state="done"]');
}

test("a whole game against a level by mouse, analysed and reviewed", options, async () => {
  for (const [seed, { name }] of games.entries()) {
    const { page, context, faults } = await visit(browser, link(name, "&human=first&level=2&time=50"));
    const { ply, text } = await playOut(page, seed, click);
    assert.ok(ply > 2, `${name}: ${text}`);
    await page.click('[data-panel="review"]');
    await run(page);
    assert.match((await page.textContent(".run-state")) ?? "", new RegExp(`${ply} of ${ply}`), name);
    await page.click('button[title="First position"]');
    await page.click('[data-panel="analyse"]');
    await page.click(".engine-settings summary");
    await page.selectOption('select[name="limit"]', "simulations");
    await page.waitForSelector('.run-state[data-state="done"]');
    assert.ok((await page.locator(".children tbody tr").count()) > 1, name);
    const onBoard = games[seed].start.legal.some((/** @type {any} */ { to }) => to !== null);
    assert.equal((await page.locator(".marks .mark").count()) > 0, onBoard, `${name}: candidates on the board`);
    assert.deepEqual(await violations(page), [], name);
    assert.deepEqual(faults, [], name);
    await context.close();
  }
});

test("the second side on a phone, in the dark, by keyboard", options, async () => {
  for (const [seed, { name }] of games.entries()) {
    const { page, context, faults } = await visit(browser, link(name, "&human=second&level=2&time=50"), { ...PHONE, colorScheme: "dark" });
    await waitForTurn(page, 0);
    await playOut(page, seed, walk);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth), false, `${name} is as wide as the phone`);
    assert.deepEqual(await violations(page), [], name);
    assert.deepEqual(faults, [], name);
    await context.close();
  }
});
