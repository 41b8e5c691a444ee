// @ts-check
/** The module's responses equal those of the native server, byte for byte apart from ids and times. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";

import { createEngine } from "../../web/engine/index.js";
import { Module } from "../../web/engine/module.js";
import { Server, comparable } from "./server.js";

const dist = new URL("../../web/engine/dist/", import.meta.url);

/** @type {Server} */
let server;
/** @type {Module} */
let module;
/** Instances for searches by several. @type {Module[]} */
const team = [];
const engine = createEngine({ workers: 2 });

before(async () => {
  server = await Server.start();
  const compiled = await WebAssembly.compile(await readFile(new URL("tesuji.wasm", dist)));
  for (let count = 0; count < 3; count += 1) {
    const instance = await Module.create(compiled, { tell: () => {}, isStopped: () => false });
    for (const name of ["connect-four.book", "reversi.weights"]) {
      assert.equal(instance.load(name, await readFile(new URL(name, dist))).status, 200);
    }
    team.push(instance);
  }
  module = team[0];
});
after(async () => {
  engine.close();
  await server.stop();
});

/** @param {import("../../web/engine/module.js").Answer} here @param {import("../../web/engine/module.js").Answer} there */
function assertSame(here, there) {
  assert.equal(comparable(here).status, comparable(there).status);
  assert.equal(comparable(here).body, comparable(there).body);
}

const POSITIONS = {
  "tic-tac-toe": [{}, { moves: ["b2", "a1"] }, { variant: { columns: 7, rows: 7, k: 5 }, moves: ["d4", "c3"] }],
  "connect-four": [
    { moves: ["4", "4", "5", "3", "4", "2", "6", "1", "2", "7"] },
    { variant: { columns: 8, rows: 7 }, moves: ["4", "4"] },
    {},
  ],
  reversi: [{}, { moves: ["f5", "d6", "c3", "d3", "c4"] }, { variant: { size: 6 } }, { variant: { size: 10 }, moves: ["g6"] }],
  "dots-and-boxes": [{}, { variant: { columns: 3, rows: 2 } }],
  gomoku: [{}, { variant: "renju", moves: ["h8", "i9", "j8", "g9"] }],
  xiangqi: [{}, { moves: ["h2e2", "h9g7", "h0g2", "i9h9"] }],
  hex: [{ variant: { size: 7 }, moves: ["d4"] }],
};

const WORK = [
  { engine: "mcts", budget: { simulations: 20_000 } },
  { engine: "mcts", budget: { simulations: 3_000 }, threads: 3, report: { tree: { depth: 2, min_visits: 20 } } },
  { engine: "negamax", budget: { nodes: 40_000 } },
  { engine: "negamax", budget: { depth: 4 }, report: { children: "best", multipv: 2 } },
  { budget: { nodes: 20_000 }, perspective: "first_player" },
  { level: 4, variety: 0.3 },
];

describe("positions and games", () => {
  test("all games", () => {
    const games = (/** @type {string} */ body) => JSON.parse(body).games;
    return server.request("/v1/games").then((there) => assert.deepEqual(games(module.games().body), games(there.body)));
  });
  for (const [game, positions] of Object.entries(POSITIONS)) {
    test(game, async () => {
      assertSame(module.game(game), await server.request(`/v1/games/${game}`));
      for (const position of positions) {
        const body = JSON.stringify({ game, ...position });
        assertSame(module.position(body), await server.request("/v1/positions", body));
      }
    });
  }
});

describe("searches", () => {
  for (const [game, positions] of Object.entries(POSITIONS)) {
    for (const position of positions) {
      for (const work of WORK) {
        const body = JSON.stringify({ game, ...position, ...work, seed: 11 });
        test(body, async () => {
          assertSame(module.work("search", "", body, false), await server.request("/v1/searches", body));
        });
      }
    }
  }
  for (const moves of ["44444", "41", "123456712345"]) {
    const body = JSON.stringify({ game: "connect-four", position: moves, engine: "solver", seed: 1 });
    test(`solver after ${moves}`, async () => {
      assertSame(module.work("search", "", body, false), await server.request("/v1/searches", body));
    });
  }
  test("a finished game", async () => {
    const body = JSON.stringify({ game: "connect-four", position: "1212121", seed: 1 });
    assertSame(module.work("search", "", body, false), await server.request("/v1/searches", body));
  });
});

const TOGETHER = [
  { game: "tic-tac-toe", engine: { name: "mcts", transpositions: "separate" }, budget: { simulations: 5_000 } },
  { game: "tic-tac-toe", engine: "mcts", budget: { simulations: 2_000 } },
  { game: "connect-four", engine: "mcts", budget: { nodes: 10_000 }, report: { tree: { depth: 3, min_visits: 20 } } },
  { game: "reversi", engine: "mcts", budget: { simulations: 1_001 }, moves: ["f5", "d6", "c3", "d3", "c4"] },
  { game: "dots-and-boxes", variant: { columns: 3, rows: 2 }, engine: "mcts", budget: { simulations: 9_000 } },
  { game: "gomoku", engine: { name: "mcts", final_move: "secure" }, budget: { simulations: 2_000 }, variety: 0.5 },
  { game: "xiangqi", engine: "mcts", budget: { simulations: 1_000 }, perspective: "first_player" },
  { game: "hex", budget: { simulations: 2_000 }, level: 3, report: { children: "all" } },
  { game: "hex", engine: "mcts", budget: { simulations: 1_000 }, moves_filter: { allow: ["a1", "b2", "f6"] } },
];

describe("searches by several", () => {
  for (const request of TOGETHER) {
    for (const threads of [2, 3]) {
      const body = JSON.stringify({ ...request, threads, seed: 17 });
      test(body, async () => {
        const split = module.split(body, 2);
        assert.deepEqual(split, { status: 200, body: JSON.stringify({ workers: threads, seed: 17 }) });
        const pieces = team.slice(0, threads).map((instance, worker) => {
          const piece = instance.part("", body, worker, 2, false);
          assert.equal(piece.status, 200, piece.body);
          return piece.body;
        });
        const rest = JSON.stringify({ body, cores: 2, seq: 0, searched_ms: 1 });
        const merged = module.merge("", `${rest.slice(0, -1)},"pieces":[${pieces.join(",")}]}`);
        const there = await server.request("/v1/searches", body);
        assertSame(merged, there);
        // The whole package, with fewer workers than threads.
        const found = { status: 200, body: JSON.stringify(await engine.search(JSON.parse(body))) };
        const same = { ...there, body: JSON.stringify(JSON.parse(there.body)) };
        assertSame(found, same);
      });
    }
  }
});

describe("reviews", () => {
  const reviews = [
    { game: "connect-four", moves: ["4", "4", "5", "6", "3"], engine: "mcts", budget: { simulations: 2_000 } },
    { game: "tic-tac-toe", moves: ["b2", "a2", "a1", "c3"], budget: { nodes: 5_000 } },
    { game: "reversi", moves: ["f5", "d6", "c3"], budget: { nodes: 5_000 } },
    { game: "gomoku", moves: ["h8", "h9", "i9"], engine: "negamax", budget: { nodes: 3_000 } },
    { game: "dots-and-boxes", variant: { columns: 2, rows: 2 }, moves: [], budget: { simulations: 1_000 } },
    { game: "xiangqi", moves: ["h2e2", "h9g7"], budget: { nodes: 3_000 } },
    { game: "xiangqi", moves: ["h2e2", "h2e2"] },
    { game: "xiangqi" },
  ];
  for (const review of reviews) {
    const body = JSON.stringify({ ...review, seed: 3 });
    test(body, async () => assertSame(module.work("review", "", body, false), await server.review(body)));
  }
});

describe("refusals", () => {
  const bodies = [
    "",
    "{",
    "[]",
    '{"game":"hex"} x',
    '{"game":"hex","game":"hex"}',
    '{"game":"chess"}',
    '{"game":7}',
    '{"game":"hex","bugdet":{}}',
    '{"game":"hex","budget":{"time_ms":"1"}}',
    '{"game":"hex","budget":{"memory_mb":129}}',
    '{"game":"hex","budget":{"depth":3},"engine":"mcts"}',
    '{"game":"hex","variant":{"size":99}}',
    '{"game":"hex","position":"x"}',
    '{"game":"hex","moves":["a1","zz"]}',
    '{"game":"hex","engine":{"name":"mcts","exploration":-1}}',
    '{"game":"hex","engine":"stockfish"}',
    '{"game":"hex","seed":9007199254740992}',
    '{"game":"hex","threads":65}',
    '{"game":"hex","moves_filter":{"allow":[]}}',
    '{"game":"hex","report":{"interval_ms":1}}',
    '{"game":"hex","level":11}',
  ];
  for (const body of bodies) {
    test(body || "nothing", async () => {
      assertSame(module.work("search", "", body, false), await server.request("/v1/searches", body));
      assertSame(module.position(body), await server.request("/v1/positions", body));
      assertSame(module.work("review", "", body, false), await server.review(body));
    });
  }
  test("a game that there is not", async () => assertSame(module.game("chess"), await server.request("/v1/games/chess")));
});

describe("rules", () => {
  test("perft", () => {
    assert.equal(module.perft('{"game":"xiangqi"}', 3), 79_666);
    assert.equal(module.perft('{"game":"reversi"}', 6), 8_200);
    assert.equal(module.perft("", 1), -1);
  });
});
