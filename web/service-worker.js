// @ts-check
/**
 * Caches the page and the engine for offline use. One cache per version of the page: files below `assets/` never change; the
 * page itself is fetched again whenever there is a network. Requests to the service pass through.
 */

/** The files cached at installation; filled in by the build. @type {string[]} */
const FILES = JSON.parse('{files}');
const VERSION = "{assets}";
const MANIFEST = "manifest.webmanifest";

const worker = /** @type {any} */ (self);
/** Caches belong to an origin, which may have several such pages. */
const PREFIX = `tesuji ${worker.registration.scope} `;
const NAME = PREFIX + VERSION;

worker.addEventListener("install", (/** @type {any} */ event) => {
  // A new version takes over once no page of the previous one is open: those still need its files.
  event.waitUntil(fill());
});

async function fill() {
  const cache = await caches.open(NAME);
  // Most files are already in the browser's HTTP cache, but the page there may be that of another version.
  await cache.addAll([new Request("./", { cache: "reload" }), ...FILES]);
}

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(tidy().then(() => worker.clients.claim()));
});

/** Deletes the caches of earlier versions. */
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
  if (address === scope || address === `${scope}index.html`) event.respondWith(newest(request, "./"));
  else if (address === scope + MANIFEST) event.respondWith(newest(request, MANIFEST));
  else if (address.startsWith(scope + VERSION)) event.respondWith(file(event));
});

/** A file from the server, or from the cache if the server does not answer. @param {Request} request @param {string} name */
async function newest(request, name) {
  const cache = await caches.open(NAME);
  try {
    const response = await fetch(request);
    if (response.status < 500) return response;
    return (await cache.match(name)) ?? response;
  } catch (error) {
    const cached = await cache.match(name);
    if (cached) return cached;
    throw error;
  }
}

/** A file from the cache, else from the server, which is then cached. @param {any} event */
async function file(event) {
  const { request } = event;
  const cache = await caches.open(NAME).catch(() => null);
  const cached = await cache?.match(request.url).catch(() => undefined);
  if (cached) return cached;
  const response = await fetch(request);
  // The page gets the response even if the disk is full.
  if (cache && response.status === 200) event.waitUntil(cache.put(request.url, response.clone()).catch(() => {}));
  return response;
}
