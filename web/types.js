// @ts-check
/** Names for the contract's types, generated from openapi.yaml when the page is checked. */

/**
 * @typedef {import("api").components["schemas"]} Schemas
 * @typedef {Schemas["Game"]} Game
 * @typedef {Schemas["GameBoard"]} GameBoard
 * @typedef {Schemas["BoardPiece"]} BoardPiece
 * @typedef {Schemas["Engine"]} Engine
 * @typedef {Schemas["Parameter"]} Parameter
 * @typedef {Schemas["Policy"]} Policy
 * @typedef {Schemas["Side"]} Side
 * @typedef {NonNullable<Schemas["Outcome"]>} Outcome
 * @typedef {Schemas["SearchResponse"]} Search
 * @typedef {Schemas["Child"]} Child
 * @typedef {Pick<Schemas["Root"], "value" | "win" | "draw" | "loss" | "stderr" | "score" | "bound" | "proven" | "distance">} Knowledge
 * @typedef {Schemas["Review"]} Review
 * @typedef {Schemas["Reason"]} Reason
 * @typedef {Schemas["Problem"]} Problem
 * @typedef {Schemas["LegalMove"]} LegalMove
 * @typedef {Schemas["PlayedMove"]} PlayedMove
 */

/**
 * A position, with the fields common to all games. A game's module reads its own facts.
 * @typedef {Schemas["PositionFacts"] & { variant: Variant, cells: string[] }} Position
 */

/** @typedef {Omit<Schemas["Puzzle"], "variant"> & { variant: Variant }} Puzzle */

/**
 * A variant with its parameters.
 * @typedef {{ name: string, [parameter: string]: string | number | boolean }} Variant
 */

/**
 * The game and position of a search or review request.
 * @typedef {{ game: Game["name"], variant: Variant, position?: string, moves: string[] }} PositionQuery
 */

export {};
