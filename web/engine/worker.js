// @ts-check
/** A worker that owns an instance of the module and answers one call at a time. */

import { Module } from "./module.js";
import { openPort } from "./platform.js";

/**
 * A call, or the setup before the first one.
 * @typedef {{ compiled: WebAssembly.Module, stop: SharedArrayBuffer | null }} Setup
 * @typedef {{ call: number, method: string, parameters: any[] }} Call
 */

/** @type {Int32Array | null} */
let stop = null;
/** The number of the current call. */
let current = 0;
/** @type {Promise<Module> | null} */
let module = null;

const host = {
  /** @param {string} message */
  tell: (message) => send({ call: current, message }),
  isStopped: () => stop !== null && Atomics.load(stop, 0) === current,
};

/** @param {Setup | Call} message */
async function receive(message) {
  if ("compiled" in message) {
    stop = message.stop && new Int32Array(message.stop);
    module = Module.create(message.compiled, host);
    return;
  }
  const { call, method, parameters } = message;
  try {
    const instance = /** @type {any} */ (await module);
    current = call;
    send({ call, result: instance[method](...parameters), memory: instance.memory });
  } catch (error) {
    send({ call, error: error instanceof Error ? error.message : String(error) });
  }
}

const send = await openPort((message) => void receive(message));
