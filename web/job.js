// @ts-check
/**
 * A job on the server, a search or a review: started, followed as a stream of events, stopped, and resumed where the stream
 * broke. Panels see only messages and states.
 */

import { ApiError, canTakeOver, sendWithRetry, pause, send } from "./api.js";
import { pathOf } from "./root.js";

/**
 * @typedef {"idle" | "starting" | "full" | "running" | "reconnecting" | "restarting" | "done" | "failed"} State
 * @typedef {{ final: boolean, seq: number }} Message
 */

/** Milliseconds before the first, second, … attempt to connect again; the last one repeats. */
const RETRY_DELAYS = [250, 500, 1000, 2000, 4000];
/** Attempts after which a job counts as lost, if this browser could run it instead. */
const MAX_ATTEMPTS = 4;

/** @template {Message} M */
export class Job {
  #path;
  #abort = new AbortController();
  /** The job's path, once accepted. @type {string | null} */
  #location = null;
  #stopping = false;
  /** @type {string | null} */
  #lastId = null;

  /**
   * @param {string} path the path that starts such jobs
   * @param {any} request
   * @param {(message: M) => void} onmessage
   * @param {(state: State, detail?: { seconds?: number, error?: unknown }) => void} onstate
   */
  constructor(path, request, onmessage, onstate) {
    this.#path = path;
    this.request = request;
    this.onmessage = onmessage;
    this.onstate = onstate;
  }

  /** Runs to the final message. Never throws: failures are reported as states. */
  async run() {
    const { signal } = this.#abort;
    try {
      while (!(await this.#runOnce(signal))) {
        // The server lost the job in a restart; the request is still known here.
        if (this.#stopping) break;
        this.onstate("restarting");
      }
      this.onstate("done");
    } catch (error) {
      if (!signal.aborted) this.onstate("failed", { error });
    }
  }

  /**
   * Starts the job and follows it to the final message. False if the server has lost it.
   * @param {AbortSignal} signal
   */
  async #runOnce(signal) {
    const response = await this.#start(signal);
    const streams = response.headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
    return (streams && (await this.#read(response))) || this.#follow(signal, streams);
  }

  /**
   * Starts the job. The response's `Location` is the job's path, and its body may already be the stream of events.
   * @param {AbortSignal} signal
   */
  async #start(signal) {
    this.onstate("starting");
    this.#lastId = null;
    this.#location = null;
    const response = await this.#retry(signal, () =>
      sendWithRetry(this.#path, {
        body: this.request,
        headers: { Prefer: "respond-async", Accept: "text/event-stream, application/json;q=0.5" },
        signal,
        onwait: (seconds, error) => this.onstate("full", { seconds, error }),
      }),
    );
    const location = response.headers.get("Location");
    if (location) this.#location = pathOf(location);
    if (this.#stopping) await this.#cancel();
    this.onstate("running");
    return response;
  }

  /**
   * Follows the events from where a stream broke. False if the server no longer knows the job or is unreachable for too long.
   * @param {AbortSignal} signal
   * @param {boolean} broken whether there was a stream before
   */
  async #follow(signal, broken) {
    if (!this.#location) return false;
    for (; ; broken = true) {
      if (broken) {
        this.onstate("reconnecting");
        await pause(RETRY_DELAYS[0], signal);
      }
      /** @type {Response} */
      let stream;
      try {
        stream = await this.#retry(signal, () =>
          sendWithRetry(`${this.#location}/events`, {
            headers: { Accept: "text/event-stream", ...(this.#lastId ? { "Last-Event-ID": this.#lastId } : {}) },
            signal,
          }), canTakeOver() ? MAX_ATTEMPTS : Infinity);
      } catch (error) {
        if (error instanceof ApiError && (error.status === 404 || error.code === "offline")) return false;
        throw error;
      }
      // No events are left.
      if (stream.status === 204) return true;
      this.onstate("running");
      if (await this.#read(stream)) return true;
    }
  }

  /**
   * Reads one connection's events. True if the final one was among them.
   * @param {Response} response
   */
  async #read(response) {
    for await (const { id, data } of events(response)) {
      if (id) this.#lastId = id;
      /** @type {M} */
      const message = JSON.parse(data);
      if (this.#abort.signal.aborted) return true;
      this.onmessage(message);
      if (message.final) return true;
    }
    return false;
  }

  /**
   * Retries until the server is reachable, at most `most` times.
   * @template T
   * @param {AbortSignal} signal
   * @param {() => Promise<T>} attempt
   * @param {number} [most]
   */
  async #retry(signal, attempt, most = Infinity) {
    for (let count = 0; ; count += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "offline" || count + 1 >= most) throw error;
        this.onstate("reconnecting", { error });
        await pause(RETRY_DELAYS[Math.min(count, RETRY_DELAYS.length - 1)], signal);
      }
    }
  }

  /** Asks the server to stop; the final message, with the best found so far, still comes. */
  async stop() {
    this.#stopping = true;
    if (this.#location) await this.#cancel();
    else {
      // Not accepted yet: there is nothing to cancel on the server.
      this.onstate("done");
      this.onstate = () => {};
      this.abandon();
    }
  }

  /** Stops without waiting for a result. */
  abandon() {
    this.#stopping = true;
    if (this.#abort.signal.aborted) return;
    this.#abort.abort();
    if (this.#location) void this.#cancel();
    this.onmessage = () => {};
    this.onstate("idle");
    this.onstate = () => {};
  }

  async #cancel() {
    if (!this.#location) return;
    try {
      await send(this.#location, { method: "DELETE", keepalive: true });
    } catch (error) {
      // The job may have ended, or the server with it; the stream reports that.
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

/**
 * The events of a response (the format is HTML's "server-sent events"), up to its end or to the end of the connection. Comments
 * are skipped.
 * @param {Response} response
 * @returns {AsyncGenerator<{ id: string, data: string }>}
 */
export async function* events(response) {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let id = "";
  /** @type {string[]} */
  let data = [];
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: "", done: true }));
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const whole of lines) {
        const line = whole.replace(/\r$/, "");
        if (line === "") {
          if (data.length > 0) yield { id, data: data.join("\n") };
          data = [];
          continue;
        }
        const colon = line.indexOf(":");
        const name = colon < 0 ? line : line.slice(0, colon);
        const text = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
        if (name === "data") data.push(text);
        else if (name === "id") id = text;
      }
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}
