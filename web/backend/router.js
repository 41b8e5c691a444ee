// @ts-check
/**
 * Where the service runs: on the server or in this browser, as the reader chose. The browser takes over by itself while the
 * server is full or unreachable.
 */

import { ApiError } from "./error.js";
import * as server from "./server.js";

/**
 * @typedef {{ method?: string, body?: any, headers?: Record<string, string>, signal?: AbortSignal, keepalive?: boolean }} Options
 * @typedef {"server" | "browser"} BackendName
 * @typedef {{ file: string, loaded: number, total: number }} Loading
 * @typedef {import("./browser.js").Browser} Browser
 */

const root = document.getElementById("app")?.dataset;

/** Paths that both backends can answer; the rest concern work that the server began. */
const JOB_PATHS = ["/v1/searches", "/v1/reviews"];
const SHARED_PATHS = ["/v1/games", "/v1/positions", ...JOB_PATHS];
/** Seconds for which the browser stands in before the server is tried again, if the server sends no `Retry-After`. */
const RETRY_AFTER = 15;

/** Dispatches `change` when work moves elsewhere or loading progresses. */
class BackendRouter extends EventTarget {
  /** Whether there is a server at all: an exported page has none. */
  hasServer = root?.server !== "none";
  /** Whether the server provides the engine for browsers. */
  hasEngine = root?.engine === "carried" && typeof WebAssembly === "object";
  /**
   * Why the browser stands in for the server, while it does; `unloaded`: why the server stands in for the browser.
   * @type {"unreachable" | "full" | "unloaded" | null}
   */
  reason = null;
  /** A file that is being fetched. @type {Loading | null} */
  loading = null;
  /** When the server is tried again, in milliseconds of `performance.now()`. */
  #retryServerAt = 0;
  /** @type {Promise<Browser> | null} */
  #browser = null;
  /** The reader's choice in this tab; other tabs may differ. */
  #chosen = localStorage.getItem("place");

  /** The chosen backend, or the only one available. @returns {BackendName} */
  get chosen() {
    if (!this.hasServer) return "browser";
    return this.hasEngine && this.#chosen === "browser" ? "browser" : "server";
  }

  set chosen(name) {
    localStorage.setItem("place", name);
    this.#chosen = name;
    if (name === "server") this.#close();
    this.reason = null;
    this.#notify();
  }

  /** Where work goes now. @returns {BackendName} */
  get current() {
    if (this.reason === "unloaded") return "server";
    return this.chosen === "browser" || this.reason !== null ? "browser" : "server";
  }

  /**
   * Routes a request to the server or the browser.
   * @param {string} path
   * @param {Options} options
   * @returns {Promise<Response>}
   */
  async send(path, options) {
    if (path.includes("/browser-")) return this.#sendToBrowser(path, options);
    if (this.chosen === "browser") return this.#preferBrowser(path, options);
    if (this.reason !== null && performance.now() < this.#retryServerAt && SHARED_PATHS.includes(path)) return this.#sendToBrowser(path, options);
    try {
      const response = await server.send(path, options);
      // A server too full for searches may still answer other requests.
      if (this.reason !== "full" || JOB_PATHS.includes(path)) this.#setReason(null);
      return response;
    } catch (error) {
      const reason = this.hasEngine && error instanceof ApiError && SHARED_PATHS.includes(path) ? outage(error) : null;
      if (!reason) throw error;
      return this.#fallBack(path, options, /** @type {ApiError} */ (error), reason);
    }
  }

  /**
   * Has the browser answer for the server. If it cannot, the server's error is thrown.
   * @param {string} path
   * @param {Options} options
   * @param {ApiError} error
   * @param {"unreachable" | "full"} reason
   */
  async #fallBack(path, options, error, reason) {
    try {
      await this.#engine();
      this.#retryServerAt = performance.now() + (error.retryAfter ?? RETRY_AFTER) * 1000;
      this.#setReason(reason);
      return await this.#sendToBrowser(path, options);
    } catch (failure) {
      if (!isUnloaded(failure)) throw failure;
      this.#setReason(null);
      throw error;
    }
  }

  /**
   * Has the browser answer, as the reader chose. If its engine cannot be loaded, the server answers.
   * @param {string} path
   * @param {Options} options
   */
  async #preferBrowser(path, options) {
    try {
      const response = await this.#sendToBrowser(path, options);
      this.#setReason(null);
      return response;
    } catch (error) {
      if (!this.hasServer || !isUnloaded(error)) throw error;
      const response = await server.send(path, options);
      this.#setReason("unloaded");
      return response;
    }
  }

  /** @param {string} path @param {Options} options */
  async #sendToBrowser(path, options) {
    return (await this.#engine()).send(path, options);
  }

  #engine() {
    this.#browser ??= import("./browser.js").then(({ Browser }) => new Browser((loading) => this.#showProgress(loading)));
    const browser = this.#browser.catch(() => {
      this.#browser = null;
      throw new ApiError("engine_away", "the engine could not be loaded");
    });
    return browser;
  }

  /** Fetches the files that a game's searches use, if they run in this browser. @param {string} game */
  async prepare(game) {
    if (this.current !== "browser") return;
    try {
      await (await this.#engine()).prepare(game);
    } catch {
      // The search that needs them reports the error.
    }
  }

  /** @param {Loading} loading */
  #showProgress(loading) {
    const done = loading.total > 0 && loading.loaded >= loading.total;
    this.loading = done ? null : loading;
    clearTimeout(this.#progressTimer);
    // If the total is unknown, loading has ended when progress stops.
    this.#progressTimer = setTimeout(() => {
      this.loading = null;
      this.#notify();
    }, 400);
    this.#notify();
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #progressTimer;

  /** Frees the engine's memory. */
  #close() {
    void this.#browser?.then((browser) => browser.close()).catch(() => {});
    this.#browser = null;
  }

  /** @param {"unreachable" | "full" | "unloaded" | null} reason */
  #setReason(reason) {
    if (reason === this.reason) return;
    this.reason = reason;
    this.#notify();
  }

  #notify() {
    this.dispatchEvent(new Event("change"));
  }
}

/** @param {unknown} error */
const isUnloaded = (error) => error instanceof ApiError && error.code === "engine_away";

/** Why a server with this error is unavailable for the moment; null if it is not. @param {ApiError} error */
function outage({ code, status }) {
  if (code === "offline") return "unreachable";
  return status === 503 || status === 429 ? "full" : null;
}

export const backend = new BackendRouter();
