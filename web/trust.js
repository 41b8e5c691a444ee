// @ts-check
/**
 * The page's Trusted Types policy: it only allows workers to be started, and only from the page's own files. The browser
 * refuses every other string that would become a script or markup.
 */

/** Worker scripts, by the ends of their addresses. */
const WORKERS = ["/service-worker.js", "/engine/worker.js"];

/** @param {string} address */
function workerUrl(address) {
  const { origin, pathname } = new URL(address, location.href);
  return origin === location.origin && WORKERS.some((end) => pathname.endsWith(end)) ? address : null;
}

/** Sets the policy where the browser supports it. */
export function trust() {
  const types = /** @type {any} */ (window).trustedTypes;
  types?.createPolicy("default", { createScriptURL: workerUrl });
}
