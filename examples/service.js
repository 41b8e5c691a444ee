// @ts-check
/** Starts the real program for the examples' tests, on a free port. `BINARY` is its path. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** @typedef {{ url: string, stop: () => Promise<void> }} Service */

/** Starts a service; its first line of output has the address. @returns {Promise<Service>} */
export async function startService() {
  const binary = process.env.BINARY;
  if (!binary) throw new Error("BINARY must say where the program is");
  const child = spawn(binary, ["serve", "--listen", "127.0.0.1:0", "--log", "error"], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const url = /http:\/\/[\d.:]+/.exec(line)?.[0];
  if (!url) throw new Error(`the program did not say where it listens: ${line}`);
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return { url, stop };
}
