// @ts-check
/** One request over HTTP, and what errors become. */

import { ApiError } from "./error.js";

/**
 * Sends a request. An answer that is an error, or none at all, is thrown as an `ApiError`.
 * @param {string} address
 * @param {import("./places.js").Options} options
 * @returns {Promise<Response>}
 */
export async function request(address, { method, body, headers = {}, signal, keepalive }) {
  // A file goes as it is; the service finds out how it is encoded.
  const file = body instanceof Blob;
  /** @type {Response} */
  let response;
  try {
    response = await fetch(address, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...(body === undefined ? {} : { "Content-Type": file ? "text/plain" : "application/json" }), ...headers },
      body: body === undefined || file ? body : JSON.stringify(body),
      signal,
      keepalive,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("offline", String(error));
  }
  if (!response.ok) throw await problem(response);
  return response;
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
