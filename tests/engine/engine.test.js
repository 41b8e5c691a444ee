// @ts-check
/** The package as its users see it: workers, progress, stopping, files. */

import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { EngineError, createEngine } from "../../web/engine/index.js";

/** @type {string[]} */
const loaded = [];
const engine = createEngine({ onLoad: ({ file }) => loaded.push(file) });
after(() => engine.close());

describe("searches", () => {
  test("progress comes in order, and one final result", async () => {
    /** @type {number[]} */
    const numbers = [];
    const result = await engine.search(
      { game: "gomoku", engine: "mcts", budget: { time_ms: 300 }, report: { interval_ms: 20 } },
      { onProgress: (message) => void numbers.push(message.seq) },
    );
    assert.ok(numbers.length > 5, `${numbers.length} messages`);
    assert.deepEqual(numbers, [...numbers.keys()]);
    assert.deepEqual([result.status, result.final, result.seq], ["done", true, numbers.length]);
    assert.match(result.id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test("a search is stopped within 100 ms, with what it has found", async () => {
    const stop = new AbortController();
    let aborted = 0;
    const result = await engine.search(
      { game: "xiangqi", budget: { time_ms: 30_000 }, report: { interval_ms: 50 } },
      {
        signal: stop.signal,
        onProgress: ({ seq }) => {
          if (seq !== 3) return;
          aborted = performance.now();
          stop.abort();
        },
      },
    );
    const late = performance.now() - aborted;
    assert.equal(result.status, "cancelled");
    assert.equal(result.stop_reason, "cancelled");
    assert.ok(result.move);
    assert.ok(late < 100, `${late} ms`);
  });

  test("one that is stopped before it begins has no result", async () => {
    const result = await engine.search({ game: "hex" }, { signal: AbortSignal.abort() });
    assert.deepEqual([result.status, result.move], ["cancelled", null]);
    // The next one is not stopped by it.
    const next = await engine.search({ game: "hex", budget: { simulations: 100 } });
    assert.equal(next.status, "done");
  });

  test("positions are answered while a search runs", async () => {
    let done = false;
    const search = engine.search({ game: "hex", budget: { time_ms: 1_000 } }).then(() => (done = true));
    const position = await engine.position({ game: "hex", moves: ["a1"] });
    assert.equal(position.ply, 1);
    assert.equal(done, false);
    await search;
  });

  test("refusals are errors with pointers", async () => {
    await assert.rejects(engine.search({ game: "hex", budget: { depth: 0 } }), (error) => {
      assert.ok(error instanceof EngineError);
      assert.deepEqual([error.code, error.status, error.errors[0].pointer], ["invalid_budget", 422, "/budget/depth"]);
      return true;
    });
    // @ts-expect-error the request is none
    await assert.rejects(engine.position(7), { code: "invalid_request" });
  });

  test("seeds that nobody chose differ", async () => {
    const request = { game: /** @type {const} */ ("hex"), budget: { simulations: 10 } };
    const seeds = [await engine.search(request), await engine.search(request)].map((result) => result.engine.seed);
    assert.notEqual(seeds[0], seeds[1]);
  });
});

describe("reviews", () => {
  test("a review is told ply by ply", async () => {
    /** @type {number[]} */
    const reviewed = [];
    const moves = ["b2", "a1", "c3"];
    const review = await engine.review(
      { game: "tic-tac-toe", moves, budget: { nodes: 2_000 } },
      { onProgress: (message) => void reviewed.push(message.plies.reviewed) },
    );
    assert.deepEqual(reviewed, [0, 0, 1, 2]);
    assert.deepEqual([review.status, review.moves.length], ["done", 3]);
  });

  test("a review is stopped", async () => {
    const stop = new AbortController();
    const review = await engine.review(
      { game: "xiangqi", moves: ["h2e2", "h9g7", "h0g2"], budget: { time_ms: 200 } },
      { signal: stop.signal, onProgress: ({ plies }) => plies.reviewed === 1 && stop.abort() },
    );
    assert.equal(review.status, "cancelled");
    assert.equal(review.moves.length, 1);
  });
});

describe("files", () => {
  test("they are fetched with the game that uses them", async () => {
    assert.equal(loaded.includes("reversi.weights"), false);
    await engine.prepare("reversi");
    await engine.prepare("reversi");
    assert.equal(loaded.filter((file) => file === "reversi.weights").length, 1);
    const result = await engine.search({ game: "connect-four", position: "1234", budget: { time_ms: 5_000 } });
    assert.equal(loaded.includes("connect-four.book"), true);
    assert.deepEqual([result.engine.options, result.stop_reason], [{ book: "embedded" }, "proven"]);
  });

  test("without them, games are searched that can be", async () => {
    const folder = await mkdtemp(join(tmpdir(), "engine-"));
    await copyFile(new URL("../../web/engine/dist/tesuji.wasm", import.meta.url), join(folder, "tesuji.wasm"));
    const bare = createEngine({ base: pathToFileURL(`${folder}/`) });
    try {
      const result = await bare.search({ game: "connect-four", budget: { time_ms: 50 } });
      assert.deepEqual([result.engine.name, result.engine.options], ["solver", { book: "none" }]);
      const embedded = /** @type {const} */ ({ name: "solver", book: "embedded" });
      await assert.rejects(bare.search({ game: "connect-four", engine: embedded }), { code: "invalid_engine" });
      assert.equal((await bare.position({ game: "reversi" })).legal_moves.length, 4);
      await assert.rejects(bare.search({ game: "reversi" }), { code: "ENOENT" });
    } finally {
      bare.close();
      await rm(folder, { recursive: true });
    }
  });
});

describe("memory", () => {
  test("a hundred searches keep the worker below 300 MB", async () => {
    const games = /** @type {const} */ (["gomoku", "reversi", "xiangqi", "connect-four", "dots-and-boxes"]);
    let most = 0;
    for (let count = 0; count < 100; count += 1) {
      const engineName = count % 2 ? "mcts" : "negamax";
      const budget = { time_ms: 100, memory_mb: 128 };
      await engine.search({ game: games[count % games.length], engine: engineName, budget });
      most = Math.max(most, engine.memory);
    }
    console.log(`at most ${Math.round(most / 2 ** 20)} MiB`);
    assert.ok(most < 300e6, `${most} bytes`);
  });
});
