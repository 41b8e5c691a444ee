// @ts-check
/** Sounds: none unless turned on; then one for each move, quiet and short. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { click } from "./player.js";
import { browser, service } from "./stage.js";
import { waitForPly, ready, waitForTurn, visit } from "./visitor.js";

/** The first tones of the sounds, in Hz, which identify them here. */
const TONES = { stone: 1180, drop: 210, capture: 880, end: 523 };

/** Records the tones that begin from now on. @param {import("playwright-core").Page} page */
const recordSounds = (page) =>
  page.evaluate(() => {
    const heard = (/** @type {any} */ (window).heard = /** @type {number[]} */ ([]));
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      heard.push(Math.floor(this.frequency.value));
      return start.call(this, when);
    };
  });

/**
 * The sounds heard since the last call, in order, once there are `count`.
 * @param {import("playwright-core").Page} page
 * @param {number} count
 */
async function playedSounds(page, count) {
  const names = new Map(Object.entries(TONES).map(([name, tone]) => [tone, name]));
  await page.waitForFunction(([tones, least]) => /** @type {any} */ (window).heard.filter((/** @type {number} */ one) => tones.includes(one)).length >= least,
    /** @type {[number[], number]} */ ([[...names.keys()], count]));
  /** @type {number[]} */
  const tones = await page.evaluate(() => /** @type {any} */ (window).heard.splice(0));
  return tones.flatMap((tone) => names.get(tone) ?? []);
}

/** Turns the sounds on or off. @param {import("playwright-core").Page} page */
async function press(page) {
  await page.click(".preferences summary");
  await page.click('input[name="sounds"]');
  await page.click(".preferences summary");
}

test("nothing is heard until the reader wants it; then every move, and that is remembered", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=both`);
  await recordSounds(page);
  // A silent move first: only the sounds after it are heard.
  await click(page, "h8");
  await waitForTurn(page, 0);
  await press(page);
  assert.deepEqual(await playedSounds(page, 1), ["stone"], "how it will be");
  await click(page, "h9");
  await waitForTurn(page, 1);
  assert.deepEqual(await playedSounds(page, 1), ["stone"]);
  await page.reload();
  await ready(page);
  await recordSounds(page);
  await page.keyboard.press(",");
  await waitForPly(page, 1);
  await page.keyboard.press("]");
  await waitForPly(page, 2);
  await click(page, "i9");
  await waitForTurn(page, 2);
  assert.deepEqual(await playedSounds(page, 1), ["stone"], "the choice is kept, and looking at other positions is silent");
  await press(page);
  await click(page, "j10");
  await waitForTurn(page, 3);
  await press(page);
  assert.deepEqual(await playedSounds(page, 1), ["stone"], "not the move's, but how it will be");
  assert.deepEqual(faults, []);
  await context.close();
});

/** Turns the sounds on, which plays one, and listens from then on. @param {import("playwright-core").Page} page */
async function listenOn(page) {
  await recordSounds(page);
  await press(page);
  assert.deepEqual(await playedSounds(page, 1), ["stone"], "turned on");
}

/** @type {[what: string, link: string, target: string, sounds: string[]][]} */
const MOVES = [
  ["a disc drops", "#game=connect-four&moves=4", "e6", ["drop"]],
  ["discs that are turned", "#game=reversi", "f5", ["capture"]],
  ["a box that is completed", "#game=dots-and-boxes&moves=h0,0_h1,0_v0,0", "v0,1", ["capture"]],
  ["the end of a game", "#game=tic-tac-toe&moves=a1_b2_a2_b3", "a3", ["stone", "end"]],
];

for (const [what, link, target, sounds] of MOVES) {
  test(`${what}: ${sounds.join(", ")}`, async () => {
    const { page, context, faults } = await visit(browser, `${service.url}/${link}&human=both`);
    await listenOn(page);
    const ply = Number(await page.evaluate(() => document.getElementById("app")?.dataset.ply));
    await click(page, target);
    await waitForTurn(page, ply);
    assert.deepEqual(await playedSounds(page, sounds.length), sounds);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("the end of a game on time: stone, end", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=both&clock=move-1`);
  await listenOn(page);
  await click(page, "h8");
  await page.waitForSelector('#app[data-over="true"]');
  assert.deepEqual(await playedSounds(page, 2), ["stone", "end"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("sounds are quiet, and short", async () => {
  const { page, context } = await visit(browser, `${service.url}/#game=gomoku&human=both`);
  for (const name of Object.keys(TONES)) {
    const { peak, last } = await page.evaluate(async (sound) => {
      const page = /** @type {HTMLScriptElement} */ (document.querySelector('script[type="module"]')).src;
      const { synthesise } = await import(new URL("sounds.js", page).href);
      const context = new OfflineAudioContext(1, 2 * 44_100, 44_100);
      synthesise(context, sound, 0);
      const samples = (await context.startRendering()).getChannelData(0);
      const loud = [...samples].flatMap((sample, index) => (Math.abs(sample) > 0.002 ? [index] : []));
      return { peak: samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0), last: (loud.pop() ?? 0) / 44_100 };
    }, name);
    assert.ok(peak > 0.02 && peak < 0.2, `${name}: ${peak}`);
    assert.ok(last > 0.01 && last < (name === "end" ? 1.2 : 0.25), `${name}: ${last} s`);
  }
  await context.close();
});
