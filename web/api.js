// @ts-check
/** Calls to the service, which runs on a server or in this browser. */

import { ApiError } from "./backend/error.js";
import { backend } from "./backend/router.js";
import { keyDialog, send as sendToServer } from "./backend/server.js";

export { ApiError, keyDialog };

/** Whether this browser could take over from an unreachable server. */
export const canTakeOver = () => backend.hasEngine;

/**
 * Sends a request. An error response, or no response, is thrown as an `ApiError`.
 * @param {string} path
 * @param {import("./backend/router.js").Options} [options]
 * @returns {Promise<Response>}
 */
export function send(path, options = {}) {
  return backend.send(path, options);
}

/**
 * Sends a request and parses the JSON response.
 * @param {string} path
 * @param {Parameters<typeof send>[1]} [options]
 * @returns {Promise<any>}
 */
export async function call(path, options) {
  const response = await send(path, options);
  return response.json();
}

/** Whether game records can be read and written, which only the server can do. */
export const hasRecords = () => backend.hasServer;

/**
 * Reads a game record (a file in any encoding), or writes a game as a record.
 * @param {Blob | object} body
 * @param {string} [game] the record's game, if its text does not name it
 * @returns {Promise<any>}
 */
export async function convertRecord(body, game) {
  const response = await sendToServer(`/v1/records${game ? `?game=${game}` : ""}`, { body });
  return response.json();
}

/**
 * Like `send`, but retries after `Retry-After` when the service is full or this client's quota is used up.
 * @param {string} path
 * @param {NonNullable<Parameters<typeof send>[1]> & { onwait?: (seconds: number, error: ApiError) => void }} options
 */
export async function sendWithRetry(path, { onwait, ...options }) {
  for (;;) {
    try {
      return await send(path, options);
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 503 && error.status !== 429)) throw error;
      const seconds = error.retryAfter ?? 2;
      onwait?.(seconds, error);
      await pause(seconds * 1000, options.signal);
    }
  }
}

/**
 * @param {number} ms
 * @param {AbortSignal} [signal]
 */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve(undefined);
    }, ms);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}
