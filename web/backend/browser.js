// @ts-check
/** The service in this browser: the engine package, with the interface of the server. */

import { createEngine, EngineError } from "../engine/index.js";
import { ApiError } from "./error.js";

/** @typedef {import("./router.js").Options} Options */

/** The kind of work that each path starts. @type {Record<string, "search" | "review">} */
const JOB_KINDS = { "/v1/searches": "search", "/v1/reviews": "review" };

export class Browser {
  #engine;
  /** The browser's limits for searches; known with the first response. @type {import("../types.js").Policy | null} */
  #policy = null;
  /** Work that can be stopped, by its path. @type {Map<string, AbortController>} */
  #running = new Map();
  #count = 0;
  /** Whether the engine has loaded, that is, has responded once. */
  #loaded = false;

  /** @param {(loading: { file: string, loaded: number, total: number }) => void} onLoad */
  constructor(onLoad) {
    this.#engine = createEngine({ onLoad });
  }

  /** Whether work of this path runs, or ran, here. @param {string} path */
  owns(path) {
    return path.includes("/browser-");
  }

  /** Ends the workers and everything that runs in them. */
  close() {
    this.#engine.close();
  }

  /** Fetches the files that a game's searches use. @param {string} game */
  prepare(game) {
    return this.#engine.prepare(game);
  }

  /**
   * Like the server's `send`. The engine's refusals are the same as the server's; an engine that cannot be loaded gives
   * `engine_away`, one that fails later `engine_failed`.
   * @param {string} path
   * @param {Options} options
   * @returns {Promise<Response>}
   */
  async send(path, options) {
    try {
      const response = await this.#dispatch(path, options);
      this.#loaded = true;
      return response;
    } catch (error) {
      if (error instanceof EngineError) throw new ApiError(error.code, error.message, { status: error.status, errors: error.errors });
      if (error instanceof ApiError || options.signal?.aborted) throw error;
      throw new ApiError(this.#loaded ? "engine_failed" : "engine_away", error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {string} path @param {Options} options */
  async #dispatch(path, { method = "", body, headers = {}, signal }) {
    if (path === "/v1/games") return Response.json(await this.#engine.games());
    if (path === "/v1/positions") return Response.json(await this.#engine.position(body));
    const kind = JOB_KINDS[path];
    if (kind) {
      const request = withinLimits(body, await this.#limits());
      if (headers.Accept?.includes("text/event-stream")) return this.#stream(kind, path, request, signal);
      return Response.json(await this.#engine[kind](request, { signal }));
    }
    if (method === "DELETE") this.#running.get(path)?.abort();
    // Results of work here are streamed while it runs, and not stored.
    else throw new ApiError("not_found", `nothing is known of ${path} in this browser`, { status: 404 });
    return new Response(null, { status: 204 });
  }

  async #limits() {
    this.#policy ??= (await this.#engine.games()).budget;
    return this.#policy;
  }

  /**
   * Runs work as a stream of messages. The response comes once the work has begun, so that a refusal is an error.
   * @param {"search" | "review"} kind
   * @param {string} path
   * @param {any} request
   * @param {AbortSignal} [signal]
   * @returns {Promise<Response>}
   */
  #stream(kind, path, request, signal) {
    const control = new AbortController();
    const place = `${path}/browser-${(this.#count += 1)}`;
    this.#running.set(place, control);
    if (signal?.aborted) control.abort();
    signal?.addEventListener("abort", () => control.abort(), { once: true });
    return new Promise((resolve, reject) => {
      /** @type {any} */
      let newest = null;
      /** @type {ReadableStreamDefaultController<Uint8Array> | undefined} */
      let sink;
      const encoder = new TextEncoder();
      /** @param {any} message */
      const emit = (message) => {
        newest = message;
        if (!sink) {
          const events = new ReadableStream({ start: (controller) => void (sink = controller), cancel: () => control.abort() });
          resolve(new Response(events, { headers: { "Content-Type": "text/event-stream", Location: place } }));
        }
        try {
          sink?.enqueue(encoder.encode(`id: ${message.seq}\ndata: ${JSON.stringify(message)}\n\n`));
          if (message.final) sink?.close();
        } catch {
          // The stream was cancelled.
        }
      };
      this.#engine[kind](request, { onProgress: emit, signal: control.signal })
        .then(emit, (/** @type {unknown} */ error) => {
          // A failure after the start ends as on a server, with a final message.
          if (newest) emit({ ...newest, status: "failed", final: true, seq: newest.seq + 1 });
          else reject(error);
        })
        .finally(() => this.#running.delete(place));
    });
  }
}

/**
 * A request made for a server, reduced to this browser's limits.
 * @param {any} request
 * @param {import("../types.js").Policy} policy
 */
function withinLimits(request, { most }) {
  const budget = { ...request.budget };
  for (const [name, limit] of Object.entries(most)) {
    if (typeof budget[name] === "number") budget[name] = Math.min(budget[name], limit);
  }
  const threads = request.threads === undefined ? {} : { threads: Math.min(request.threads, most.threads) };
  return { ...request, ...(request.budget ? { budget } : {}), ...threads };
}
