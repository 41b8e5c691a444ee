// @ts-check
/**
 * What the tests of a file share: a service and a browser, from before the first of them to after the last. Importing this
 * module starts both. `service` is a `let`, so importers see its current value.
 */

import { after } from "node:test";
import { Service } from "./service.js";
import { launch } from "./visitor.js";

// Not a hook: the hooks of a file do not wait for those of its imports.
const [launched, started] = await Promise.all([launch(), Service.start()]);
export const browser = launched;
export let service = started;

after(async () => {
  await browser.close();
  await service.kill();
});

/** Restarts the killed service on its port. */
export async function restartService() {
  service = await Service.start([], service.port);
}

/** The names of the games that the service lists. @returns {Promise<string[]>} */
export async function gameNames() {
  const { games } = await (await fetch(`${service.url}/v1/games`)).json();
  return games.map((/** @type {{ name: string }} */ { name }) => name);
}
