// @ts-check
/**
 * The games kept in this browser: one entry each in local storage, so that tabs saving at the same time do not overwrite each
 * other. Damaged entries and those of other versions of the page are skipped.
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
 *   `writer`: the tab that saved it last. `pending`: moves made while the service was unreachable, after `pendingAt` others.
 *   `result`: null while the game is in progress. `counts`: see the keeper.
 */

const PREFIX = "game:";
/** How many games are kept at most; new ones replace the oldest. */
export const MOST = 50;

/** A random id. */
export const fresh = () => [...crypto.getRandomValues(new Uint32Array(3))].map((one) => one.toString(36)).join("");

/** All kept games, newest first. @returns {Kept[]} */
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

/** Keeps a game, replacing the oldest if there are too many or storage is full. @param {Kept} kept */
export function put(kept) {
  const others = all().filter(({ id }) => id !== kept.id);
  for (const { id } of others.splice(MOST - 1)) remove(id);
  for (;;) {
    try {
      return localStorage.setItem(PREFIX + kept.id, JSON.stringify(kept));
    } catch {
      // Storage is full or disabled.
      const oldest = others.pop();
      if (!oldest) return;
      remove(oldest.id);
    }
  }
}

/** Calls back when another tab keeps or removes a game; returns a function that stops this. @param {() => void} then */
export function watch(then) {
  const listen = (/** @type {StorageEvent} */ { key }) => (key === null || key.startsWith(PREFIX)) && then();
  addEventListener("storage", listen);
  return () => removeEventListener("storage", listen);
}
