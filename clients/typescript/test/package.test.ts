/** The package goes with the contract. */

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Client, Job } from "../dist/index.js";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("its version is the contract's", () => {
  const contract = /^ {2}version: (\S+)$/m.exec(read("../../../openapi.yaml"))?.[1];
  const { version, dependencies, license } = JSON.parse(read("../package.json"));
  assert.equal(version, contract);
  assert.equal(dependencies, undefined, "it has no run-time dependencies");
  assert.equal(license, "MIT OR Apache-2.0");
});

/** The operations of the contract, and the methods for them. */
const OPERATIONS: Record<string, keyof Client | keyof Job<unknown>> = {
  listGames: "games", describeGame: "game", uploadGame: "uploadGame", removeGame: "removeGame", describePosition: "position", readRecord: "record",
  drawPositionAsSvg: "picture", drawPositionAsPng: "picture",
  search: "search", getSearch: "status", cancelSearch: "cancel", followSearch: "follow",
  batch: "batch", getBatch: "status", cancelBatch: "cancel", followBatch: "follow",
  review: "startReview", getReview: "status", cancelReview: "cancel", followReview: "follow",
  listJobs: "jobs", cancelJobs: "cancelJobs",
  listPuzzles: "puzzles", getCluster: "cluster", ready: "ready", version: "version",
};
/** For operators, browsers and generators rather than for callers. */
const LEFT_OUT = ["live", "metrics", "contract", "describeProblem"];

test("it has every operation", () => {
  const named = [...read("../../../openapi.yaml").matchAll(/^ {6}operationId: (\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual(named.sort(), [...Object.keys(OPERATIONS), ...LEFT_OUT].sort());
  for (const method of Object.values(OPERATIONS)) assert.ok(method in Client.prototype || method in Job.prototype, method);
});
