// @ts-check
/** The evaluation bar: in the colours of the sides, hidden during play unless enabled, and with legible figures. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, service } from "./stage.js";
import { waitForPly, changeSearches, ready, boardState, waitForTurn, violations, visit } from "./visitor.js";

const BAR = ".evaluation";
const TOGGLE = '[data-toggle="evaluation"]';

test("in a game the bar is hidden until it is asked for, and the choice is kept", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=tic-tac-toe&moves=b2_a1_c3&human=both`);
  /** @type {any[]} */
  const bodies = [];
  page.on("request", (request) => request.url().endsWith("/v1/searches") && bodies.push(request.postDataJSON()));
  assert.ok(await page.locator(BAR).isHidden());
  assert.equal(await page.getAttribute(TOGGLE, "aria-pressed"), "false");
  assert.ok(await page.getAttribute(TOGGLE, "aria-label"));
  await page.click("#tab-analyse");
  assert.ok(await page.locator(BAR).isVisible(), "an analysis shows it");
  assert.ok(await page.locator(TOGGLE).isHidden(), "nothing is to be chosen there");
  await page.waitForSelector('.run-state[data-state="done"]');
  bodies.length = 0;
  await page.click("#tab-play");
  assert.ok(await page.locator(BAR).isHidden());
  assert.deepEqual(bodies, [], "nobody asks for a value that is not shown");
  // By keyboard, as by mouse.
  await page.keyboard.press("e");
  await page.waitForSelector(`${BAR}:not(.unknown)`);
  assert.equal(await page.getAttribute(TOGGLE, "aria-pressed"), "true");
  assert.match((await page.getAttribute(BAR, "aria-label")) ?? "", /Evaluation, O: proven draw/);
  assert.equal(bodies[0].report.children, "best");
  assert.ok(!("level" in bodies[0]));
  assert.deepEqual(await violations(page), []);
  // It follows the game: after a mistake the value is another, and for the other side.
  await page.click('.target[data-name="b1"]');
  await waitForTurn(page, 3);
  await page.waitForFunction(() => /Evaluation, X: (proven win|win in)/.test(document.querySelector(".evaluation")?.getAttribute("aria-label") ?? ""));
  await page.reload();
  await ready(page);
  assert.ok(await page.locator(BAR).isVisible(), "the choice is kept");
  await page.click(TOGGLE);
  assert.ok(await page.locator(BAR).isHidden());
  await page.reload();
  await ready(page);
  assert.ok(await page.locator(BAR).isHidden());
  assert.deepEqual(faults, []);
  await context.close();
});

test("whoever watches the engine sees the value of each position", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=connect-four&human=both&level=1&time=20`);
  await page.click(TOGGLE);
  await page.selectOption('select[name="human"]', "none");
  await page.waitForFunction(() => document.getElementById("app")?.dataset.over === "true");
  await page.waitForFunction(() => /[WDL]/.test(document.querySelector(".evaluation-text")?.textContent ?? ""));
  assert.match((await boardState(page)).text, /wins|Draw/);
  assert.deepEqual(faults, []);
  await context.close();
});

/**
 * An element on each game's board in the colour of the first and of the second player.
 * @type {Record<string, [moves: string, first: string, second: string, property: string]>}
 */
const PIECES = {
  "tic-tac-toe": ["b2_a1", ".cross", ".ring", "stroke"],
  "connect-four": ["4_4", ".first .disc", ".second .disc", "fill"],
  reversi: ["f5", ".first .stone", ".second .stone", "fill"],
  "dots-and-boxes": ["h0,0_v1,1", ".edge.first", ".edge.second", "stroke"],
  gomoku: ["h8_h9", ".first .stone", ".second .stone", "fill"],
  xiangqi: ["h2e2", ".first .glyph", ".second .glyph", "fill"],
  hex: ["f6", ".border.first", ".border.second", "stroke"],
};

/** The contrast of two computed colours, as WCAG defines it. @param {...string} colours */
function contrast(...colours) {
  const [dark, light] = colours.map((colour) => {
    const parts = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => Number(part) / 255);
    const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`the bar has the colours of each game's sides, ${colorScheme}`, async () => {
    const { page, context } = await visit(browser, `${service.url}/#game=gomoku&human=both&panel=analyse`, { colorScheme });
    const { games } = await (await fetch(`${service.url}/v1/games`)).json();
    for (const { name } of games) {
      assert.ok(PIECES[name], name);
      const [moves, first, second, property] = PIECES[name];
      await page.evaluate((hash) => (location.hash = hash), `#game=${name}&moves=${moves}&human=both&panel=analyse`);
      await page.waitForSelector(`.board.${name}`);
      await waitForPly(page, moves.split("_").length);
      const colours = await page.evaluate(([one, other, what]) => {
        const of = (/** @type {string} */ selector, /** @type {string} */ name) =>
          getComputedStyle(/** @type {Element} */ (document.querySelector(selector))).getPropertyValue(name);
        return [of(`.board ${one}`, what), of(`.board ${other}`, what), of(".evaluation-first", "background-color"), of(".evaluation", "background-color")];
      }, [first, second, property]);
      assert.deepEqual(colours.slice(0, 2), colours.slice(2), name);
      assert.notEqual(colours[0], colours[1], name);
      const inks = await page.evaluate(() => [false, true].map((upper) => {
        const text = /** @type {HTMLElement} */ (document.querySelector(".evaluation-text"));
        text.classList.toggle("upper", upper);
        return getComputedStyle(text).color;
      }));
      for (const [index, ink] of inks.entries()) {
        const ratio = contrast(ink, colours[2 + index]);
        assert.ok(ratio >= 4.5, `${name}: ${ink} on ${colours[2 + index]} has a contrast of ${ratio.toFixed(2)}`);
      }
    }
    await context.close();
  });
}

/**
 * Values of a position, and the bar's figures for them in English and in Chinese: for the side to move, at its end.
 * @type {[text: string, chinese: string, known: object][]}
 */
const FIGURES = [
  ["100", "100", { win: 1, draw: 0, loss: 0 }],
  ["0", "0", { win: 0, draw: 0, loss: 1 }],
  ["≥99", "≥99", { win: 0.99, draw: 0, loss: 0.01, bound: "lower" }],
  ["W23", "胜23", { proven: "win", distance: 23 }],
  ["W≤108", "胜≤108", { proven: "win", distance: 108, bound: "lower" }],
  ["L104", "负104", { proven: "loss", distance: 104, win: 0, loss: 1 }],
  ["+12.5", "+12.5", { score: { value: 12.5, unit: "discs" }, win: 0.9, loss: 0.1 }],
  ["-12.5", "-12.5", { score: { value: -12.5, unit: "discs" }, win: 0.1, loss: 0.9 }],
  ["45", "45", { win: 0.4, draw: 0.1, loss: 0.5 }],
  ["≥+63.5", "≥+63.5", { score: { value: 63.5, unit: "discs" }, win: 0.9, loss: 0.1, bound: "lower" }],
];

for (const [name, viewport] of Object.entries({ phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } })) {
  for (const [language, locale] of [["English", "en-GB"], ["Chinese", "zh-CN"]]) {
    test(`the figures of the bar can be read, ${name}, ${language}`, async () => {
      const { page, context } = await visit(browser, `${service.url}/#game=reversi&human=both&panel=analyse&a.amount=50`, { viewport, locale });
      for (const [index, [english, chinese, known]] of FIGURES.entries()) {
        const text = language === "English" ? english : chinese;
        const unknown = { value: 0, win: 1, draw: 0, loss: 0, score: null, bound: "exact", proven: null, distance: null };
        await changeSearches(page, ({ root }) => Object.assign(root, unknown, known));
        // Black moves first, then White, and again.
        const second = index % 2 === 1;
        await page.evaluate((moves) => (location.hash = `#game=reversi&moves=${moves}&human=both&panel=analyse&a.amount=50`), ["", "f5", "f5_d6", "f5_d6_c3"][index % 4]);
        await waitForPly(page, index % 4);
        await page.waitForFunction(([wanted, upper]) => {
          const span = document.querySelector(".evaluation-text");
          return span?.textContent === wanted && span.classList.contains("upper") === upper;
        }, /** @type {const} */ ([text, second]));
        const { outside, size } = await page.evaluate(() => {
          const span = /** @type {HTMLElement} */ (document.querySelector(".evaluation-text"));
          const range = document.createRange();
          range.selectNodeContents(span);
          const inner = range.getBoundingClientRect();
          const outer = /** @type {HTMLElement} */ (span.parentElement).getBoundingClientRect();
          const outside = Math.max(outer.left + 1 - inner.left, inner.right - outer.right + 1, outer.top - inner.top, inner.bottom - outer.bottom);
          return { outside, size: Number.parseFloat(getComputedStyle(span).fontSize) };
        });
        assert.ok(outside <= 0, `${text} is cut off by ${outside} pixels`);
        assert.ok(size >= 8.5, `${text} is ${size} pixels high`);
        await page.waitForSelector('.run-state[data-state="done"]');
      }
      await context.close();
    });
  }
}

test("the bar shows draws in a colour between those of the sides", async () => {
  for (const [name, viewport] of Object.entries({ phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } })) {
    const { page, context } = await visit(browser, `${service.url}/#game=gomoku&moves=h8&human=both&a.amount=50`, { viewport });
    await changeSearches(page, ({ root }) => Object.assign(root, { value: 0.3, win: 0.5, draw: 0.3, loss: 0.2, score: null, bound: "exact", proven: null, distance: null }));
    await page.click("#tab-analyse");
    await page.waitForFunction(() => document.querySelector(".evaluation-text")?.textContent === "65");
    const [whole, first, draw] = await page.evaluate(() => [".evaluation", ".evaluation-first", ".evaluation-draw"].map((selector) => {
      const element = /** @type {Element} */ (document.querySelector(selector));
      const { width, height } = element.getBoundingClientRect();
      return { length: Math.max(width, height), colour: getComputedStyle(element).backgroundColor };
    }));
    // White is to move: what White loses, Black wins.
    assert.ok(Math.abs(first.length / whole.length - 0.2) < 0.02 && Math.abs(draw.length / whole.length - 0.3) < 0.02, `${name}: ${first.length}, ${draw.length} of ${whole.length}`);
    assert.equal(new Set([whole.colour, first.colour, draw.colour]).size, 3);
    assert.match((await page.getAttribute(BAR, "aria-label")) ?? "", /^Evaluation, White: 65\.0%/);
    await context.close();
  }
});

test("value and loss have one unit, and the value's owner is named: winning chance, or points where the game has them", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=gomoku&moves=h8&human=both&a.amount=50`);
  const known = (/** @type {number} */ value, /** @type {object} */ more) => ({
    value, win: (1 + value) / 2, draw: 0, loss: (1 - value) / 2, stderr: null, score: null, bound: "exact", proven: null, distance: null, ...more,
  });
  await changeSearches(page, ({ children }) => {
    Object.assign(children[0], known(0.2, { loss_vs_best: 0 }));
    Object.assign(children[1], known(0.1, { loss_vs_best: 0.1 }));
  });
  await page.click("#tab-analyse");
  const cells = (/** @type {number} */ row) => page.locator(`.children tbody tr:nth-child(${row}) td:is(.value, .number:not(.searched))`).allTextContents();
  await page.waitForFunction(() => document.querySelector(".children tbody .value")?.textContent === "60.0%");
  assert.equal(await page.locator(".children thead th").nth(1).textContent(), "Value (White)");
  assert.deepEqual([await cells(1), await cells(2)], [["60.0%", "0%"], ["55.0%", "5%"]]);
  assert.match((await page.textContent(".legend")) ?? "", /best ≤ 1%/);
  await changeSearches(page, ({ children }) => {
    Object.assign(children[0], known(0.2, { loss_vs_best: 0, score: { value: 3.5, unit: "discs" } }));
    Object.assign(children[1], known(0.1, { loss_vs_best: 0.1, score: { value: 1.25, unit: "discs" } }));
  });
  await page.evaluate(() => (location.hash = "#game=reversi&panel=analyse&human=both&a.amount=50"));
  await page.waitForFunction(() => document.querySelector(".children tbody .value")?.textContent === "+3.5 discs");
  assert.deepEqual([await cells(1), await cells(2)], [["+3.5 discs", "0.0"], ["+1.3 discs", "2.3"]]);
  await context.close();
});
