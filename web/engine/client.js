// @ts-check
/** The owner's side of a worker: calls are answered in order and can be stopped. */

import { startWorker } from "./platform.js";

/** A worker with more bytes of memory than this is replaced before its next call: a module's memory never shrinks. */
const MOST_MEMORY = 192 << 20;

/**
 * A pending call.
 * @typedef {object} PendingCall
 * @property {string} method
 * @property {any[]} parameters
 * @property {(message: string) => void} onMessage
 * @property {(result: any) => void} resolve
 * @property {(error: Error) => void} reject
 */

export class Client {
  #compiled;
  /** @type {Promise<import("./platform.js").WorkerPort> | null} */
  #port = null;
  /** The number of the call to stop; null where memory cannot be shared, as in a page that is not cross-origin isolated. */
  #stop = typeof SharedArrayBuffer === "function" ? new SharedArrayBuffer(4) : null;
  /** @type {Map<number, PendingCall>} */
  #pending = new Map();
  #calls = 0;
  /** Changes with the worker, so that messages of an ended one are ignored. */
  #generation = 0;
  #memory = 0;

  /** @param {() => Promise<WebAssembly.Module>} compiled */
  constructor(compiled) {
    this.#compiled = compiled;
  }

  /** Whether a running call can be stopped; otherwise only `end` ends it. */
  get canStop() {
    return this.#stop !== null;
  }

  /** The memory of the worker's module after its last call, in bytes. */
  get memory() {
    return this.#memory;
  }

  /**
   * Calls a method of the module.
   * @param {string} method
   * @param {any[]} parameters
   * @param {(message: string) => void} [onMessage]
   * @returns {{ number: number, result: Promise<any> }}
   */
  call(method, parameters, onMessage = () => {}) {
    this.#calls += 1;
    const number = this.#calls;
    const result = new Promise((resolve, reject) => {
      this.#pending.set(number, { method, parameters, onMessage, resolve, reject });
    });
    void this.#send(number);
    return { number, result };
  }

  /** @param {number} number */
  async #send(number) {
    try {
      this.#port ??= this.#start();
      const port = await this.#port;
      const call = this.#pending.get(number);
      port.hold(this.#pending.size > 0);
      if (call) port.send({ call: number, method: call.method, parameters: call.parameters });
    } catch (error) {
      this.#port = null;
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #start() {
    const generation = (this.#generation += 1);
    const compiled = await this.#compiled();
    const script = new URL("./worker.js", import.meta.url);
    const isCurrent = () => generation === this.#generation;
    const port = await startWorker(
      script,
      (message) => isCurrent() && this.#receive(message),
      (error) => isCurrent() && this.end(error),
    );
    port.send({ compiled, stop: this.#stop });
    return port;
  }

  /** @param {{ call: number, message?: string, result?: any, memory?: number, error?: string }} message */
  #receive({ call, message, result, memory, error }) {
    const pending = this.#pending.get(call);
    if (message !== undefined) {
      pending?.onMessage(message);
      return;
    }
    this.#pending.delete(call);
    void this.#port?.then((port) => port.hold(this.#pending.size > 0));
    this.#memory = memory ?? this.#memory;
    if (error === undefined) pending?.resolve(result);
    else {
      pending?.reject(new Error(error));
      // The error has ended the module too.
      this.end(new Error("the worker has ended"));
    }
  }

  /** Asks a running call to stop. @param {number} number */
  stop(number) {
    if (this.#stop) Atomics.store(new Int32Array(this.#stop), 0, number);
  }

  /** Frees the memory of a large search, if nothing runs. */
  releaseMemory() {
    if (this.#memory > MOST_MEMORY && this.#pending.size === 0) this.end(new Error("the worker has ended"));
  }

  /** Ends the worker; the next call starts another one. @param {Error} reason what open calls fail with */
  end(reason) {
    const port = this.#port;
    this.#port = null;
    this.#memory = 0;
    this.#generation += 1;
    void port?.then((port) => port.end()).catch(() => {});
    this.#fail(reason);
  }

  /** @param {Error} reason */
  #fail(reason) {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const call of pending) call.reject(reason);
  }
}
