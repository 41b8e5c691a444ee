/** Requests and responses: headers, retries, errors. */

import { events } from "./events.js";
import { failure, retryAfter, SearchFailed, StreamInterrupted } from "./errors.js";

/** How a client calls the service. */
export interface ClientOptions {
  /** An API key, created by `tesuji key`. */
  apiKey?: string;
  /** How often a request refused with 429 or 503 is retried, each time after the seconds in `Retry-After`; 2 by default. */
  retries?: number;
  /** The longest of these waits, in seconds; 30 by default. A longer one is an error at once. */
  longestWait?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which stops a search that waits for its response or streams. */
  signal?: AbortSignal | undefined;
}

/** A request. */
export interface Call {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  /** A value to send as JSON, or the bytes of a file. */
  body?: unknown;
  /** Undefined ones are omitted. */
  headers?: Record<string, string | undefined>;
}

/** The fields common to the messages of all streams. */
interface Message {
  final?: boolean;
  status?: string;
}

const RETRIED = [429, 503];

export class Connection {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #longestWait: number;
  readonly #fetch: typeof fetch;
  readonly retries: number;

  constructor(base: string, options: ClientOptions) {
    this.#base = base.replace(/\/$/, "");
    this.#headers = options.apiKey ? { Authorization: `Bearer ${options.apiKey}` } : {};
    this.#longestWait = options.longestWait ?? 30;
    // Browsers require `fetch` to be called on the window.
    this.#fetch = options.fetch ?? ((...call) => globalThis.fetch(...call));
    this.retries = options.retries ?? 2;
  }

  /** The response to a request, parsed as JSON. */
  async send<T>(call: Call, options?: CallOptions, retries?: number): Promise<T> {
    const response = await this.request(call, options, retries);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  /** The messages of a stream until the final one, each with the id of its event. */
  async *stream<M>(call: Call, options?: CallOptions): AsyncGenerator<{ id: string; message: M }, void, undefined> {
    const headers = { ...call.headers, Accept: "text/event-stream" };
    const { status, body } = await this.request({ ...call, headers }, options);
    if (status === 204 || body === null) return;
    for await (const { id, data } of events(body)) {
      const message = succeeded(JSON.parse(data) as M);
      yield { id, message };
      if ((message as Message).final) return;
    }
    throw new StreamInterrupted("the stream ended before its final message");
  }

  /** A successful response. */
  async request(call: Call, { signal }: CallOptions = {}, retries = this.retries): Promise<Response> {
    const { method, path, body } = call;
    const defined = Object.entries(call.headers ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const headers: Record<string, string> = { ...this.#headers, ...Object.fromEntries(defined) };
    const isFile = body instanceof Uint8Array;
    if (body !== undefined) headers["Content-Type"] = isFile ? "application/octet-stream" : "application/json";
    const sent = body === undefined ? null : isFile ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
    const init: RequestInit = { method, headers, body: sent, signal: signal ?? null };
    for (let left = retries; ; left -= 1) {
      const response = await this.#fetch(this.#base + path, init);
      if (response.ok) return response;
      const wait = retryAfter(response);
      if (left <= 0 || !RETRIED.includes(response.status) || wait === null || wait > this.#longestWait) {
        throw await failure(response);
      }
      await response.body?.cancel();
      await pause(wait, signal);
    }
  }
}

/** Returns a final message; throws `SearchFailed` if the search failed. */
export function succeeded<M>(message: M): M {
  if ((message as Message).status === "failed") throw new SearchFailed(message as ConstructorParameters<typeof SearchFailed>[0]);
  return message;
}

/** Waits `seconds`, unless the signal aborts. */
export async function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
