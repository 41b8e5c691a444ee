// @ts-check
/** The game on the board: where it began, its moves, and the position after each of them as the service describes it. */

import { ApiError, call } from "./api.js";
import { canonical, tokens } from "./notation.js";

/**
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").Position} Position
 * @typedef {import("./types.js").Variant} Variant
 * @typedef {{ game: Game, variant: Variant, start?: string | null, moves?: string[], at?: number }} Content
 */

/** Tells `change` when the game, its moves or the ply shown are others; `detail` is what caused it. */
export class Record extends EventTarget {
  /** @type {Game} */
  game;
  /** @type {Variant} */
  variant;
  /** The position it began from in the game's notation; null is the start. @type {string | null} */
  start = null;
  /** @type {string[]} */
  moves = [];
  /** How many of the moves have been played in the position shown. */
  at = 0;
  /** Who resigned. @type {import("./types.js").Side | null} */
  resigned = null;

  /** Positions by the number of moves played. @type {(Position | undefined)[]} */
  #positions = [];
  #epoch = 0;

  /** @param {Game} game */
  constructor(game) {
    super();
    this.game = game;
    this.variant = /** @type {any} */ (game.start.variant);
    this.#positions = [start(game)];
  }

  /** The position shown. */
  get position() {
    return /** @type {Position} */ (this.#positions[this.at]);
  }

  /** The position after so many moves, if it is known already. @param {number} ply */
  known(ply) {
    return this.#positions[ply];
  }

  get atEnd() {
    return this.at === this.moves.length;
  }

  /** Whether nothing more can be played from the position shown. */
  get over() {
    return this.position.outcome !== null || (this.resigned !== null && this.atEnd);
  }

  /** What a search of the position after so many moves is asked about. @returns {import("./types.js").Question} */
  question(at = this.at) {
    const { game, variant, start, moves } = this;
    return { game: game.name, variant, ...(start === null ? {} : { position: start }), moves: moves.slice(0, at) };
  }

  /** Who played a move, if that is known. @param {number} ply */
  mover(ply) {
    return this.#positions[ply]?.to_move;
  }

  /**
   * A move of the position after `ply` moves as people read it: in Xiangqi in Chinese notation, if that is wanted and known.
   * @param {number} ply
   * @param {string} move
   * @param {string} notation
   */
  label(ply, move, notation) {
    if (notation === "coordinates") return move;
    const found = this.#positions[ply]?.notations?.find((one) => one.move === move);
    return (notation === "wxf" ? found?.wxf : found?.chinese) ?? move;
  }

  /**
   * Another game, variant, or course of play. Refused by the service: nothing changes, and the promise fails with its reasons.
   * @param {Content} content
   */
  async load({ game, variant, start: from = null, moves = [], at = moves.length }) {
    const epoch = (this.#epoch += 1);
    const question = { game: game.name, variant, ...(from === null ? {} : { position: from }) };
    const plies = [...new Set([0, Math.min(at, moves.length), moves.length])];
    const found = await Promise.all(plies.map((ply) => describe({ ...question, moves: moves.slice(0, ply) })));
    if (epoch !== this.#epoch) return;
    this.game = game;
    this.variant = /** @type {any} */ (found[0]).variant;
    this.start = from;
    this.moves = moves;
    this.at = Math.min(at, moves.length);
    this.resigned = null;
    this.#positions = [];
    plies.forEach((ply, index) => (this.#positions[ply] = found[index]));
    this.#tell("load");
    void this.#complete(epoch);
  }

  /** The positions in between, for the moves' labels and for quick steps back and forth. @param {number} epoch */
  async #complete(epoch) {
    const missing = this.moves.map((_, ply) => ply).filter((ply) => !this.#positions[ply]);
    const worker = async () => {
      for (let ply = missing.shift(); ply !== undefined && epoch === this.#epoch; ply = missing.shift()) {
        const position = await describe(this.question(ply));
        if (epoch === this.#epoch) this.#positions[ply] = position;
      }
    };
    try {
      await Promise.all([worker(), worker(), worker(), worker()]);
    } catch (error) {
      // Labels stay plain; whoever needs a position asks for it, and is told then.
      if (!(error instanceof ApiError)) throw error;
    }
    if (epoch === this.#epoch && this.moves.length > 2) this.#tell("labels");
  }

  /**
   * Plays moves in the position shown; what followed it is forgotten.
   * @param {...string} moves
   */
  async play(...moves) {
    const epoch = (this.#epoch += 1);
    const line = [...this.moves.slice(0, this.at), ...moves];
    const plies = moves.map((_, index) => this.at + index + 1);
    const question = this.question(0);
    const found = await Promise.all(plies.map((ply) => describe({ ...question, moves: line.slice(0, ply) })));
    if (epoch !== this.#epoch) return;
    this.#positions.length = this.at + 1;
    plies.forEach((ply, index) => (this.#positions[ply] = found[index]));
    this.moves = line;
    this.at = line.length;
    this.resigned = null;
    this.#tell("play");
  }

  /** Shows the position after so many moves. @param {number} at */
  async go(at) {
    const target = Math.max(0, Math.min(at, this.moves.length));
    const epoch = (this.#epoch += 1);
    this.#positions[target] ??= await describe(this.question(target));
    if (epoch !== this.#epoch || target === this.at) return;
    this.at = target;
    this.#tell("go");
  }

  /** Takes back the last moves. @param {number} [count] */
  async undo(count = 1) {
    const left = Math.max(0, this.at - count);
    await this.go(left);
    if (this.at !== left) return;
    this.moves = this.moves.slice(0, left);
    this.#positions.length = left + 1;
    this.resigned = null;
    this.#tell("undo");
  }

  /** @param {import("./types.js").Side} side */
  resign(side) {
    this.resigned = side;
    this.#tell("resign");
  }

  /**
   * Reads a position, moves, or a position, the word `moves`, and moves.
   * @param {string} text
   */
  async paste(text) {
    const { game, variant } = this;
    const { start: from, moves } = tokens(game.name, text.trim());
    const question = { game: game.name, variant, ...(from === null ? {} : { position: from }) };
    const line = await canonical(game.name, variant, moves, (done) => describe({ ...question, moves: done }));
    await this.load({ game, variant, start: from, moves: line });
  }

  /** @param {string} cause */
  #tell(cause) {
    this.dispatchEvent(new CustomEvent("change", { detail: cause }));
  }
}

/** @param {any} question @returns {Promise<Position>} */
function describe(question) {
  return call("/v1/positions", { body: question });
}

/** The start position comes with the game. @param {Game} game @returns {Position} */
function start(game) {
  return /** @type {any} */ ({ ...game.start, position: game.start.text });
}
