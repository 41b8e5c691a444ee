// @ts-check
/** Tesuji's engines without a server: the requests and responses of its HTTP API, answered by workers of this page or program. */

import { Client } from "./client.js";
import { Files } from "./files.js";
import { coreCount } from "./platform.js";
import { ParallelSearch } from "./parallel-search.js";

/** @typedef {import("./module.js").Answer} Answer */
/** @typedef {{ onProgress?: (message: any) => void, signal?: AbortSignal }} Options */

/** A refused or failed request, with the problem document that the server would send. */
export class EngineError extends Error {
  /** @param {any} problem */
  constructor(problem) {
    super(problem.detail);
    this.name = "EngineError";
    /** The whole document. */
    this.problem = problem;
    /** @type {string} */
    this.code = problem.code;
    /** @type {number} */
    this.status = problem.status;
    /** @type {{ pointer: string, detail: string }[]} */
    this.errors = problem.errors;
  }
}

/** @param {Answer} answer */
function read({ status, body }) {
  const document = JSON.parse(body);
  if (status >= 400) throw new EngineError(document);
  return document;
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A new ULID, like the server's ids: ten digits of the time and sixteen random ones. */
function freshId() {
  let time = Date.now();
  let id = "";
  for (let digit = 0; digit < 10; digit += 1) {
    id = DIGITS[time % 32] + id;
    time = Math.floor(time / 32);
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) id += DIGITS[byte % 32];
  return id;
}

export class Engine {
  #files;
  /** Answers at once, even during searches. */
  #rules;
  /** The search workers started so far. @type {Client[]} */
  #searchers = [];
  /** How many workers a search may use; all cores but one by default. @type {number | undefined} */
  #workers;
  /** Runs reviews, so that a search need not wait for a whole game. @type {Client} */
  #reviewer;
  /** Resolve when all searches, or all reviews, so far have ended. @type {Record<string, Promise<unknown>>} */
  #last = { search: Promise.resolve(), review: Promise.resolve() };

  /** Resolve when workers are ready for searches of a game. @type {WeakMap<Client, Map<string, Promise<void>>>} */
  #preparing = new WeakMap();

  /** @param {Files} files @param {number} [workers] */
  constructor(files, workers) {
    this.#files = files;
    this.#workers = workers;
    this.#rules = new Client(() => files.compiled());
    this.#reviewer = new Client(() => files.compiled());
  }

  /** The response of `GET /v1/games`. */
  async games() {
    return read(await this.#rules.call("games", []).result);
  }

  /** The response of `GET /v1/games/{game}`. @param {string} name */
  async game(name) {
    return read(await this.#rules.call("game", [name]).result);
  }

  /** The response of `POST /v1/positions`. @param {any} request */
  async position(request) {
    return read(await this.#rules.call("position", [JSON.stringify(request)]).result);
  }

  /** The response of `POST /v1/searches`. @param {any} request @param {Options} [options] */
  search(request, options) {
    return this.#work("search", request, options);
  }

  /** A review's final message, as returned by `GET /v1/reviews/{id}`. @param {any} request @param {Options} [options] */
  review(request, options) {
    return this.#work("review", request, options);
  }

  /** Fetches the file that a game's searches use, so that the first one need not wait for it. @param {string} game */
  async prepare(game) {
    await this.#prepare(this.#team(1)[0], game);
  }

  /** Prepares a worker for searches of a game. @param {Client} client @param {string} game */
  #prepare(client, game) {
    const games = this.#preparing.get(client) ?? new Map();
    this.#preparing.set(client, games);
    // One at a time: two at once would both find the file missing.
    const prepared = (games.get(game) ?? Promise.resolve()).then(() => this.#load(client, game));
    games.set(game, prepared.catch(() => {}));
    return prepared;
  }

  /** Loads the file that a game's searches use, if the worker lacks it. @param {Client} client @param {string} game */
  async #load(client, game) {
    const { name, needed, loaded } = (await client.call("file", [game]).result) ?? { loaded: true };
    if (loaded) return;
    let bytes;
    try {
      bytes = await this.#files.bytes(name);
    } catch (error) {
      if (needed) throw error;
      // Searches take longer without it.
      return;
    }
    read(await client.call("load", [name, bytes]).result);
  }

  /** The first `size` search workers. @param {number} size */
  #team(size) {
    while (this.#searchers.length < size) this.#searchers.push(new Client(() => this.#files.compiled()));
    return this.#searchers.slice(0, size);
  }

  /** The memory of the search and review workers, in bytes. */
  get memory() {
    return [...this.#searchers, this.#reviewer].reduce((sum, client) => sum + client.memory, 0);
  }

  /** Ends the workers. Calls in progress fail; a later call starts new workers. */
  close() {
    const reason = new Error("the engine has been closed");
    this.#rules.end(reason);
    for (const client of [...this.#searchers, this.#reviewer]) client.end(reason);
  }

  /** The worker for a review or a search with one thread. @param {string} kind */
  #worker(kind) {
    return kind === "review" ? this.#reviewer : this.#team(1)[0];
  }

  /**
   * Runs one search at a time, and one review at a time.
   * @param {string} kind
   * @param {any} request
   * @param {Options} [options]
   */
  #work(kind, request, options = {}) {
    const result = this.#last[kind].then(() => this.#run(kind, request, options));
    this.#last[kind] = result.catch(() => {});
    return result;
  }

  /** @param {string} kind @param {any} request @param {Options} options */
  async #run(kind, request, { onProgress, signal }) {
    const client = this.#worker(kind);
    /** The newest message, which becomes the result if the workers have to be ended. @type {any} */
    let newest = null;
    const reportsProgress = onProgress !== undefined || (signal !== undefined && !client.canStop);
    const divided = this.#plan(kind, request, reportsProgress, (text) => {
      newest = JSON.parse(text);
      onProgress?.(newest);
    });
    // Fetching the file for it may take long.
    const work = await orAborted(divided, signal);
    /** @type {() => void} */
    let stop = () => {};
    /** @type {Promise<any>} */
    const stopped = new Promise((resolve, reject) => {
      stop = () => {
        if (client.canStop) {
          work.stop();
          return;
        }
        // Before the first message there is no result.
        if (newest) resolve(cancelled(newest));
        else reject(signal?.reason);
        work.end();
      };
    });
    const result = work.start();
    // Already aborted, before a worker sent a message: there is no result.
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([stopped, result]);
    } finally {
      signal?.removeEventListener("abort", stop);
      for (const client of [...this.#searchers, this.#reviewer]) client.releaseMemory();
    }
  }

  /**
   * Prepares a search or a review, over several workers if it has threads that need not share memory.
   * @param {string} kind
   * @param {any} request
   * @param {boolean} reportsProgress whether progress is reported
   * @param {(message: string) => void} onMessage
   * @returns {Promise<{ start: () => Promise<any>, stop: () => void, end: () => void }>}
   */
  async #plan(kind, request, reportsProgress, onMessage) {
    const client = this.#worker(kind);
    if (typeof request?.game === "string") await this.#prepare(client, request.game);
    const id = freshId();
    if (kind === "search" && request?.threads > 1) {
      this.#workers ??= Math.max(1, (await coreCount()) - 1);
      const cores = this.#workers;
      const split = cores > 1 ? await client.call("split", [JSON.stringify(request), cores]).result : null;
      const { workers: threads, seed } = split ? read(split) : { workers: 1, seed: 0 };
      if (threads > 1) {
        const clients = this.#team(Math.min(threads, cores));
        await Promise.all(clients.map((client) => this.#prepare(client, request.game)));
        const body = JSON.stringify({ ...request, seed });
        const search = new ParallelSearch(clients, { id, body, threads, cores, reportsProgress }, read, onMessage);
        return { start: () => search.run(), stop: () => search.stop(), end: () => search.end() };
      }
    }
    let number = 0;
    const start = () => {
      const call = client.call("work", [kind, id, JSON.stringify(request), reportsProgress], onMessage);
      number = call.number;
      return call.result.then(read);
    };
    return { start, stop: () => client.stop(number), end: () => client.end(new Error("the search was stopped")) };
  }
}

/**
 * A promise's result, unless the signal aborts first.
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
function orAborted(promise, signal) {
  if (!signal || signal.aborted) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** The final message of work that cannot end by itself. @param {any} newest */
function cancelled(newest) {
  const last = { ...newest, status: "cancelled", final: true, seq: newest.seq + 1 };
  return "stop_reason" in newest ? { ...last, stop_reason: "cancelled" } : last;
}

/**
 * Makes an engine. Nothing is fetched before the first call.
 * @param {{ base?: string | URL, workers?: number, onLoad?: (loading: import("./files.js").Loading) => void }} [options]
 */
export function createEngine({ base, workers, onLoad } = {}) {
  // A relative base is resolved against the page; folders end with a slash.
  const here = typeof location === "object" ? location.href : import.meta.url;
  const folder = base === undefined ? new URL("./dist/", import.meta.url) : new URL(base, here);
  const most = workers === undefined ? undefined : Math.max(1, Math.floor(workers) || 1);
  return new Engine(new Files(folder, onLoad ?? (() => {})), most);
}
