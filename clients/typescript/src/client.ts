/** The calls of the service. */

import { type CallOptions, type ClientOptions, Connection, succeeded } from "./connection.js";
import { Job } from "./job.js";
import type {
  Batch, BatchMessage, BatchRequest, Game, GameList, GameName, GameRecord, JobEntry, JobKind, Position, PositionRequest,
  Puzzle, PuzzleKind, RecordRequest, Review, ReviewRequest, Schemas, SearchRequest, SearchResponse, Status,
} from "./types.js";

/** Options of a call that starts work which continues without its client. */
export interface StartOptions extends CallOptions {
  /** Repeating the request with the same key returns the same work. */
  idempotencyKey?: string;
}

/** Options of a call for this client's jobs. */
export interface JobsOptions extends CallOptions {
  /** Jobs of this kind only. */
  kind?: JobKind;
}

/** Which puzzles a call lists. */
export interface PuzzlesOptions extends CallOptions {
  /** Puzzles of this game only. */
  game?: GameName;
  /** Puzzles with this result only. */
  kind?: PuzzleKind;
  /** Puzzles of this difficulty only, from 1 to 5. */
  difficulty?: number;
}

/** The query parameters that are not empty. */
function searchParams(query: Record<string, string | null | undefined>): URLSearchParams {
  return new URLSearchParams(Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]));
}

/** Calls a Tesuji service. */
export class Client {
  readonly #connection: Connection;

  /** @param base the service's address; an empty string is the page's own origin */
  constructor(base = "http://127.0.0.1:8080", options: ClientOptions = {}) {
    this.#connection = new Connection(base, options);
  }

  /** The games, and the limits of a search. */
  games(options?: CallOptions): Promise<GameList> {
    return this.#get("/v1/games", options);
  }

  /** One game, with its variants, notation, engines and start position. */
  game(name: GameName, options?: CallOptions): Promise<Game> {
    return this.#get(`/v1/games/${name}`, options);
  }

  /** Uploads a game that is not built in: a WebAssembly module or JavaScript. With `dryRun` it is only checked. */
  uploadGame(name: GameName, file: Uint8Array, { dryRun = false, ...options }: CallOptions & { dryRun?: boolean } = {}): Promise<Game> {
    const path = `/v1/games/${name}${dryRun ? "?dry_run=true" : ""}`;
    return this.#connection.send({ method: "PUT", path, body: file }, options);
  }

  /** Removes an uploaded game. */
  removeGame(name: GameName, options?: CallOptions): Promise<void> {
    return this.#connection.send({ method: "DELETE", path: `/v1/games/${name}` }, options);
  }

  /** The rules alone: the position after some moves, and its legal moves. */
  position(request: PositionRequest, options?: CallOptions): Promise<Position> {
    return this.#post("/v1/positions", request, options);
  }

  /** A picture of a position: an SVG document. `picture` sets its size, theme and marks. */
  picture(request: PositionRequest, options?: CallOptions & { format?: "svg" }): Promise<string>;
  /** The same as a PNG file. */
  picture(request: PositionRequest, options: CallOptions & { format: "png" }): Promise<Uint8Array>;
  async picture(body: PositionRequest, { format = "svg", ...options }: CallOptions & { format?: "svg" | "png" } = {}): Promise<string | Uint8Array> {
    const headers = { Accept: format === "svg" ? "image/svg+xml" : "image/png" };
    const response = await this.#connection.request({ method: "POST", path: "/v1/positions", body, headers }, options);
    return format === "svg" ? response.text() : new Uint8Array(await response.arrayBuffer());
  }

  /** A record of a game, read from a `text` in any format or given move by move; with `write`, also as text in that format. */
  record(request: RecordRequest, options?: CallOptions): Promise<GameRecord> {
    return this.#post("/v1/records", request, options);
  }

  /** Searches a position. Aborting the signal stops the search. */
  async search(request: SearchRequest, options?: CallOptions): Promise<SearchResponse> {
    return succeeded(await this.#post<SearchResponse>("/v1/searches", request, options));
  }

  /** Searches a position, and reports progress until the result. Leaving the loop, or aborting the signal, stops the search. */
  streamSearch(request: SearchRequest, options?: CallOptions): AsyncGenerator<SearchResponse, void, undefined> {
    return this.#stream("/v1/searches", request, options);
  }

  /** Starts a search that continues without this client, until it ends or is cancelled. */
  async startSearch(request: SearchRequest, options?: StartOptions): Promise<Job<SearchResponse>> {
    return this.searchJob(await this.#start("/v1/searches", request, options));
  }

  /** An earlier search, by its id. */
  searchJob(id: string): Job<SearchResponse> {
    return new Job(this.#connection, `/v1/searches/${id}`);
  }

  /** Searches many positions. */
  batch(request: BatchRequest, options?: CallOptions): Promise<Batch> {
    return this.#post("/v1/batches", request, options);
  }

  /** Searches many positions: yields each result as its search ends, the totals last. Leaving the loop cancels the batch. */
  streamBatch(request: BatchRequest, options?: CallOptions): AsyncGenerator<BatchMessage, void, undefined> {
    return this.#stream("/v1/batches", request, options);
  }

  /** Starts a batch that continues without this client, until it ends or is cancelled. */
  async startBatch(request: BatchRequest, options?: StartOptions): Promise<Job<Batch, BatchMessage>> {
    return this.batchJob(await this.#start("/v1/batches", request, options));
  }

  /** An earlier batch, by its id. */
  batchJob(id: string): Job<Batch, BatchMessage> {
    return new Job(this.#connection, `/v1/batches/${id}`);
  }

  /** Reviews a game move by move, and waits for the end. Aborting the signal cancels the review. */
  async review(request: ReviewRequest, options?: CallOptions): Promise<Review> {
    options?.signal?.throwIfAborted();
    // Sent without the signal, since only the response has the id to cancel.
    const job = await this.startReview(request);
    try {
      options?.signal?.throwIfAborted();
      return await job.result(options);
    } catch (error) {
      await job.cancel().catch(() => {});
      throw error;
    }
  }

  /** Starts a review; follow it for the moves reviewed so far. */
  async startReview(request: ReviewRequest, options?: CallOptions): Promise<Job<Review>> {
    return this.reviewJob((await this.#post<Review>("/v1/reviews", request, options)).id);
  }

  /** An earlier review, by its id. */
  reviewJob(id: string): Job<Review> {
    return new Job(this.#connection, `/v1/reviews/${id}`);
  }

  /** This client's searches, batches and reviews that can be polled, newest first; all, or those in some states. */
  jobs({ status, ...options }: JobsOptions & { status?: Status[] } = {}): AsyncGenerator<JobEntry, void, undefined> {
    return this.#jobs("GET", { status: status?.join(","), limit: "1000" }, options);
  }

  /** Cancels this client's unfinished searches, batches and reviews. Their results so far are kept. */
  async cancelJobs(options?: JobsOptions): Promise<JobEntry[]> {
    const cancelled: JobEntry[] = [];
    for await (const job of this.#jobs("DELETE", {}, options)) cancelled.push(job);
    return cancelled;
  }

  /** Positions with one solution, by game, easiest first; all, or those of a game, result or difficulty. */
  async *puzzles({ game, kind, difficulty, signal }: PuzzlesOptions = {}): AsyncGenerator<Puzzle, void, undefined> {
    let after: string | null | undefined;
    do {
      const query = { game, kind, difficulty: difficulty?.toString(), after, limit: "1000" };
      const part: Schemas["PuzzleList"] = await this.#get(`/v1/puzzles?${searchParams(query)}`, { signal });
      yield* part.puzzles;
      after = part.next;
    } while (after);
  }

  /** The program and version of the service. */
  version(options?: CallOptions): Promise<Schemas["ProgramVersion"]> {
    return this.#get("/version", options);
  }

  /** Whether the service would admit another search now; throws a `ProblemError` if not, without a retry. */
  ready(options?: CallOptions): Promise<Schemas["Readiness"]> {
    return this.#connection.send({ method: "GET", path: "/readyz" }, options, 0);
  }

  /** The nodes of the cluster. */
  cluster(options?: CallOptions): Promise<Schemas["Cluster"]> {
    return this.#get("/v1/cluster", options);
  }

  #get<T>(path: string, options?: CallOptions): Promise<T> {
    return this.#connection.send({ method: "GET", path }, options);
  }

  #post<T>(path: string, body: unknown, options?: CallOptions): Promise<T> {
    return this.#connection.send({ method: "POST", path, body }, options);
  }

  /** The jobs of all pages of a list. */
  async *#jobs(
    method: "GET" | "DELETE", query: Record<string, string | undefined>, { kind, signal }: JobsOptions = {},
  ): AsyncGenerator<JobEntry, void, undefined> {
    let before: string | null | undefined;
    do {
      const path = `/v1/jobs?${searchParams({ ...query, kind, before })}`;
      const part: Schemas["JobList"] = await this.#connection.send({ method, path }, { signal });
      yield* part.jobs;
      before = part.next;
    } while (before);
  }

  async #start(path: string, body: unknown, options: StartOptions = {}): Promise<string> {
    const headers = { Prefer: "respond-async", "Idempotency-Key": options.idempotencyKey };
    return (await this.#connection.send<{ id: string }>({ method: "POST", path, body, headers }, options)).id;
  }

  async *#stream<M>(path: string, body: unknown, options?: CallOptions): AsyncGenerator<M, void, undefined> {
    for await (const { message } of this.#connection.stream<M>({ method: "POST", path, body }, options)) yield message;
  }
}
