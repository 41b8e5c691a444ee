/** Searches, batches and reviews that go on without their client. */

import { type CallOptions, type Connection, pause, succeeded } from "./connection.js";
import { StreamInterrupted } from "./errors.js";

/** A search, batch or review on the server: `T` is its whole answer, `M` a message of its stream. */
export class Job<T, M = T> {
  readonly #connection: Connection;
  readonly #path: string;

  /** Made by the client: `startSearch`, `searchJob`, and their like. */
  constructor(connection: Connection, path: string) {
    this.#connection = connection;
    this.#path = path;
  }

  /** Its id, with which any client can ask for it again. */
  get id(): string {
    return this.#path.slice(this.#path.lastIndexOf("/") + 1);
  }

  /** How far it is, or its result; waits for the result so many seconds first, at most 300. */
  status({ wait, signal }: CallOptions & { wait?: number } = {}): Promise<T> {
    const headers = { Prefer: wait ? `wait=${wait}` : undefined };
    return this.#connection.send<T>({ method: "GET", path: this.#path, headers }, { signal });
  }

  /**
   * The newest message (of a batch: all results so far), then those to come until the final one. A connection that breaks is made
   * again, and goes on where it broke. Stopping early changes nothing for the job.
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

  /** Waits for the end; the result. */
  async result(options: CallOptions = {}): Promise<T> {
    for await (const _ of this.follow(options));
    return succeeded(await this.status(options));
  }

  /** Ends it; its final message holds the best found so far. */
  cancel(options: CallOptions = {}): Promise<T> {
    return this.#connection.send<T>({ method: "DELETE", path: this.#path }, options);
  }
}
