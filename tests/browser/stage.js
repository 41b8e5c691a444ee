// @ts-check
/**
 * What the tests of a file share: a service, and a browser, from before the first of them to after the last. Importing this starts
 * both. They are `let`s of this module, so importers see them as they are at the moment.
 */

import { after, before } from "node:test";
import { Service } from "./service.js";
import { launch } from "./visitor.js";

/** @type {import("playwright-core").Browser} */
export let browser;
/** @type {Service} */
export let service;

before(async () => {
  [browser, service] = await Promise.all([launch(), Service.start()]);
});
after(async () => {
  await browser?.close();
  await service?.kill();
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
