// Types of the engine; those of requests and responses are the contract's (openapi.yaml).

import type { components } from "./dist/api.js";

type Schemas = components["schemas"];

/** What a game of the catalog is. */
export type Game = Schemas["Game"];
/** All games, and what a search may spend. */
export type Games = Schemas["GameList"];
export type PositionRequest = Schemas["PositionRequest"];
export type Position = Schemas["PositionResponse"];
export type SearchRequest = Schemas["SearchRequest"];
/** A search's result, and each message on the way to it. */
export type Search = Schemas["SearchResponse"];
export type ReviewRequest = Schemas["ReviewRequest"];
/** A review, and each message on the way to it. */
export type Review = Schemas["Review"];
export type Problem = Schemas["Problem"];

/** How far a file is that is being fetched: bytes so far, and in all (0 where that is not known). */
export interface Loading {
  file: string;
  loaded: number;
  total: number;
}

export interface EngineOptions {
  /** The folder with `tesuji.wasm` and the files of games, with a slash at its end; `dist/` beside this module by default. */
  base?: string | URL;
  /**
   * How many workers a search with several threads may use at the same time. All cores but one by default; 1 where their
   * number is not known.
   */
  workers?: number;
  /** Hears of files as they are fetched. */
  onLoad?: (loading: Loading) => void;
}

export interface WorkOptions<Message> {
  /** Hears every message but the last, as often as `report.interval_ms` says. */
  onProgress?: (message: Message) => void;
  /** Stops the work, which then ends with what it has found: its status is `cancelled`. */
  signal?: AbortSignal;
}

/** A request that was refused, or failed. */
export class EngineError extends Error {
  constructor(problem: Problem);
  /** The whole document. */
  readonly problem: Problem;
  readonly code: Problem["code"];
  /** The status that the server would answer with. */
  readonly status: number;
  /** JSON Pointers to the refused parts of the request. */
  readonly errors: Problem["errors"];
}

export interface Engine {
  /** What `GET /v1/games` answers. */
  games(): Promise<Games>;
  /** What `GET /v1/games/{game}` answers. */
  game(name: string): Promise<Game>;
  /** What `POST /v1/positions` answers, at once, whatever is searched meanwhile. */
  position(request: PositionRequest): Promise<Position>;
  /** What `POST /v1/searches` answers. Searches wait for each other, and reviews do. */
  search(request: SearchRequest, options?: WorkOptions<Search>): Promise<Search>;
  /** A review's last message. */
  review(request: ReviewRequest, options?: WorkOptions<Review>): Promise<Review>;
  /** Fetches the file that searches of a game use, if it has one; they do so themselves where it was not done before. */
  prepare(game: string): Promise<void>;
  /** Bytes of memory that the workers have in which searches run. */
  readonly memory: number;
  /** Ends the workers. What is under way fails. */
  close(): void;
}

/** Makes an engine. Nothing is fetched before the first call. */
export function createEngine(options?: EngineOptions): Engine;
