// @ts-check
/**
 * The games stored in this browser: one entry each in local storage, so that tabs saving at the same time do not overwrite each
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
 * }} StoredGame
 *   `writer`: the tab that saved it last. `pending`: moves made while the service was unreachable, after `pendingAt` others.
 *   `result`: null while the game is in progress. `counts`: see `Session.ratingWeight`.
 */

const PREFIX = "game:";
/** The maximum number of stored games; new ones replace the oldest. */
export const MAX_GAMES = 50;

/** A random id. */
export const randomId = () => [...crypto.getRandomValues(new Uint32Array(3))].map((one) => one.toString(36)).join("");

/** All stored games, newest first. @returns {StoredGame[]} */
export function storedGames() {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  const games = names.flatMap((name) => read(name) ?? []);
  return games.sort((a, b) => b.changed - a.changed);
}

/** @param {string} id */
export const loadGame = (id) => read(PREFIX + id);

/** @param {string} id */
export const deleteGame = (id) => localStorage.removeItem(PREFIX + id);

/** @param {string} name @returns {StoredGame | null} */
function read(name) {
  try {
    const stored = JSON.parse(localStorage.getItem(name) ?? "null");
    const sound = stored && PREFIX + stored.id === name && typeof stored.game === "string" && Array.isArray(stored.moves) && stored.moves.length > 0;
    return sound ? { auto: false, counts: 0, branches: [], pending: [], pendingAt: stored.moves.length, times: null, ...stored } : null;
  } catch {
    return null;
  }
}

/** Stores a game, replacing the oldest if there are too many or storage is full. @param {StoredGame} game */
export function storeGame(game) {
  const others = storedGames().filter(({ id }) => id !== game.id);
  for (const { id } of others.splice(MAX_GAMES - 1)) deleteGame(id);
  for (;;) {
    try {
      return localStorage.setItem(PREFIX + game.id, JSON.stringify(game));
    } catch {
      // Storage is full or disabled.
      const oldest = others.pop();
      if (!oldest) return;
      deleteGame(oldest.id);
    }
  }
}

/** Calls back when another tab stores or deletes a game; returns a function that stops this. @param {() => void} then */
export function watchGames(then) {
  const listen = (/** @type {StorageEvent} */ { key }) => (key === null || key.startsWith(PREFIX)) && then();
  addEventListener("storage", listen);
  return () => removeEventListener("storage", listen);
}
