// @ts-check
/** Pictures of a position to share: from the server, and drawn by the page itself. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { browser, service } from "./stage.js";
import { visit } from "./visitor.js";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** Saves the picture from the import and export section. @param {import("playwright-core").Page} page */
async function saved(page) {
  if (!(await page.locator(".transfer[open]").count())) await page.click(".transfer summary");
  const coming = page.waitForEvent("download");
  await page.click('button[name="picture"]');
  const download = await coming;
  const bytes = readFileSync(await download.path());
  assert.ok(bytes.subarray(0, 4).equals(PNG));
  return { name: download.suggestedFilename(), bytes };
}

/**
 * The lightness of the middles of targets in a picture of the whole board.
 * @param {import("playwright-core").Page} page
 * @param {Buffer} bytes
 * @param {string[]} names
 */
const lightness = (page, bytes, names) =>
  page.evaluate(async ([base64, ...wanted]) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.drawImage(image, 0, 0);
    const board = /** @type {Element} */ (document.querySelector(".board")).getBoundingClientRect();
    const lights = wanted.map((name) => {
      const { x, y, width, height } = /** @type {Element} */ (document.querySelector(`.target[data-name="${name}"] .hit`)).getBoundingClientRect();
      const scale = image.width / board.width;
      // Beside the mark of the last move.
      const data = context.getImageData((x + width * 0.7 - board.x) * scale, (y + height * 0.7 - board.y) * scale, 1, 1).data;
      return Math.max(...data.slice(0, 3));
    });
    return { size: Math.max(image.width, image.height), lights };
  }, [bytes.toString("base64"), ...names]);

test("the server draws the picture; where it is away, and where it could not, the page does", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&v.size=9&moves=e5_e6_d4&human=both`, { colorScheme: "dark" });
  /** @type {URL[]} */
  const asked = [];
  page.on("request", (request) => request.url().includes("picture.png") && asked.push(new URL(request.url())));
  const drawn = await saved(page);
  assert.equal(drawn.name, "gomoku.png");
  const { variant, ...query } = Object.fromEntries(asked[0].searchParams);
  assert.deepEqual(query, { game: "gomoku", moves: "e5 e6 d4", size: "1024", theme: "dark" });
  assert.equal(JSON.parse(variant).size, 9);
  const { size, lights: [black, white] } = await lightness(page, drawn.bytes, ["e5", "e6"]);
  assert.ok(size === 1024 && black < 100 && white > 180, `${size} ${black} ${white}`);

  await page.route("**/picture.png?*", (route) => route.abort());
  const plain = (await saved(page)).bytes;
  const own = await lightness(page, plain, ["e5", "e6", "d4"]);
  assert.ok(own.size === 1024 && own.lights[0] < 100 && own.lights[1] > 180 && own.lights[2] < 100, JSON.stringify(own));
  assert.equal(asked.length, 2);

  // Numbers on stones are drawn by the page.
  await page.click(".preferences > summary");
  await page.selectOption('select[name="numbers"]', "all");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".board .number");
  assert.ok(!(await saved(page)).bytes.equals(plain), "numbers are seen in it");
  assert.equal(asked.length, 2);
  assert.deepEqual(faults, []);
  await context.close();
});

test("on a phone the picture of the end goes to the device's own sharing", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=tic-tac-toe&moves=a3_b2_b3_a1_c3&human=both`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.evaluate(() => {
    Object.assign(navigator, { canShare: () => true, share: async (/** @type {ShareData} */ { files: [file] = [] }) => (document.title = `${file.name} ${file.type} ${file.size > 1000}`) });
  });
  await page.tap('.end-card button[name="picture"]');
  await page.waitForFunction(() => document.title === "tic-tac-toe.png image/png true");
  assert.deepEqual(faults, []);
  await context.close();
});
