// @ts-check
/** One request over HTTP, with errors as `ApiError`. */

import { ApiError } from "./error.js";

/**
 * Sends a request. An error response, or no response, is thrown as an `ApiError`.
 * @param {string} address
 * @param {import("./router.js").Options} options
 * @returns {Promise<Response>}
 */
export async function request(address, { method, body, headers = {}, signal, keepalive }) {
  // A file is sent unchanged; the service detects its encoding.
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
  // A proxy that cannot reach the server.
  if (response.status === 502 || response.status === 504) return new ApiError("offline", `${response.status} ${response.statusText}`);
  try {
    /** @type {import("../types.js").Problem} */
    const { code, detail, errors } = await response.json();
    return new ApiError(code, detail, { ...more, errors });
  } catch {
    return new ApiError("unexpected", `${response.status} ${response.statusText}`, more);
  }
}
