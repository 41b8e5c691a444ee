// @ts-check
/** Puzzles: chosen from a list or by the day, solved on the board, with hints, wrong moves, and other moves that win as well. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { aim, click, walk } from "./player.js";
import { browser, gameNames, service } from "./stage.js";
import { violations, visit, withoutEngine } from "./visitor.js";

/** @typedef {import("playwright-core").Page} Page @typedef {import("../../web/types.js").Puzzle} Puzzle */

const FOLDER = new URL("../../web/puzzles/", import.meta.url);
/** The puzzles of each game. @type {Map<string, Puzzle[]>} */
const books = new Map(readdirSync(FOLDER).map((file) => [file.replace(/\.json$/, ""), JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"))]));
const all = [...books.values()].flat();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A position of a game, as the service describes it. @param {Puzzle} puzzle @param {string[]} more */
async function position({ game, variant, moves }, more = []) {
  const response = await fetch(`${service.url}/v1/positions`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ game, variant, moves: [...moves, ...more] }),
  });
  return response.json();
}

/** Makes a move of a position. @param {Page} page @param {any} shown @param {string} move @param {typeof click} choose */
async function playMove(page, shown, move, choose = click) {
  const { from, to } = shown.legal.find((/** @type {any} */ one) => one.move === move);
  if (to === null) return page.click(`.board-moves button[data-move="${move}"]`);
  const places = await page.evaluate((names) => names.filter((name) => name && document.querySelector(`.target[data-name="${name}"]`)), [from, to]);
  for (const place of places) await choose(page, place);
}

/** Opens a puzzle. @param {Puzzle} puzzle @param {import("playwright-core").BrowserContextOptions} [options] */
async function openPuzzle(puzzle, options) {
  const visitor = await visit(browser, `${service.url}/#puzzle=${puzzle.id}`, options);
  await visitor.page.waitForSelector('#app[data-view="puzzle"] .board');
  return visitor;
}

/** Waits for a verdict. @param {Page} page @param {RegExp} words */
const waitForVerdict = (page, words) => page.waitForFunction((text) => new RegExp(text).test(document.querySelector(".verdicts")?.textContent ?? ""), words.source);

/** Plays the solver's moves to the end of the solution. @param {Page} page @param {Puzzle} puzzle @param {typeof click} [choose] */
async function solve(page, puzzle, choose) {
  const { side, solution } = puzzle;
  for (let played = 0; played < solution.length; played += 1) {
    const shown = await position(puzzle, solution.slice(0, played));
    if (shown.to_move !== side) continue;
    await page.waitForSelector(".target.open, .board-moves button");
    await playMove(page, shown, solution[played], choose);
    await waitForVerdict(page, new RegExp(`^(${solution[played]}|Pass) is correct\\.${played + 1 < solution.length ? "" : ".* Solved\\."}`));
  }
}

/** A move that is not the solution's, and does not end the game. @param {Puzzle} puzzle */
async function wrongMove(puzzle) {
  const { legal } = await position(puzzle);
  for (const { move } of legal) {
    if (move !== puzzle.solution[0] && !(await position(puzzle, [move])).outcome) return move;
  }
  return null;
}

test("games that have puzzles say so", async () => {
  assert.ok(all.length > 0);
  for (const game of await gameNames()) {
    const module = (await import(new URL(`../../web/games/${game}.js`, import.meta.url).href)).default;
    assert.equal(module.puzzles === true, books.has(game), game);
  }
});

for (const kind of /** @type {const} */ (["win", "draw", "points"])) {
  const puzzle = all.filter((one) => one.kind === kind).sort((a, b) => b.solution.length - a.solution.length)[0];
  test(`a puzzle of the kind ${kind} is solved on the board`, { skip: !puzzle && "there is none" }, async () => {
    const { page, context, faults } = await openPuzzle(puzzle);
    assert.match((await page.textContent(".task")) ?? "", { win: /to play( and win in \d+ moves?|: the only move that wins)$/, draw: /the only move that holds the draw$/, points: /to play(:| and) (win|lose|draw)/ }[kind]);
    const shown = await position(puzzle);
    const wrong = await wrongMove(puzzle);
    if (wrong) {
      await playMove(page, shown, wrong);
      await waitForVerdict(page, /Try another move/);
      assert.equal(await page.locator(`.marks .mark.bad[data-move="${wrong}"]`).count(), 1);
    }
    await page.click('button[name="exercise-hint"]');
    await waitForVerdict(page, /Look around|Move the piece|cannot be shown/);
    await solve(page, puzzle);
    assert.equal(await page.locator('button[name="solution"]').count(), 0);
    await page.click('[data-link="all"]');
    await page.waitForSelector('[data-view="puzzles"]');
    assert.match((await page.getAttribute('[data-solved="true"]', "aria-label")) ?? "", /, solved$/);
    assert.match((await page.textContent('.puzzles [role="status"]')) ?? "", /^1 of \d+ solved/);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("from a game to its puzzles, to the next one, and back; difficulty is a choice; solved ones stay so", async () => {
  const [game, puzzles] = [...books].sort(([, a], [, b]) => b.length - a.length)[0];
  const { page, context, faults } = await visit(browser, `${service.url}/#game=${game}`);
  await page.click(`.play a[href="#puzzles=${game}"]`);
  await page.waitForSelector('[data-view="puzzles"]');
  assert.equal(await page.locator(".puzzles li").count(), puzzles.length);
  assert.deepEqual(await violations(page), []);
  const { difficulty } = puzzles[0];
  await page.selectOption('select[name="level"]', String(difficulty));
  const wanted = puzzles.filter((one) => one.difficulty === difficulty);
  assert.equal(await page.locator(".puzzles li").count(), wanted.length);
  await page.click(".puzzles .go");
  await page.waitForSelector('[data-view="puzzle"]');
  const first = /** @type {Puzzle} */ (puzzles.find(({ id }) => page.url().endsWith(`#puzzle=${id}`)));
  assert.equal(first.id, wanted[0].id);
  await page.focus('.target[tabindex="0"]');
  await solve(page, first, walk);
  assert.deepEqual(await violations(page), []);
  const analysed = first.solution.length + first.moves.length;
  await page.click('[data-link="analyse"]');
  await page.waitForSelector('#tab-analyse[aria-selected="true"]');
  assert.equal(await page.getAttribute("#app", "data-ply"), String(analysed));
  await page.goBack();
  await page.waitForSelector('[data-view="puzzle"] .board');
  assert.match((await page.textContent(".exercise h2")) ?? "", /solved/, "it was solved before");
  if (wanted.length > 1) {
    await page.click('button[name="next"]');
    await page.waitForFunction((id) => location.hash === `#puzzle=${id}`, wanted[1].id);
  }
  await page.goBack();
  await page.waitForSelector('[data-view="puzzles"]');
  assert.equal(await page.locator('[data-solved="true"]').count(), 1, "puzzles are one step of the history");
  await page.goto(`${service.url}/#puzzle=${game}-none`);
  await page.waitForSelector('[role="alert"]:has-text("does not exist")');
  assert.deepEqual(faults, []);
  await context.close();
});

test("the solution is shown on request, and then nothing counts as solved", async () => {
  const puzzle = all[0];
  const { page, context, faults } = await openPuzzle(puzzle);
  await page.click('button[name="solution"]');
  await waitForVerdict(page, new RegExp(`Best: .*${puzzle.solution.at(-1)}$`));
  await page.waitForFunction((count) => document.querySelectorAll(".marks .ghost").length === count, puzzle.solution.length);
  assert.equal(await page.locator(".target.open").count(), 0);
  assert.equal(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("solved:")).length), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

/** Four in a row with both ends open, of which the solution names one; before that, only one move makes it. */
const OPEN = {
  id: "gomoku-1", game: "gomoku", variant: { name: "freestyle", size: 15 }, moves: "h8 a1 i8 a3 j8 a5".split(" "), side: "first",
  kind: "win", plies: 3, difficulty: 1, solution: ["g8", "a7", "k8"],
};

test("another move that wins at once is right; a reply that fails is played once it can be; words come in another language", async () => {
  const { page, context, faults } = await visit(browser, `${service.url}/#game=gomoku`);
  await withoutEngine(page);
  await page.route("**/puzzles/gomoku.json", (route) => route.fulfill({ json: [OPEN] }));
  await page.click('.play a[href="#puzzles=gomoku"]');
  await page.click(".puzzles li a");
  await page.waitForSelector('[data-view="puzzle"] .board');
  let count = 0;
  await page.route("**/v1/positions", (route) => ((count += 1) === 2 ? route.abort() : route.continue()));
  await click(page, "g8");
  await page.click('.notice button[name="retry"]');
  await waitForVerdict(page, /g8 is correct\. White plays a7\.$/);
  await page.unroute("**/v1/positions");
  await page.waitForSelector(".target.open");
  await click(page, "a8");
  await waitForVerdict(page, /a8 does not win in 1 move\./);
  await click(page, "f8");
  await waitForVerdict(page, /f8 is correct\. Solved\.$/);
  await page.click(".preferences summary");
  await page.selectOption('select[name="language"]', "zh");
  await page.waitForSelector('.task:has-text("黑方先走，2 步取胜")');
  assert.match((await page.textContent(".exercise h2")) ?? "", /已解出/);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [name, screen] of Object.entries({ phone: PHONE, "small phone": { ...PHONE, viewport: { width: 320, height: 658 } }, "lying phone": { ...PHONE, viewport: { width: 844, height: 390 } } })) {
  test(`on a ${name}, the board, the task and the buttons are seen together`, async () => {
    const { page, context, faults } = await openPuzzle(all[0], { ...screen, colorScheme: "dark" });
    for (const [{ id, game }] of books.values()) {
      await page.evaluate((hash) => location.replace(hash), `#puzzle=${id}`);
      await page.waitForSelector(`.board.${game}`);
      await page.click('button[name="exercise-hint"]');
      const outside = await page.evaluate(() => [...document.querySelectorAll(".board, .task, .exercise button")].filter((one) => {
        const { top, bottom, left, right } = one.getBoundingClientRect();
        return top < 0 || bottom > innerHeight || left < 0 || right > innerWidth;
      }).map((one) => one.outerHTML.slice(0, 80)));
      assert.deepEqual(outside, [], id);
    }
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("on a phone, a finger aims at small targets before a move counts", async () => {
  const puzzle = /** @type {Puzzle} */ (books.get("gomoku")?.[0]);
  const { page, context, faults } = await openPuzzle(puzzle, PHONE);
  const { legal } = await position(puzzle);
  const other = legal.find((/** @type {any} */ { move }) => move !== puzzle.solution[0]);
  await aim(page, other.to);
  assert.match(await page.innerText(".aim button"), new RegExp(other.move));
  assert.equal(await page.innerText(".verdicts"), "");
  assert.deepEqual(await violations(page), []);
  await aim(page, puzzle.solution[0]);
  await page.tap(".aim button");
  await waitForVerdict(page, /^\w+ is correct/);
  assert.equal(await page.locator(".aim button").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("each day has its puzzle, the same for everybody, and games take turns", async () => {
  const { page, context, faults } = await visit(browser, service.url);
  const seen = new Set();
  const daily = async (/** @type {Date} */ day) => {
    await page.clock.setFixedTime(day);
    await page.goto(`${service.url}/docs`);
    await page.goto(service.url);
    return page.getAttribute(".daily a.whole", "href");
  };
  for (let day = 1; day <= books.size; day += 1) {
    const early = await daily(new Date(Date.UTC(2027, 0, day, 0, 1)));
    if (day === 1) assert.equal(await daily(new Date(Date.UTC(2027, 0, day, 23, 59))), early);
    seen.add(early?.replace(/-\d+$/, ""));
  }
  assert.equal(seen.size, books.size);
  assert.deepEqual(await violations(page), []);
  await page.click(".daily a.whole");
  await page.waitForSelector('[data-view="puzzle"] .board');
  // If there are none, the page leaves them out.
  await page.route("**/puzzles/*.json", (route) => route.fulfill({ status: 404 }));
  await page.goto(`${service.url}/docs`);
  await page.goto(service.url);
  await page.waitForSelector(".daily", { state: "detached" });
  assert.deepEqual(faults, []);
  await context.close();
});
