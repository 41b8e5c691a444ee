// @ts-check
/** The reader's preferences, in local storage. */

export const preferences = {
  /** @param {string} name @param {string} fallback */
  get: (name, fallback) => localStorage.getItem(name) ?? fallback,
  /** @param {string} name @param {string} value */
  set: (name, value) => localStorage.setItem(name, value),
};

/** The level nearest to the reader's strength in a game, as play/strength.js estimates it. @param {string} game @param {number} fallback without an estimate */
export const estimatedLevel = (game, fallback) => Math.round(parseFloat(preferences.get(`strength:${game}`, ""))) || fallback;
