// @ts-check
/**
 * The games kept in this browser: one entry each in its local storage, so that tabs which save at the same time overwrite nothing
 * of each other's. What was kept by another version of the page, or spoiled, is passed over.
 */

/**
 * @typedef {import("./types.js").Side} Side
 * @typedef {{
 *   id: string, writer: string, changed: number, begun: number,
 *   game: string, variant: import("./types.js").Variant, start: string | null, moves: string[],
 *   resigned: Side | null, timeout: Side | null,
 *   human: import("./link.js").Settings["human"], level: number, auto: boolean, time: number, clock: string,
 *   times: import("./play/timer.js").Times | null,
 *   pending: string[], pendingAt: number,
 *   result: { winner: Side | null } | null, counts: number,
 *   branches: import("./record.js").Branch[],
 * }} Kept
 *   `writer`: the tab that saved it last. `pending`: moves made while the service was away, after `pendingAt` of the others.
 *   `result`: null while it goes on. `counts`: see the keeper.
 */

const PREFIX = "game:";
/** The oldest ones make room for new ones. */
export const MOST = 50;

/** A name that nothing else has. */
export const fresh = () => [...crypto.getRandomValues(new Uint32Array(3))].map((one) => one.toString(36)).join("");

/** All of them, the newest first. @returns {Kept[]} */
export function all() {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  const games = names.flatMap((name) => read(name) ?? []);
  return games.sort((a, b) => b.changed - a.changed);
}

/** @param {string} id */
export const get = (id) => read(PREFIX + id);

/** @param {string} id */
export const remove = (id) => localStorage.removeItem(PREFIX + id);

/** @param {string} name @returns {Kept | null} */
function read(name) {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? "null");
    const sound = kept && PREFIX + kept.id === name && typeof kept.game === "string" && Array.isArray(kept.moves) && kept.moves.length > 0;
    return sound ? { auto: false, counts: 0, branches: [], pending: [], pendingAt: kept.moves.length, times: null, ...kept } : null;
  } catch {
    return null;
  }
}

/** Keeps a game, in place of the oldest where there are too many or the browser has no more room. @param {Kept} kept */
export function put(kept) {
  const others = all().filter(({ id }) => id !== kept.id);
  for (const { id } of others.splice(MOST - 1)) remove(id);
  for (;;) {
    try {
      return localStorage.setItem(PREFIX + kept.id, JSON.stringify(kept));
    } catch {
      // No room, or a browser that keeps nothing.
      const oldest = others.pop();
      if (!oldest) return;
      remove(oldest.id);
    }
  }
}

/** Calls back when another tab keeps or removes a game; gives what ends that. @param {() => void} then */
export function watch(then) {
  const listen = (/** @type {StorageEvent} */ { key }) => (key === null || key.startsWith(PREFIX)) && then();
  addEventListener("storage", listen);
  return () => removeEventListener("storage", listen);
}
