// @ts-check
/** The module and the files that some games' searches use. Each is fetched once. */

import { readFile } from "./platform.js";

/**
 * The progress of a file: bytes so far and in total (0 if unknown).
 * @typedef {{ file: string, loaded: number, total: number }} Loading
 */

export class Files {
  #base;
  #onload;
  /** @type {Map<string, Promise<Uint8Array>>} */
  #files = new Map();
  /** @type {Promise<WebAssembly.Module> | null} */
  #compiled = null;

  /** @param {URL} base their folder @param {(loading: Loading) => void} onload */
  constructor(base, onload) {
    this.#base = base;
    this.#onload = onload;
  }

  /** @param {string} file */
  bytes(file) {
    const found = this.#files.get(file);
    if (found) return found;
    const bytes = readFile(new URL(file, this.#base), (loaded, total) => this.#onload({ file, loaded, total }));
    this.#files.set(file, bytes);
    // A failed fetch is retried by the next call.
    bytes.catch(() => this.#files.delete(file));
    return bytes;
  }

  /** The module, compiled. */
  compiled() {
    this.#compiled ??= this.bytes("tesuji.wasm").then(async (bytes) => {
      const compiled = await WebAssembly.compile(/** @type {BufferSource} */ (bytes));
      this.#files.delete("tesuji.wasm");
      return compiled;
    });
    this.#compiled.catch(() => (this.#compiled = null));
    return this.#compiled;
  }
}
