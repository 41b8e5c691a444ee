/** The client in a page of another origin, in a real browser. */

import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startService } from "./service.js";

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** What the page does; it sends back what it found. */
const PAGE = (url: string) => `<!doctype html><script type="module">
import { Client } from "/index.js";
try {
  const tesuji = new Client("${url}");
  const statuses = [];
  for await (const message of tesuji.streamSearch({ game: "hex", budget: { time_ms: 300 } })) statuses.push(message.status);
  const code = await tesuji.position({ game: "reversi", moves: ["a1"] }).catch((error) => error.code);
  await fetch("/found", { method: "POST", body: JSON.stringify({ first: statuses[0], last: statuses.at(-1), code }) });
} catch (error) {
  await fetch("/found", { method: "POST", body: JSON.stringify({ error: String(error) }) });
}
</script>`;

test("in a browser", { skip: !existsSync(CHROMIUM) && `${CHROMIUM} is not there` }, async (t) => {
  const service = await startService("--cors-origins", "*");
  t.after(() => service.stop());
  const found = await new Promise((resolve, reject) => {
    const pages = createServer((request, response) => {
      if (request.method === "POST") {
        let text = "";
        request.on("data", (chunk) => (text += chunk)).on("end", () => {
          response.end();
          resolve(JSON.parse(text));
        });
      } else if (request.url === "/") {
        response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE(service.url));
      } else {
        const file = new URL(`../dist${request.url}`, import.meta.url);
        const [status, text] = existsSync(file) ? [200, readFileSync(file)] : [404, ""];
        response.writeHead(status, { "Content-Type": "text/javascript" }).end(text);
      }
    });
    pages.listen(0, "127.0.0.1", () => {
      const folder = mkdtempSync(join(tmpdir(), "tesuji-"));
      const address = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`;
      const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${folder}`, "--remote-debugging-port=0"];
      const browser = spawn(CHROMIUM, [...flags, address], { stdio: "ignore" });
      browser.on("exit", (code) => reject(new Error(`the browser ended with ${code}`)));
      t.after(async () => {
        pages.close();
        pages.closeAllConnections();
        const ended = new Promise((end) => browser.once("exit", end));
        // SIGKILL would leave the browser's other processes, which write to the folder for a while.
        browser.kill("SIGTERM");
        await ended;
        rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
      });
    });
  });
  assert.deepEqual(found, { first: "queued", last: "done", code: "illegal_move" });
});
