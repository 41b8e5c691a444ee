/** The package goes with the contract. */

import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("its version is the contract's", () => {
  const contract = /^ {2}version: (\S+)$/m.exec(read("../../../openapi.yaml"))?.[1];
  const { version, dependencies, license } = JSON.parse(read("../package.json"));
  assert.equal(version, contract);
  assert.equal(dependencies, undefined, "it has no run-time dependencies");
  assert.equal(license, "MIT OR Apache-2.0");
});

test("its types are up to date", () => {
  const options = { cwd: new URL("..", import.meta.url), encoding: "utf8", stdio: "pipe" } as const;
  execFileSync("npm", ["run", "--silent", "check"], options);
});
