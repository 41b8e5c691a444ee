// @ts-check
/** Games as files: opened in the formats of other programs, and saved in them. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { browser, service } from "./stage.js";
import { visit } from "./visitor.js";

/** The page with the import and export section opened. @param {string} link */
async function open(link) {
  const visitor = await visit(browser, `${service.url}/#${link}`);
  await visitor.page.click(".transfer summary");
  return visitor;
}

/** @param {import("playwright-core").Page} page @param {string} name @param {Buffer} buffer */
const chooseFile = (page, name, buffer) => page.setInputFiles('input[name="record"]', { name, mimeType: "application/octet-stream", buffer });

/** @param {import("playwright-core").Page} page @param {string} format */
async function save(page, format) {
  await page.selectOption('select[name="format"]', format);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click('button[name="save-record"]')]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

test("a game is saved as SGF, and the file opens as the same game", async () => {
  const { page, context, faults } = await open("game=gomoku&moves=h8_i9_j10&human=both&level=3");
  const saved = await save(page, "sgf");
  assert.equal(saved.name, "gomoku.sgf");
  assert.match(saved.text, /GM\[4\]/);
  assert.match(saved.text, /;B\[hh\]/);
  await page.goto(`${service.url}/#game=xiangqi`);
  await page.waitForSelector(".board.xiangqi");
  await page.click(".transfer summary");
  await chooseFile(page, saved.name, Buffer.from(saved.text));
  await page.waitForSelector('.board.gomoku');
  await page.waitForSelector('#app[data-ply="3"][data-panel="review"]');
  assert.match(new URL(page.url()).hash, /moves=h8_i9_j10/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("each game has its own formats", async () => {
  const { page, context, faults } = await open("game=gomoku&moves=h8_i9_j10&human=both");
  const formats = () => page.locator('select[name="format"] option').evaluateAll((all) => all.map((one) => /** @type {HTMLOptionElement} */ (one).value));
  await page.waitForSelector('select[name="format"]', { state: "attached" });
  assert.deepEqual(await formats(), ["sgf", "psq", "moves"]);
  await page.fill('textarea[name="paste"]', "not lost");
  await page.selectOption('select[name="game"]', "xiangqi");
  await page.waitForSelector(".board.xiangqi");
  assert.ok((await formats()).includes("pgn-iccs") && !(await formats()).includes("psq"));
  assert.match((await page.getAttribute('textarea[name="paste"]', "placeholder")) ?? "", /h2e2/);
  assert.equal(await page.inputValue('textarea[name="paste"]'), "not lost");
  assert.equal((await save(page, "pgn-iccs")).name, "xiangqi.pgn");
  assert.deepEqual(faults, []);
  await context.close();
});

test("Chinese PGN in GBK is opened, and saved in another notation; who resigned is kept", async () => {
  const { page, context, faults } = await open("game=gomoku");
  // 炮二平五, 马8进7 in GBK.
  const moves = Buffer.from([0x31, 0x2e, 0x20, 0xc5, 0xda, 0xb6, 0xfe, 0xc6, 0xbd, 0xce, 0xe5, 0x20, 0xc2, 0xed, 0xa3, 0xb8, 0xbd, 0xf8, 0xa3, 0xb7, 0x0a]);
  await chooseFile(page, "game.pgn", Buffer.concat([Buffer.from('[Game "Chinese Chess"]\n[Result "1-0"]\n[Termination "resignation"]\n\n'), moves]));
  await page.waitForSelector(".board.xiangqi");
  await page.waitForSelector('#app[data-ply="2"][data-panel="review"]');
  await page.click('[data-panel="play"]');
  await page.click(".transfer summary");
  const saved = await save(page, "pgn-iccs");
  assert.equal(saved.name, "xiangqi.pgn");
  assert.match(saved.text, /H2-E2\s+H9-G7/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("moves alone are a game of the kind on the board; what is refused is told with its line", async () => {
  const { page, context, faults } = await open("game=connect-four&human=both");
  await chooseFile(page, "moves.txt", Buffer.from("4433"));
  await page.waitForSelector('#app[data-ply="4"][data-panel="review"]');
  await page.click('[data-panel="play"]');
  await page.click(".transfer summary");
  await chooseFile(page, "broken.sgf", Buffer.from("(;GM[4]SZ[15];B[hh]\n;W[hh])"));
  await page.waitForFunction(() => /line 2, column \d+/.test(document.querySelector(".notice")?.textContent ?? ""));
  assert.equal(await page.getAttribute("#app", "data-ply"), "4");
  assert.deepEqual(faults, []);
  await context.close();
});
