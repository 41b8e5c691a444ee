// @ts-check
/** One search over several workers without shared memory: each runs threads of the search one by one, and one merges them. */

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./module.js").Answer} Answer */

/**
 * A divided search.
 * @typedef {object} Divided
 * @property {string} id
 * @property {string} body the request, with a seed
 * @property {number} threads the number of its threads
 * @property {number} cores the maximum number of workers
 * @property {boolean} reportsProgress whether progress is reported
 */

export class ParallelSearch {
  #clients;
  #search;
  #read;
  #onMessage;
  /** Messages so far. */
  #messageCount = 0;
  /** The next thread to run. */
  #next = 0;
  /** Each thread's result as the module wrote it: JavaScript would write -0.0 as 0. @type {string[]} */
  #results;
  /** The clients that run a thread, with the number of the call. @type {Map<Client, number>} */
  #running = new Map();
  #stopped = false;
  /** The client that proved the result. @type {Client | null} */
  #prover = null;

  /**
   * @param {Client[]} clients each a worker
   * @param {Divided} search
   * @param {(answer: Answer) => any} read
   * @param {(message: string) => void} onMessage
   */
  constructor(clients, search, read, onMessage) {
    this.#clients = clients;
    this.#search = search;
    this.#read = read;
    this.#onMessage = onMessage;
    this.#results = Array(search.threads).fill("null");
  }

  /** Runs the search to its end. @returns {Promise<any>} its last message */
  async run() {
    const began = performance.now();
    try {
      await Promise.all(this.#clients.map((client) => this.#work(client)));
    } catch (error) {
      // The result would lack the failed thread: the others need not continue.
      this.end();
      throw error;
    }
    const { id, body, cores } = this.#search;
    const rest = JSON.stringify({ body, cores, seq: this.#messageCount, searched_ms: performance.now() - began });
    const assembly = `${rest.slice(0, -1)},"pieces":[${this.#results.join(",")}]}`;
    const client = this.#prover ?? this.#clients[0];
    return this.#read(await client.call("merge", [id, assembly]).result);
  }

  /** Has the workers stop and return what they have found. */
  stop() {
    this.#stopped = true;
    for (const [client, number] of this.#running) client.stop(number);
  }

  /** Ends the workers that are still running. */
  end() {
    this.#stopped = true;
    for (const client of [...this.#running.keys()]) client.end(new Error("the search was stopped"));
  }

  /** Runs threads until none is left. @param {Client} client */
  async #work(client) {
    while (this.#next < this.#search.threads && !this.#stopped) {
      const thread = this.#next;
      this.#next += 1;
      const { id, body, cores, reportsProgress } = this.#search;
      const { number, result } = client.call("part", [id, body, thread, cores, reportsProgress], (message) => {
        this.#messageCount += 1;
        this.#onMessage(message);
      });
      this.#running.set(client, number);
      /** @type {Answer} */
      let answer;
      try {
        answer = await result;
      } catch (error) {
        if (this.#prover) return;
        throw error;
      } finally {
        this.#running.delete(client);
      }
      const { decides } = this.#read(answer);
      this.#results[thread] = answer.body;
      if (decides && !this.#prover) {
        this.#prover = client;
        // The others' results cannot change it.
        if (client.canStop) this.stop();
        else this.end();
      }
    }
  }
}
