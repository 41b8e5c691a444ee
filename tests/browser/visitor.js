// @ts-check
/** A browser, and what tests commonly do in it. Everything waits for conditions; nothing waits for a time. */

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { Service } from "./service.js";

/** Far more than anything here takes, on the slowest machine that tests run on. */
export const PATIENCE = Number(process.env.PATIENCE ?? 120_000);

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const OPTIONS = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"],
  timeout: PATIENCE,
};

export const launch = () => chromium.launch(OPTIONS);

/** A browser that keeps its data in a folder, since in private windows nothing can be installed. @param {string} folder */
export const launchIn = (folder) => chromium.launchPersistentContext(folder, OPTIONS);

/**
 * A fresh visitor at an address of the page, without service workers unless `options` allow them. Errors of the page's scripts,
 * and violations of its policy, end up in `faults`.
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function visit(browser, url, options = {}) {
  const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce", serviceWorkers: "block", viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.setDefaultNavigationTimeout(PATIENCE);
  /** @type {string[]} */
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error.stack ?? error)));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content Security Policy|Trusted/.test(message.text())) faults.push(message.text());
  });
  await page.goto(url);
  await ready(page);
  return { context, page, faults };
}

/** @param {import("playwright-core").Page} page */
export function ready(page) {
  return page.waitForSelector("html[data-ready]", { state: "attached" });
}

/** Whether the program under test carries the engine for browsers. Throws if it could but does not: it is out of date. */
export async function hasEngine() {
  const service = await Service.start();
  try {
    const carried = (await (await fetch(service.url)).text()).includes('data-engine="carried"');
    const built = existsSync(new URL("../../web/engine/dist/tesuji.wasm", import.meta.url));
    if (built && !carried) throw new Error("the engine was built after the program: build the program again");
    return carried;
  } finally {
    await service.kill();
  }
}

/** Makes the engine for browsers unreachable. @param {import("playwright-core").Page} page */
export function withoutEngine(page) {
  return page.route("**/backend/browser.js", (route) => route.abort());
}

/** How many plies are on the board, and whether the reader is to move. @param {import("playwright-core").Page} page */
export const boardState = (page) =>
  page.evaluate(() => {
    const app = /** @type {HTMLElement} */ (document.getElementById("app"));
    const status = /** @type {HTMLElement} */ (document.querySelector(".status"));
    return { ply: Number(app.dataset.ply), over: app.dataset.over === "true", kind: status.dataset.kind, text: status.textContent ?? "" };
  });

/**
 * Waits until more than `ply` plies are played, and it is the reader's turn or the game is over.
 * @param {import("playwright-core").Page} page
 * @param {number} ply
 */
export async function waitForTurn(page, ply) {
  await page.waitForFunction((before) => {
    const app = /** @type {HTMLElement} */ (document.getElementById("app"));
    const status = /** @type {HTMLElement} */ (document.querySelector(".status"));
    return Number(app.dataset.ply) > before && (app.dataset.over === "true" || status.dataset.kind === "turn");
  }, ply);
  return boardState(page);
}

/** Waits until the position after `ply` plies is shown. @param {import("playwright-core").Page} page @param {number} ply */
export const waitForPly = (page, ply) => page.waitForFunction((wanted) => document.getElementById("app")?.dataset.ply === String(wanted), ply);

/**
 * The middle of a target of the board, once it has a size: a board may be being rebuilt at this moment.
 * @param {import("playwright-core").Page} page
 * @param {string} name
 * @param {string} [board] selects the board, where there are two
 */
export async function targetCentre(page, name, board = ".board") {
  const found = await page.waitForFunction((selector) => {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    return box && Math.max(box.width, box.height) > 0 && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }, `${board} .target[data-name="${name}"] .hit`);
  return /** @type {{ x: number, y: number }} */ (await found.jsonValue());
}

/**
 * Holds requests back until the returned function is called.
 * @param {import("playwright-core").Page} page
 * @param {string} url
 * @param {(request: import("playwright-core").Request) => boolean} [which]
 */
export async function holdRequests(page, url, which = () => true) {
  /** @type {() => void} */
  let release = () => {};
  const held = new Promise((resolve) => (release = () => resolve(undefined)));
  await page.route(url, async (route) => {
    if (which(route.request())) await held;
    await route.continue();
  });
  return release;
}

/** The games that the browser keeps. @param {import("playwright-core").Page} page @returns {Promise<any[]>} */
export const storedGames = (page) =>
  page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("game:")).map((name) => JSON.parse(localStorage.getItem(name) ?? "")));

/** A stream of random numbers, the same in every run. @param {number} seed */
export function randomNumbers(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What can be chosen on the board now: targets by name, or words. @param {import("playwright-core").Page} page */
export const choices = (page) =>
  page.evaluate(() => ({
    words: [...document.querySelectorAll(".board-moves button")].map((one) => /** @type {HTMLElement} */ (one).dataset.move ?? ""),
    targets: [...document.querySelectorAll(".target.open:not(.chosen)")].map((one) => /** @type {SVGElement} */ (one).dataset.name ?? ""),
  }));

/**
 * Changes the service's responses to searches, so that tests do not depend on what the engines find.
 * @param {import("playwright-core").Page} page
 * @param {(answer: any) => void} change
 */
export async function changeSearches(page, change) {
  await page.unrouteAll();
  await page.route("**/v1/searches", async (route) => {
    const response = await route.fetch({ headers: { "content-type": "application/json", accept: "application/json" } });
    const answer = await response.json();
    change(answer);
    await route.fulfill({ contentType: "text/event-stream", body: `id: 1\ndata: ${JSON.stringify(answer)}\n\n` });
  });
}

/**
 * Serious violations that axe finds on the page as it is.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export async function violations(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations: found } = await /** @type {any} */ (window).axe.run(document, { resultTypes: ["violations"] });
    return found
      .filter((/** @type {any} */ one) => one.impact === "serious" || one.impact === "critical")
      .map((/** @type {any} */ one) => `${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((/** @type {any} */ node) => node.html).join(" | ")}`);
  });
}
