/** A typed client of Tesuji, the game-AI service. */

export { Client, type JobsOptions, type PuzzlesOptions, type StartOptions } from "./client.js";
export type { CallOptions, ClientOptions } from "./connection.js";
export type { components, operations, paths } from "./contract.js";
export { ProblemError, SearchFailed, StreamInterrupted, TesujiError, UnexpectedAnswer } from "./errors.js";
export { Job } from "./job.js";
export type * from "./types.js";
