// @ts-check
/** A service that a proxy publishes under a path: the page and the reference, with all that they call. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { GAMES, SETTINGS, click } from "./player.js";
import { Service } from "./service.js";
import { launch, waitForTurn, visit } from "./visitor.js";

const [browser, service] = await Promise.all([launch(), Service.start(["--base-path", "/ai"])]);

after(async () => {
  await browser.close();
  await service.kill();
});

/** Requests outside the path. @param {import("playwright-core").Page} page */
function outsideRequests(page) {
  /** @type {string[]} */
  const found = [];
  page.on("request", (request) => {
    const { protocol, pathname } = new URL(request.url());
    if (protocol === "http:" && !pathname.startsWith("/ai/")) found.push(request.url());
  });
  return found;
}

test("a game is played and analysed under a path", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/ai/${GAMES["tic-tac-toe"]}${SETTINGS}`);
  const stray = outsideRequests(page);
  await click(page, "b2");
  const { ply } = await waitForTurn(page, 0);
  assert.ok(ply >= 2, "the engine has answered");
  await page.reload();
  await page.waitForSelector("html[data-ready]", { state: "attached" });
  assert.deepEqual([stray, faults], [[], []]);
  await context.close();
});

test("the reference calls the service under its path", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/ai/docs`);
  const stray = outsideRequests(page);
  assert.ok((await page.locator("pre").allInnerTexts()).some((text) => text.includes(`${service.url}/ai/v1/searches`)));
  await page.click('button[name="run"]');
  await page.waitForSelector("#quick-start .answer tbody tr");
  for (const link of await page.locator("header a").all()) {
    const href = await link.evaluate((one) => /** @type {HTMLAnchorElement} */ (one).href);
    assert.ok(href.startsWith(`${service.url}/ai/`), href);
    assert.equal((await fetch(href)).status, 200, href);
  }
  assert.deepEqual([stray, faults], [[], []]);
  await context.close();
});
