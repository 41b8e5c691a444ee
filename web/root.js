// @ts-check
/** The root of the service that the page comes from: a proxy may publish it under a path. */

/** Files of the page lie at `assets/VERSION/` below it. */
const ROOT = new URL("../../", import.meta.url);

/** The address of a path of the service, such as `/v1/games`. @param {string} path */
export const addressOf = (path) => new URL(path.replace(/^\//, ""), ROOT).href;

/** The path below the root that an address has, such as a response's `Location`. @param {string} address */
export function pathOf(address) {
  const { pathname } = new URL(address, ROOT);
  return pathname.startsWith(ROOT.pathname) ? pathname.slice(ROOT.pathname.length - 1) : pathname;
}
