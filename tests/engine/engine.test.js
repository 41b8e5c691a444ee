// @ts-check
/** The package as its users see it: workers, progress, stopping, files. */

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { Client } from "../../web/engine/client.js";
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

  test("a search is stopped long before its budget ends, with what it has found", async () => {
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
    assert.ok(late < 2_000, `${late} ms`);
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

describe("several workers", () => {
  const team = createEngine({ workers: 3 });
  after(() => team.close());
  const request = { game: /** @type {const} */ ("hex"), engine: /** @type {const} */ ("mcts"), threads: 3 };

  /** The most threads of a search that ran at the same time, each on its own worker. @param {() => Promise<unknown>} search */
  async function mostAtOnce(search) {
    const { call } = Client.prototype;
    /** @type {Set<Client>} */
    const running = new Set();
    let most = 0;
    /** @this {Client} @param {string} method @param {any[]} parameters @param {(message: string) => void} [onMessage] */
    Client.prototype.call = function (method, parameters, onMessage) {
      const called = call.call(this, method, parameters, onMessage);
      if (method !== "part") return called;
      assert.equal(running.has(this), false);
      running.add(this);
      most = Math.max(most, running.size);
      return { ...called, result: called.result.finally(() => running.delete(this)) };
    };
    try {
      await search();
    } finally {
      Client.prototype.call = call;
    }
    return most;
  }

  test("threads run at the same time, as many as there are workers", async () => {
    /** @type {any} */
    let result;
    const search = async (/** @type {number} */ threads) => {
      result = await team.search({ ...request, threads, budget: { simulations: 3_000 } });
    };
    assert.equal(await mostAtOnce(() => search(3)), 3);
    assert.deepEqual([result.threads.granted, result.budget.used.simulations], [3, 3_000]);
    // Threads beyond the number of workers wait.
    assert.equal(await mostAtOnce(() => search(7)), 3);
    assert.deepEqual([result.threads.granted, result.budget.used.simulations, result.warnings], [7, 3_000, []]);
    assert.equal(await mostAtOnce(() => search(1)), 0);
  });

  test("under a budget of time there are no more threads than workers", async () => {
    /** @type {any} */
    let result;
    const most = await mostAtOnce(async () => {
      result = await team.search({ ...request, threads: 5, budget: { time_ms: 200 } });
    });
    assert.equal(most, 3);
    assert.deepEqual([result.status, result.threads], ["done", { requested: 5, granted: 3 }]);
    assert.equal(result.warnings.length, 1);
    assert.ok(result.timing.search_ms < 2_000, `${result.timing.search_ms} ms`);
  });

  test("engines whose threads share memory search in one worker", async () => {
    const tree = /** @type {const} */ ({ name: "mcts", parallel: "tree" });
    for (const engine of [tree, /** @type {const} */ ("negamax")]) {
      const search = { game: /** @type {const} */ ("gomoku"), engine, threads: 3, budget: { nodes: 3_000 } };
      assert.equal(await mostAtOnce(() => team.search(search)), 0);
    }
  });

  test("the first thread tells of progress, and the result is the last message", async () => {
    /** @type {any[]} */
    const messages = [];
    const result = await team.search(
      { ...request, budget: { time_ms: 400 }, report: { interval_ms: 20 } },
      { onProgress: (message) => void messages.push(message) },
    );
    assert.ok(messages.length > 3, `${messages.length} messages`);
    assert.deepEqual(messages.map(({ seq }) => seq), [...messages.keys()]);
    assert.ok(messages.every(({ id, threads }) => id === result.id && threads.granted === 3));
    assert.equal(result.seq, messages.length);
    assert.ok((result.root.visits ?? 0) > messages[messages.length - 1].root.visits);
  });

  test("all are stopped long before their budget ends, with what they have found", async () => {
    const stop = new AbortController();
    let aborted = 0;
    const result = await team.search(
      { ...request, budget: { time_ms: 30_000 }, report: { interval_ms: 50 } },
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
    assert.deepEqual([result.status, result.stop_reason, result.threads.granted], ["cancelled", "cancelled", 3]);
    assert.ok(result.move);
    assert.ok(late < 2_000, `${late} ms`);
    const before = await team.search({ ...request, budget: { time_ms: 30_000 } }, { signal: AbortSignal.abort() });
    assert.deepEqual([before.status, before.move], ["cancelled", null]);
    const next = await team.search({ ...request, budget: { simulations: 300 } });
    assert.deepEqual([next.status, next.budget.used.simulations], ["done", 300]);
  });

  test("what one has proven ends the search", async () => {
    const budget = { time_ms: 60_000 };
    const result = await team.search({ game: "tic-tac-toe", engine: "mcts", threads: 3, budget });
    assert.deepEqual([result.status, result.stop_reason, result.root.proven], ["done", "proven", "draw"]);
    assert.ok(result.timing.search_ms < 30_000, `${result.timing.search_ms} ms`);
  });

  test("a worker that ends fails its search alone", async () => {
    /** @type {import("node:worker_threads").Worker[]} */
    const workers = [];
    const hear = (/** @type {any} */ message) => void workers.push(message.worker);
    subscribe("worker_threads", hear);
    const three = createEngine({ workers: 3 });
    try {
      const search = three.search(
        { ...request, budget: { time_ms: 30_000 }, report: { interval_ms: 50 } },
        { onProgress: ({ seq }) => seq === 2 && void workers[2].terminate() },
      );
      await assert.rejects(search, { message: "the worker has ended" });
      assert.equal(workers.length, 3);
      const next = await three.search({ ...request, budget: { simulations: 300 } });
      assert.deepEqual([next.status, next.budget.used.simulations], ["done", 300]);
    } finally {
      unsubscribe("worker_threads", hear);
      three.close();
    }
  });

  test("each has the file that the game needs, which is fetched once", async () => {
    /** @type {string[]} */
    const files = [];
    const two = createEngine({ workers: 2, onLoad: ({ file }) => files.push(file) });
    try {
      const search = { game: /** @type {const} */ ("reversi"), engine: request.engine, threads: 2 };
      const result = await two.search({ ...search, budget: { simulations: 200 } });
      assert.deepEqual([result.status, result.threads.granted], ["done", 2]);
      assert.equal(files.filter((file) => file === "reversi.weights").length, 1);
    } finally {
      two.close();
    }
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

  test("one that is asked for twice at once is loaded once", async () => {
    const fresh = createEngine();
    try {
      const search = fresh.search({ game: "connect-four", position: "1234", budget: { time_ms: 5_000 } });
      await Promise.all([fresh.prepare("connect-four"), fresh.prepare("connect-four")]);
      assert.equal((await search).stop_reason, "proven");
    } finally {
      fresh.close();
    }
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
