// @ts-check
/** Calls of the service: errors as one class, keys where the server asks for one, waiting where it is full. */

/** An answer of the service that is an error, or no answer at all (`code` is then `offline`). */
export class ApiError extends Error {
  /**
   * @param {string} code
   * @param {string} detail
   * @param {{ status?: number, retryAfter?: number, errors?: { pointer: string, detail: string }[] }} [more]
   */
  constructor(code, detail, { status = 0, retryAfter, errors = [] } = {}) {
    super(detail);
    this.code = code;
    this.status = status;
    /** Seconds after which to try again. @type {number | undefined} */
    this.retryAfter = retryAfter;
    this.errors = errors;
  }
}

/** Whether the same request may well succeed a moment later. @param {unknown} error */
export const passing = (error) =>
  error instanceof ApiError && (error.code === "offline" || error.status === 408 || error.status === 429 || error.status >= 500);

/** Asks the reader for a key; set by the page. @type {{ ask: () => Promise<string | null> }} */
export const keyDialog = { ask: async () => null };

const key = {
  get: () => sessionStorage.getItem("key"),
  /** @param {string} value */
  set: (value) => sessionStorage.setItem("key", value),
};

/**
 * Sends a request and gives the answer, whatever it is, but errors as `ApiError`.
 * @param {string} path
 * @param {{ method?: string, body?: any, headers?: Record<string, string>, signal?: AbortSignal, keepalive?: boolean }} [options]
 * @returns {Promise<Response>}
 */
export async function send(path, { method, body, headers = {}, signal, keepalive } = {}) {
  const token = key.get();
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      keepalive,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("offline", String(error));
  }
  if (response.ok) return response;
  if (response.status === 401 && !keepalive) {
    const typed = await keyDialog.ask();
    if (typed) {
      key.set(typed);
      return send(path, { method, body, headers, signal });
    }
  }
  throw await problem(response);
}

/** @param {Response} response */
async function problem(response) {
  const wait = Number(response.headers.get("Retry-After"));
  const more = { status: response.status, retryAfter: wait > 0 ? wait : undefined };
  try {
    /** @type {import("./types.js").Problem} */
    const { code, detail, errors } = await response.json();
    return new ApiError(code, detail, { ...more, errors });
  } catch {
    return new ApiError("unexpected", `${response.status} ${response.statusText}`, more);
  }
}

/**
 * Sends a request and reads the JSON of its answer.
 * @param {string} path
 * @param {Parameters<typeof send>[1]} [options]
 * @returns {Promise<any>}
 */
export async function call(path, options) {
  const response = await send(path, options);
  return response.json();
}

/**
 * As `send`, but when the service is full, or this client's quota is used up, waits as `Retry-After` tells, and tries again.
 * @param {string} path
 * @param {NonNullable<Parameters<typeof send>[1]> & { onwait?: (seconds: number, error: ApiError) => void }} options
 */
export async function insist(path, { onwait, ...options }) {
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
