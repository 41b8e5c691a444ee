// @ts-check
/** `<tesuji-board>` and `<tesuji-eval>` in a page of another origin, whose styles are as hostile as possible. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Service } from "./service.js";
import { hasEngine, launch, launchIn, PATIENCE, violations } from "./visitor.js";

/** @typedef {import("playwright-core").Page} Page */

const skip = (await hasEngine()) ? false : "the program was built without the engine for browsers";
const EXAMPLES = new URL("../../examples/games/", import.meta.url).pathname;

/** The host page. */
let html = "";
const host = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(html));
/** A page with a body. @param {string} body */
const hostile = (body) => {
  const styles = `body { font: 30px cursive; letter-spacing: 9px; background: #fff; color: #111 }
    :root { --slab: #f0f; --first: #f00; --blue: #0f0 } svg { border: 9px solid red } circle { fill: lime !important } button { font-size: 60px }`;
  return `<!doctype html><html lang="en"><title>Host</title><style>${styles}</style>
    <script type="module" src="${service.url}/embed.js"></script><main><h1>Host</h1>${body}</main>`;
};
await new Promise((resolve) => host.listen(0, "127.0.0.1", () => resolve(undefined)));
const origin = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (host.address()).port}`;
const [browser, service] = await Promise.all([launch(), Service.start(["--cors-origins", origin, "--games", EXAMPLES])]);

after(async () => {
  await browser.close();
  await service.kill();
  host.close();
});

/**
 * A visitor of a host page. The events of the elements are in the page's `events`.
 * @param {string} body
 * @param {string} [whole] the page
 */
async function visit(body, whole = hostile(body)) {
  const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  /** @type {string[]} */
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error.stack ?? error)));
  await page.addInitScript(() => {
    const events = (/** @type {any} */ (window).events = /** @type {any[]} */ ([]));
    for (const type of ["move", "change", "value", "error"]) {
      addEventListener(type, (event) => {
        const { target, detail } = /** @type {CustomEvent} */ (event);
        if (target instanceof HTMLElement && target.localName.startsWith("tesuji-")) events.push({ type, id: target.id, detail });
      }, true);
    }
  });
  html = whole;
  await page.goto(origin);
  return { page, context, faults };
}

/** Waits for the last event of a type from an element, once it is as expected. @param {Page} page @param {string} type @param {string} id @param {string} [moves] */
async function waitForEvent(page, type, id, moves) {
  const found = await page.waitForFunction(([kind, name, wanted]) => {
    const one = /** @type {any} */ (window).events.findLast((/** @type {any} */ event) => event.type === kind && event.id === name);
    return one && (wanted === undefined || one.detail.moves.join(" ") === wanted) && one.detail;
  }, [type, id, moves]);
  return found.jsonValue();
}

const PIECE = ".piece[data-at]";

test("boards are played by mouse and keyboard, and the host's styles stay outside", async () => {
  const { page, context, faults } = await visit(`
    <tesuji-board id="a" game="gomoku" moves="h8 h9" playable coordinates></tesuji-board>
    <tesuji-board id="b" game="tic-tac-toe" playable theme="dark" lang="zh" style="width: 20rem"></tesuji-board>`);
  assert.deepEqual((await waitForEvent(page, "change", "a")).moves, ["h8", "h9"]);
  await page.click('#a .target[data-name="j10"] .hit');
  const { move, ply, position, result } = await waitForEvent(page, "change", "a", "h8 h9 j10");
  assert.deepEqual([move, ply, position.to_move, result], ["j10", 3, "second", null]);
  assert.equal(await page.getAttribute("#a", "moves"), "h8 h9 j10");

  // The middle is the tab stop, until the reader moves.
  await page.focus('#b .target[tabindex="0"]');
  for (const key of ["ArrowRight", "Enter"]) await page.keyboard.press(key);
  await waitForEvent(page, "change", "b", "c2");
  assert.match((await page.locator("#b .targets").getAttribute("aria-label")) ?? "", /[一-鿿]/);
  assert.match((await page.locator("#a .targets").getAttribute("aria-label")) ?? "", /^Board\. White/);

  const seen = await page.evaluate(() => {
    const inside = (/** @type {string} */ id, /** @type {string} */ selector) => /** @type {Element} */ (document.getElementById(id)?.shadowRoot?.querySelector(selector));
    const { fill } = getComputedStyle(inside("a", ".piece.first .stone"));
    const { borderTopWidth, letterSpacing } = getComputedStyle(inside("a", ".board"));
    const dark = ["a", "b"].map((id) => getComputedStyle(inside(id, ".root")).colorScheme);
    return [fill, borderTopWidth, letterSpacing, dark, document.adoptedStyleSheets.length, document.querySelectorAll("body > *").length];
  });
  assert.deepEqual(seen, ["rgb(29, 29, 31)", "0px", "normal", ["normal", "dark"], 0, 1]);
  assert.deepEqual([await violations(page), faults], [[], []]);
  await context.close();
});

test("the guide's example plays", async () => {
  const guide = await readFile(new URL("../../docs/embed.md", import.meta.url), "utf8");
  const [example, style] = ["html", "css"].map((kind) => guide.split(`\`\`\`${kind}\n`)[1].split("```")[0].replaceAll("https://games.example", service.url));
  const { page, context, faults } = await visit("", example.replace("</style>", `${style}</style>`));
  await waitForEvent(page, "change", "board", "h8 h9");
  await page.waitForFunction(() => /** @type {any} */ (window).events.some((/** @type {any} */ { type, detail }) => type === "value" && detail.root.win > 0));
  await page.click('#board .target[data-name="j10"] .hit');
  await page.waitForFunction(() => document.querySelector("#board")?.getAttribute("moves")?.split(" ").length === 4);
  const fill = await page.evaluate(() => getComputedStyle(/** @type {Element} */ (document.querySelector("#board")?.shadowRoot?.querySelector(".slab"))).fill);
  assert.equal(fill, "rgb(232, 212, 160)");
  assert.deepEqual([await violations(page), faults], [[], []]);
  await context.close();
});

test("a host page may refuse moves, play them itself, and change attributes", async () => {
  const { page, context, faults } = await visit(`<tesuji-board id="a" game="reversi" playable></tesuji-board>
    <script>document.getElementById("a").hints = true; // before the element is defined</script>`);
  await waitForEvent(page, "change", "a", "");
  assert.equal(await page.locator("#a .hint").count(), 4);
  await page.evaluate(() => document.querySelector("#a")?.addEventListener("move", (event) => event.preventDefault(), { once: true }));
  await page.click('#a .target[data-name="f5"] .hit');
  assert.deepEqual(await waitForEvent(page, "move", "a"), { move: "f5", moves: [] });
  const done = await page.evaluate(async () => {
    const board = /** @type {any} */ (document.querySelector("#a"));
    const played = [board.play("f5"), board.play("f6"), board.play("a1"), board.play("e6")];
    const before = [...(await Promise.all(played)), board.moves];
    await board.go(1);
    const gone = [board.moves, board.ply];
    await board.play("d6");
    await board.undo();
    const undone = [board.moves, board.ply];
    // An illegal move in the attribute does not stop what is played after the legal ones.
    board.moves = ["f5", "a1", "f6"];
    await board.play("d6");
    return [before, gone, undone, board.moves, board.shadowRoot.querySelector("[aria-live]").textContent];
  });
  assert.deepEqual(done, [[true, true, false, true, "f5 f6 e6"], ["f5 f6 e6", "1"], ["f5", ""], "f5 d6", "White plays d6."]);
  const { code, message, errors } = await waitForEvent(page, "error", "a");
  assert.deepEqual([code, message, errors[0].pointer], ["illegal_move", "Illegal move.", "/moves/1"]);
  await page.evaluate(() => Object.assign(/** @type {any} */ (document.querySelector("#a")), { game: "hex", variant: { size: 5 }, moves: ["a1", "b2"], playable: false }));
  await waitForEvent(page, "change", "a", "a1 b2");
  assert.equal(await page.locator("#a .target").count(), 25);
  assert.equal(await page.locator("#a .target.open").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("errors are shown in words and sent as an event", async () => {
  const { page, context, faults } = await visit(`
    <tesuji-board id="a" game="reversi" moves="f5 a1 f6"></tesuji-board><tesuji-board id="b" game="go"></tesuji-board>
    <tesuji-board id="c" game="hex" variant='{"size": 99}'></tesuji-board><tesuji-board id="d" game="hex" server="http://127.0.0.1:1"></tesuji-board>
    <tesuji-board id="e" game="hex" variant="{size"></tesuji-board><tesuji-eval id="f" for="nowhere"></tesuji-eval>`);
  const codes = { a: "illegal_move", b: "unknown_game", c: "invalid_variant", d: "offline", e: "invalid_variant", f: "no_board" };
  for (const [id, code] of Object.entries(codes)) assert.equal((await waitForEvent(page, "error", id)).code, code, id);
  assert.match(await page.locator("#a .notice").innerText(), /^Illegal move\.\s*\/moves\/1: move `a1`/);
  assert.equal(await page.locator(`#a ${PIECE}`).count(), 5, "the moves before it can be seen");
  assert.match(await page.locator("#d .notice").innerText(), /cannot be reached/);
  assert.match((await page.locator("#f .evaluation").getAttribute("aria-label")) ?? "", /unknown$/);
  assert.deepEqual([await violations(page), faults], [[], []]);
  await context.close();
});

test("the bar follows its board, and ends a search that nobody waits for", async () => {
  const { page, context, faults } = await visit(`
    <tesuji-eval id="bar" for="a" time="50" style="width: 3rem; height: 10rem"></tesuji-eval>
    <tesuji-board id="a" game="tic-tac-toe" moves="a1 b1 a2" playable></tesuji-board>`);
  assert.equal((await waitForEvent(page, "value", "bar")).root.proven, "loss");
  assert.equal(await page.locator("#bar .evaluation-text").innerText(), "L≤4");
  const bar = page.locator("#bar .evaluation");
  const set = (/** @type {string} */ id, /** @type {object} */ properties) =>
    page.evaluate(([name, values]) => void Object.assign(/** @type {any} */ (document.getElementById(String(name))), values), [id, properties]);
  const begun = page.waitForRequest((request) => request.url().endsWith("/v1/searches") && Boolean(request.postData()?.includes("gomoku")));
  const ended = page.waitForEvent("requestfailed");
  await set("bar", { time: 20_000 });
  await set("a", { game: "gomoku", moves: "h8" });
  await begun;
  await set("a", { game: "tic-tac-toe", moves: "a1 b1 a2 b2 a3" });
  assert.equal(await ended, await begun);
  await page.waitForFunction(() => document.querySelector("#bar")?.shadowRoot?.querySelector(".evaluation-text")?.textContent === "L");
  await set("bar", { time: null, nodes: "many" });
  await set("a", { moves: "a1" });
  assert.equal((await waitForEvent(page, "error", "bar")).code, "invalid_request");
  assert.equal(await bar.getAttribute("aria-label"), "Evaluation: unknown");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a game of the server's is played from its list of moves, by keyboard", async () => {
  const { page, context, faults } = await visit('<tesuji-board id="a" game="number-scrabble" playable></tesuji-board>');
  await waitForEvent(page, "change", "a", "");
  await page.focus('#a [data-move="5"]');
  await page.keyboard.press("Enter");
  await waitForEvent(page, "change", "a", "5");
  assert.equal(await page.evaluate(() => document.querySelector("#a")?.shadowRoot?.activeElement?.hasAttribute("data-move")), true, "the focus stays in the list");
  assert.deepEqual([await violations(page), faults], [[], []]);
  await context.close();
});

test("the engine runs in a page of another origin", { skip }, async () => {
  const { page, context, faults } = await visit(`
    <tesuji-eval id="bar" for="a" nodes="2000" style="height: 10rem"></tesuji-eval>
    <tesuji-board id="a" game="reversi" server="none" playable></tesuji-board>`);
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await waitForEvent(page, "change", "a", "");
  await page.click('#a .target[data-name="f5"] .hit');
  await waitForEvent(page, "change", "a", "f5");
  await page.waitForFunction(() =>
    /** @type {any} */ (window).events.some((/** @type {any} */ { type, detail }) => type === "value" && detail.position.to_move === "second"));
  assert.ok(!asked.some((url) => url.includes("/v1/")), "no server is asked");
  assert.deepEqual(faults, []);
  await context.close();
});

test("browsers can install the page", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tesuji-"));
  const context = await launchIn(folder);
  const page = await context.newPage();
  await page.goto(service.url);
  await page.waitForSelector("html[data-ready]", { state: "attached" });
  const session = await context.newCDPSession(page);
  const { url, errors, data } = await session.send("Page.getAppManifest");
  assert.deepEqual([url, errors], [`${service.url}/manifest.webmanifest`, []]);
  for (const { src } of JSON.parse(data ?? "").icons) {
    const response = await fetch(new URL(src, url));
    assert.deepEqual([response.status, response.headers.get("content-type")], [200, "image/svg+xml"], src);
  }
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  assert.deepEqual(installabilityErrors, []);
  await context.close();
  await rm(folder, { recursive: true });
});
