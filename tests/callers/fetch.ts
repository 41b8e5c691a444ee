/** Calls with `openapi-fetch` over the types of `openapi-typescript`. No casts: what is read is what the types say. */

import { strict as assert } from "node:assert";
import createClient from "openapi-fetch";
import type { components, paths } from "./out/api.js";
import { call, unwrap, SERVER, printSummary } from "./common.js";

type Search = components["schemas"]["SearchResponse"];

const client = createClient<paths, "application/json" | "application/problem+json">({ baseUrl: SERVER });

await call("version", async () => {
  const { data, error } = await client.GET("/version");
  assert.equal(unwrap(data, error).name, "tesuji");
});

await call("games", async () => {
  const { data, error } = await client.GET("/v1/games");
  const { games, budget } = unwrap(data, error);
  assert.ok(games.length >= 6 && budget.most.time_ms > 0);
});

await call("one game", async () => {
  const { data, error } = await client.GET("/v1/games/{game}", { params: { path: { game: "tic-tac-toe" } } });
  const game = unwrap(data, error);
  const columns = game.variants[0].parameters.find(({ name }) => name === "columns");
  // The kind of parameter tells which fields it has.
  assert.ok(columns?.type === "integer" && columns.minimum === 1 && columns.default === 3);
  assert.equal(game.start.outcome, null);
});

await call("a position of Reversi", async () => {
  const { data, error } = await client.POST("/v1/positions", { body: { game: "reversi", moves: ["f5d6"] } });
  const position = unwrap(data, error);
  // The game tells which facts there are.
  assert.ok(position.game === "reversi" && position.discs.first + position.discs.second === 6);
});

await call("a position of Renju", async () => {
  const { data, error } = await client.POST("/v1/positions", {
    body: { game: "gomoku", variant: { name: "renju", size: 9 }, moves: ["e5", "a1"] },
  });
  const position = unwrap(data, error);
  assert.ok(position.game === "gomoku" && position.variant.size === 9 && position.forbidden?.length === 0);
});

await call("a finished game", async () => {
  const { data, error } = await client.POST("/v1/positions", { body: { game: "tic-tac-toe", position: "xxx/oo1/3 o" } });
  const position = unwrap(data, error);
  assert.equal(position.outcome?.winner, "first");
  assert.equal(position.outcome.offence, null);
});

await call("a search", async () => {
  const { data, error } = await client.POST("/v1/searches", { body: { game: "connect-four", moves: ["44"], budget: { nodes: 1000 } } });
  const found: Search = unwrap(data, error);
  assert.equal(found.move, found.children[0].move);
  assert.ok(found.root.value !== null && found.status === "done" && found.final);
});

await call("a search with options", async () => {
  const { data, error } = await client.POST("/v1/searches", {
    body: {
      game: "dots-and-boxes",
      variant: { columns: 2 },
      engine: { name: "mcts", exploration: 0.7 },
      budget: { simulations: 200 },
      seed: 1,
      moves_filter: { avoid: ["h0,0"] },
      report: { max_children: 3, tree: { depth: 1 } },
    },
  });
  const { engine, variant, children } = unwrap(data, error);
  assert.ok(engine.name === "mcts" && engine.options.exploration === 0.7 && engine.seed === 1);
  assert.ok("columns" in variant && variant.columns === 2 && variant.rows === 3);
  assert.ok(children.length === 3 && children[0].score?.unit === "boxes" && children[0].children !== undefined);
});

await call("a stream", async () => {
  const { response } = await client.POST("/v1/searches", {
    body: { game: "gomoku", budget: { time_ms: 300 }, report: { interval_ms: 50 } },
    headers: { Accept: "application/x-ndjson" },
    parseAs: "stream",
  });
  assert.equal(response.headers.get("content-type"), "application/x-ndjson");
  const lines: Search[] = (await response.text()).trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines[0].status, "queued");
  assert.ok(lines.length > 1 && lines.every(({ final }, index) => final === (index === lines.length - 1)));
});

await call("an asynchronous search, to its end", async () => {
  const begun = await client.POST("/v1/searches", {
    body: { game: "reversi", budget: { depth: 4 } },
    params: { header: { Prefer: "respond-async" } },
  });
  const { id } = unwrap(begun.data, begun.error);
  const { data, error } = await client.GET("/v1/searches/{id}", { params: { path: { id }, header: { Prefer: "wait=30" } } });
  const found = unwrap(data, error);
  assert.ok(found.final && found.status === "done" && found.stop_reason === "depth");
});

await call("a search that is cancelled", async () => {
  const begun = await client.POST("/v1/searches", {
    body: { game: "xiangqi", budget: { time_ms: 60_000 } },
    params: { header: { Prefer: "respond-async" } },
  });
  const { id } = unwrap(begun.data, begun.error);
  const { data, error } = await client.DELETE("/v1/searches/{id}", { params: { path: { id } } });
  assert.equal(unwrap(data, error).id, id);
  const end = await client.GET("/v1/searches/{id}", { params: { path: { id }, header: { Prefer: "wait=30" } } });
  assert.equal(unwrap(end.data, end.error).status, "cancelled");
});

await call("a batch", async () => {
  const { data, error } = await client.POST("/v1/batches", {
    body: { defaults: { game: "reversi", budget: { nodes: 1000 } }, searches: [{ moves: ["f5"] }, { moves: ["a1"] }] },
  });
  const found = unwrap(data, error);
  // A stream of it has other messages than the whole.
  assert.ok("items" in found);
  const [first, second] = found.items;
  assert.equal(first?.search?.status, "done");
  assert.equal(second?.problem?.errors[0].pointer, "/moves/0");
});

await call("a review", async () => {
  const begun = await client.POST("/v1/reviews", {
    body: { game: "tic-tac-toe", moves: ["b2", "b1", "a1"], budget: { simulations: 20_000 }, seed: 1 },
  });
  const { id } = unwrap(begun.data, begun.error);
  const { data, error } = await client.GET("/v1/reviews/{id}", { params: { path: { id }, header: { Prefer: "wait=30" } } });
  const review = unwrap(data, error);
  assert.deepEqual(review.moves.map((move) => move.class), ["best", "blunder", "best"]);
});

await call("a game that is not built in", async () => {
  const { error } = await client.POST("/v1/searches", { body: { game: "breakthrough" } });
  assert.equal(error?.code, "unknown_game");
  const answered: Search["game"] = "breakthrough";
  assert.equal(typeof answered, "string");
});

await call("a refused request", async () => {
  const { data, error, response } = await client.POST("/v1/searches", { body: { game: "reversi", budget: { time_ms: 100_000_000 } } });
  assert.equal(data, undefined);
  assert.equal(response.status, 422);
  assert.equal(error?.code, "invalid_budget");
  assert.equal(error.errors[0].pointer, "/budget/time_ms");
  const kind = await client.GET("/problems/{code}", { params: { path: { code: error.code } } });
  assert.equal(unwrap(kind.data, kind.error).status, 422);
});

printSummary("openapi-fetch");
