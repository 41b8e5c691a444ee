/** What the calls of both clients share. */

import { strict as assert } from "node:assert";

/** The server's address. */
export const SERVER = process.env.TESUJI_URL ?? "http://127.0.0.1:8080";

/** The answer, or a test that fails. */
export function unwrap<T>(value: T | undefined, problem?: unknown): T {
  if (value === undefined) throw new Error(JSON.stringify(problem));
  return value;
}

let calls = 0;

/** One call, by its name. */
export async function call(name: string, made: () => Promise<void>): Promise<void> {
  try {
    await made();
  } catch (error) {
    throw new Error(name, { cause: error });
  }
  calls += 1;
}

/** Prints the number of calls, at the end. */
export function printSummary(client: string): void {
  assert.ok(calls >= 10, `${calls} calls`);
  console.log(`${client}: ${calls} calls`);
}
