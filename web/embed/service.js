// @ts-check
/** Where an element's requests go: to a server, without an API key, or to the engine in the page. */

import { ApiError } from "../backend/error.js";
import { request } from "../backend/http.js";
import { addressOf } from "../root.js";

/** @typedef {{ body?: any, signal?: AbortSignal }} Options */

/** The value that selects the engine in the page, in place of a server's address. */
const NONE = "none";

/** Services by the address of their server. @type {Map<string, Service>} */
const services = new Map();

/** The server of elements that name none; set by `define`. @type {{ server: string }} */
export const defaults = { server: NONE };

/** The server that this file comes from. */
export const origin = () => addressOf("/");

export class Service {
  /** @type {Promise<import("../types.js").Game[]> | null} */
  #games = null;
  /** @type {Promise<import("../backend/browser.js").Browser> | null} */
  #engine = null;

  /** @param {string} root the server's address, or `none` */
  constructor(root) {
    this.root = root;
  }

  /** @param {string} path @param {Options} [options] @returns {Promise<any>} */
  async call(path, options = {}) {
    const response = await (this.root === NONE ? (await this.#browser()).send(path, options) : request(this.root + path, options));
    return response.json();
  }

  /** All games, fetched once. */
  games() {
    this.#games ??= this.call("/v1/games").then(({ games }) => games);
    this.#games.catch(() => (this.#games = null));
    return this.#games;
  }

  #browser() {
    this.#engine ??= import("../backend/browser.js").then(({ Browser }) => new Browser(() => {}));
    return this.#engine.catch(() => {
      this.#engine = null;
      throw new ApiError("engine_away", "the engine could not be loaded");
    });
  }
}

/** @param {string | null} server an element's attribute */
export function serviceOf(server) {
  const root = (server ?? defaults.server) === NONE ? NONE : address(server ?? defaults.server);
  const service = services.get(root) ?? new Service(root);
  services.set(root, service);
  return service;
}

/** A server's address without the slash at its end. @param {string} server */
function address(server) {
  try {
    return new URL(server, document.baseURI).href.replace(/\/+$/, "");
  } catch {
    throw new ApiError("offline", `not an address: ${server}`);
  }
}
