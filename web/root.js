// @ts-check
/** The root address of the page's service, which a proxy may publish under a path. */

/** Files of the page lie at `assets/VERSION/` below it. */
const ROOT = new URL("../../", import.meta.url);

/** The address of a path of the service, such as `/v1/games`. @param {string} path */
export const addressOf = (path) => new URL(path.replace(/^\//, ""), ROOT).href;

/** The path below the root of an address, such as a response's `Location`. @param {string} address */
export function pathOf(address) {
  const { pathname } = new URL(address, ROOT);
  return pathname.startsWith(ROOT.pathname) ? pathname.slice(ROOT.pathname.length - 1) : pathname;
}
