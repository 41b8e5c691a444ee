// @ts-check
/** A connection that breaks while the server runs: the stream resumes where it broke. */

import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import { browser, service } from "./stage.js";
import { visit } from "./visitor.js";

/** Forwards bytes to a port, and can break all connections at once. @param {number} to */
async function severableProxy(to) {
  /** @type {Set<net.Socket>} */
  const sockets = new Set();
  const server = net.createServer((inner) => {
    const outer = net.connect(to, "127.0.0.1");
    for (const [one, other] of [[inner, outer], [outer, inner]]) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const close = () => {
    server.close();
    cut();
  };
  return { url: `http://127.0.0.1:${port}`, cut, close };
}

test("a broken connection is taken up again with Last-Event-ID", async () => {
  const between = await severableProxy(service.port);
  try {
    const { page, context, faults } = await visit(browser, `${between.url}/#game=gomoku&moves=h8_h9&a.amount=60000&human=both`);
    const posts = { count: 0 };
    page.on("request", (request) => request.method() === "POST" && request.url().endsWith("/v1/searches") && (posts.count += 1));
    await page.click("#tab-analyse");
    await page.waitForSelector(".children tr.chosen");
    const resumed = page.waitForRequest((request) => /\/v1\/searches\/\w+\/events$/.test(request.url()));
    between.cut();
    const request = await resumed;
    assert.match((await request.headerValue("last-event-id")) ?? "", /^\d+$/);
    await page.waitForSelector('.run-state[data-state="running"]');
    const time = await page.textContent(".facts");
    await page.waitForFunction((before) => document.querySelector(".facts")?.textContent !== before, time);
    await page.click("button.stop");
    await page.waitForSelector('.run-state[data-state="done"]');
    assert.equal(posts.count, 1, "it is the same search");
    assert.deepEqual(faults, []);
    await context.close();
  } finally {
    between.close();
  }
});
