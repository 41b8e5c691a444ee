// @ts-check
/** The search tree: opened level by level, and searched on from a node. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, service } from "./stage.js";
import { boardState, violations, visit } from "./visitor.js";

test("the tree is opened level by level, by keyboard too", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=connect-four&moves=4_4_3&panel=tree&t.amount=3000`);
  await page.click(".start");
  await page.waitForSelector('.run-state[data-state="done"]');
  const items = page.locator('.nodes [role="treeitem"]');
  assert.equal(await items.count(), 7);
  await items.first().focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector('.nodes [aria-level="2"]');
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-level")), "2");
  const names = await page.locator('.nodes [aria-level="1"]').allTextContents();
  assert.ok(names.length === 7 && names.every((name) => /\d/.test(name)), names.join());
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Shift+Enter");
  await page.waitForSelector(".trail button >> nth=2");
  await page.waitForSelector('.run-state[data-state="done"]');
  await page.waitForSelector('.nodes [role="treeitem"]');
  assert.equal((await boardState(page)).ply, 3, "the game itself stays where it is");
  assert.deepEqual(faults, []);
  await context.close();
});
