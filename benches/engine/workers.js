// @ts-check
/**
 * What several workers gain, in Node.js: the same search with two threads by one worker, one thread after the other, and by two.
 *
 *     web/engine/build
 *     node benches/engine/workers.js
 *
 * Milliseconds of wall-clock time, the best of three searches by turns; two cores must have nothing else to do.
 */

import { createEngine } from "../../web/engine/index.js";

const CASES = { "connect-four": 1_000_000, gomoku: 60_000, hex: 60_000 };
const engines = [createEngine({ workers: 1 }), createEngine({ workers: 2 })];

for (const [game, simulations] of Object.entries(CASES)) {
  const best = [Infinity, Infinity];
  for (let round = 0; round < 3; round += 1) {
    for (const [index, engine] of engines.entries()) {
      const began = performance.now();
      await engine.search(/** @type {any} */ ({ game, engine: "mcts", threads: 2, budget: { simulations }, seed: 1 }));
      best[index] = Math.min(best[index], performance.now() - began);
    }
  }
  const [one, two] = best;
  console.log(`| ${game} | ${Math.round(one)} | ${Math.round(two)} | ${(one / two).toFixed(2)} |`);
}
for (const engine of engines) engine.close();
