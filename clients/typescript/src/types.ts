/** The contract's main types under short names. All others are in `Schemas`. */

import type { components } from "./contract.js";

/** Every schema of the contract, by its name. */
export type Schemas = components["schemas"];

/** A game: a built-in one, or another of the server. */
export type GameName = Schemas["BuiltInGame"] | (string & {});
export type Side = Schemas["Side"];
export type PositionRequest = Schemas["PositionRequest"];
export type RecordRequest = Schemas["RecordRequest"];
/** A game record: its moves with their annotations, and facts about the game. */
export type GameRecord = Schemas["Record"];
export type SearchRequest = Schemas["SearchRequest"];
export type BatchRequest = Schemas["BatchRequest"];
export type ReviewRequest = Schemas["ReviewRequest"];
export type GameList = Schemas["GameList"];
export type Game = Schemas["Game"];
export type Position = Schemas["PositionResponse"];
export type SearchResponse = Schemas["SearchResponse"];
export type Child = Schemas["Child"];
export type Batch = Schemas["Batch"];
export type BatchMessage = Schemas["BatchMessage"];
export type Review = Schemas["Review"];
export type JobEntry = Schemas["JobEntry"];
export type JobKind = Schemas["JobKind"];
export type Puzzle = Schemas["Puzzle"];
export type PuzzleKind = Schemas["PuzzleKind"];
export type Status = Schemas["Status"];
export type Problem = Schemas["Problem"];
export type ProblemCode = Schemas["ProblemCode"];
