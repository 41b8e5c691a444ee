/** The client against the real program. No casts: what is read is what the types say. */

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Client, ProblemError, type SearchResponse } from "../dist/index.js";
import { newKey, type Service, startService } from "./service.js";

let service: Service;
let tesuji: Client;

before(async () => {
  service = await startService();
  tesuji = new Client(service.url);
});
after(() => service.stop());

test("games, positions and the program", async () => {
  const { games, budget } = await tesuji.games();
  assert.ok(games.length >= 7 && budget.most.time_ms > 0);
  for (const { name } of games) {
    assert.equal((await tesuji.game(name)).name, name);
    const position = await tesuji.position({ game: name });
    assert.equal(position.outcome, null);
    assert.ok(position.legal_moves.length > 0);
  }
  const reversi = await tesuji.position({ game: "reversi", moves: ["f5", "d6"] });
  // The game tells which facts there are.
  assert.ok(reversi.game === "reversi" && reversi.discs.first + reversi.discs.second === 6);
  const svg = await tesuji.picture({ game: "reversi", moves: ["f5"], picture: { theme: "dark" } });
  assert.ok(svg.startsWith("<svg"));
  const png = await tesuji.picture({ game: "reversi" }, { format: "png" });
  assert.deepEqual([...png.slice(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  assert.equal((await tesuji.version()).name, "tesuji");
  assert.equal((await tesuji.ready()).status, "ok");
  assert.equal((await tesuji.cluster()).connection, "none");
});

test("a game is uploaded, searched and removed", async () => {
  const own = await startService("--uploads", "1", "--upload-scripts");
  try {
    const client = new Client(own.url);
    const file = readFileSync(new URL("../../../examples/games/number-scrabble.js", import.meta.url));
    const name = "number-scrabble";
    assert.equal((await client.uploadGame(name, file, { dryRun: true })).source, "script");
    await assert.rejects(client.game(name), (error) => error instanceof ProblemError && error.status === 404);
    assert.equal((await client.uploadGame(name, file)).hash?.length, 64);
    assert.equal((await client.search({ game: name, budget: { simulations: 50 } })).status, "done");
    assert.equal(await client.removeGame(name), undefined);
    await assert.rejects(client.removeGame(name), (error) => error instanceof ProblemError && error.status === 404);
  } finally {
    await own.stop();
  }
});

test("a search answers with a move and its statistics", async () => {
  const found = await tesuji.search({ game: "connect-four", moves: ["4", "4", "3"], budget: { time_ms: 200 } });
  assert.equal(found.status, "done");
  assert.equal(found.move, found.children[0]?.move);
  assert.equal(found.root.proven, "win");
});

test("a stream reports progress, then the result", async () => {
  const messages: SearchResponse[] = [];
  for await (const message of tesuji.streamSearch({ game: "gomoku", budget: { time_ms: 3000 }, report: { interval_ms: 50 } })) {
    messages.push(message);
  }
  assert.equal(messages[0]?.status, "queued");
  assert.ok(messages.some(({ status }) => status === "running"));
  assert.deepEqual(messages.map(({ final }) => final), messages.map((_, index) => index === messages.length - 1));
  assert.equal(messages.at(-1)?.status, "done");
});

test("leaving a stream's loop stops the search", async () => {
  for await (const { status } of tesuji.streamSearch({ game: "xiangqi", budget: { time_ms: 60_000 } })) {
    if (status === "running") break;
  }
  await idle();
});

test("aborting a signal stops the search", async () => {
  const stop = new AbortController();
  const search = tesuji.search({ game: "xiangqi", budget: { time_ms: 60_000 } }, { signal: stop.signal });
  await busy();
  stop.abort();
  await assert.rejects(search, { name: "AbortError" });
  await idle();
});

test("a search goes on without its client, until it is cancelled", async () => {
  const job = await tesuji.startSearch({ game: "xiangqi", budget: { time_ms: 60_000 } });
  for await (const { status } of job.follow()) if (status === "running") break;
  assert.equal((await job.status()).status, "running");
  // By its id, from anywhere.
  await new Client(service.url).searchJob(job.id).cancel();
  const end = await job.result();
  assert.equal(end.status, "cancelled");
  assert.notEqual(end.move, null);
});

test("jobs are listed and cancelled together", async () => {
  const own = await startService();
  try {
    const client = new Client(own.url);
    const ids = async (options: Parameters<Client["jobs"]>[0]) => {
      const ids: string[] = [];
      for await (const { id } of client.jobs(options)) ids.push(id);
      return ids.sort();
    };
    const done = await client.startSearch({ game: "tic-tac-toe", budget: { simulations: 50 } });
    await done.result();
    const review = await client.startReview({ game: "hex", moves: ["a1"], budget: { time_ms: 60_000 } });
    const search = await client.startSearch({ game: "xiangqi", budget: { time_ms: 60_000 } });
    assert.deepEqual(await ids({}), [done.id, review.id, search.id].sort());
    assert.deepEqual(await ids({ status: ["queued", "running"] }), [review.id, search.id].sort());
    assert.deepEqual(await ids({ kind: "review" }), [review.id]);
    assert.deepEqual((await client.cancelJobs({ kind: "review" })).map(({ game, status }) => [game, status]), [["hex", "cancelled"]]);
    assert.deepEqual((await client.cancelJobs()).map(({ id }) => id), [search.id]);
    assert.deepEqual(await client.cancelJobs(), []);
  } finally {
    await own.stop();
  }
});

test("puzzles are listed", async () => {
  const some: string[] = [];
  for await (const { id, game, difficulty } of tesuji.puzzles({ game: "reversi", difficulty: 2 })) {
    assert.deepEqual([game, difficulty], ["reversi", 2]);
    some.push(id);
  }
  assert.ok(some.length > 0);
});

test("the same key is the same search", async () => {
  const request = { game: "reversi", budget: { depth: 4 } } as const;
  const first = await tesuji.startSearch(request, { idempotencyKey: "one" });
  const second = await tesuji.startSearch(request, { idempotencyKey: "one" });
  assert.equal(first.id, second.id);
  assert.equal((await second.status({ wait: 30 })).status, "done");
});

test("a batch comes as a whole, or result by result", async () => {
  const defaults = { game: "reversi", budget: { depth: 4 } } as const;
  const batch = await tesuji.batch({ defaults, searches: [{ moves: ["f5"] }, { moves: ["a1"] }] });
  assert.equal(batch.items[0]?.search?.status, "done");
  assert.equal(batch.items[1]?.problem?.errors[0]?.pointer, "/moves/0");

  const indices: number[] = [];
  let done = 0;
  for await (const message of tesuji.streamBatch({ defaults, searches: [{}, {}, {}] })) {
    if ("index" in message) indices.push(message.index);
    else done = message.done;
  }
  assert.deepEqual([...indices].sort(), [0, 1, 2]);
  assert.equal(done, 3);

  const job = await tesuji.startBatch({ defaults, searches: [{}, { moves: ["f5"] }] });
  assert.equal((await job.result()).items.length, 2);
});

test("a review classifies moves", async () => {
  const review = await tesuji.review({ game: "tic-tac-toe", moves: ["b2", "b1", "a1"], budget: { simulations: 20_000 }, seed: 1 });
  assert.deepEqual(review.moves.map((move) => move.class), ["best", "blunder", "best"]);
});

test("aborting a review cancels it", async () => {
  const stop = new AbortController();
  const moves = ["h8", "h9", "g8", "g9", "i8", "i9"];
  const review = tesuji.review({ game: "gomoku", moves, budget: { time_ms: 60_000 } }, { signal: stop.signal });
  await busy();
  stop.abort();
  await assert.rejects(review, { name: "AbortError" });
  await idle();
});

test("a refusal is an error with the problem document", async () => {
  await assert.rejects(tesuji.search({ game: "reversi", budget: { time_ms: 100_000_000 } }), (error) => {
    assert.ok(error instanceof ProblemError);
    assert.deepEqual([error.status, error.code, error.retryAfter], [422, "invalid_budget", null]);
    assert.equal(error.problem.errors[0]?.pointer, "/budget/time_ms");
    assert.match(error.message, /^422 invalid_budget: .*time_ms/);
    return true;
  });
  const stream = tesuji.streamSearch({ game: "reversi", moves: ["a1"] });
  await assert.rejects(stream.next(), { name: "ProblemError", code: "illegal_move" });
  await assert.rejects(tesuji.searchJob("01ARZ3NDEKTSV4RRFFQ69G5FAV").status(), { name: "ProblemError", status: 404 });
});

test("an API key is sent", async () => {
  const { key, setting } = newKey();
  const guarded = await startService("--api-keys", setting);
  try {
    await assert.rejects(new Client(guarded.url).games(), { name: "ProblemError", code: "unauthorized" });
    assert.ok((await new Client(guarded.url, { apiKey: key }).games()).games.length > 0);
  } finally {
    await guarded.stop();
  }
});

/** How many searches the service runs, or has waiting. */
async function searches(): Promise<number> {
  return (await tesuji.cluster()).nodes[0]?.searches ?? 0;
}

/** Waits until it runs one. */
async function busy(): Promise<void> {
  const begin = performance.now();
  while ((await searches()) === 0) assert.ok(performance.now() - begin < 20_000, "no search has begun");
}

/** Waits until it runs none. */
async function idle(): Promise<void> {
  const begin = performance.now();
  while ((await searches()) > 0) assert.ok(performance.now() - begin < 20_000, "the search goes on");
}
