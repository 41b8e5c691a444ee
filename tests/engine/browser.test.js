// @ts-check
/** The package in a browser, as files of a plain web server: with shared memory, and without. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";

import { launch } from "../browser/visitor.js";

const root = new URL("../../web/engine/", import.meta.url);
const TYPES = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };

/** Serves the package and an empty page; below `/isolated/`, pages may share memory with their workers. */
const server = createServer(async (request, response) => {
  const path = (request.url ?? "").replace(/^\/(isolated|plain)\//, "");
  const isolated = request.url?.startsWith("/isolated/");
  const type = /** @type {Record<string, string>} */ (TYPES)[path.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  try {
    const body = path === "index.html" ? "<!doctype html><title>engine</title>" : await readFile(new URL(path, root));
    const headers = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
    response.writeHead(200, { "Content-Type": type, ...(isolated ? headers : {}) }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});

/** @type {Awaited<ReturnType<typeof launch>>} */
let browser;
let address = "";

before(async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  address = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server.close();
});

const SEARCHES = [
  { game: "tic-tac-toe", budget: { simulations: 2_000 } },
  { game: "connect-four", position: "1234", budget: { time_ms: 5_000 } },
  { game: "reversi", budget: { nodes: 20_000 } },
  { game: "dots-and-boxes", budget: { simulations: 2_000 } },
  { game: "gomoku", budget: { nodes: 5_000 } },
  { game: "xiangqi", budget: { nodes: 20_000 } },
];

for (const kind of ["isolated", "plain"]) {
  describe(kind, () => {
    test("all games are searched, and a search is stopped long before its budget ends", async () => {
      const page = await browser.newPage();
      await page.goto(`${address}/${kind}/index.html`);
      const { isolated, moves, stopped } = await page.evaluate(
        async ({ searches, script }) => {
          const { createEngine } = await import(script);
          const engine = createEngine();
          const moves = [];
          for (const search of searches) moves.push((await engine.search({ ...search, seed: 5 })).move);
          const stop = new AbortController();
          let aborted = 0;
          const result = await engine.search(
            { game: "xiangqi", budget: { time_ms: 20_000 }, report: { interval_ms: 50 } },
            {
              signal: stop.signal,
              /** @param {any} message */
              onProgress: (message) => {
                if (message.seq !== 3) return;
                aborted = performance.now();
                stop.abort();
              },
            },
          );
          const late = performance.now() - aborted;
          const next = await engine.search({ game: "hex", budget: { simulations: 100 } });
          return { isolated: crossOriginIsolated, moves, stopped: { late, ...result, next: next.status } };
        },
        { searches: SEARCHES, script: `/${kind}/index.js` },
      );
      assert.equal(isolated, kind === "isolated");
      assert.ok(moves.every((move) => typeof move === "string"), moves.join(" "));
      assert.deepEqual([stopped.status, stopped.final, stopped.stop_reason, stopped.next], ["cancelled", true, "cancelled", "done"]);
      assert.equal(typeof stopped.move, "string");
      assert.ok(stopped.late < 2_000, `${stopped.late} ms`);
      await page.close();
    });

    test("several workers search together, and are stopped long before their budget ends", async () => {
      const page = await browser.newPage();
      await page.goto(`${address}/${kind}/index.html`);
      const { done, stopped, next } = await page.evaluate(async (script) => {
        const { createEngine } = await import(script);
        const engine = createEngine({ workers: 2 });
        const search = { game: "hex", engine: "mcts", threads: 2, seed: 5 };
        const done = await engine.search({ ...search, threads: 3, budget: { simulations: 600 } });
        const stop = new AbortController();
        let aborted = 0;
        const result = await engine.search(
          { ...search, budget: { time_ms: 20_000 }, report: { interval_ms: 50 } },
          {
            signal: stop.signal,
            /** @param {any} message */
            onProgress: (message) => {
              if (message.seq !== 3) return;
              aborted = performance.now();
              stop.abort();
            },
          },
        );
        const late = performance.now() - aborted;
        // A proof by one worker ends the search, whether or not the other can be stopped.
        const proven = await engine.search({ ...search, game: "tic-tac-toe", budget: { time_ms: 60_000 } });
        const next = await engine.search({ ...search, budget: { simulations: 600 } });
        engine.close();
        return { done, stopped: { late, ...result }, next: [proven.stop_reason, next.status, next.root.visits] };
      }, `/${kind}/index.js`);
      assert.deepEqual([done.status, done.threads.granted, done.root.visits], ["done", 3, 600]);
      assert.deepEqual([stopped.status, stopped.final, stopped.stop_reason], ["cancelled", true, "cancelled"]);
      assert.deepEqual([typeof stopped.move, stopped.threads.granted], ["string", 2]);
      assert.ok(stopped.late < 2_000, `${stopped.late} ms`);
      assert.deepEqual(next, ["proven", "done", 600]);
      await page.close();
    });
  });
}
