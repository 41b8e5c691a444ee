/** Starts the real program for a test, on a free port. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const BINARY = process.env["BINARY"];
if (!BINARY) throw new Error("BINARY must say where the program is");

export interface Service {
  url: string;
  /** Ends it at once. */
  stop(): Promise<void>;
}

/** A service with some settings; its first line says where it listens. */
export async function startService(...settings: string[]): Promise<Service> {
  const child: ChildProcess = spawn(BINARY as string, ["serve", "--listen", "127.0.0.1:0", "--log", "error", ...settings], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [line] = (await once(createInterface({ input: child.stdout! }), "line")) as [string];
  const url = /http:\/\/[\d.:]+/.exec(line)?.[0];
  if (!url) throw new Error(`the program did not say where it listens: ${line}`);
  return {
    url,
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A new API key, and what a service is told of it. */
export function newKey(): { key: string; setting: string } {
  const said = execFileSync(BINARY as string, ["key", "test"], { encoding: "utf8" });
  const key = /tesuji_\w+/.exec(said)?.[0];
  const setting = /test:\w+/.exec(said)?.[0];
  if (!key || !setting) throw new Error(said);
  return { key, setting };
}
