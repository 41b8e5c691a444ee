/** Calls with what `@hey-api/openapi-ts` makes. No casts: what is read is what the types say. */

import { strict as assert } from "node:assert";
import { client } from "./out/hey/client.gen.js";
import * as tesuji from "./out/hey/index.js";
import { call, unwrap, SERVER, printSummary } from "./common.js";

client.setConfig({ baseUrl: SERVER });

await call("version", async () => {
  const { data, error } = await tesuji.version();
  assert.equal(unwrap(data, error).name, "tesuji");
});

await call("games", async () => {
  const { data, error } = await tesuji.listGames();
  const { games, budget } = unwrap(data, error);
  assert.ok(games.length >= 6 && budget.most.time_ms > 0);
});

await call("one game", async () => {
  const { data, error } = await tesuji.describeGame({ path: { game: "tic-tac-toe" } });
  const columns = unwrap(data, error).variants[0].parameters.find(({ name }) => name === "columns");
  assert.ok(columns?.type === "integer" && columns.minimum === 1 && columns.default === 3);
});

await call("a position of Xiangqi", async () => {
  const { data, error } = await tesuji.describePosition({ body: { game: "xiangqi", moves: ["h2e2"] } });
  const position = unwrap(data, error);
  assert.ok(position.game === "xiangqi" && position.notations.length === position.legal_moves.length);
});

await call("a finished game", async () => {
  const { data, error } = await tesuji.describePosition({ body: { game: "tic-tac-toe", position: "xxx/oo1/3 o" } });
  assert.equal(unwrap(data, error).outcome?.winner, "first");
});

await call("a search", async () => {
  const { data, error } = await tesuji.search({ body: { game: "connect-four", moves: ["44"], budget: { nodes: 1000 } } });
  const found: tesuji.SearchResponse = unwrap(data, error);
  assert.equal(found.move, found.children[0].move);
});

await call("a search with options", async () => {
  const { data, error } = await tesuji.search({
    body: {
      game: "tic-tac-toe",
      variant: { columns: 4, rows: 4, k: 4 },
      engine: { name: "mcts", exploration: 0.7 },
      budget: { simulations: 200 },
      report: { pv_length: 2 },
    },
  });
  const { engine, variant } = unwrap(data, error);
  assert.ok(engine.name === "mcts" && engine.options.exploration === 0.7);
  assert.ok("k" in variant && variant.k === 4);
});

await call("an asynchronous search, followed to its end", async () => {
  const begun = await tesuji.search({
    body: { game: "gomoku", budget: { time_ms: 300 }, report: { interval_ms: 50 } },
    headers: { Prefer: "respond-async" },
  });
  const { id } = unwrap(begun.data, begun.error);
  const { stream } = await tesuji.followSearch({ path: { id } });
  const messages: tesuji.SearchResponse[] = [];
  // A follower to whom all has been told already is answered 204, with nothing.
  for await (const message of stream) if (message) messages.push(message);
  assert.ok(messages.length > 0 && messages.every(({ final }, index) => final === (index === messages.length - 1)));
  const { data, error } = await tesuji.getSearch({ path: { id } });
  assert.equal(unwrap(data, error).move, messages.at(-1)?.move);
});

await call("a search that is cancelled", async () => {
  const begun = await tesuji.search({ body: { game: "xiangqi", budget: { time_ms: 60_000 } }, headers: { Prefer: "respond-async" } });
  const { id } = unwrap(begun.data, begun.error);
  const { data, error } = await tesuji.cancelSearch({ path: { id } });
  assert.equal(unwrap(data, error).id, id);
  const end = await tesuji.getSearch({ path: { id }, headers: { Prefer: "wait=30" } });
  assert.equal(unwrap(end.data, end.error).status, "cancelled");
});

await call("a batch", async () => {
  const defaults = { game: "reversi" as const, budget: { nodes: 1000 } };
  const { data, error } = await tesuji.batch({ body: { defaults, searches: [{ moves: ["f5"] }, { moves: ["a1"] }] } });
  const [first, second] = unwrap(data, error).items;
  assert.equal(first?.search?.status, "done");
  assert.equal(second?.problem?.errors[0].pointer, "/moves/0");
});

await call("a review", async () => {
  const begun = await tesuji.review({ body: { game: "tic-tac-toe", moves: ["b2", "b1", "a1"], budget: { simulations: 20_000 }, seed: 1 } });
  const { id } = unwrap(begun.data, begun.error);
  const { data, error } = await tesuji.getReview({ path: { id }, headers: { Prefer: "wait=30" } });
  assert.deepEqual(unwrap(data, error).moves.map((move) => move.class), ["best", "blunder", "best"]);
});

await call("a game that is not built in", async () => {
  const { error } = await tesuji.search({ body: { game: "breakthrough" } });
  assert.equal(error?.code, "unknown_game");
});

await call("a refused request", async () => {
  const { data, error } = await tesuji.search({ body: { game: "reversi", budget: { time_ms: 100_000_000 } } });
  assert.equal(data, undefined);
  assert.equal(error?.code, "invalid_budget");
  assert.equal(error.errors[0].pointer, "/budget/time_ms");
});

printSummary("@hey-api/openapi-ts");
