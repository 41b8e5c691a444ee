// @ts-check
/** What the browser keeps: each game as a history entry, several games, tabs that do not disturb each other, the key. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { click } from "./player.js";
import { browser, service } from "./stage.js";
import { PATIENCE, waitForPly, holdRequests, storedGames, ready, boardState, waitForTurn, violations, visit } from "./visitor.js";

/** @typedef {import("playwright-core").Page} Page */

/** Another tab of the same browser. @param {import("playwright-core").BrowserContext} context @param {string} url */
async function tab(context, url) {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(url);
  await ready(page);
  return page;
}

test("Back leaves a game in one step, whatever was played in it; Forward leads back to where it was", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=both`);
  for (const [ply, point] of ["h8", "h9", "i9"].entries()) {
    await click(page, point);
    await waitForTurn(page, ply);
  }
  // Keys and buttons move between plies.
  await page.keyboard.press("[");
  await waitForPly(page, 0);
  await page.keyboard.press(".");
  await waitForPly(page, 1);
  await page.click('.controls button[aria-label="Last position"]');
  await waitForPly(page, 3);
  await page.click('button[name="undo"]');
  await waitForPly(page, 2);
  assert.match(page.url(), /moves=h8_h9(&|$)/, "the address follows");
  await page.selectOption('select[name="game"]', "reversi");
  await page.waitForSelector(".board.reversi");
  await click(page, "f5");
  await waitForTurn(page, 0);
  await page.goBack();
  await page.waitForSelector(".board.gomoku");
  await waitForPly(page, 2);
  await page.goForward();
  await page.waitForSelector(".board.reversi");
  await waitForPly(page, 1);
  assert.deepEqual(faults, []);
  await context.close();
});

test("from the front page, Back leads there at once", async () => {
  const { page, context, faults } = await visit(browser, service.url);
  await page.click('.card[data-game="tic-tac-toe"]');
  await page.waitForSelector(".board.tic-tac-toe");
  await page.selectOption('select[name="human"]', "both");
  for (const [ply, name] of ["a1", "b2", "c3"].entries()) {
    await click(page, name);
    await waitForTurn(page, ply);
  }
  await page.click("#tab-analyse");
  await page.goBack();
  await page.waitForSelector(".front");
  await page.goForward();
  await waitForPly(page, 3);
  assert.equal(await page.getAttribute("#tab-analyse", "aria-selected"), "true");
  assert.deepEqual(faults, []);
  await context.close();
});

test("the engine thinks on while another position is looked at", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&moves=h8_h9&level=10&time=1000`);
  await click(page, "i9");
  await page.waitForSelector(".strip .thinking-indicator");
  await page.keyboard.press("[");
  await waitForPly(page, 0);
  await page.waitForFunction(() => document.querySelectorAll(".moves li button").length === 4);
  assert.equal((await boardState(page)).ply, 0, "what is looked at stays");
  assert.deepEqual(faults, []);
  await context.close();
});

test("games are kept: listed with players and results, opened, deleted", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=tic-tac-toe&human=both`);
  for (const [ply, name] of ["a1", "b1", "a2", "b2", "a3"].entries()) {
    await click(page, name);
    await waitForTurn(page, ply);
  }
  await page.goto(`${service.url}/docs`);
  await page.goto(`${service.url}/#game=reversi&level=2&time=50`);
  await ready(page);
  await click(page, "f5");
  await waitForTurn(page, 1);
  await page.click('button[name="resign"]');
  await page.click('dialog button[name="confirm"]');
  await page.click('button[name="games"]');
  await page.waitForSelector(".stored-games li");
  const rows = await page.locator(".stored-games li").allTextContents();
  assert.equal(rows.length, 2);
  assert.match(rows[0], /Reversi.*You \(Black\) – Engine · level 2 \(White\).*White wins.*2 moves/);
  assert.match(rows[1], /Tic-tac-toe.*X wins.*5 moves/);
  assert.deepEqual(await violations(page), []);
  await page.click(".stored-games li:nth-child(2) .open");
  await page.waitForSelector(".board.tic-tac-toe");
  assert.match((await boardState(page)).text, /X wins/);
  await page.click('button[name="games"]');
  await page.click('.stored-games li:nth-child(2) button[name="delete"]');
  assert.equal(await page.locator(".stored-games li").count(), 1);
  await page.reload();
  await ready(page);
  assert.deepEqual((await storedGames(page)).map(({ game }) => game), ["reversi"], "what was deleted does not come back");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a kept game that cannot be opened stays as it is, whatever is begun instead", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=tic-tac-toe&human=both`);
  await click(page, "b2");
  await waitForTurn(page, 0);
  await page.click('button[name="new"]');
  await page.click('dialog button[name="confirm"]');
  await waitForPly(page, 0);
  const refuse = (/** @type {import("playwright-core").Route} */ route) => route.fulfill({ status: 500, body: "" });
  const open = async () => {
    await page.click('button[name="games"]');
    await page.click('.stored-games .open:has-text("Tic-tac-toe")');
  };
  await page.route("**/v1/positions", refuse);
  await open();
  await page.waitForSelector(".notice p");
  await page.unroute("**/v1/positions", refuse);
  await page.selectOption('select[name="game"]', "reversi");
  await page.waitForSelector(".board.reversi");
  await click(page, "f5");
  await waitForTurn(page, 0);
  // A game that another one overtakes while it is opened.
  const release = await holdRequests(page, "**/v1/positions", (request) => request.postDataJSON().game === "tic-tac-toe");
  const asked = page.waitForRequest("**/v1/positions");
  await open();
  await asked;
  await page.selectOption('select[name="game"]', "hex");
  await page.waitForSelector(".board.hex");
  release();
  await click(page, "a1");
  await waitForTurn(page, 0);
  assert.deepEqual((await storedGames(page)).map(({ game, moves }) => `${game} ${moves}`).sort(), ["hex a1", "reversi f5", "tic-tac-toe b2"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the game on the board, once deleted from the list, does not come back unless it is played on", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=tic-tac-toe&human=both`);
  for (const [ply, name] of ["b2", "a1"].entries()) {
    await click(page, name);
    await waitForTurn(page, ply);
  }
  await page.click('button[name="games"]');
  await page.click('.stored-games button[name="delete"]');
  await page.waitForSelector(".stored-games .empty");
  await page.keyboard.press("Escape");
  for (let count = 0; count < 2; count += 1) {
    await page.reload();
    await ready(page);
    await page.click("#tab-analyse");
    await page.click("#tab-play");
    assert.equal((await boardState(page)).ply, 2, "it is on the board");
    assert.deepEqual(await storedGames(page), []);
  }
  await click(page, "c3");
  await waitForTurn(page, 2);
  assert.deepEqual((await storedGames(page)).map(({ moves }) => moves.join("_")), ["b2_a1_c3"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the same moves under other rules are another game", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=both`);
  await click(page, "h8");
  await waitForTurn(page, 0);
  /** Opens the game of a link, and plays a move. @param {string} variant */
  const follow = async (variant) => {
    await page.goto("about:blank");
    await page.goto(`${service.url}/#game=gomoku&variant=${variant}&moves=h8&human=both`);
    await ready(page);
    await click(page, "h9");
    await waitForTurn(page, 1);
    return (await storedGames(page)).map((one) => `${one.variant.name} ${one.moves.join("_")}`).sort();
  };
  assert.deepEqual(await follow("renju"), ["freestyle h8", "renju h8_h9"]);
  assert.deepEqual(await follow("freestyle"), ["freestyle h8_h9", "renju h8_h9"], "a link to a game that is kept goes on with it");
  assert.deepEqual(faults, []);
  await context.close();
});

test("the oldest games make room, and spoiled entries do no harm", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=tic-tac-toe&human=both`);
  await page.evaluate(() => {
    for (let count = 0; count < 60; count += 1) {
      const game = { id: `old${count}`, writer: "", changed: count, begun: 0, game: "tic-tac-toe", variant: { name: "standard" }, start: null, moves: ["b2"],
        resigned: null, timeout: null, human: "first", level: 5, time: 1000, clock: "none", times: null, pending: [], result: null };
      localStorage.setItem(`game:old${count}`, JSON.stringify(game));
    }
    localStorage.setItem("game:spoiled", "{");
  });
  await click(page, "a1");
  await waitForTurn(page, 0);
  await page.click('button[name="games"]');
  await page.waitForSelector(".stored-games li");
  assert.equal(await page.locator(".stored-games li").count(), 50);
  assert.equal(await page.evaluate(() => localStorage.getItem("game:old0")), null);
  assert.notEqual(await page.evaluate(() => localStorage.getItem("game:old59")), null);
  assert.deepEqual(faults, []);
  await context.close();
});

test("two tabs play games of their own, also where one opens the other's", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=both`);
  await click(page, "h8");
  await waitForTurn(page, 0);
  const other = await tab(context, `${service.url}/#game=gomoku&human=both`);
  await click(other, "a1");
  await waitForTurn(other, 0);
  await click(page, "h9");
  await waitForTurn(page, 1);
  const games = (await storedGames(page)).map(({ moves }) => moves.join("_")).sort();
  assert.deepEqual(games, ["a1", "h8_h9"]);
  // The second tab takes over the first one's game; both continue.
  await other.click('button[name="games"]');
  await other.click('.stored-games .open:has-text("2 moves")');
  await waitForPly(other, 2);
  await click(other, "i9");
  await waitForTurn(other, 2);
  await click(page, "g7");
  await waitForTurn(page, 2);
  await page.reload();
  await ready(page);
  assert.match(page.url(), /moves=h8_h9_g7/);
  const all = (await storedGames(page)).map(({ moves }) => moves.join("_")).sort();
  assert.deepEqual(all, ["a1", "h8_h9_g7", "h8_h9_i9"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a tab that comes back late does not cut short what another has gone on with", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku&human=both`);
  await click(page, "h8");
  await waitForTurn(page, 0);
  await page.goto("about:blank");
  const other = await tab(context, `${service.url}/#game=gomoku&human=both`);
  await other.click('button[name="games"]');
  await other.click('.stored-games .open:has-text("1 move")');
  await waitForPly(other, 1);
  await click(other, "h9");
  await waitForTurn(other, 1);
  await page.goBack();
  await ready(page);
  await click(page, "a1");
  await waitForTurn(page, 1);
  assert.deepEqual((await storedGames(page)).map(({ moves }) => moves.join("_")).sort(), ["h8_a1", "h8_h9"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("n asks before it leaves a game in progress; shortcuts can be switched off", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=tic-tac-toe&human=both`);
  await click(page, "b2");
  await waitForTurn(page, 0);
  await page.keyboard.press("n");
  await page.click('dialog button[name="cancel"]');
  assert.equal((await boardState(page)).ply, 1);
  await page.keyboard.press("n");
  await page.click('dialog button[name="confirm"]');
  await waitForPly(page, 0);
  await page.click(".preferences summary");
  await page.uncheck('.preferences input[name="shortcuts"]');
  await page.click(".preferences summary");
  await page.keyboard.press("2");
  await page.keyboard.press("?");
  assert.equal(await page.locator("dialog").count(), 0);
  assert.equal(await page.getAttribute("#tab-play", "aria-selected"), "true");
  await page.reload();
  await ready(page);
  await page.keyboard.press("2");
  assert.equal(await page.getAttribute("#tab-play", "aria-selected"), "true", "the choice is remembered");
  // The board's keys still work, since they only act while it has the focus.
  await page.focus('.target[data-name="b2"]');
  await page.keyboard.press("Enter");
  await waitForTurn(page, 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the end has a card: rematch with colours swapped, review, share", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=tic-tac-toe&moves=a1_b2_b1_c1&level=1&time=20`,
    { permissions: ["clipboard-read", "clipboard-write"] });
  await click(page, "c2");
  const { ply } = await waitForTurn(page, 4);
  assert.ok(ply >= 6, "the engine has answered");
  const spoken = await page.textContent(".table > .visually-hidden");
  assert.match(spoken ?? "", /O plays \w\d\./, "what it played is announced");
  await page.goto(`${service.url}/docs`);
  await page.goto(`${service.url}/#game=tic-tac-toe&moves=a1_b2_b1_c1_c2_a3&level=1&time=20&human=first&r.amount=20`);
  await ready(page);
  assert.match((await page.textContent(".end-card")) ?? "", /You lose: a complete line/);
  await page.click('button[name="share"]');
  await page.waitForFunction(() => document.querySelector(".end-card .copied")?.textContent === "Copied");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
  assert.ok(await page.locator(".status").isHidden(), "the result is said once");
  assert.deepEqual(await violations(page), []);
  await page.click('.end-card button[name="review"]');
  await page.waitForSelector('.run-state[data-state="done"]');
  assert.equal(await page.locator(".end-card:visible").count(), 0);
  await page.click("#tab-play");
  await page.waitForSelector(".moves .loss");
  await page.click('button[name="rematch"]');
  await waitForPly(page, 1);
  assert.equal(await page.inputValue('select[name="human"]'), "second");
  assert.equal(await page.locator(".strip.first b").textContent(), "Engine · level 1");
  assert.deepEqual(faults, []);
  await context.close();
});

/** What has the focus. @param {Page} page */
const focused = (page) =>
  page.evaluate(() => {
    const { tagName, name, textContent } = /** @type {HTMLButtonElement} */ (document.activeElement);
    return `${tagName} ${name || textContent?.slice(0, 20)}`;
  });

test("the keyboard's focus stays on a move of the list, on the end's card, and on a row of the review", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=tic-tac-toe&moves=a1_b1_a2_b2_a3&human=both&r.amount=20`);
  await page.focus('.moves button[data-ply="2"]');
  const move = await focused(page);
  await page.keyboard.press("Enter");
  await waitForPly(page, 2);
  assert.equal(await focused(page), move);
  await page.keyboard.press("]");
  await waitForPly(page, 5);
  assert.equal(await focused(page), move);
  await page.focus('.end-card button[name="share"]');
  await page.keyboard.press("e");
  assert.equal(await focused(page), "BUTTON share");
  await page.keyboard.press(",");
  await waitForPly(page, 4);
  assert.ok(await page.evaluate(() => document.activeElement?.closest(".board") !== null), "the card is gone: the focus is on the board");
  await page.keyboard.press("]");
  await page.click('.end-card button[name="review"]');
  await page.waitForSelector('.run-state[data-state="done"]');
  await page.check('input[name="shown"][value="all"]', { force: true });
  for (const button of [".plies tr:nth-child(3) th button", ".plies tr .try-better"]) {
    await page.focus(button);
    const row = await focused(page);
    for (const [key, ply] of /** @type {[string, number][]} */ ([["[", 0], ["]", 5]])) {
      await page.keyboard.press(key);
      await waitForPly(page, ply);
      assert.equal(await focused(page), row);
    }
  }
  assert.deepEqual(faults, []);
  await context.close();
});

/**
 * Makes the service require a key.
 * @param {import("playwright-core").BrowserContext} context
 * @param {(string | undefined)[]} sent
 */
const locked = (context, sent) =>
  context.route("**/v1/positions", async (route) => {
    const key = route.request().headers().authorization;
    sent.push(key);
    if (key === "Bearer secret") return route.continue();
    const problem = { type: "/problems/unauthorized", title: "Unauthorized", status: 401, detail: "no key", code: "unauthorized", errors: [], request_id: null };
    return route.fulfill({ status: 401, contentType: "application/problem+json", body: JSON.stringify(problem) });
  });

test("a key entered in one tab serves the next; it is remembered on request, and forgotten", async () => {
  const link = `${service.url}/#game=tic-tac-toe&human=both`;
  const { page, context, faults } = await visit(browser, link);
  /** @type {(string | undefined)[]} */
  const sent = [];
  await locked(context, sent);
  const waiting = await context.newPage();
  await waiting.goto(link);
  await waiting.waitForSelector('dialog input[name="key"]');
  await click(page, "b2");
  await page.fill('dialog input[name="key"]', "secret");
  await page.keyboard.press("Enter");
  await waitForTurn(page, 0);
  await ready(waiting);
  assert.equal(await waiting.locator("dialog").count(), 0, "the tab that asked has the key, too");
  const next = await tab(context, link);
  await click(next, "c3");
  await waitForTurn(next, 0);
  assert.equal(sent.at(-1), "Bearer secret");
  assert.equal(await page.evaluate(() => localStorage.getItem("key")), null, "it is not remembered unasked");
  for (const one of [next, waiting]) await one.close();
  // Forgotten, it is asked for again, and can be remembered.
  await page.click(".preferences summary");
  await page.click('button[name="forget-key"]');
  await page.click(".preferences summary");
  await click(page, "a1");
  await page.fill('dialog input[name="key"]', "secret");
  await page.check('dialog input[name="remember"]');
  assert.deepEqual(await violations(page), []);
  await page.click("dialog button.primary");
  await waitForTurn(page, 1);
  await page.close();
  const later = await tab(context, link);
  await click(later, "b2");
  await waitForTurn(later, 0);
  await later.click(".preferences summary");
  await later.click('button[name="forget-key"]');
  assert.equal(await later.evaluate(() => localStorage.getItem("key") ?? sessionStorage.getItem("key")), null);
  assert.deepEqual(faults, []);
  await context.close();
});
