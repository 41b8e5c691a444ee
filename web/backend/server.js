// @ts-check
/** The service on the server that the page comes from, over HTTP: with a key where the server asks for one. */

import { addressOf } from "../root.js";
import { ApiError } from "./error.js";
import { key } from "./key.js";

/** Asks the reader for a key; set by the page. @type {{ ask: () => Promise<string | null> }} */
export const keyDialog = { ask: async () => null };

/**
 * Sends a request and gives the answer, whatever it is, but errors as `ApiError`.
 * @param {string} path
 * @param {import("./places.js").Options} options
 * @returns {Promise<Response>}
 */
export async function send(path, { method, body, headers = {}, signal, keepalive }) {
  const token = key.value;
  // A file goes as it is; the service finds out how it is encoded.
  const file = body instanceof Blob;
  /** @type {Response} */
  let response;
  try {
    response = await fetch(addressOf(path), {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(body === undefined ? {} : { "Content-Type": file ? "text/plain" : "application/json" }),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: body === undefined || file ? body : JSON.stringify(body),
      signal,
      keepalive,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("offline", String(error));
  }
  if (response.ok) return response;
  if (response.status === 401 && !keepalive) {
    // Another tab may know one already.
    if ((await key.elsewhere(token)) ?? (await keyDialog.ask())) return send(path, { method, body, headers, signal });
  }
  throw await problem(response);
}

/** @param {Response} response */
async function problem(response) {
  const wait = Number(response.headers.get("Retry-After"));
  const more = { status: response.status, retryAfter: wait > 0 ? wait : undefined };
  // A proxy that does not reach the server.
  if (response.status === 502 || response.status === 504) return new ApiError("offline", `${response.status} ${response.statusText}`);
  try {
    /** @type {import("../types.js").Problem} */
    const { code, detail, errors } = await response.json();
    return new ApiError(code, detail, { ...more, errors });
  } catch {
    return new ApiError("unexpected", `${response.status} ${response.statusText}`, more);
  }
}
