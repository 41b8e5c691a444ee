// @ts-check
/**
 * Provides a Tesuji service to a site as an external engine: waits at the site's broker for work, and streams what the search finds.
 *
 *     PROVIDER_SECRET=… node provider.js https://broker.example http://127.0.0.1:8080
 */

import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { Client } from "tesuji-client";
import { toInfo, toRequest } from "./translate.js";

/**
 * Takes jobs, one at a time, until the signal aborts.
 * @param {{ broker: string, secret: string, tesuji: Client, signal?: AbortSignal, log?: (line: string) => void }} options
 */
export async function provide({ broker, secret, tesuji, signal, log = console.log }) {
  const { budget } = await tesuji.games();
  while (!signal?.aborted) {
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ providerSecret: secret }), signal };
    const answer = await fetch(`${broker}/api/external-engine/work`, init);
    if (answer.status === 204) continue; // no work for now
    if (!answer.ok) throw new Error(`the broker answered ${answer.status}: ${await answer.text()}`);
    const { id, work } = /** @type {{ id: string, work: import("./translate.js").Work }} */ (await answer.json());
    log(`${id}: ${work.variant} ${work.moves.join(" ")}`);
    try {
      await analyse(`${broker}/api/external-engine/work/${id}`, tesuji, toRequest(work, budget.most), signal);
      log(`${id}: done`);
    } catch (error) {
      if (signal?.aborted) throw error;
      log(`${id}: ${error}`);
    }
  }
}

/**
 * Streams a search to the broker. If the broker closes the connection, `fetch` cancels the body, which leaves the search's loop
 * and so closes the connection to the service.
 * @param {string} url
 * @param {Client} tesuji
 * @param {import("tesuji-client").SearchRequest} request
 * @param {AbortSignal} [signal]
 */
async function analyse(url, tesuji, request, signal) {
  const gone = new AbortController();
  const either = signal ? AbortSignal.any([signal, gone.signal]) : gone.signal;
  const messages = tesuji.streamSearch(request, { signal: either });
  /** @type {unknown} */
  let refusal;
  const lines = async function* () {
    try {
      for await (const message of messages) yield* toInfo(message).map((line) => new TextEncoder().encode(line));
    } catch (error) {
      refusal = error;
    }
  };
  try {
    const body = Readable.toWeb(Readable.from(lines()));
    const init = { method: "POST", headers: { "Content-Type": "text/plain" }, body, duplex: "half", signal };
    // Node.js requires `duplex` if a body is a stream; the types of browsers lack it.
    const answer = await fetch(url, /** @type {RequestInit} */ (init));
    if (!answer.ok) throw new Error(`the broker answered ${answer.status}: ${await answer.text()}`);
  } finally {
    gone.abort();
  }
  if (refusal) throw refusal;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [, , broker, service] = process.argv;
  const secret = process.env.PROVIDER_SECRET;
  if (!broker || !secret) throw new Error("usage: PROVIDER_SECRET=… node provider.js BROKER [SERVICE]");
  await provide({ broker, secret, tesuji: new Client(service) });
}
