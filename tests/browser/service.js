// @ts-check
/** Starts and stops the real program on a free port of this machine. */

import { spawn } from "node:child_process";

const BINARY = process.env.BINARY ?? "";

export class Service {
  /** @param {import("node:child_process").ChildProcess} child @param {string} url @param {Promise<void>} ended */
  constructor(child, url, ended) {
    this.child = child;
    this.url = url;
    this.ended = ended;
  }

  /** @param {string[]} [options] @param {number} [port] 0 takes a free one @returns {Promise<Service>} */
  static start(options = [], port = 0) {
    const child = spawn(BINARY, ["serve", "--listen", `127.0.0.1:${port}`, ...options], {
      env: { ...process.env, TESUJI_LOG: "error" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    /** @type {Promise<void>} */
    const ended = new Promise((resolve) => child.once("exit", () => resolve()));
    return new Promise((resolve, reject) => {
      let greeting = "";
      child.once("error", reject);
      void ended.then(() => reject(new Error(`the program ended before it listened: ${greeting}`)));
      child.stdout?.on("data", (chunk) => {
        greeting += chunk;
        const url = /http:\/\/[0-9.:]+/.exec(greeting)?.[0];
        if (url) resolve(new Service(child, url, ended));
      });
    });
  }

  get port() {
    return Number(new URL(this.url).port);
  }

  /** Ends it at once, as a crash does. */
  async kill() {
    this.child.kill("SIGKILL");
    await this.ended;
  }
}
