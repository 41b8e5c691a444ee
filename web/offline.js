// @ts-check
/** Offline use: a service worker caches the page, the engine and the files that searches use. */

/** Seconds before a game's files are fetched, so as not to delay the page. */
const FETCH_DELAY = 3;

/** Registers the service worker. */
export async function registerServiceWorker() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("service-worker.js");
  } catch {
    // Fails without a secure connection or in a private window: the page then needs the network.
  }
}

/**
 * Calls back once the service worker controls the page, and so caches what is fetched from then on.
 * @param {() => void} then
 */
export function onControlled(then) {
  navigator.serviceWorker?.addEventListener("controllerchange", then);
}

/**
 * Caches the file that a game's searches use; unless `all` is set, only if they require it.
 * @param {string} game
 * @param {boolean} all
 */
export function cacheGameFile(game, all) {
  const saving = /** @type {any} */ (navigator).connection?.saveData === true;
  if (saving || !navigator.serviceWorker?.controller) return;
  setTimeout(() => void fetchGameFile(game, all).catch(() => {}), FETCH_DELAY * 1000);
}

/** @param {string} game @param {boolean} all */
async function fetchGameFile(game, all) {
  const list = new URL("./engine/dist/files.json", import.meta.url);
  const { [game]: file } = /** @type {Record<string, { name: string, needed: boolean }>} */ (await (await fetch(list)).json());
  if (file && (all || file.needed)) await fetch(new URL(file.name, list));
}
