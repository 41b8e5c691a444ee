// Types of the engine. The types of requests and responses come from the contract (openapi.yaml).

import type { components } from "./dist/api.js";

type Schemas = components["schemas"];

/** A game of the catalog. */
export type Game = Schemas["Game"];
/** All games, and the limits of searches. */
export type Games = Schemas["GameList"];
export type PositionRequest = Schemas["PositionRequest"];
export type Position = Schemas["PositionResponse"];
export type SearchRequest = Schemas["SearchRequest"];
/** A search's result, and each progress message. */
export type Search = Schemas["SearchResponse"];
export type ReviewRequest = Schemas["ReviewRequest"];
/** A review's result, and each progress message. */
export type Review = Schemas["Review"];
export type Problem = Schemas["Problem"];

/** The progress of a file being fetched: bytes so far and in total (0 if unknown). */
export interface Loading {
  file: string;
  loaded: number;
  total: number;
}

export interface EngineOptions {
  /** The folder with `tesuji.wasm` and the files of games, with a slash at its end; `dist/` beside this module by default. */
  base?: string | URL;
  /**
   * How many workers a search with several threads may use at the same time. All cores but one by default; 1 if their number is
   * unknown.
   */
  workers?: number;
  /** Called as files are fetched. */
  onLoad?: (loading: Loading) => void;
}

export interface WorkOptions<Message> {
  /** Called with every message but the last, at the interval `report.interval_ms`. */
  onProgress?: (message: Message) => void;
  /** Stops the work, which then returns what it has found, with the status `cancelled`. */
  signal?: AbortSignal;
}

/** A refused or failed request. */
export class EngineError extends Error {
  constructor(problem: Problem);
  /** The whole document. */
  readonly problem: Problem;
  readonly code: Problem["code"];
  /** The HTTP status that the server would send. */
  readonly status: number;
  /** JSON Pointers to the refused parts of the request. */
  readonly errors: Problem["errors"];
}

export interface Engine {
  /** The response of `GET /v1/games`. */
  games(): Promise<Games>;
  /** The response of `GET /v1/games/{game}`. */
  game(name: string): Promise<Game>;
  /** The response of `POST /v1/positions`, at once even during searches. */
  position(request: PositionRequest): Promise<Position>;
  /** The response of `POST /v1/searches`. Searches run one at a time, and so do reviews. */
  search(request: SearchRequest, options?: WorkOptions<Search>): Promise<Search>;
  /** A review's final message. */
  review(request: ReviewRequest, options?: WorkOptions<Review>): Promise<Review>;
  /** Fetches the file that a game's searches use, if any; otherwise the first search fetches it. */
  prepare(game: string): Promise<void>;
  /** The memory of the search and review workers, in bytes. */
  readonly memory: number;
  /** Ends the workers. Calls in progress fail. */
  close(): void;
}

/** Makes an engine. Nothing is fetched before the first call. */
export function createEngine(options?: EngineOptions): Engine;
