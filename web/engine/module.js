// @ts-check
/**
 * The module's interface as functions: texts and bytes in, a status and a text out. A host handles what happens during a call.
 */

/**
 * The program around the module.
 * @typedef {object} Host
 * @property {(message: string) => void} tell receives a message about the search in progress
 * @property {() => boolean} isStopped whether the search in progress should stop
 */

/**
 * The answer to a call: the status and body that the server would send.
 * @typedef {{ status: number, body: string }} Answer
 */

/**
 * The module's exports, described in `crates/wasm/src/exports.rs`.
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {() => void} start
 * @property {(length: number) => number} input
 * @property {() => number} output
 * @property {() => number} output_length
 * @property {() => number} games
 * @property {() => number} game
 * @property {() => number} position
 * @property {(idLength: number, reportsProgress: number) => number} search
 * @property {(idLength: number, reportsProgress: number) => number} review
 * @property {(cores: number) => number} split
 * @property {(idLength: number, worker: number, cores: number, reportsProgress: number) => number} part
 * @property {(idLength: number) => number} merge
 * @property {() => number} file
 * @property {(nameLength: number) => number} load
 * @property {(depth: number) => number} perft
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An instance of the module. A call runs to its end before it returns. */
export class Module {
  #exports;
  /** The module's panic message. */
  #panicMessage = "";

  /** @param {Exports} exports */
  constructor(exports) {
    this.#exports = exports;
  }

  /**
   * Makes an instance.
   * @param {WebAssembly.Module} compiled
   * @param {Host} host
   */
  static async create(compiled, host) {
    /** @type {Module} */
    let module;
    /** @param {number} at @param {number} length */
    const text = (at, length) => module.#read(at, length);
    const imports = {
      now: () => performance.now(),
      random: () => crypto.getRandomValues(new BigUint64Array(1))[0],
      is_stopped: () => (host.isStopped() ? 1 : 0),
      /** @param {number} at @param {number} length */
      tell: (at, length) => host.tell(text(at, length)),
      /** @param {number} at @param {number} length */
      panicked: (at, length) => {
        module.#panicMessage = text(at, length);
      },
    };
    const instance = await WebAssembly.instantiate(compiled, { host: imports });
    module = new Module(/** @type {Exports} */ (/** @type {unknown} */ (instance.exports)));
    module.#exports.start();
    return module;
  }

  /** The size of its memory in bytes, which never shrinks. */
  get memory() {
    return this.#exports.memory.buffer.byteLength;
  }

  games() {
    return this.#answer(() => this.#exports.games());
  }

  /** @param {string} name */
  game(name) {
    this.#write(encoder.encode(name));
    return this.#answer(() => this.#exports.game());
  }

  /** @param {string} body */
  position(body) {
    this.#write(encoder.encode(body));
    return this.#answer(() => this.#exports.position());
  }

  /**
   * A search, or a review.
   * @param {"search" | "review"} kind
   * @param {string} id
   * @param {string} body
   * @param {boolean} reportsProgress whether progress is reported to the host
   */
  work(kind, id, body, reportsProgress) {
    const first = encoder.encode(id);
    this.#write(first, encoder.encode(body));
    return this.#answer(() => this.#exports[kind](first.length, reportsProgress ? 1 : 0));
  }

  /** Over how many workers a search is divided, given the number of cores. @param {string} body @param {number} cores */
  split(body, cores) {
    this.#write(encoder.encode(body));
    return this.#answer(() => this.#exports.split(cores));
  }

  /**
   * Runs one worker's part of a split search.
   * @param {string} id
   * @param {string} body the request, with a seed
   * @param {number} worker its number, from 0
   * @param {number} cores as given to `split`
   * @param {boolean} reportsProgress whether progress is reported to the host, which only the first worker does
   */
  part(id, body, worker, cores, reportsProgress) {
    const first = encoder.encode(id);
    this.#write(first, encoder.encode(body));
    return this.#answer(() => this.#exports.part(first.length, worker, cores, reportsProgress ? 1 : 0));
  }

  /** The response of a split search. @param {string} id @param {string} assembly the results of its workers */
  merge(id, assembly) {
    const first = encoder.encode(id);
    this.#write(first, encoder.encode(assembly));
    return this.#answer(() => this.#exports.merge(first.length));
  }

  /**
   * The file that a game uses; null if none.
   * @param {string} game
   * @returns {{ name: string, needed: boolean, loaded: boolean } | null}
   */
  file(game) {
    this.#write(encoder.encode(game));
    return JSON.parse(this.#answer(() => this.#exports.file()).body);
  }

  /** @param {string} name @param {Uint8Array} bytes */
  load(name, bytes) {
    const first = encoder.encode(name);
    this.#write(first, bytes);
    return this.#answer(() => this.#exports.load(first.length));
  }

  /** @param {string} body @param {number} depth */
  perft(body, depth) {
    this.#write(encoder.encode(body));
    return this.#run(() => this.#exports.perft(depth));
  }

  /** @param {Uint8Array[]} parts */
  #write(...parts) {
    let at = this.#exports.input(parts.reduce((sum, part) => sum + part.length, 0));
    for (const part of parts) {
      new Uint8Array(this.#exports.memory.buffer, at, part.length).set(part);
      at += part.length;
    }
  }

  /** @param {number} at @param {number} length */
  #read(at, length) {
    return decoder.decode(new Uint8Array(this.#exports.memory.buffer, at, length));
  }

  /** @param {() => number} call @returns {Answer} */
  #answer(call) {
    const status = this.#run(call);
    return { status, body: this.#read(this.#exports.output(), this.#exports.output_length()) };
  }

  /** @param {() => number} call */
  #run(call) {
    try {
      return call();
    } catch (error) {
      throw this.#panicMessage ? new Error(this.#panicMessage, { cause: error }) : error;
    }
  }
}
