// @ts-check
/** The native program on a free port of this machine, for the same requests as the engine's. */

import { Service } from "../browser/service.js";

/** @typedef {{ status: number, body: string }} Answer */

export class Server {
  #service;

  /** @param {Service} service */
  constructor(service) {
    this.#service = service;
  }

  static async start() {
    // Searches may take as much memory as in a page, no more.
    return new Server(await Service.start(["--max-memory-mb", "128"]));
  }

  /** @param {string} path @param {string} [body] @returns {Promise<Answer>} */
  async request(path, body) {
    const response = await fetch(this.#service.url + path, body === undefined ? {} : { method: "POST", body });
    return { status: response.status, body: await response.text() };
  }

  /** A review's final message. @param {string} body @returns {Promise<Answer>} */
  async review(body) {
    const begun = await this.request("/v1/reviews", body);
    if (begun.status !== 202) return begun;
    const { id } = JSON.parse(begun.body);
    for (;;) {
      const response = await fetch(`${this.#service.url}/v1/reviews/${id}`, { headers: { Prefer: "wait=60" } });
      const text = await response.text();
      if (JSON.parse(text).final) return { status: 200, body: text };
    }
  }

  get pid() {
    return this.#service.child.pid ?? 0;
  }

  stop() {
    return this.#service.kill();
  }
}

/**
 * A response without what necessarily differs: ids, times, and in Hex the memory, since the module has wider types of boards.
 * @param {Answer} answer @returns {Answer}
 */
export const comparable = ({ status, body }) => ({
  status,
  body: body
    .replace(/"id":"[0-9A-Z]*"/g, '"id":""')
    .replace(/"request_id":("[^"]*"|null)/g, '"request_id":null')
    .replace(/"(queued_ms|search_ms)":[0-9.e-]+/g, '"$1":0')
    .replace(/"game":"hex".*/s, (hex) => hex.replace(/"(tree_bytes|memory_mb)":[0-9.e-]+/g, '"$1":0'))
    .replace(/("used":\{"time_ms":)[0-9.e-]+,"cpu_ms":[0-9.e-]+/g, '$10,"cpu_ms":0'),
});
