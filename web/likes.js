// @ts-check
/** The reader's preferences, in local storage. */

export const likes = {
  /** @param {string} name @param {string} usual */
  get: (name, usual) => localStorage.getItem(name) ?? usual,
  /** @param {string} name @param {string} value */
  set: (name, value) => localStorage.setItem(name, value),
};

/** The level nearest to the reader's strength in a game, as play/strength.js estimates it. @param {string} game @param {number} usual without an estimate */
export const ownLevel = (game, usual) => Math.round(parseFloat(likes.get(`strength:${game}`, ""))) || usual;
