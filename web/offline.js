// @ts-check
/** What the page does to work without a network: a service worker keeps it, the engine, and what games search with. */

/** Seconds after which what a game needs may be fetched without being in anybody's way. */
const LATER = 3;

/** Has the browser keep the page. */
export async function keep() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("service-worker.js");
  } catch {
    // Without a secure connection, or in a private window: then the page works with the network only.
  }
}

/** Calls back once the page is kept: what is fetched from then on is kept too. @param {() => void} then */
export function onceKept(then) {
  navigator.serviceWorker?.addEventListener("controllerchange", then);
}

/**
 * Has the browser keep what searches of a game use: where a server does the searching for now, only what they cannot do without.
 * @param {string} game
 * @param {boolean} all
 */
export function keepFor(game, all) {
  const saving = /** @type {any} */ (navigator).connection?.saveData === true;
  if (saving || !navigator.serviceWorker?.controller) return;
  setTimeout(() => void fetchFor(game, all).catch(() => {}), LATER * 1000);
}

/** @param {string} game @param {boolean} all */
async function fetchFor(game, all) {
  const list = new URL("./engine/dist/files.json", import.meta.url);
  const { [game]: file } = /** @type {Record<string, { name: string, needed: boolean }>} */ (await (await fetch(list)).json());
  if (file && (all || file.needed)) await fetch(new URL(file.name, list));
}
