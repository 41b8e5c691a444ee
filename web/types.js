// @ts-check
/** Names for the contract's types, generated from openapi.yaml when the page is checked. */

/**
 * @typedef {import("api").components["schemas"]} Schemas
 * @typedef {Schemas["Game"]} Game
 * @typedef {Schemas["Engine"]} Engine
 * @typedef {Schemas["Parameter"]} Parameter
 * @typedef {Schemas["Policy"]} Policy
 * @typedef {Schemas["Side"]} Side
 * @typedef {NonNullable<Schemas["Outcome"]>} Outcome
 * @typedef {Schemas["SearchResponse"]} Search
 * @typedef {Schemas["Child"]} Child
 * @typedef {Schemas["Knowledge"]} Knowledge
 * @typedef {Schemas["Review"]} Review
 * @typedef {Schemas["Problem"]} Problem
 */

/**
 * A position as the page uses it: the fields of `PositionResponse`, each game's own facts optional.
 * @typedef {{
 *   position: string, to_move: Side, ply: number, outcome: Outcome | null, legal_moves: string[], cells: string[],
 *   forbidden?: Schemas["GomokuFacts"]["forbidden"], five?: string[] | null, opening?: Schemas["GomokuFacts"]["opening"],
 *   discs?: { first: number, second: number }, boxes?: { first: number, second: number }, in_check?: boolean,
 *   repetition?: Schemas["XiangqiFacts"]["repetition"], notations?: Schemas["XiangqiFacts"]["notations"],
 * }} Position
 */

/**
 * A variant with its parameters.
 * @typedef {{ name: string, [parameter: string]: string | number }} Variant
 */

/**
 * What a search or a review is asked about.
 * @typedef {{ game: Game["name"], variant: Variant, position?: string, moves: string[] }} Question
 */

export {};
