// @ts-check
/** How boards look and sound: light and shadow, what hovers, what moves, themes, sounds, and colours that the system forces. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { click, tap } from "./player.js";
import { browser, service } from "./stage.js";
import { waitForPly, ready, targetCentre, waitForTurn, violations, visit } from "./visitor.js";

/** @typedef {import("playwright-core").Page} Page */

/** Points at a target of the board. @param {Page} page @param {string} name */
async function point(page, name) {
  const { x, y } = await targetCentre(page, name);
  await page.mouse.move(x, y);
}

/** What hovers over the board: whose it is, and where. @param {Page} page */
const hovering = (page) =>
  page.evaluate(() => [...document.querySelectorAll(".board .hover > *")].map((one) => {
    const [box, board] = [one, /** @type {Element} */ (one.closest("svg"))].map((element) => element.getBoundingClientRect());
    return { side: one.classList.contains("first") ? "first" : "second", x: box.x + box.width / 2 - board.x, y: box.y + box.height / 2 - board.y };
  }));

/** The middle of a target, from the board's corner. @param {Page} page @param {string} name */
const middle = (page, name) =>
  page.evaluate((wanted) => {
    const hit = /** @type {Element} */ (document.querySelector(`.target[data-name="${wanted}"] .hit`));
    const [box, board] = [hit, /** @type {Element} */ (hit.closest("svg"))].map((element) => element.getBoundingClientRect());
    return { x: box.x + box.width / 2 - board.x, y: box.y + box.height / 2 - board.y };
  }, name);

/**
 * Two moves of each game, and where the piece hovers before each of them.
 * @type {Record<string, [point: string, place: string][]>}
 */
const FIRST_MOVES = {
  "tic-tac-toe": [["b2", "b2"], ["a1", "a1"]],
  "connect-four": [["d5", "d1"], ["d5", "d2"]],
  gomoku: [["h8", "h8"], ["h9", "h9"]],
  reversi: [["f5", "f5"], ["d6", "d6"]],
  "dots-and-boxes": [["h0,0", "h0,0"], ["v1,1", "v1,1"]],
  hex: [["f6", "f6"], ["c3", "c3"]],
};

for (const [game, moves] of Object.entries(FIRST_MOVES)) {
  test(`${game}: what would be played hovers in its mover's colour, where it comes to lie`, async () => {
    const { page, context, faults } = await visit(browser, `${service.url}/#game=${game}&human=both`);
    for (const [ply, [name, place]] of moves.entries()) {
      await point(page, name);
      const [ghost, ...others] = await hovering(page);
      assert.equal(ghost?.side, ply === 0 ? "first" : "second");
      assert.equal(others.length, 0);
      const { x, y } = await middle(page, place);
      assert.ok(Math.hypot(ghost.x - x, ghost.y - y) < 6, `${place}: ${JSON.stringify(ghost)}`);
      await click(page, name);
      await waitForTurn(page, ply);
      await page.mouse.move(2, 2);
      assert.deepEqual(await hovering(page), []);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("the keyboard's place shows what would be played there too; a finger shows nothing", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=gomoku&human=both`);
  await page.keyboard.press("b");
  await page.keyboard.press("ArrowUp");
  const place = await page.evaluate(() => document.activeElement?.getAttribute("data-name") ?? "");
  const { x, y } = await middle(page, place);
  const [ghost] = await hovering(page);
  assert.ok(ghost.side === "first" && Math.hypot(ghost.x - x, ghost.y - y) < 6);
  await page.keyboard.press("Tab");
  assert.deepEqual(await hovering(page), []);
  await context.close();
  const phone = await visit(browser, `${service.url}/#game=gomoku&human=both`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await tap(phone.page, "h8");
  await waitForTurn(phone.page, 0);
  assert.deepEqual(await hovering(phone.page), []);
  assert.equal(await phone.page.locator(".aim-cross > *").count(), 0);
  await phone.context.close();
});

test("while the engine thinks, nothing hovers in its colour, and nobody moves for it", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=first&level=1&time=20`);
  /** @type {() => void} */
  let release = () => {};
  const held = new Promise((resolve) => (release = () => resolve(undefined)));
  await page.route("**/v1/searches", async (route) => {
    await held;
    await route.fulfill({ json: { move: "h9", timing: { search_ms: 1 } } });
  });
  await click(page, "h8");
  await page.waitForSelector('.status[data-kind="thinking"]');
  await point(page, "c3");
  assert.deepEqual(await hovering(page), []);
  assert.equal(await page.locator(".target.open").count(), 0);
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => request.url().endsWith("/v1/positions") && asked.push(request.postDataJSON().moves.join("_")));
  await click(page, "c3");
  release();
  await waitForTurn(page, 1);
  assert.match(page.url(), /moves=h8_h9(&|$)/);
  assert.deepEqual(asked, ["h8_h9"], "the click has played nothing");
  // The mouse has not moved; the reader's own stone is there now.
  const [ghost] = await hovering(page);
  assert.equal(ghost?.side, "first");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a chosen piece is raised, not faded, and would be seen where it goes", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=xiangqi&human=both`);
  const body = '.piece[data-at="h2"] .body';
  const lies = await page.locator(body).boundingBox();
  await click(page, "h2");
  await page.waitForSelector('.piece.raised[data-at="h2"]');
  await page.waitForFunction(([one, y]) => (document.querySelector(String(one))?.getBoundingClientRect().y ?? 1e9) < Number(y) - 2, [body, lies?.y ?? 0]);
  assert.equal(await page.locator('.piece[data-at="h2"]').evaluate((one) => getComputedStyle(one).opacity), "1");
  await point(page, "e2");
  const [ghost] = await hovering(page);
  const { x, y } = await middle(page, "e2");
  assert.ok(ghost.side === "first" && Math.hypot(ghost.x - x, ghost.y - y) < 12);
  await point(page, "e5");
  assert.deepEqual(await hovering(page), [], "it cannot go there");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".piece.raised", { state: "detached" });
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [game, link] of Object.entries({
  gomoku: "&v.size=22", reversi: "&v.size=10", xiangqi: "", "tic-tac-toe": "", "dots-and-boxes": "", hex: "&v.size=7",
})) {
  test(`${game}: coordinates stand on all four sides, in the middle of the rim`, async () => {
    const { page, context } = await visit(browser, `${service.url}/#game=${game}${link}&human=both`);
    const { width, height, texts, rim } = await page.evaluate(() => {
      const svg = /** @type {SVGSVGElement} */ (document.querySelector(".board"));
      const { width, height } = svg.viewBox.baseVal;
      const texts = [...svg.querySelectorAll(".coordinate")].map((one) => {
        const box = /** @type {SVGTextElement} */ (one).getBBox();
        return { text: one.textContent ?? "", x: box.x + box.width / 2, y: box.y + box.height / 2, left: box.x, right: box.x + box.width };
      });
      // From the edge of the board to the outermost stones or cells.
      const hits = [...svg.querySelectorAll(".target")].map((one) => /** @type {SVGGElement} */ (one).getBBox());
      return { width, height, texts, rim: Math.min(...hits.map((box) => box.x + box.width / 2)) - 48 };
    });
    /** Each text is there twice, once on either side. @type {Map<string, typeof texts>} */
    const pairs = new Map();
    // The same number may stand beside a row and above a column.
    const upright = (/** @type {typeof texts[0]} */ { text, x }) => (game === "dots-and-boxes" && x > 40 && x < width - 40 ? `column ${text}` : text);
    for (const text of texts) pairs.set(upright(text), [...(pairs.get(upright(text)) ?? []), text]);
    assert.ok(pairs.size >= 6, [...pairs.keys()].join());
    for (const [name, [one, other, ...more]] of pairs) {
      assert.ok(other && more.length === 0, `${name} stands on two sides`);
      // As far from one edge as its counterpart from the opposite one.
      assert.ok(Math.abs(one.x + other.x - width) < 4 || game === "hex" || Math.abs(one.x - other.x) < 4, `${name}: ${one.x}, ${other.x} of ${width}`);
      assert.ok(Math.abs(one.y + other.y - height) < 4 || game === "hex" || Math.abs(one.y - other.y) < 4, `${name}: ${one.y}, ${other.y} of ${height}`);
    }
    for (const { text, x, y } of game === "hex" ? [] : texts) {
      const beside = Math.min(x, width - x) < Math.min(y, height - y);
      const away = beside ? Math.min(x, width - x) : Math.min(y, height - y);
      assert.ok(Math.abs(away - rim / 2) < 6, `${text} is ${away} from the edge, of a rim of ${rim}`);
    }
    for (const { text, left, right } of texts) assert.ok(left >= 0 && right <= width, `${text} is on the board`);
    await context.close();
  });
}

/** Records the animations from now on. @param {Page} page */
const watchMotion = (page) =>
  page.evaluate(() => {
    /** @type {any} */ (window).motions = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
      const { duration = 0, delay = 0 } = /** @type {KeyframeAnimationOptions} */ (timing);
      const transforms = /** @type {Keyframe[]} */ (frames).map(({ transform }) => String(transform));
      /** @type {any} */ (window).motions.push({ at: this.getAttribute("data-at"), transforms, ends: Number(duration) + delay });
      return animate.call(this, frames, timing);
    };
  });

/** @param {Page} page @returns {Promise<{ at: string | null, transforms: string[], ends: number }[]>} */
const motions = (page) => page.evaluate(() => /** @type {any} */ (window).motions.splice(0));

/** @type {[what: string, link: string, play: (page: Page) => Promise<unknown>, see: RegExp, where: string, pieces: number][]} */
const MOTIONS = [
  ["a stone is put down", "#game=gomoku&moves=h8", (page) => click(page, "h9"), /scale\(1/, "h9", 2],
  ["a disc falls from above the board", "#game=connect-four&moves=4_4", (page) => click(page, "d4"), /translateY\(-400px\)/, "d3", 3],
  ["a disc is turned over", "#game=reversi", (page) => click(page, "f5"), /scaleX\(0\.02\)/, "e5", 5],
  ["a piece slides from where it stood", "#game=xiangqi", async (page) => {
    await click(page, "h2");
    await click(page, "e2");
  }, /translate\(300px, 0px\)/, "e2", 32],
];

for (const [what, link, play, see, where, pieces] of MOTIONS) {
  test(`${what}, briefly`, async () => {
    const { page, context, faults } = await visit(browser, `${service.url}/${link}&human=both`, { reducedMotion: "no-preference" });
    await watchMotion(page);
    await play(page);
    await page.waitForFunction((wanted) => /** @type {any} */ (window).motions.some((/** @type {any} */ one) => one.at === wanted), where);
    const seen = await motions(page);
    assert.ok(seen.some((one) => one.at === where && see.test(one.transforms.join())), JSON.stringify(seen));
    for (const { ends } of seen) assert.ok(ends > 50 && ends <= 250, `${ends} ms`);
    // Nothing of the animation remains.
    await page.waitForFunction((count) => document.querySelectorAll(".board .piece:not(.hover *)").length === count && document.getAnimations().length === 0, pieces);
    // Going back to a position is not animated.
    await page.keyboard.press("[");
    await waitForPly(page, 0);
    assert.deepEqual(await motions(page), []);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("nothing moves for who wants less motion", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=reversi&human=both`, { reducedMotion: "reduce" });
  await watchMotion(page);
  await click(page, "f5");
  await waitForTurn(page, 0);
  assert.deepEqual(await motions(page), []);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  assert.equal(await page.locator(".board .piece").count(), 5);
  await context.close();
});

/** The colours of things as the browser computed them. @param {Page} page @param {[selector: string, property: string][]} wanted @returns {Promise<string[]>} */
const colours = (page, wanted) =>
  page.evaluate((all) => all.map(([selector, property]) =>
    getComputedStyle(/** @type {Element} */ (document.querySelector(selector))).getPropertyValue(property)), wanted);

/** How light a colour is, as WCAG defines it. @param {string} colour */
function lightness(colour) {
  const parts = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => Number(part) / 255);
  const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours. @param {string} one @param {string} other */
function contrast(one, other) {
  const [dark, light] = [lightness(one), lightness(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * How a colour looks without cones for red, or for green: in linear light, by Viénot, Brettel and Mollon (1999).
 * @type {Record<string, number[][]>}
 */
const BLINDNESS = {
  protanopia: [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
  deuteranopia: [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
};

/**
 * The distance of two colours for such eyes, at most about 1.7.
 * @param {string} one
 * @param {string} other
 * @param {number[][]} eyes
 */
function distance(one, other, eyes) {
  const [a, b] = [one, other].map((colour) => {
    const light = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => (Number(part) / 255) ** 2.2);
    return eyes.map((row) => Math.max(0, row.reduce((sum, weight, index) => sum + weight * light[index], 0)) ** (1 / 2.2));
  });
  return Math.hypot(...a.map((value, index) => value - b[index]));
}

/**
 * An element of each side on a board.
 * @type {Record<string, [moves: string, first: string, second: string, property: string]>}
 */
const SIDES = {
  "tic-tac-toe": ["b2_a1", ".first .cross", ".second .ring", "stroke"],
  "connect-four": ["4_4", ".first .disc", ".second .disc", "fill"],
  hex: ["f6_a1_b2", ".first .stone", ".second .stone", "fill"],
  "dots-and-boxes": ["h0,0_v1,1", ".edge.first", ".edge.second", "stroke"],
  gomoku: ["h8_h9", ".first .stone", ".second .stone", "fill"],
  xiangqi: ["h2e2", ".first .body", ".second .body", "fill"],
};

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`boards of every theme can be read, and are remembered, ${colorScheme}`, async () => {
    const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&moves=h8_h9&human=both`, { colorScheme });
    const slabs = new Set();
    for (const theme of ["paper", "contrast", "safe", "wood"]) {
      await page.click(".preferences summary");
      await page.selectOption('select[name="board"]', theme);
      await page.click(".preferences summary");
      await page.reload();
      await ready(page);
      assert.equal(await page.getAttribute("html", "data-board"), theme, "it is remembered");
      const [slab, ink, rule, black, white, edge] = await colours(page, [[".board .slab", "fill"], [".coordinate", "fill"], [".board .rule", "stroke"],
        [".first .stone", "fill"], [".second .stone", "fill"], [".first .stone", "stroke"]]);
      slabs.add(slab);
      const most = theme === "contrast";
      assert.ok(contrast(slab, ink) >= (most ? 15 : 4.5), `${theme}: coordinates ${ink} on ${slab}`);
      assert.ok(contrast(slab, rule) >= (most ? 15 : 3), `${theme}: lines ${rule} on ${slab}`);
      assert.ok(contrast(black, white) >= 12, `${theme}: stones`);
      // A stone that is as dark as the board has a light rim.
      assert.ok(Math.max(contrast(slab, black), contrast(slab, edge)) >= 3, `${theme}: ${black}, ${edge} on ${slab}`);
      assert.deepEqual(await violations(page), [], theme);
    }
    assert.equal(slabs.size, 4);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test(`who cannot tell red from green can tell the sides of every game, ${colorScheme}`, async () => {
    const { page, context } = await visit(browser, `${service.url}/#game=gomoku&human=both`, { colorScheme });
    await page.evaluate(() => localStorage.setItem("board", "safe"));
    for (const [game, [moves, first, second, property]] of Object.entries(SIDES)) {
      await page.goto("about:blank");
      await page.goto(`${service.url}/#game=${game}&moves=${moves}&human=both`);
      await ready(page);
      const [one, other] = await colours(page, [[`.board ${first}`, property], [`.board ${second}`, property]]);
      for (const [name, eyes] of Object.entries(BLINDNESS)) assert.ok(distance(one, other, eyes) > 0.35, `${game}, ${name}: ${one} and ${other}`);
    }
    await context.close();
  });
}

test("who asks the system for more contrast gets a board with it, unless they choose another", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=gomoku&human=both`, { contrast: "more" });
  assert.equal(await page.getAttribute("html", "data-board"), "contrast");
  await page.click(".preferences summary");
  await page.selectOption('select[name="board"]', "wood");
  await page.reload();
  await ready(page);
  assert.equal(await page.getAttribute("html", "data-board"), "wood");
  await context.close();
});

for (const [game, [moves, first, second, property]] of Object.entries(SIDES)) {
  test(`${game}: where the system forces its colours, lines, sides and marks can be told apart`, async () => {
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      const { page, context } = await visit(browser, `${service.url}/#game=${game}&moves=${moves}&human=both`, { forcedColors: "active", colorScheme });
      const [canvas, text] = await page.evaluate(() => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.cssText = "background: Canvas; color: CanvasText";
        const { backgroundColor, color } = getComputedStyle(probe);
        probe.remove();
        return [backgroundColor, color];
      });
      const ground = game === "connect-four" ? [".frame", "fill"] : [".slab", "fill"];
      const [slab, ink, one, other, oneEdge, otherEdge] = await colours(page, [/** @type {any} */ (ground), [".coordinate", "fill"],
        [`.board ${first}`, property], [`.board ${second}`, property], [`.board ${first}`, "stroke"], [`.board ${second}`, "stroke"]]);
      assert.equal(slab, canvas);
      assert.equal(ink, text);
      assert.notEqual(one, other);
      // A fill like the ground has an edge that differs.
      for (const [fill, edge] of [[one, oneEdge], [other, otherEdge]]) assert.ok(Math.max(contrast(slab, fill), contrast(slab, edge)) >= 3, `${fill}, ${edge} on ${slab}`);
      await context.close();
    }
  });
}
