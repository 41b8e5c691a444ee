// @ts-check
/** A board, the broker, the provider and a real service together. */

import { strict as assert } from "node:assert";
import { after, before, test } from "node:test";
import { Client } from "tesuji-client";
import { startService } from "../service.js";
import { createBroker } from "./broker.js";
import { provide } from "./provider.js";
import { toInfo, toRequest } from "./translate.js";

const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const secrets = { clientSecret: "for boards", providerSecret: "for providers" };
/** @type {import("../service.js").Service} */
let service;
/** @type {Client} */
let tesuji;
/** @type {import("node:http").Server} */
let broker;
let url = "";
/** @type {string[]} */
const log = [];
const end = new AbortController();
/** @type {Promise<void>} */
let provider;

before(async () => {
  service = await startService();
  tesuji = new Client(service.url);
  broker = createBroker(secrets);
  await new Promise((resolve) => broker.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (broker.address());
  url = `http://127.0.0.1:${address.port}`;
  const said = (/** @type {string} */ line) => void log.push(line);
  provider = provide({ broker: url, secret: secrets.providerSecret, tesuji, signal: end.signal, log: said }).catch((error) => {
    if (!end.signal.aborted) throw error;
  });
});
after(async () => {
  end.abort();
  await provider;
  broker.close();
  broker.closeAllConnections();
  await service.stop();
});

/** What a board asks for. */
const work = { sessionId: "a", threads: 1, hash: 16, multiPv: 2, variant: "xiangqi", initialFen: START, moves: /** @type {string[]} */ ([]) };

/** The analysis that a board gets. @param {object} more @param {AbortSignal} [signal] */
async function* analysed(more, signal) {
  const body = JSON.stringify({ clientSecret: secrets.clientSecret, work: { ...work, ...more } });
  const answer = await fetch(`${url}/api/external-engine/eei_1/analyse`, { method: "POST", body, signal });
  assert.equal(answer.status, 200);
  let rest = "";
  for await (const chunk of /** @type {AsyncIterable<Uint8Array>} */ (answer.body)) {
    const lines = (rest + Buffer.from(chunk).toString()).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.map((line) => JSON.parse(line));
  }
}

test("a board gets an analysis with as many lines as it asked for", async () => {
  const found = [];
  for await (const message of analysed({ movetime: 1500 })) found.push(message);
  const { depth, nodes, pvs } = found.at(-1);
  assert.ok(depth > 1 && nodes > 0);
  assert.equal(pvs.length, 2);
  const { legal_moves } = await tesuji.position({ game: "xiangqi", variant: { name: "standard", ranks: "from_one" } });
  for (const { cp, moves } of pvs) {
    assert.ok(Math.abs(cp) < 500);
    assert.ok(legal_moves.includes(moves[0]), moves[0]);
  }
  assert.notEqual(pvs[0].moves[0], pvs[1].moves[0]);
});

test("a mate is counted in moves, from the first player's view", async () => {
  const last = async (/** @type {string} */ initialFen) => {
    let message;
    for await (message of analysed({ initialFen, multiPv: 1, depth: 8, movetime: 5000 }));
    return message.pvs[0].mate;
  };
  assert.equal(await last("3k5/R8/9/9/9/9/9/9/1R7/4K4 w - - 0 1"), 1);
  // Red wins, regardless of the side to move.
  assert.ok((await last("3k5/9/R8/9/9/9/9/9/1R7/4K4 b - - 0 1")) > 0);
  assert.ok((await last("4k4/1r7/9/9/9/9/9/r8/9/3K5 w - - 0 1")) < 0);
});

test("a board that leaves ends the search", async () => {
  const leave = new AbortController();
  await assert.rejects(async () => {
    for await (const _ of analysed({ infinite: true }, leave.signal)) leave.abort();
  }, { name: "AbortError" });
  const begin = performance.now();
  while (((await tesuji.cluster()).nodes[0]?.searches ?? 0) > 0) assert.ok(performance.now() - begin < 20_000, "the search goes on");
  // And the provider takes the next one.
  for await (const { pvs } of analysed({ movetime: 200, multiPv: 1 })) assert.equal(pvs.length, 1);
});

test("what the service refuses is no end of the provider", async () => {
  for await (const _ of analysed({ moves: ["a1a9"] })) assert.fail("an analysis of an illegal move");
  for await (const { pvs } of analysed({ variant: "renju", initialFen: "", moves: ["h8"], movetime: 200, multiPv: 1 })) assert.equal(pvs.length, 1);
  assert.ok(log.some((line) => /^job\d+: ProblemError: 422 illegal_move: /.test(line)), log.join("\n"));
});

test("work is limited by what the server allows", async () => {
  const { budget } = await tesuji.games();
  const asked = toRequest({ ...work, threads: 1000, hash: 1_000_000, nodes: 5000 }, budget.most);
  const { time_ms, memory_mb, threads } = budget.most;
  assert.deepEqual([asked.threads, asked.budget], [threads, { time_ms, memory_mb, nodes: 5000 }]);
  assert.throws(() => toRequest({ ...work, variant: "chess" }, budget.most), /the variant chess is not on offer/);
});

test("a value becomes centipawns as in `tesuji uci`", async () => {
  const found = await tesuji.search({ game: "xiangqi", budget: { nodes: 1000 } });
  const child = { ...found.children[0], proven: null, distance: null, depth: 3, pv: ["b3e3"] };
  const info = (/** @type {number} */ value) => toInfo({ ...found, children: [{ ...child, value }], root: { ...found.root, nodes: 7 } })[0];
  assert.match(info(0.28), /^info multipv 1 depth 3 score cp 100 nodes 7 time \d+ pv b3e3\n$/);
  assert.match(info(-0.28), / score cp -100 /);
});
