// @ts-check
/** The exported page, served by a plain web server, and then offline. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "./folder.js";
import { click, GAMES, playOut, SETTINGS } from "./player.js";
import { hasEngine, launch, ready, boardState, violations, visit } from "./visitor.js";

const skip = (await hasEngine()) ? false : "the program was built without the engine for browsers";

let folder = "";
/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tesuji-"));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

/** The size of a file that searches use. @param {string} name */
function sizeOf(name) {
  const [version] = readdirSync(join(folder, "site", "assets"));
  return statSync(join(folder, "site", "assets", version, "engine", "dist", name)).size;
}

const reload = async (/** @type {import("playwright-core").Page} */ page) => {
  await page.reload();
  await ready(page);
};

test("an exported page plays all games, also without a network", { skip }, async () => {
  const output = execFileSync(process.env.BINARY ?? "", ["export", join(folder, "site")], { encoding: "utf8" });
  assert.match(output, /site: \d+\.\d MB/);
  const server = await serve(join(folder, "site"), "/boards/tesuji/");
  const { page, context, faults } = await visit(browser, `${server.url}#game=reversi&moves=f5_d6&human=both`, { serviceWorkers: "allow" });
  assert.equal((await boardState(page)).ply, 2);
  assert.equal(await page.locator(".docs-link, select[name=place]").count(), 0, "nothing speaks of a server");
  assert.deepEqual(await violations(page), []);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 50));
  });
  // The file for a game's searches is fetched when the game is chosen, and kept.
  // Polled in the page: `waitForFunction` takes the promise of an asynchronous function for its result.
  const kept = (/** @type {string} */ name) => page.evaluate(async ([file, size]) => {
    for (;;) {
      const keys = await Promise.all((await caches.keys()).map(async (cache) => (await caches.open(cache)).keys()));
      const key = keys.flat().find(({ url }) => url.endsWith(String(file)));
      const bytes = key && (await (await caches.match(key))?.arrayBuffer().catch(() => null));
      if (bytes?.byteLength === size) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }, [name, sizeOf(name)]);
  await kept("reversi.weights");
  await page.goto(`${server.url}#game=connect-four`);
  await reload(page);
  await kept("connect-four.book");
  await server.stop();
  await context.setOffline(true);
  let seed = 0;
  for (const [name, link] of Object.entries(GAMES)) {
    await page.goto(`${server.url}${link}${SETTINGS}`);
    await reload(page);
    const state = await playOut(page, (seed += 1), click);
    assert.match(state.text, /wins|Draw/, name);
  }
  // Records cannot be read here: the text is read as each game.
  await page.goto(`${server.url}#learn=hex`);
  await page.waitForFunction(() => document.querySelectorAll('.steps svg[role="img"]').length === 5);
  await page.goto(`${server.url}#`);
  await page.click(".import-game summary");
  await page.fill('textarea[name="paste"]', "f5d6c3");
  await page.click('[name="load"]');
  await page.click('.importer [data-game="reversi"]');
  await page.waitForFunction(() => document.getElementById("app")?.dataset.ply === "3");
  assert.ok(!server.requested.some((path) => path.includes("/v1/")), "no service is asked");
  assert.deepEqual(faults, []);
  await context.close();
});

test("the engine alone is enough for a page with a board of its own", { skip }, async () => {
  execFileSync(process.env.BINARY ?? "", ["export", "--engine-only", join(folder, "engine")]);
  const server = await serve(join(folder, "engine"));
  const page = await browser.newPage();
  await page.goto(`${server.url}index.js`);
  const move = await page.evaluate(async () => {
    const { createEngine } = await import(/** @type {any} */ ("/index.js"));
    const engine = createEngine();
    const { move } = await engine.search({ game: "reversi", budget: { nodes: 2000 } });
    engine.close();
    return move;
  });
  assert.match(move, /^[a-h][1-8]$/);
  await page.close();
  await server.stop();
});

test("boards embedded from an export run the engine in their page", { skip }, async () => {
  execFileSync(process.env.BINARY ?? "", ["export", join(folder, "boards")]);
  await writeFile(join(folder, "boards", "host.html"), `<!doctype html><script type="module" src="embed.js"></script>
    <tesuji-board id="a" game="tic-tac-toe" moves="a1 b1 a2"></tesuji-board><tesuji-eval for="a" nodes="2000"></tesuji-eval>`);
  const server = await serve(join(folder, "boards"));
  const page = await browser.newPage();
  await page.goto(`${server.url}host.html`);
  await page.waitForFunction(() => document.querySelector("tesuji-eval")?.shadowRoot?.querySelector(".evaluation-text")?.textContent === "L≤4");
  assert.ok(!server.requested.some((path) => path.includes("/v1/")), "no service is asked");
  await page.close();
  await server.stop();
});

test("a folder that cannot be written is named", { skip }, () => {
  assert.throws(() => execFileSync(process.env.BINARY ?? "", ["export", "/dev/null/site"], { stdio: "pipe" }), /\/dev\/null\/site/);
});
