// @ts-check
/** Every view: languages, screens, light and dark, without serious accessibility violations; links; size. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { click } from "./player.js";
import { browser, gameNames, service } from "./stage.js";
import { waitForPly, ready, boardState, waitForTurn, violations, visit } from "./visitor.js";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1440, height: 900 } };
/** The games that the service lists. */
const games = await gameNames();
assert.ok(games.length > 5, games.join());

/** @param {import("playwright-core").Page} page */
async function fits(page) {
  const { wide, high } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    high: /** @type {SVGElement} */ ([...document.querySelectorAll(".stage .board")].find((one) => one.checkVisibility())).getBoundingClientRect().height,
  }));
  assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
  assert.ok(high > 150, `the board is ${high} pixels high`);
}

for (const [name, screen] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    test(`every panel and game on a ${name}, ${colorScheme}`, async () => {
      const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&moves=h8_h9&human=both`, { ...screen, colorScheme });
      for (const panel of ["analyse", "tree", "review", "setup", "play"]) {
        await page.click(`#tab-${panel}`);
        await page.waitForSelector(`#tab-${panel}[aria-selected="true"]`);
        await fits(page);
        assert.deepEqual(await violations(page), [], panel);
      }
      for (const game of games) {
        await page.selectOption('select[name="game"]', game);
        await page.waitForSelector(`.board.${game}`);
        await fits(page);
        // Half of the screens light, half dark: that covers every colour and every layout.
        if ((name === "phone") === (colorScheme === "light")) assert.deepEqual(await violations(page), [], game);
      }
      const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g)?.map(Number) ?? []);
      assert.equal(dark[0] < 128, colorScheme === "dark");
      assert.deepEqual(faults, []);
      await context.close();
    });
  }
}

test("an analysis and the dialogs have no serious violations either", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=connect-four&moves=4_4&panel=analyse&a.limit=simulations&a.amount=2000`);
  await page.waitForSelector('.run-state[data-state="done"]');
  assert.deepEqual(await violations(page), []);
  await page.click("#tab-play");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Escape");
  await page.click(".preferences summary");
  await page.waitForSelector(".preferences .popup select");
  assert.deepEqual(await violations(page), []);
  await context.close();
});

test("both languages, as the browser wishes and as the reader chooses", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=xiangqi&human=both`, { locale: "zh-CN" });
  assert.equal(await page.getAttribute("html", "lang"), "zh-Hans");
  assert.match((await page.textContent("#tab-analyse")) ?? "", /分析/);
  assert.match((await boardState(page)).text, /红方/);
  await page.click(".preferences summary");
  await page.selectOption('select[name="notation"]', "chinese");
  await page.click('.target[data-name="h2"]');
  await page.click('.target[data-name="e2"]');
  await waitForTurn(page, 0);
  await page.waitForFunction(() => document.querySelector(".moves li button")?.textContent === "炮二平五");
  await page.click(".preferences summary");
  await page.selectOption('select[name="language"]', "en");
  await page.waitForSelector('html[lang="en"]', { state: "attached" });
  assert.match((await boardState(page)).text, /Black to move/);
  await page.reload();
  await ready(page);
  assert.equal(await page.getAttribute("html", "lang"), "en", "the choice is kept");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a page that is built anew leaves no listeners behind", async () => {
  const { page, context } = await visit(browser, service.url);
  await page.evaluate(() => {
    const counted = /** @type {any} */ (window);
    counted.listeners = 0;
    const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
    const ofRecord = (/** @type {EventTarget} */ one) => one.constructor.name === "Record";
    EventTarget.prototype.addEventListener = function (...all) {
      if (ofRecord(this)) counted.listeners += 1;
      return add.apply(this, all);
    };
    EventTarget.prototype.removeEventListener = function (...all) {
      if (ofRecord(this)) counted.listeners -= 1;
      return remove.apply(this, all);
    };
  });
  await page.evaluate(() => (location.hash = "#game=xiangqi&human=both"));
  await page.waitForSelector(".board.xiangqi");
  const first = await page.evaluate(() => /** @type {any} */ (window).listeners);
  assert.ok(first > 0);
  for (const glyphs of ["letters", "characters", "letters"]) {
    await page.click(".preferences summary");
    await page.selectOption('select[name="glyphs"]', glyphs);
  }
  await click(page, "h2");
  await click(page, "e2");
  await waitForTurn(page, 0);
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).listeners), first);
  await context.close();
});

test("a link restores everything", async () => {
  const link = "#game=gomoku&variant=renju&v.size=13&moves=g7_g8_h8_h7&at=3&panel=analyse&human=second&level=4&time=200" +
    "&a.engine=mcts&a.limit=simulations&a.amount=1234&a.memory=64&a.threads=2&a.o.exploration=0.7&a.o.final_move=secure&t.depth=2&t.visits=5&r.amount=77";
  const { page, context } = await visit(browser, `${service.url}/${link}`);
  const look = () => page.evaluate(() => ({
    hash: Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
    stones: document.querySelectorAll(".board .piece").length,
    ply: document.getElementById("app")?.dataset.ply,
    values: [...document.querySelectorAll(".panel :is(input, select)")].map((one) => [/** @type {HTMLInputElement} */ (one).name, /** @type {HTMLInputElement} */ (one).value]),
  }));
  const first = await look();
  for (const [name, value] of new URLSearchParams(link.slice(1))) assert.equal(first.hash[name], value, name);
  assert.equal(first.stones, 3);
  assert.equal(first.ply, "3");
  const values = Object.fromEntries(first.values);
  assert.deepEqual([values.engine, values.limit, values.amount, values.threads, values.memory, values.exploration, values.final_move],
    ["mcts", "simulations", "1234", "2", "64", "0.7", "secure"]);
  const again = await visit(browser, page.url());
  const second = await again.page.evaluate(() => location.hash);
  assert.equal(second, await page.evaluate(() => location.hash));
  assert.equal(await again.page.locator(".board .piece").count(), 3);
  await again.context.close();
  await context.close();
});

test("games and positions are copied and pasted", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=reversi&human=both`, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.click(".transfer summary");
  const load = async (/** @type {string} */ text) => {
    await page.fill('textarea[name="paste"]', text);
    await page.click('button[name="load"]');
  };
  await load("f5d6c3 d3c4");
  await waitForPly(page, 5);
  await page.click('button[name="copy-game"]');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "f5d6c3d3c4");
  await page.click('button[name="copy-position"]');
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^[XO-]{64} O$/);
  // An omitted pass is inserted.
  await load("XXO------------------------------------------------------------- O moves d1");
  await page.waitForFunction(() => /moves=pass_d1/.test(location.hash));
  await load("f5d6c3 a1");
  await page.waitForSelector(".notice p");
  assert.match((await page.textContent(".notice")) ?? "", /Illegal move/);
  await load("f5d6c3d3c4");
  await page.waitForFunction(() => document.querySelector(".notice")?.childElementCount === 0);
  await page.selectOption('select[name="game"]', "xiangqi");
  await page.waitForSelector(".board.xiangqi");
  await load("1. 炮二平五 馬8進7 2. h0g2");
  await waitForPly(page, 3);
  await page.waitForFunction(() => /moves=h2e2_h9g7_h0g2/.test(location.hash));
  // One request brings the whole line.
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => request.url().endsWith("/v1/positions") && asked.push(request.postData() ?? ""));
  await load("1. 炮二平五 馬8進7 2. h0g2 R9.8");
  await waitForPly(page, 4);
  assert.equal(asked.length, 1, asked.join("\n"));
  await page.selectOption('select[name="game"]', "dots-and-boxes");
  await page.waitForSelector(".board.dots-and-boxes");
  await load("1. h0,0, H1,0 2. v0,0; v0,1");
  await page.waitForFunction(() => document.querySelectorAll(".box.second").length === 1);
  await load("h0,0 h9,9");
  await page.waitForFunction(() => /h9,9.*expected/.test(document.querySelector(".notice")?.textContent ?? ""));
  assert.deepEqual(faults, []);
  await context.close();
});

test("a variant is chosen with its parameters; what is refused is told", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=connect-four&human=both`);
  await page.click(".variants summary");
  await page.fill('.variants input[name="columns"]', "9");
  await page.fill('.variants input[name="rows"]', "9");
  await page.fill('.variants input[name="blocked"]', "e1");
  await page.click('button[name="apply"]');
  await page.waitForFunction(() => document.querySelectorAll(".target").length === 81);
  assert.equal(await page.locator(".blocked").count(), 1);
  await page.click('.target[data-name="e9"]');
  const { ply } = await waitForTurn(page, 0);
  assert.equal(ply, 1);
  assert.match((await page.getAttribute('.target[data-name="e2"]', "aria-label")) ?? "", /Red/);
  await page.click(".variants summary");
  await page.fill('.variants input[name="blocked"]', "z99");
  await page.click('button[name="apply"]');
  await page.waitForSelector(".notice p");
  assert.match((await page.textContent(".notice")) ?? "", /Unknown variant/);
  await context.close();
});

test("a key is asked for where the service wants one, and sent from then on", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=tic-tac-toe&human=both`);
  /** @type {(string | undefined)[]} */
  const sent = [];
  await page.route("**/v1/positions", async (route) => {
    const key = route.request().headers().authorization;
    sent.push(key);
    if (key) return route.continue();
    const problem = { type: "/problems/unauthorized", title: "Unauthorized", status: 401, detail: "no key", code: "unauthorized", errors: [], request_id: null };
    return route.fulfill({ status: 401, contentType: "application/problem+json", body: JSON.stringify(problem) });
  });
  await page.click('.target[data-name="b2"]');
  await page.fill('dialog input[name="key"]', "secret");
  await page.keyboard.press("Enter");
  await waitForTurn(page, 0);
  assert.equal(sent.at(-1), "Bearer secret");
  await page.click('.target[data-name="a1"]');
  await waitForTurn(page, 1);
  assert.equal(sent.at(-1), "Bearer secret");
  await context.close();
});

for (const [what, hash] of [["to the games to choose from", ""], ["to a game", "#game=xiangqi"]]) test(`the first visit ${what} is small, asks no other host, and the second one is as safe`, async () => {
  const context = await browser.newContext({ locale: "en-GB" });
  const page = await context.newPage();
  /** @type {import("playwright-core").Request[]} */
  const requests = [];
  page.on("requestfinished", (request) => requests.push(request));
  await page.goto(`${service.url}/${hash}`);
  await ready(page);
  const files = requests.filter((request) => !request.url().includes("/v1/"));
  const sizes = await Promise.all(files.map(async (request) => (await request.sizes()).responseBodySize));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const interactive = await page.evaluate(() => performance.getEntriesByName("interactive")[0].startTime);
  console.log(`first visit: ${requests.length} requests, ${total} bytes, interactive after ${Math.round(interactive)} ms`);
  assert.ok(total < 80_000, `${total} bytes`);
  assert.deepEqual(requests.map((request) => request.url()).filter((url) => !url.startsWith(service.url)), []);
  // The second visit is answered 304, and keeps its policy.
  await page.reload();
  await ready(page);
  const first = await fetch(service.url);
  const tag = first.headers.get("etag") ?? "";
  const second = await fetch(service.url, { headers: { "If-None-Match": tag } });
  assert.equal(second.status, 304);
  assert.equal(second.headers.get("content-security-policy"), first.headers.get("content-security-policy"));
  assert.match(second.headers.get("content-security-policy") ?? "", /default-src 'self'/);
  await context.close();
});

test("the reference shows every operation, and calls can be tried", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/docs`);
  const contract = await (await fetch(`${service.url}/openapi.yaml`)).text();
  const operations = contract.match(/^ {6}operationId: (\w+)$/gm)?.map((line) => line.split(": ")[1]) ?? [];
  assert.ok(operations.length >= 9);
  for (const operation of operations) assert.equal(await page.locator(`article[id="${operation}"]`).count(), 1, operation);
  await page.click("#search .trying summary");
  await page.click("#search .send");
  await page.waitForSelector("#search .answer-status .fine");
  await page.waitForFunction(() => /"children"/.test(document.querySelector("#search .answer pre")?.textContent ?? ""));
  await page.click("#describePosition .trying summary");
  await page.fill("#describePosition textarea", "{");
  await page.click("#describePosition .send");
  await page.waitForSelector("#describePosition .answer-status .refused");
  await page.click("#search > details:nth-of-type(2) > summary");
  await page.waitForSelector("#search > details:nth-of-type(2) .schema .name");
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await context.close();
});
