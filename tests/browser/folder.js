// @ts-check
/** A plain web server: the files of a folder, with no header but the type. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, normalize } from "node:path";

/** @type {Record<string, string>} */
const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", json: "application/json", svg: "image/svg+xml", wasm: "application/wasm" };

/**
 * Serves a folder below a path.
 * @param {string} folder
 * @param {string} [below]
 */
export async function serve(folder, below = "/") {
  /** The paths requested so far. @type {string[]} */
  const requested = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "", "http://localhost").pathname;
    requested.push(path);
    const name = normalize(path).replace(below, "") || "index.html";
    try {
      const body = await readFile(join(folder, name));
      response.writeHead(200, { "Content-Type": TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const stop = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}${below}`, requested, stop };
}
