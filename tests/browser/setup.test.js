// @ts-check
/** Positions set up by hand, on the board and as text, in every game; refusals of the service are explained in words. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, service } from "./stage.js";
import { ready, targetCentre, boardState, violations, visit, withoutEngine } from "./visitor.js";

/** @typedef {import("playwright-core").Page} Page */

/** @param {string} link @param {import("playwright-core").BrowserContextOptions} [options] */
const open = (link, options) => visit(browser, `${service.url}/#${link}&human=both&panel=setup`, options);

/** Clicks targets of the board being set up. @param {Page} page @param {...string} names */
async function put(page, ...names) {
  for (const name of names) {
    const { x, y } = await targetCentre(page, name, ".setup-board");
    await page.mouse.click(x, y);
  }
}

/** Chooses the piece to put on the board; an empty letter removes pieces. @param {Page} page @param {string} letter */
const selectPiece = (page, letter) => page.check(`.palette input[value="${letter}"]`, { force: true });

/** The service's verdict, once it has been asked. @param {Page} page @param {"fine" | "refused"} kind */
async function verdict(page, kind) {
  await page.waitForSelector(`.setup-verdict[data-kind="${kind}"]`);
  return (await page.textContent(".setup-verdict")) ?? "";
}

/** @param {Page} page */
const positionText = (page) => page.inputValue('textarea[name="setup"]');

/** The content of a target, in words. @param {Page} page @param {string} name */
const cellLabel = (page, name) => page.getAttribute(`.setup-board .target[data-name="${name}"]`, "aria-label");

test("gomoku: stones by mouse and by keyboard, refused in words, then played from", async () => {
  const { page, context, faults } = await open("game=gomoku&v.size=9&moves=e5");
  assert.equal(await positionText(page), "9/9/9/9/4x4/9/9/9/9 o", "it begins with the position of the game");
  assert.match(await verdict(page, "fine"), /White to move/);
  await selectPiece(page, "o");
  await put(page, "f5");
  assert.equal(await positionText(page), "9/9/9/9/4xo3/9/9/9/9 x");
  // No game has two more black stones than white ones.
  await selectPiece(page, "x");
  await put(page, "a1", "b1");
  assert.match(await verdict(page, "refused"), /[Nn]ot a valid position.*3 x and 1 o: expected as many/);
  assert.ok(await page.isDisabled('button[name="setup-play"]'));
  assert.ok(await page.isDisabled('button[name="setup-analyse"]'));
  assert.notEqual(await page.locator('button[name="setup-play"]').evaluate((one) => getComputedStyle(one).backgroundColor), "rgba(0, 0, 0, 0)", "it can still be read");
  // The same stone again takes it away, and so does Delete.
  await put(page, "b1");
  assert.match(await verdict(page, "fine"), /White to move/);
  await page.keyboard.press("b");
  await page.locator('.setup-board .target[data-name="a1"]').focus();
  await page.keyboard.press("Delete");
  assert.equal(await positionText(page), "9/9/9/9/4xo3/9/9/9/9 x");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  assert.equal(await positionText(page), "9/9/9/9/4xo3/9/9/x8/9 o");
  assert.match((await cellLabel(page, "a2")) ?? "", /^a2, Black/);
  await verdict(page, "fine");
  await page.click('button[name="setup-play"]');
  await page.waitForSelector("#tab-play[aria-selected=true]");
  assert.equal(await page.locator(".setup-board").count(), 0);
  assert.equal(await page.locator(".stage .board .piece").count(), 3);
  assert.match((await boardState(page)).text, /White to move/);
  assert.match(decodeURIComponent(page.url()), /position=9\/9\/9\/9\/4xo3\/9\/9\/x8\/9[ +]o/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("gomoku: swap2 has stages", async () => {
  const { page, context, faults } = await open("game=gomoku&v.size=9&v.opening=swap2&moves=e5_f5");
  assert.match(await positionText(page), / x opening$/);
  await put(page, "a1");
  assert.match(await verdict(page, "refused"), /opening with 3 stones/);
  await page.selectOption('select[name="stage"]', "second");
  assert.match(await positionText(page), / o second$/);
  await verdict(page, "fine");
  assert.deepEqual(faults, []);
  await context.close();
});

test("connect four: discs fall, also when one below is taken away", async () => {
  const { page, context, faults } = await open("game=connect-four&v.columns=9&v.rows=9&v.blocked=c2");
  await put(page, "a9");
  assert.match((await cellLabel(page, "a1")) ?? "", /Red/);
  await selectPiece(page, "o");
  await put(page, "a5", "c9", "c9");
  // The blocked cell is left out.
  assert.equal(await positionText(page), "9/9/9/9/9/9/2o6/o1#6/x1o6 x");
  assert.match(await verdict(page, "refused"), /1 x and 3 o/);
  await selectPiece(page, "x");
  await put(page, "b4", "b4");
  assert.match(await verdict(page, "fine"), /Red to move/);
  await selectPiece(page, "");
  await put(page, "a1", "c1");
  assert.equal(await positionText(page), "9/9/9/9/9/9/9/1x#6/oxo6 x");
  // Moves are a valid text of a position as well: the service reads it.
  await page.fill('textarea[name="setup"]', "4453");
  assert.match(await verdict(page, "fine"), /Red to move/);
  await page.waitForFunction(() => document.querySelectorAll(".setup-board .piece").length === 4);
  assert.match((await cellLabel(page, "d2")) ?? "", /Yellow/);
  assert.equal(await positionText(page), "4453", "what is typed stays");
  assert.deepEqual(faults, []);
  await context.close();
});

test("reversi: the text and the board follow each other, the side is chosen, and it is analysed", async () => {
  const { page, context, faults } = await open("game=reversi&a.limit=depth&a.amount=2");
  const typed = `${"XXO".padEnd(64, "-")} O`;
  await page.fill('textarea[name="setup"]', typed);
  await page.waitForFunction(() => document.querySelectorAll(".setup-board .piece").length === 3);
  assert.match(await verdict(page, "fine"), /White to move.*Black 2 : 1 White/);
  await page.fill('textarea[name="setup"]', `${typed}!`);
  assert.match(await verdict(page, "refused"), /[Nn]ot a valid position/);
  assert.equal(await page.getAttribute('textarea[name="setup"]', "aria-invalid"), "true");
  assert.equal(await page.locator(".setup-board .piece").count(), 3, "the board keeps what could be read");
  await page.fill('textarea[name="setup"]', typed);
  await page.check('input[name="turn"][value="first"]', { force: true });
  assert.equal(await positionText(page), typed.replace(/O$/, "X"));
  assert.match(await verdict(page, "fine"), /Black to move/);
  // A draft is in the address: a reload or the link restores it.
  await page.reload();
  await ready(page);
  assert.equal(await positionText(page), typed.replace(/O$/, "X"));
  await verdict(page, "fine");
  await page.click('button[name="setup-analyse"]');
  await page.waitForSelector('.run-state[data-state="done"]');
  assert.equal(await page.getAttribute("#tab-analyse", "aria-selected"), "true");
  assert.doesNotMatch(page.url(), /setup/);
  // Back in the setup, the position is the game's; the start and the empty board are one click away.
  await page.click("#tab-setup");
  assert.equal(await positionText(page), typed.replace(/O$/, "X"));
  await page.click('button[name="setup-start"]');
  await page.waitForFunction(() => document.querySelectorAll(".setup-board .piece").length === 4);
  await page.click('button[name="setup-clear"]');
  assert.equal(await positionText(page), `${"-".repeat(64)} X`);
  await page.click('button[name="setup-game"]');
  assert.equal(await positionText(page), typed.replace(/O$/, "X"));
  assert.deepEqual(faults, []);
  await context.close();
});

test("dots and boxes: edges, and whose a box is", async () => {
  const { page, context, faults } = await open("game=dots-and-boxes&v.columns=2&v.rows=1");
  await selectPiece(page, "o");
  await put(page, "h0,0", "h1,0", "v0,0", "v0,1");
  assert.equal(await positionText(page), "1010110 0-1 first", "a box belongs to whoever completes it");
  assert.match((await cellLabel(page, "0,0")) ?? "", /Orange/);
  assert.equal(await page.locator(".setup-board .box.second").count(), 1);
  await selectPiece(page, "x");
  await put(page, "0,0");
  assert.equal(await positionText(page), "1010110 1-0 first");
  assert.match(await verdict(page, "fine"), /Blue 1 : 0 Orange/);
  // The box on the right is not complete: nothing can be put there.
  assert.equal(await page.getAttribute('.setup-board .target[data-name="0,1"]', "aria-disabled"), "true");
  await put(page, "v0,1");
  assert.equal(await positionText(page), "1010100 0-0 first");
  await page.fill('textarea[name="setup"]', "1010110 0-1 second");
  assert.match(await verdict(page, "fine"), /Orange to move/);
  await page.waitForSelector(".setup-board .box.second");
  // By keyboard from an edge into the box beside it.
  await page.locator('.setup-board .target[data-name="v0,0"]').focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  assert.equal(await positionText(page), "1010110 1-0 second");
  await page.fill('textarea[name="setup"]', "1010110 3-0 second");
  assert.match(await verdict(page, "refused"), /score/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("xiangqi: every piece, turned round, the refusal names what is missing", async () => {
  const { page, context, faults } = await open("game=xiangqi");
  await page.click('button[name="setup-clear"]');
  assert.match(await verdict(page, "refused"), /Red has no general/);
  assert.equal(await page.locator(".palette label").count(), 15);
  assert.equal(await page.getAttribute('.palette input[value="R"]', "aria-label"), "Red chariot");
  await selectPiece(page, "K");
  await put(page, "e0");
  assert.match(await verdict(page, "refused"), /Black has no general/);
  await selectPiece(page, "k");
  await put(page, "d9");
  await selectPiece(page, "R");
  // The palette is a group of radio buttons: the arrow keys move in it.
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.isChecked('.palette input[value="C"]'));
  await selectPiece(page, "R");
  await put(page, "a7");
  await page.check('input[name="turn"][value="second"]', { force: true });
  assert.equal(await positionText(page), "3k5/9/R8/9/9/9/9/9/9/4K4 b - - 0 1");
  assert.match(await verdict(page, "fine"), /Black to move/);
  await page.locator('.setup-board .target[data-name="a7"]').focus();
  await page.keyboard.press("f");
  const [king, rook] = await Promise.all(["e0", "a7"].map((name) => targetCentre(page, name, ".setup-board")));
  assert.ok(king.y < rook.y, "the board is turned round");
  await put(page, "b7");
  assert.equal(await positionText(page), "3k5/9/RR7/9/9/9/9/9/9/4K4 b - - 0 1");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a position that could not be checked is not refused, and is checked once the service answers", async () => {
  const { page, context, faults } = await open("game=tic-tac-toe");
  await verdict(page, "fine");
  await withoutEngine(page);
  const refuse = (/** @type {import("playwright-core").Route} */ route) => route.abort();
  await page.route("**/v1/positions", refuse);
  await put(page, "b2");
  await page.waitForFunction(() => /cannot be reached/.test(document.querySelector(".setup-verdict")?.textContent ?? ""));
  assert.equal(await page.getAttribute(".setup-verdict", "data-kind"), "checking");
  assert.equal(await page.getAttribute('textarea[name="setup"]', "aria-invalid"), null);
  assert.ok(await page.isDisabled('button[name="setup-play"]'));
  await page.unroute("**/v1/positions", refuse);
  assert.match(await verdict(page, "fine"), /O to move/);
  assert.ok(await page.isEnabled('button[name="setup-play"]'));
  assert.deepEqual(faults, []);
  await context.close();
});

test("hex, and tic-tac-toe", async () => {
  const { page, context, faults } = await open("game=hex&v.size=5");
  await put(page, "a1");
  await selectPiece(page, "b");
  await put(page, "c2");
  assert.equal(await positionText(page), "r4/2b2/5/5/5 r");
  assert.match(await verdict(page, "fine"), /Red to move/);
  await page.selectOption('select[name="game"]', "tic-tac-toe");
  await page.waitForFunction(() => document.querySelectorAll(".setup-board .target").length === 9);
  assert.equal(await positionText(page), "3/3/3 x", "another game begins with its own position");
  await put(page, "a3", "b2");
  assert.match(await verdict(page, "refused"), /2 x and 0 o/);
  await selectPiece(page, "o");
  await put(page, "a1");
  assert.match(await verdict(page, "fine"), /O to move/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a game without a module is set up as text", async () => {
  const { page, context } = await open("game=gomoku");
  await page.route("**/games/tic-tac-toe.js", (route) => route.abort());
  await page.selectOption('select[name="game"]', "tic-tac-toe");
  await page.waitForFunction(() => document.querySelectorAll(".setup-board .target").length === 9);
  assert.ok(await page.locator(".palette").isHidden());
  await page.fill('textarea[name="setup"]', "x2/1o1/3 x");
  await verdict(page, "fine");
  await page.waitForFunction(() => document.querySelectorAll(".setup-board .piece").length === 2);
  await page.click('button[name="setup-play"]');
  await page.waitForFunction(() => document.querySelectorAll(".stage .board .piece").length === 2);
  await context.close();
});

for (const [game, options] of /** @type {[string, import("playwright-core").BrowserContextOptions][]} */ ([
  ["xiangqi", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" }], ["dots-and-boxes", { locale: "zh-CN" }],
])) {
  test(`${game}: setting up has no serious violations, refused or not`, async () => {
    const { page, context, faults } = await open(`game=${game}`, options);
    await verdict(page, "fine");
    assert.deepEqual(await violations(page), []);
    await page.fill('textarea[name="setup"]', "0");
    await verdict(page, "refused");
    assert.deepEqual(await violations(page), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
    assert.deepEqual(faults, []);
    await context.close();
  });
}
