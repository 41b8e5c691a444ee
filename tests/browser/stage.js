// @ts-check
/**
 * What the tests of a file share: a service, and a browser, from before the first of them to after the last. Importing this starts
 * both. `service` is a `let` of this module, so importers see it as it is at the moment.
 */

import { after } from "node:test";
import { Service } from "./service.js";
import { launch } from "./visitor.js";

// No hook: those of a file do not wait for those of what it imports.
const [launched, started] = await Promise.all([launch(), Service.start()]);
export const browser = launched;
export let service = started;

after(async () => {
  await browser.close();
  await service.kill();
});

/** Starts the service again that was killed, on the port that it had. */
export async function startAgain() {
  service = await Service.start([], service.port);
}

/** The names of the games that the service lists. @returns {Promise<string[]>} */
export async function listed() {
  const { games } = await (await fetch(`${service.url}/v1/games`)).json();
  return games.map((/** @type {{ name: string }} */ { name }) => name);
}
