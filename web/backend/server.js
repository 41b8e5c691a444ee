// @ts-check
/** The service on the page's own server, over HTTP, with a key if the server requires one. */

import { addressOf } from "../root.js";
import { ApiError } from "./error.js";
import { request } from "./http.js";
import { key } from "./key.js";

/** Asks the reader for a key; set by the page. @type {{ ask: () => Promise<string | null> }} */
export const keyDialog = { ask: async () => null };

/**
 * Sends a request. An error response, or no response, is thrown as an `ApiError`.
 * @param {string} path
 * @param {import("./router.js").Options} options
 * @returns {Promise<Response>}
 */
export async function send(path, options) {
  const token = key.value;
  const headers = { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...options.headers };
  try {
    return await request(addressOf(path), { ...options, headers });
  } catch (error) {
    const refused = error instanceof ApiError && error.status === 401 && !options.keepalive;
    // Another tab may know one already.
    if (refused && ((await key.fromOtherTab(token)) ?? (await keyDialog.ask()))) return send(path, options);
    throw error;
  }
}
