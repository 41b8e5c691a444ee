// @ts-check
/**
 * Keeps the page and the engine, so that both are there without a network. One cache for each version of the page: files below
 * `assets/` never change, the page itself is asked for anew where there is a network. Requests to the service pass untouched.
 */

/** What is kept from the start; filled in by the build. @type {string[]} */
const FILES = JSON.parse('{files}');
const VERSION = "{assets}";
const MANIFEST = "manifest.webmanifest";

const worker = /** @type {any} */ (self);
/** Caches belong to an origin, which may have several such pages. */
const PREFIX = `tesuji ${worker.registration.scope} `;
const NAME = PREFIX + VERSION;

worker.addEventListener("install", (/** @type {any} */ event) => {
  // It takes over once no page of the version before is open: those still need its files.
  event.waitUntil(fill());
});

async function fill() {
  const cache = await caches.open(NAME);
  // The browser's own cache has most of the files already. The page there may be that of another version.
  await cache.addAll([new Request("./", { cache: "reload" }), ...FILES]);
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
  if (address === scope || address === `${scope}index.html`) event.respondWith(newest(request, "./"));
  else if (address === scope + MANIFEST) event.respondWith(newest(request, MANIFEST));
  else if (address.startsWith(scope + VERSION)) event.respondWith(file(event));
});

/** A file as the server has it; as it is kept where the server does not answer. @param {Request} request @param {string} name */
async function newest(request, name) {
  const cache = await caches.open(NAME);
  try {
    const response = await fetch(request);
    if (response.status < 500) return response;
    return (await cache.match(name)) ?? response;
  } catch (error) {
    const kept = await cache.match(name);
    if (kept) return kept;
    throw error;
  }
}

/** A file as it is kept, else as it comes, and then kept. @param {any} event */
async function file(event) {
  const { request } = event;
  const cache = await caches.open(NAME).catch(() => null);
  const kept = await cache?.match(request.url).catch(() => undefined);
  if (kept) return kept;
  const response = await fetch(request);
  // The page gets it as it comes; a full disk is no reason not to.
  if (cache && response.status === 200) event.waitUntil(cache.put(request.url, response.clone()).catch(() => {}));
  return response;
}
