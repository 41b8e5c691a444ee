/** Requests and answers: headers, retries, errors. */

import { events } from "./events.js";
import { failure, retryAfter, SearchFailed, StreamInterrupted } from "./errors.js";

/** How a client calls the service. */
export interface ClientOptions {
  /** A key that `tesuji key` made. */
  apiKey?: string;
  /** How often a request that is refused with 429 or 503 is sent again, each time after the seconds that the service names; 2. */
  retries?: number;
  /** The longest of these waits, in seconds; 30. A longer one is an error at once. */
  longestWait?: number;
  /** What takes the place of the global `fetch`. */
  fetch?: typeof fetch;
}

/** What each call takes. */
export interface CallOptions {
  /** Ends the call; a search that waits for its answer, or streams, is stopped by that. */
  signal?: AbortSignal | undefined;
}

/** A request. */
export interface Call {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  /** A value to be sent as JSON, or the bytes of a file. */
  body?: unknown;
  /** Those that are undefined are left out. */
  headers?: Record<string, string | undefined>;
}

/** What the messages of all streams share. */
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
    // Browsers insist that `fetch` is called on the window.
    this.#fetch = options.fetch ?? ((...call) => globalThis.fetch(...call));
    this.retries = options.retries ?? 2;
  }

  /** The answer to a request, as the contract has it. */
  async send<T>(call: Call, options?: CallOptions, retries?: number): Promise<T> {
    const response = await this.answer(call, options, retries);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  /** The messages of a stream until the final one, each with the id of its event. */
  async *stream<M>(call: Call, options?: CallOptions): AsyncGenerator<{ id: string; message: M }, void, undefined> {
    const headers = { ...call.headers, Accept: "text/event-stream" };
    const { status, body } = await this.answer({ ...call, headers }, options);
    if (status === 204 || body === null) return;
    for await (const { id, data } of events(body)) {
      const message = succeeded(JSON.parse(data) as M);
      yield { id, message };
      if ((message as Message).final) return;
    }
    throw new StreamInterrupted("the stream ended before its final message");
  }

  /** A successful response. */
  async answer(call: Call, { signal }: CallOptions = {}, retries = this.retries): Promise<Response> {
    const { method, path, body } = call;
    const given = Object.entries(call.headers ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const headers: Record<string, string> = { ...this.#headers, ...Object.fromEntries(given) };
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

/** A final message, or the exception for a search that failed. */
export function succeeded<M>(message: M): M {
  if ((message as Message).status === "failed") throw new SearchFailed(message as ConstructorParameters<typeof SearchFailed>[0]);
  return message;
}

/** Waits so many seconds, unless the signal ends that. */
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
