// @ts-check
/**
 * A broker, as run by a site between its analysis boards and the providers of engines: with the interface that Lichess
 * documents, for one engine, in memory. For trials and tests.
 *
 *     CLIENT_SECRET=… PROVIDER_SECRET=… node broker.js 9670
 */

import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** @typedef {import("node:http").IncomingMessage} IncomingMessage */
/** @typedef {import("node:http").ServerResponse} ServerResponse */
/** @typedef {{ id: string, work: import("./translate.js").Work, board: ServerResponse }} Job */

/** How long a provider waits for work before the broker answers that there is none. */
const LONG_POLL_MS = 10_000;

/** @param {{ clientSecret: string, providerSecret: string }} secrets */
export function createBroker({ clientSecret, providerSecret }) {
  /** @type {Job[]} */
  const waiting = [];
  /** @type {Map<string, Job>} */
  const taken = new Map();
  /** @type {((job: Job) => void)[]} */
  const providers = [];
  let count = 0;

  /** A board asks for an analysis, and gets it line by line. @param {any} asked @param {ServerResponse} board */
  function analyse(asked, board) {
    if (asked.clientSecret !== clientSecret) return board.writeHead(403).end();
    const job = { id: `job${(count += 1)}`, work: asked.work, board };
    board.writeHead(200, { "Content-Type": "application/x-ndjson" }).flushHeaders();
    board.on("close", () => {
      const place = waiting.indexOf(job);
      if (place >= 0) waiting.splice(place, 1);
    });
    const provider = providers.shift();
    if (provider) provider(job);
    else waiting.push(job);
  }

  /** A provider waits for work. @param {any} asked @param {ServerResponse} response */
  function acquire(asked, response) {
    if (asked.providerSecret !== providerSecret) return response.writeHead(403).end();
    const give = (/** @type {Job} */ job) => {
      clearTimeout(timer);
      taken.set(job.id, job);
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ id: job.id, work: job.work, engine: {} }));
    };
    const leave = () => {
      clearTimeout(timer);
      const place = providers.indexOf(give);
      if (place >= 0) providers.splice(place, 1);
      if (!response.writableEnded) response.writeHead(204).end();
    };
    const timer = setTimeout(leave, LONG_POLL_MS);
    response.on("close", leave);
    const job = waiting.shift();
    if (job) give(job);
    else providers.push(give);
  }

  /** A provider streams UCI's `info` lines; the board gets them as JSON. @param {string} id @param {IncomingMessage} request @param {ServerResponse} response */
  function submit(id, request, response) {
    const job = taken.get(id);
    taken.delete(id);
    if (!job || job.board.destroyed) return request.destroy();
    const { board, work } = job;
    board.on("close", () => request.destroy());
    const white = work.moves.length % 2 === (/ b\b/.test(work.initialFen) ? 1 : 0);
    /** @type {ReturnType<typeof read>[]} */
    let lines = [];
    createInterface({ input: request })
      .on("line", (text) => {
        const line = read(text, white);
        lines = [...lines.slice(0, line.multipv - 1), line];
        const [{ time, depth, nodes }] = lines;
        board.write(`${JSON.stringify({ time, depth, nodes, pvs: lines.map(({ pv }) => pv) })}\n`);
      })
      .on("close", () => {
        board.end();
        response.end();
      });
    request.on("error", () => board.end());
  }

  return createServer(async (request, response) => {
    const path = request.url ?? "";
    const submitted = /^\/api\/external-engine\/work\/(\w+)$/.exec(path);
    if (submitted) return submit(submitted[1], request, response);
    let text = "";
    for await (const chunk of request) text += chunk;
    if (path === "/api/external-engine/work") return acquire(JSON.parse(text), response);
    if (/^\/api\/external-engine\/\w+\/analyse$/.test(path)) return analyse(JSON.parse(text), response);
    response.writeHead(404).end();
  });
}

/**
 * Parses an `info` line; boards expect scores from the first player's view.
 * @param {string} text
 * @param {boolean} first whether that side is to move
 */
function read(text, first) {
  const words = text.split(" ");
  const after = (/** @type {string} */ word) => Number(words[words.indexOf(word) + 1]);
  const kind = words.includes("mate") ? "mate" : "cp";
  const pv = { depth: after("depth"), [kind]: (first ? 1 : -1) * after(kind), moves: words.slice(words.indexOf("pv") + 1) };
  return { multipv: after("multipv"), time: after("time"), depth: after("depth"), nodes: after("nodes"), pv };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { CLIENT_SECRET: clientSecret, PROVIDER_SECRET: providerSecret } = process.env;
  if (!clientSecret || !providerSecret) throw new Error("usage: CLIENT_SECRET=… PROVIDER_SECRET=… node broker.js PORT");
  createBroker({ clientSecret, providerSecret }).listen(Number(process.argv[2] ?? 9670), "127.0.0.1");
}
