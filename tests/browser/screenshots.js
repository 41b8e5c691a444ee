// @ts-check
/**
 * Regenerates the pictures in docs/images: `BINARY=… node screenshots.js`, with pngquant installed, and a font that has Chinese
 * characters. `ONLY=phone` makes only those with this in their names.
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
  await page.waitForSelector('.run-state[data-state="done"]');
}

/** A position of each game with moves of different worth. */
const ANALYSES = {
  "connect-four": "#game=connect-four&moves=4_4_4_4_4_2&a.amount=5000",
  reversi: "#game=reversi&moves=f5_d6_c3_d3_c4_f4_f6&a.amount=8000",
  gomoku: "#game=gomoku&moves=h8_h9_i9_g7&a.amount=8000",
  xiangqi: "#game=xiangqi&moves=h2e2_h9g7_h0g2_i9h9&a.amount=8000",
  hex: "#game=hex&moves=f6_swap_d8_h5&a.amount=8000",
  "dots-and-boxes": "#game=dots-and-boxes&v.columns=5&v.rows=4&a.amount=8000&moves=" +
    "h0,1_v1,0_h1,1_v0,1_v0,2_h0,0_v2,4_h3,2_h2,4_v1,3_h4,0_v3,1_h0,4_h4,3_v2,0_h3,4_h1,3_v1,5_h2,1_v2,2",
  "tic-tac-toe": "#game=tic-tac-toe&moves=b2_b1",
};

/** @typedef {[name: string, path: string, options: import("playwright-core").BrowserContextOptions, act: (page: import("playwright-core").Page) => Promise<unknown>]} Picture */

/** @type {Picture[]} */
const PICTURES = [
  ["front", "", DESKTOP, async () => {}],
  ["play", "#game=gomoku&variant=renju&moves=h8_h9_i9_g7_i7_i8_j8_h6_g9_h10_k9_j9&human=first&level=7", DESKTOP, async () => {}],
  ["line", "#game=xiangqi&moves=h2e2_h9g7_h0g2_i9h9&panel=analyse&a.amount=8000", { ...DESKTOP, colorScheme: "dark" }, async (page) => {
    await analyse(page);
    await page.hover(".children tbody tr:first-child .move");
  }],
  ...Object.entries(ANALYSES).map(([game, link], index) => /** @type {Picture} */ (
    [`analysis-${game}`, `${link}&panel=analyse`, { ...DESKTOP, colorScheme: index % 4 < 2 ? "light" : "dark" }, analyse])),
  ["phone", "#game=reversi&moves=f5_d6_c3_d3_c4_f4_f6&panel=analyse&a.amount=3000", { ...PHONE, locale: "zh-CN" }, async (page) => {
    await analyse(page);
    await page.evaluate(() => scrollTo(0, 0));
  }],
  ["phone-play", "#game=hex&moves=f6_swap_d8_h5&level=4", { ...PHONE, colorScheme: "dark" }, async (page) => {
    await page.click('[data-toggle="evaluation"]');
    await page.waitForSelector(".evaluation:not(.unknown)");
    await page.mouse.move(0, 0);
    await page.evaluate(() => scrollTo(0, 0));
  }],
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
    if (!name.includes(process.env.ONLY ?? "")) continue;
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
