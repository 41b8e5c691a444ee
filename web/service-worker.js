// @ts-check
/**
 * Keeps the page and the engine, so that both are there without a network. One cache for each version of the page: files below
 * `assets/` never change, the page itself is asked for anew where there is a network. Requests to the service pass untouched.
 */

/** What is kept from the start; filled in by the build. @type {string[]} */
const FILES = JSON.parse('{files}');
const VERSION = "{assets}";
const PREFIX = "tesuji ";
const NAME = PREFIX + VERSION;

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(fill().then(() => worker.skipWaiting()));
});

async function fill() {
  const cache = await caches.open(NAME);
  // The browser's own cache has most of them already.
  await cache.addAll(["./", ...FILES]);
}

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(tidy().then(() => worker.clients.claim()));
});

/** Forgets earlier versions. */
async function tidy() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name);
  }
}

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const scope = worker.registration.scope;
  const address = request.url.replace(/[?#].*$/, "");
  if (address === scope || address === `${scope}index.html`) event.respondWith(page(request));
  else if (address.startsWith(scope + VERSION)) event.respondWith(file(request));
});

/** The page as the server has it; as it is kept where the server does not answer. @param {Request} request */
async function page(request) {
  const cache = await caches.open(NAME);
  try {
    const response = await fetch(request);
    if (response.status < 500) return response;
    return (await cache.match("./")) ?? response;
  } catch (error) {
    const kept = await cache.match("./");
    if (kept) return kept;
    throw error;
  }
}

/** A file as it is kept, else as it comes, and then kept. @param {Request} request */
async function file(request) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.status === 200) await cache.put(request.url, response.clone());
  return response;
}
