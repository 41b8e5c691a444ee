// @ts-check
/**
 * How long a page takes from nothing to the first move that is searched in the browser, with the server on the same machine:
 *
 *     web/engine/build && cargo build --release
 *     BINARY=target/release/tesuji node benches/engine/cold.js
 *
 * For each game a fresh browser profile opens the page with the engine to move, at level 1; the page, the engine and what the game
 * searches with are fetched and compiled. Milliseconds from the navigation's start until the move is on the board; the median of
 * three, and beside it how much of that is the page alone (the same on the server).
 */

import { GAMES } from "../../tests/browser/player.js";
import { Service } from "../../tests/browser/service.js";
import { launch, visit } from "../../tests/browser/visitor.js";

const [browser, service] = await Promise.all([launch(), Service.start()]);

/** @param {string} link @param {"server" | "browser"} place */
async function once(link, place) {
  const storage = { origins: [{ origin: service.url, localStorage: [{ name: "place", value: place }] }], cookies: [] };
  const { page, context } = await visit(browser, `${service.url}/${link}&human=second&level=1`, { storageState: storage });
  await page.waitForFunction(() => Number(document.getElementById("app")?.dataset.ply) > 0, undefined, { polling: "raf" });
  const time = await page.evaluate(() => performance.now());
  await context.close();
  return time;
}

/** @param {string} link @param {"server" | "browser"} place */
async function median(link, place) {
  const times = [];
  for (let round = 0; round < 3; round += 1) times.push(await once(link, place));
  return Math.round(times.sort((a, b) => a - b)[1]);
}

console.log("| | in the browser, ms | on the server, ms |\n|---|--:|--:|");
for (const [name, link] of Object.entries(GAMES)) {
  console.log(`| ${name} | ${await median(link, "browser")} | ${await median(link, "server")} |`);
}
await browser.close();
await service.kill();
