// @ts-check
/**
 * The speed of the engine for web pages, in Node.js, beside the native program's on the same core:
 *
 *     web/engine/build && cargo build --release
 *     BINARY=target/release/tesuji taskset -c 1 node benches/engine/speed.js [NAME…]
 *
 * Each search is run by a process of its own three times, since the browser's compiler optimises code while it runs; "first" is the
 * first of them, "warm" the best of the others. Times are milliseconds of processor time, user and system, so that others on the
 * same machine count little; the server's are read from Linux' `/proc`.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";

import { Server } from "../../tests/engine/server.js";
import { Module } from "../../web/engine/module.js";

const dist = new URL("../../web/engine/dist/", import.meta.url);

/** @type {Record<string, { request: any, depth?: number }>} */
const CASES = {
  "mcts, Connect Four": { request: { game: "connect-four", engine: "mcts", budget: { simulations: 1_000_000, memory_mb: 128 } } },
  "mcts, Gomoku": { request: { game: "gomoku", engine: "mcts", budget: { simulations: 100_000, memory_mb: 128 } } },
  "mcts, Hex": { request: { game: "hex", engine: "mcts", budget: { simulations: 50_000, memory_mb: 128 } } },
  "negamax, Xiangqi": { request: { game: "xiangqi", engine: "negamax", budget: { nodes: 2_000_000, memory_mb: 64 } } },
  "negamax, Gomoku": {
    request: { game: "gomoku", moves: ["h8", "i9"], engine: "negamax", budget: { nodes: 1_000_000, memory_mb: 64 } },
  },
  "negamax, Reversi": { request: { game: "reversi", engine: "negamax", budget: { nodes: 5_000_000, memory_mb: 64 } } },
  "negamax, Dots and Boxes": { request: { game: "dots-and-boxes", engine: "negamax", budget: { nodes: 3_000_000, memory_mb: 64 } } },
  "solver, Connect Four": { request: { game: "connect-four", position: "444444", engine: { name: "solver", book: "none" }, budget: { nodes: 20_000_000 } } },
  "perft, Xiangqi": { request: { game: "xiangqi" }, depth: 5 },
  "perft, Reversi": { request: { game: "reversi" }, depth: 10 },
};

/** Processor time of a perft in the native program. @param {string} game @param {number} depth */
function nativePerft(game, depth) {
  const [binary, ...parameters] = [process.env.BINARY ?? "", "perft", game, String(depth)];
  const measured = ["-c", 'TIMEFORMAT="%U %S"; time "$@" >/dev/null', "bash", binary, ...parameters];
  const { stderr } = spawnSync("bash", measured, { encoding: "utf8" });
  return 1000 * stderr.trim().split(" ").reduce((sum, seconds) => sum + Number(seconds), 0);
}

/** Processor time of a process so far. @param {number} pid */
async function processorTime(pid) {
  const HERTZ = 100;
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1].split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / HERTZ;
}

function ownTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** @param {string} name */
async function here(name) {
  const { request, depth } = CASES[name];
  const bytes = await readFile(new URL("tesuji.wasm", dist));
  const module = await Module.create(await WebAssembly.compile(bytes), { tell: () => {}, isStopped: () => false });
  for (const file of ["connect-four.book", "reversi.weights"]) module.load(file, await readFile(new URL(file, dist)));
  const times = [];
  for (let run = 0; run < 3; run += 1) {
    const begin = ownTime();
    if (depth) module.perft(JSON.stringify(request), depth);
    else module.work("search", "", JSON.stringify({ ...request, seed: 1 }), false);
    times.push(ownTime() - begin);
  }
  console.log(JSON.stringify({ first: times[0], warm: Math.min(...times.slice(1)) }));
}

/** @param {string[]} names */
async function compare(names) {
  const server = await Server.start();
  console.log("| | native ms | warm ms | first ms | warm/native speed | first/warm time |\n|---|--:|--:|--:|--:|--:|");
  for (const name of names) {
    const { request, depth } = CASES[name];
    let native = Infinity;
    for (let run = 0; run < 3; run += 1) {
      if (depth) native = Math.min(native, nativePerft(request.game, depth));
      else {
        const begin = await processorTime(server.pid);
        await server.ask("/v1/searches", JSON.stringify({ ...request, seed: 1 }));
        native = Math.min(native, (await processorTime(server.pid)) - begin);
      }
    }
    const { first, warm } = JSON.parse(execFileSync(process.execPath, [process.argv[1], "--one", name], { encoding: "utf8" }));
    const cells = [native.toFixed(0), warm.toFixed(0), first.toFixed(0), (native / warm).toFixed(2), (first / warm).toFixed(2)];
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
  await server.stop();
}

const [option, ...rest] = process.argv.slice(2);
if (option === "--one") await here(rest[0]);
else await compare(option ? [option, ...rest] : Object.keys(CASES));
