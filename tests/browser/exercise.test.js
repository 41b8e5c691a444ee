// @ts-check
/** Mistakes as exercises: the reader looks for a better move, a search judges it, and the exercise ends where it began. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { click, walk } from "./player.js";
import { browser, service } from "./stage.js";
import { waitForPly, violations, visit } from "./visitor.js";

/**
 * A game in which every position is proven. O's first move loses, where any corner draws; X then overlooks O's row, and so does
 * O. The three mistakes are plies 2, 5 and 6.
 */
const LINK = "#game=tic-tac-toe&moves=b2_b1_a3_c1_a2_c2&at=4&panel=review&human=both&r.limit=nodes&r.amount=20000";

/**
 * A visitor with the game reviewed; `corner` is a drawing corner that the review does not prefer.
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
async function reviewed(options) {
  const visitor = await visit(browser, `${service.url}/${LINK}`, options);
  let best = "";
  await visitor.page.route("**/v1/reviews/*/events", async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    best = JSON.parse(body.split("data: ").at(-1) ?? "").moves[1].best;
    await route.fulfill({ response, body });
  });
  await visitor.page.click(".start");
  await visitor.page.waitForSelector('.run-state[data-state="done"]');
  assert.match(best, /^[ac][13]$/);
  return { ...visitor, corner: best === "a1" ? "c3" : "a1" };
}

/**
 * The verdicts on the moves tried, once none is being searched.
 * @param {import("playwright-core").Page} page
 * @param {number} count
 */
async function waitForVerdicts(page, count) {
  await page.waitForFunction((wanted) => {
    const verdicts = [...document.querySelectorAll(".verdicts .verdict")];
    return verdicts.length === wanted && verdicts.every((one) => !one.textContent?.includes("Checking"));
  }, count);
  return page.locator(".verdicts .verdict").allTextContents();
}

test("each mistake is an exercise on the board, and its end leads back", async () => {
  const { page, context, faults, corner } = await reviewed();
  assert.match((await page.textContent('button[name="practise"]')) ?? "", /\(3\)/);
  await page.click('button[name="practise"]');
  await waitForPly(page, 1);
  assert.match((await page.textContent(".exercise .task")) ?? "", /O played b1: blunder/);
  assert.ok(await page.locator(".plies").isHidden(), "the list would tell the solution");
  const line = new URL(page.url()).hash;

  await click(page, "b1");
  assert.deepEqual(await waitForVerdicts(page, 1), ["b1 was played in the game."]);
  await click(page, "b3");
  assert.match((await waitForVerdicts(page, 2))[1], /^b3: blunder, 50% worse\. Try another/);
  assert.equal(await page.locator('.marks .mark.bad[data-move="b3"]').count(), 1);
  assert.ok(await page.locator('button[name="next"]:not(.primary)').isVisible());
  // By keyboard alone: another move, as good as the review's choice.
  await walk(page, corner);
  assert.equal((await waitForVerdicts(page, 3))[2], `${corner}: as good as the best move.`);
  assert.equal(await page.locator(`.marks .mark.best[data-move="${corner}"]`).count(), 1);
  assert.equal(new URL(page.url()).hash, line, "trying moves changes nothing of the game");
  assert.deepEqual(await violations(page), []);

  await page.click('button[name="next"].primary');
  await waitForPly(page, 4);
  assert.match((await page.textContent(".exercise .count")) ?? "", /2 of 3/);
  await page.click('button[name="exercise-hint"]');
  assert.match((await page.textContent(".verdicts")) ?? "", /^Look around (?!a1)[a-c][1-3]\.$/);
  assert.equal(await page.locator(".marks .hint-area").count(), 1);
  await page.click('button[name="solution"]');
  assert.match((await page.textContent(".verdicts .solution")) ?? "", /^Best: a1/);
  await page.waitForSelector(".marks .ghost");
  await page.click('button[name="next"].primary');
  await waitForPly(page, 5);
  await click(page, "a1");
  assert.deepEqual(await waitForVerdicts(page, 1), ["a1: the best move."]);
  assert.match((await page.textContent(".verdicts .sum")) ?? "", /You found 2 of 3/);
  assert.equal(await page.locator('button[name="next"]').count(), 0);
  await page.click('button[name="back"].primary');
  await waitForPly(page, 4);
  assert.ok(await page.locator(".exercise").isHidden());
  assert.equal(await page.locator(".marks *").count(), 0);
  // The solution of a finished exercise is shown now.
  assert.match((await page.textContent('.plies tr[data-class="blunder"]')) ?? "", /better: /);
  assert.deepEqual(faults, []);
  await context.close();
});

test("an exercise ends with its panel, or where the reader goes elsewhere", async () => {
  const { page, context, faults } = await reviewed();
  await page.click('.plies tr:nth-child(3) .try-better');
  await waitForPly(page, 5);
  assert.match((await page.textContent(".exercise .count")) ?? "", /3 of 3/);
  await page.click("#tab-analyse");
  await waitForPly(page, 4);
  await page.click("#tab-review");
  assert.ok(await page.locator(".exercise").isHidden());
  assert.equal(await page.locator(".plies tbody tr").count(), 3, "the review is kept");
  await page.click('button[name="practise"]');
  await waitForPly(page, 1);
  await page.keyboard.press(".");
  await waitForPly(page, 2);
  assert.ok(await page.locator(".exercise").isHidden(), "who steps on has left");
  await page.click('.target[data-name="a1"]');
  await waitForPly(page, 3);
  assert.match(page.url(), /moves=b2_b1_a3_c1_a2_c2&try=2_a1&in=1(&|$)/, "moves are tries beside the game again");
  assert.deepEqual(faults, []);
  await context.close();
});

test("one side's mistakes only, on a phone, in Chinese", async () => {
  const { page, context, faults } = await reviewed({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: "zh-CN" });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `the review is ${wide} pixels too wide`);
  await page.selectOption('select[name="whose"]', "first");
  assert.match((await page.textContent('button[name="practise"]')) ?? "", /（1）/);
  await page.tap('button[name="practise"]');
  await waitForPly(page, 4);
  assert.match((await page.textContent(".exercise")) ?? "", /X 方走了 a2：败着/);
  await page.waitForFunction(() => {
    const box = /** @type {Element} */ (document.querySelector(".stage .board")).getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight;
  });
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a search that is refused is told, and the move can be tried again", async () => {
  const { page, context, faults, corner } = await reviewed();
  await page.click('button[name="practise"]');
  await waitForPly(page, 1);
  await page.route("**/v1/searches", (route) => route.fulfill({
    status: 500, contentType: "application/problem+json",
    body: JSON.stringify({ type: "/problems/internal", title: "", status: 500, detail: "broken", code: "internal", errors: [], request_id: null }),
  }));
  await click(page, corner);
  await page.waitForFunction(() => /broken/.test(document.querySelector(".verdicts")?.textContent ?? ""));
  await page.unrouteAll();
  await click(page, corner);
  assert.equal((await waitForVerdicts(page, 1))[0], `${corner}: as good as the best move.`);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a move of which the search knows no value is told so, also when words are drawn anew", async () => {
  const { page, context, faults, corner } = await reviewed();
  await page.click('button[name="practise"]');
  await waitForPly(page, 1);
  await page.route("**/v1/searches", async (route) => {
    const answer = await (await route.fetch()).json();
    answer.root.value = null;
    await route.fulfill({ json: answer });
  });
  await click(page, corner);
  assert.deepEqual(await waitForVerdicts(page, 1), [`${corner}: the search found no value for this move.`]);
  // Showing the legal moves redraws the panel.
  await page.keyboard.press("h");
  assert.deepEqual(await page.locator(".verdicts .verdict").allTextContents(), [`${corner}: the search found no value for this move.`]);
  assert.equal(await page.textContent(`.marks .mark[data-move="${corner}"] .value`), "?");
  await page.unrouteAll();
  await click(page, corner);
  assert.deepEqual(await waitForVerdicts(page, 1), [`${corner}: as good as the best move.`]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a hint has the colours of the board's theme", async () => {
  const { page, context } = await reviewed({ colorScheme: "dark" });
  await page.click('button[name="practise"]');
  await waitForPly(page, 1);
  await page.click('button[name="exercise-hint"]');
  for (const theme of ["wood", "contrast", "safe"]) {
    await page.evaluate((name) => (document.documentElement.dataset.board = name), theme);
    const [stroke, hint] = await page.evaluate(() => {
      const area = /** @type {SVGElement} */ (document.querySelector(".hint-area"));
      const probe = /** @type {Element} */ (area.parentElement).appendChild(document.createElementNS("http://www.w3.org/2000/svg", "circle"));
      /** @type {SVGElement} */ (probe).style.fill = "var(--hint)";
      const colours = [getComputedStyle(area).stroke, getComputedStyle(probe).fill];
      probe.remove();
      return colours;
    });
    assert.equal(stroke, hint, theme);
  }
  await context.close();
});

test("an exercise begins from a variation, and its end leads back to that", async () => {
  const { page, context, faults } = await reviewed();
  await click(page, "a1");
  await waitForPly(page, 5);
  await page.waitForSelector(".branch[aria-current]");
  await page.evaluate(() => {
    const root = /** @type {HTMLElement} */ (document.getElementById("app"));
    /** @type {(string | undefined)[]} */
    const plies = [];
    Object.assign(window, { plies });
    new MutationObserver(() => plies.push(root.dataset.ply)).observe(root, { attributeFilter: ["data-ply"] });
  });
  await page.click('button[name="practise"]');
  await page.waitForSelector(".exercise:visible");
  await waitForPly(page, 1);
  assert.ok(await page.evaluate(() => /** @type {any} */ (window).plies.every((/** @type {string} */ ply) => ply !== "6")), "the game's end is not shown on the way");
  await page.click('button[name="back"]');
  await waitForPly(page, 5);
  await page.waitForSelector(".branch[aria-current]");
  // The play panel does not show tried moves.
  await page.click('button[name="practise"]');
  await page.waitForSelector(".exercise:visible");
  await page.click("#tab-play");
  await waitForPly(page, 6);
  assert.deepEqual(faults, []);
  await context.close();
});
