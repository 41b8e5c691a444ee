// @ts-check
/**
 * Makes the pictures of docs/images anew: `BINARY=… node screenshots.js`, with pngquant installed, and a font that has
 * Chinese characters.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { Service } from "./service.js";
import { launch, visit } from "./visitor.js";

const FOLDER = new URL("../../docs/images/", import.meta.url).pathname;
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** @param {import("playwright-core").Page} page */
async function analyse(page) {
  await page.click(".start");
  await page.waitForSelector('.run-state[data-state="done"]');
}

/** @type {[name: string, path: string, options: import("playwright-core").BrowserContextOptions, act: (page: import("playwright-core").Page) => Promise<unknown>][]} */
const PICTURES = [
  ["play", "#game=gomoku&variant=renju&moves=h8_h9_i9_g7_i7_i8_j8_h6_g9_h10_k9_j9_h7_k10&human=first&time=20&level=1&at=14", DESKTOP, async () => {}],
  ["analysis", "#game=connect-four&moves=4_4_4_3_5_5_3_6_2_1&panel=analyse&a.amount=5000", DESKTOP, analyse],
  ["line", "#game=xiangqi&moves=h2e2_h9g7_h0g2_i9h9&panel=analyse&a.amount=8000", { ...DESKTOP, colorScheme: "dark" }, async (page) => {
    await analyse(page);
    await page.hover(".children tbody tr:first-child .move");
  }],
  ["phone", "#game=reversi&moves=f5_d6_c3_d3_c4_f4_f6&panel=analyse&a.amount=3000", { ...PHONE, locale: "zh-CN" }, async (page) => {
    await analyse(page);
    await page.evaluate(() => scrollTo(0, 0));
  }],
  ["boxes", "#game=dots-and-boxes&v.columns=5&v.rows=4&moves=h0,1_v1,0_h1,1_v0,1_v0,2_h0,0_v2,4_h3,2_h2,4_v1,3_h4,0_v3,1&panel=analyse&a.amount=3000",
    { ...DESKTOP, colorScheme: "dark" }, analyse],
  ["docs", "docs#search", DESKTOP, async (page) => {
    await page.click("#search .trying summary");
    await page.click("#search .send");
    await page.waitForSelector("#search .answer-status .fine");
    await page.evaluate(() => document.getElementById("search")?.scrollIntoView());
  }],
];

mkdirSync(FOLDER, { recursive: true });
const service = await Service.start();
const browser = await launch();
try {
  for (const [name, path, options, act] of PICTURES) {
    const { page, context } = await visit(browser, `${service.url}/${path}`, options);
    await act(page);
    const file = `${FOLDER}${name}.png`;
    await page.screenshot({ path: file });
    await context.close();
    execFileSync("pngquant", ["--force", "--speed", "1", "--quality", "70-95", "--output", file, file]);
  }
} finally {
  await browser.close();
  await service.kill();
}
