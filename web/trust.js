// @ts-check
/**
 * The page's policy for trusted types: of all that could run as a script, workers may be started, and only from the page's own
 * files. Every other text that was to become a script or markup is refused by the browser.
 */

/** Scripts of workers, by the ends of their addresses. */
const WORKERS = ["/service-worker.js", "/engine/worker.js"];

/** @param {string} address */
function own(address) {
  const { origin, pathname } = new URL(address, location.href);
  return origin === location.origin && WORKERS.some((end) => pathname.endsWith(end)) ? address : null;
}

/** Sets the policy where the browser has such. */
export function trust() {
  const types = /** @type {any} */ (window).trustedTypes;
  types?.createPolicy("default", { createScriptURL: own });
}
