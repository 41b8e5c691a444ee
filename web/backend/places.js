// @ts-check
/**
 * Where the service runs: on the server or in this browser, as the reader chose. The browser takes over by itself while the
 * server is full or unreachable.
 */

import { ApiError } from "./error.js";
import * as server from "./server.js";

/**
 * @typedef {{ method?: string, body?: any, headers?: Record<string, string>, signal?: AbortSignal, keepalive?: boolean }} Options
 * @typedef {"server" | "browser"} Place
 * @typedef {{ file: string, loaded: number, total: number }} Loading
 * @typedef {import("./browser.js").Browser} Browser
 */

const root = document.getElementById("app")?.dataset;

/** Paths that both places can answer; the rest concern work that the server began. */
const WORK = ["/v1/searches", "/v1/reviews"];
const ANEW = ["/v1/games", "/v1/positions", ...WORK];
/** Seconds for which the browser stands in before the server is tried again, if the server sends no `Retry-After`. */
const PATIENCE = 15;

/** Dispatches `change` when work moves elsewhere or loading progresses. */
class Places extends EventTarget {
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
  #until = 0;
  /** @type {Promise<Browser> | null} */
  #browser = null;
  /** The reader's choice in this tab; other tabs may differ. */
  #chosen = localStorage.getItem("place");

  /** The chosen place, or the only one available. @returns {Place} */
  get chosen() {
    if (!this.hasServer) return "browser";
    return this.hasEngine && this.#chosen === "browser" ? "browser" : "server";
  }

  set chosen(place) {
    localStorage.setItem("place", place);
    this.#chosen = place;
    if (place === "server") this.#close();
    this.reason = null;
    this.#tell();
  }

  /** Where work goes now. @returns {Place} */
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
    if (path.includes("/browser-")) return this.#here(path, options);
    if (this.chosen === "browser") return this.#preferably(path, options);
    if (this.reason !== null && performance.now() < this.#until && ANEW.includes(path)) return this.#here(path, options);
    try {
      const response = await server.send(path, options);
      // A server too full for searches may still answer other requests.
      if (this.reason !== "full" || WORK.includes(path)) this.#stand(null);
      return response;
    } catch (error) {
      const reason = this.hasEngine && error instanceof ApiError && ANEW.includes(path) ? outage(error) : null;
      if (!reason) throw error;
      return this.#instead(path, options, /** @type {ApiError} */ (error), reason);
    }
  }

  /**
   * Has the browser answer for the server. If it cannot, the server's error is thrown.
   * @param {string} path
   * @param {Options} options
   * @param {ApiError} error
   * @param {"unreachable" | "full"} reason
   */
  async #instead(path, options, error, reason) {
    try {
      await this.#engine();
      this.#until = performance.now() + (error.retryAfter ?? PATIENCE) * 1000;
      this.#stand(reason);
      return await this.#here(path, options);
    } catch (own) {
      if (!isUnloaded(own)) throw own;
      this.#stand(null);
      throw error;
    }
  }

  /**
   * Has the browser answer, as the reader chose. If its engine cannot be loaded, the server answers.
   * @param {string} path
   * @param {Options} options
   */
  async #preferably(path, options) {
    try {
      const response = await this.#here(path, options);
      this.#stand(null);
      return response;
    } catch (error) {
      if (!this.hasServer || !isUnloaded(error)) throw error;
      const response = await server.send(path, options);
      this.#stand("unloaded");
      return response;
    }
  }

  /** @param {string} path @param {Options} options */
  async #here(path, options) {
    return (await this.#engine()).send(path, options);
  }

  #engine() {
    this.#browser ??= import("./browser.js").then(({ Browser }) => new Browser((loading) => this.#load(loading)));
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
  #load(loading) {
    const done = loading.total > 0 && loading.loaded >= loading.total;
    this.loading = done ? null : loading;
    clearTimeout(this.#quiet);
    // If the total is unknown, loading has ended when progress stops.
    this.#quiet = setTimeout(() => {
      this.loading = null;
      this.#tell();
    }, 400);
    this.#tell();
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #quiet;

  /** Frees the engine's memory. */
  #close() {
    void this.#browser?.then((browser) => browser.close()).catch(() => {});
    this.#browser = null;
  }

  /** @param {"unreachable" | "full" | "unloaded" | null} reason */
  #stand(reason) {
    if (reason === this.reason) return;
    this.reason = reason;
    this.#tell();
  }

  #tell() {
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

export const places = new Places();
