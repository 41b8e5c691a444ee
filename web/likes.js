// @ts-check
/** What the reader likes, kept in the browser. */

export const likes = {
  /** @param {string} name @param {string} usual */
  get: (name, usual) => localStorage.getItem(name) ?? usual,
  /** @param {string} name @param {string} value */
  set: (name, value) => localStorage.setItem(name, value),
};
