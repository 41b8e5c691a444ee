// @ts-check
/** One search by several workers, which share no memory: each runs one of its threads after the other, and one merges. */

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./module.js").Answer} Answer */

/**
 * What is searched.
 * @typedef {object} Divided
 * @property {string} id
 * @property {string} body the request, with a seed
 * @property {number} threads how many it has
 * @property {number} cores how many workers there may be
 * @property {boolean} hears whether somebody hears of its progress
 */

export class Together {
  #clients;
  #search;
  #read;
  #tell;
  /** Messages so far. */
  #told = 0;
  /** The first thread that nobody has run. */
  #next = 0;
  /** What each thread has found, as the module wrote it: JavaScript would write -0.0 as 0. @type {string[]} */
  #pieces;
  /** Who runs a thread, and the number of the call. @type {Map<Client, number>} */
  #running = new Map();
  #stopped = false;
  /** Who has proven the result. @type {Client | null} */
  #prover = null;

  /**
   * @param {Client[]} clients each a worker
   * @param {Divided} search
   * @param {(answer: Answer) => any} read
   * @param {(message: string) => void} tell
   */
  constructor(clients, search, read, tell) {
    this.#clients = clients;
    this.#search = search;
    this.#read = read;
    this.#tell = tell;
    this.#pieces = Array(search.threads).fill("null");
  }

  /** Runs the search to its end. @returns {Promise<any>} its last message */
  async run() {
    const began = performance.now();
    try {
      await Promise.all(this.#clients.map((client) => this.#work(client)));
    } catch (error) {
      // One that fails is missing in the result: the others need not go on.
      this.end();
      throw error;
    }
    const { id, body, cores } = this.#search;
    const rest = JSON.stringify({ body, cores, seq: this.#told, searched_ms: performance.now() - began });
    const assembly = `${rest.slice(0, -1)},"pieces":[${this.#pieces.join(",")}]}`;
    const client = this.#prover ?? this.#clients[0];
    return this.#read(await client.call("merge", [id, assembly]).result);
  }

  /** Has the workers end with what they have found. */
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
      const { id, body, cores, hears } = this.#search;
      const { number, result } = client.call("part", [id, body, thread, cores, hears], (message) => {
        this.#told += 1;
        this.#tell(message);
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
      this.#pieces[thread] = answer.body;
      if (decides && !this.#prover) {
        this.#prover = client;
        // What the others have found changes nothing.
        if (client.canStop) this.stop();
        else this.end();
      }
    }
  }
}
