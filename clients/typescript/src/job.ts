/** Searches, batches and reviews that continue without their client. */

import { type CallOptions, type Connection, pause, succeeded } from "./connection.js";
import { StreamInterrupted } from "./errors.js";

/** A search, batch or review on the server: `T` is its complete response, `M` a message of its stream. */
export class Job<T, M = T> {
  readonly #connection: Connection;
  readonly #path: string;

  /** Created by the client, with `startSearch`, `searchJob` etc. */
  constructor(connection: Connection, path: string) {
    this.#connection = connection;
    this.#path = path;
  }

  /** Its id, with which its client can retrieve it later. */
  get id(): string {
    return this.#path.slice(this.#path.lastIndexOf("/") + 1);
  }

  /** Its progress or result, after up to `wait` seconds of waiting for the result, at most 300. */
  status({ wait, signal }: CallOptions & { wait?: number } = {}): Promise<T> {
    const headers = { Prefer: wait ? `wait=${wait}` : undefined };
    return this.#connection.send<T>({ method: "GET", path: this.#path, headers }, { signal });
  }

  /**
   * Yields the newest message (of a batch: all results so far), then later ones until the final one. A broken connection is
   * reopened, and resumes where it broke. Stopping early does not affect the job.
   */
  async *follow(options: CallOptions = {}): AsyncGenerator<M, void, undefined> {
    let last: string | undefined;
    for (let left = this.#connection.retries; ; left -= 1) {
      const call = { method: "GET", path: `${this.#path}/events`, headers: { "Last-Event-ID": last } } as const;
      try {
        for await (const { id, message } of this.#connection.stream<M>(call, options)) {
          [last, left] = [id, this.#connection.retries];
          yield message;
        }
        return;
      } catch (error) {
        // `fetch` reports a broken connection as a TypeError.
        if (left <= 0 || !(error instanceof TypeError || error instanceof StreamInterrupted)) throw error;
        await pause(1, options.signal);
      }
    }
  }

  /** Waits for the end, and returns the result. */
  async result(options: CallOptions = {}): Promise<T> {
    for await (const _ of this.follow(options));
    return succeeded(await this.status(options));
  }

  /** Cancels it; its final message has the best result so far. */
  cancel(options: CallOptions = {}): Promise<T> {
    return this.#connection.send<T>({ method: "DELETE", path: this.#path }, options);
  }
}
