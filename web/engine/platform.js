// @ts-check
/** What differs between a browser and Node.js: workers, the number of cores, and reading files. */

/**
 * The owner's side of a worker.
 * @typedef {object} WorkerPort
 * @property {(message: any) => void} send
 * @property {() => void} end
 * @property {(busy: boolean) => void} hold whether the program must wait for it before it exits
 */

const isNode = typeof process === "object" && Boolean(process.versions?.node);

/**
 * Starts a module worker.
 * @param {URL} script
 * @param {(message: any) => void} onmessage
 * @param {(error: Error) => void} onerror
 * @returns {Promise<WorkerPort>}
 */
export async function startWorker(script, onmessage, onerror) {
  if (isNode) {
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker(script);
    worker.on("message", onmessage);
    worker.on("error", onerror);
    // A worker that ends in another way sends nothing else.
    worker.on("exit", () => onerror(new Error("the worker has ended")));
    return {
      send: (message) => worker.postMessage(message),
      end: () => void worker.terminate(),
      hold: (busy) => (busy ? worker.ref() : worker.unref()),
    };
  }
  // A page may start workers only from its own origin: such a worker imports the script from the other.
  const wrapped = () => URL.createObjectURL(new Blob([`import ${JSON.stringify(script.href)};`], { type: "text/javascript" }));
  const worker = new Worker(script.origin === location.origin ? script : wrapped(), { type: "module" });
  worker.onmessage = (event) => onmessage(event.data);
  worker.onerror = (event) => onerror(new Error(event.message || "the worker could not be loaded"));
  return { send: (message) => worker.postMessage(message), end: () => worker.terminate(), hold: () => {} };
}

/**
 * The worker's side.
 * @param {(message: any) => void} onmessage
 * @returns {Promise<(message: any) => void>}
 */
export async function openPort(onmessage) {
  if (isNode) {
    const { parentPort } = await import("node:worker_threads");
    parentPort?.on("message", onmessage);
    return (message) => parentPort?.postMessage(message);
  }
  self.onmessage = (event) => onmessage(event.data);
  return (message) => self.postMessage(message);
}

/** The number of cores; 1 if unknown. */
export async function coreCount() {
  if (isNode) return (await import("node:os")).availableParallelism();
  return navigator.hardwareConcurrency || 1;
}

/**
 * Reads a file.
 * @param {URL} url
 * @param {(loaded: number, total: number) => void} onprogress bytes so far and in total, 0 if unknown
 * @param {AbortSignal} [signal]
 * @returns {Promise<Uint8Array>}
 */
export async function readFile(url, onprogress, signal) {
  if (isNode && url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    const bytes = await readFile(url, { signal });
    onprogress(bytes.length, bytes.length);
    return bytes;
  }
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  // The length of a compressed body is not that of the file.
  const total = response.headers.get("Content-Encoding") ? 0 : Number(response.headers.get("Content-Length"));
  const reader = response.body.getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let loaded = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    parts.push(value);
    loaded += value.length;
    onprogress(loaded, total);
  }
  const bytes = new Uint8Array(loaded);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
