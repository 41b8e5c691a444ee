// @ts-check
/** The game on the board: where it began, its moves and what they did, and positions, all as the service describes them. */

import { ApiError, call } from "./api.js";
import { gameWord, moduleOf, prepare } from "./games.js";

/**
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").Position} Position
 * @typedef {import("./types.js").PlayedMove} PlayedMove
 * @typedef {import("./types.js").Variant} Variant
 * @typedef {{ game: Game, variant: Variant, start?: string | null, moves?: string[], at?: number, resigned?: import("./types.js").Side | null,
 *   timeout?: import("./types.js").Side | null, step?: import("./keeper.js").Step, branches?: Branch[] }} Content
 *
 * Moves that leave the game after so many of its own.
 * @typedef {{ at: number, moves: string[] }} Branch
 */

/** Tells `change` when the game, its moves or the ply shown are others; `detail` is what caused it. */
export class Record extends EventTarget {
  /** @type {Game} */
  game;
  /** @type {Variant} */
  variant;
  /** The position it began from in the game's notation; null is the start. @type {string | null} */
  start = null;
  /** The moves shown: those of the game, or of a branch from its first move on. @type {PlayedMove[]} */
  line = [];
  /** Tries that have left the game. @type {Branch[]} */
  branches = [];
  /** The one that is shown, by its index; null for the game. @type {number | null} */
  branch = null;
  /** The game, while a branch of it is shown. @type {{ line: PlayedMove[], positions: (Position | undefined)[] } | null} */
  #game = null;
  /** How many of the moves have been played in the position shown. */
  at = 0;
  /** Who resigned. @type {import("./types.js").Side | null} */
  resigned = null;
  /** Who lost on time. @type {import("./types.js").Side | null} */
  timeout = null;
  /** Which of the games kept in this browser was loaded, if it was one. @type {import("./keeper.js").Step} */
  step = null;

  /** Positions by the number of moves played. @type {(Position | undefined)[]} */
  #positions = [];
  #epoch = 0;
  /** A line that somebody looked at, from the position shown. @type {PlayedMove[]} */
  #ahead = [];
  /** The ply on the way to which it is. @type {number | null} */
  #heading = null;
  /** Plies whose positions are being asked for. @type {Set<number>} */
  #wanted = new Set();

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

  get moves() {
    return this.line.map(({ move }) => move);
  }

  /** The moves of the game itself, whatever is shown. */
  get trunk() {
    return this.#game?.line ?? this.line;
  }

  get main() {
    return this.trunk.map(({ move }) => move);
  }

  /** How many of the moves shown are the game's. */
  get shared() {
    return this.branch === null ? this.line.length : this.branches[this.branch].at;
  }

  /** The ply that will be shown once the service has answered: quick steps add up. */
  get heading() {
    return this.#heading ?? this.at;
  }

  get atEnd() {
    return this.at === this.line.length;
  }

  /** Whether nothing more can be played from the position shown. */
  get over() {
    return this.position.outcome !== null || (this.lost !== null && this.atEnd && this.branch === null);
  }

  /** Whether the rules leave nothing to search in the position shown: an adjudicated game can be played on. */
  get finished() {
    const { outcome } = this.position;
    return outcome !== null && !outcome.adjudicated;
  }

  /** Who lost without the rules' help, resigning or on time. */
  get lost() {
    return this.resigned ?? this.timeout;
  }

  /** The position after all moves, as far as it is known. */
  get final() {
    return this.#positions[this.line.length];
  }

  /** Whether the game is over, whichever position is shown. */
  get ended() {
    return this.lost !== null || Boolean(this.final?.outcome);
  }

  /** What a search of the position after so many moves is asked about. @returns {import("./types.js").Question} */
  question(at = this.at) {
    const { game, variant, start, moves } = this;
    return { game: game.name, variant, ...(start === null ? {} : { position: start }), moves: moves.slice(0, at) };
  }

  /** Who plays the move after so many, as far as that is known. @param {number} ply */
  mover(ply) {
    return this.line[ply]?.side ?? this.#positions[ply]?.to_move;
  }

  /**
   * A move of the position after `ply` moves in a notation. One that is not known yet comes in coordinates; listeners are told
   * when it is.
   * @param {number} ply
   * @param {string} move
   * @param {string} notation
   * @param {PlayedMove[]} [line] whose position it is, where that may not be the line shown: the game's
   */
  label(ply, move, notation, line = this.line) {
    if (!moduleOf(this.game).notations?.includes(notation)) return gameWord(this.game, "moves", move);
    const apart = line !== this.line && ply > this.shared;
    const position = (apart ? this.#game?.positions : this.#positions)?.[ply];
    const known = [line[ply], ...(position?.legal ?? [])].find((one) => one?.move === move);
    if (!known && !apart && ply <= line.length) void this.#learn(ply);
    return /** @type {{ [name: string]: string } | undefined} */ (known?.notations)?.[notation] ?? move;
  }

  /** A line as text: the first move as `label` gives it, the others in the service's notation. @param {number} ply @param {string[]} moves @param {string} notation */
  lineText(ply, moves, notation) {
    return moves.map((move, index) => (index === 0 ? this.label(ply, move, notation) : gameWord(this.game, "moves", move))).join(" ");
  }

  /** Asks for a position whose moves somebody wants to read. @param {number} ply */
  async #learn(ply) {
    if (this.#positions[ply] || this.#wanted.has(ply)) return;
    const epoch = this.#epoch;
    this.#wanted.add(ply);
    try {
      const position = await describe(this.question(ply));
      if (epoch !== this.#epoch) return;
      this.#positions[ply] = position;
      this.#tell("labels");
    } catch (error) {
      // Labels stay plain; whoever needs the position asks for it, and is told then.
      if (!(error instanceof ApiError)) throw error;
    } finally {
      this.#wanted.delete(ply);
    }
  }

  /**
   * What moves from the position shown would do, as far as that is known without asking: at least the first of them.
   * @param {string[]} moves
   * @returns {PlayedMove[]}
   */
  ahead(moves) {
    const same = moves.findIndex((move, index) => this.#ahead[index]?.move !== move);
    const known = this.#ahead.slice(0, same < 0 ? moves.length : same);
    if (known.length > 0) return known;
    const { legal, to_move, position } = this.position;
    const first = legal.find(({ move }) => move === moves[0]);
    return first ? [{ ...first, ply: 1, side: to_move, position }] : [];
  }

  /** The same once the service has been asked. @param {string[]} moves */
  async explore(moves) {
    const { at } = this;
    const epoch = this.#epoch;
    const question = this.question();
    try {
      const { line } = await describe({ ...question, moves: [...question.moves, ...moves] });
      if (epoch === this.#epoch) this.#ahead = line.slice(at);
    } catch (error) {
      // What is known can be seen.
      if (!(error instanceof ApiError)) throw error;
    }
    return this.ahead(moves);
  }

  /**
   * Another game, variant, or course of play. Refused by the service: nothing changes, and the promise fails with its reasons.
   * @param {Content} content
   */
  async load({ game, variant, start: from = null, moves = [], at = moves.length, resigned = null, timeout = null, step = null, branches = [] }) {
    const epoch = this.#begin();
    const question = { game: game.name, variant, ...(from === null ? {} : { position: from }) };
    const partial = at < moves.length ? describe({ ...question, moves: moves.slice(0, at) }) : undefined;
    const [whole, shown] = await Promise.all([describe({ ...question, moves }), partial, prepare(game)]);
    if (epoch === this.#epoch) this.#take(game, whole, shown, resigned, timeout, step, branches);
  }

  /**
   * @param {Game} game
   * @param {Position} whole the position after all moves
   * @param {Position} [shown] the one to be shown, if it is another
   * @param {Content["resigned"]} [resigned]
   * @param {Content["timeout"]} [timeout]
   * @param {Content["step"]} [step]
   * @param {Branch[]} [branches]
   */
  #take(game, whole, shown = whole, resigned = null, timeout = null, step = null, branches = []) {
    this.game = game;
    this.#game = this.branch = null;
    this.step = step;
    this.variant = whole.variant;
    this.start = whole.start;
    this.line = whole.line;
    this.branches = branches.filter(({ at }) => at <= whole.line.length);
    // Passes that were left out have been put in.
    this.at = shown.line.length;
    // Nobody can resign a game that has ended, or one not begun.
    const losable = this.line.length > 0 && whole.outcome === null;
    this.resigned = losable ? resigned : null;
    this.timeout = losable && resigned === null ? timeout : null;
    this.#positions = [];
    this.#positions[this.line.length] = whole;
    this.#positions[this.at] = shown;
    this.#tell("load");
  }

  /**
   * Plays moves after so many of those played. What followed is forgotten, unless they are only tried: then they branch off.
   * @param {string[]} moves
   * @param {number} at
   * @param {boolean} [tried]
   */
  async play(moves, at, tried = false) {
    if (!tried && this.#game) await this.home();
    const epoch = this.#begin();
    const question = this.question(at);
    const found = await describe({ ...question, moves: [...question.moves, ...moves] });
    if (epoch !== this.#epoch) return;
    if (tried) return this.#try(found);
    this.line = found.line;
    this.branches = this.branches.filter((one) => one.at <= at);
    this.#positions.length = at + 1;
    this.at = this.line.length;
    this.#positions[this.at] = found;
    this.resigned = this.timeout = null;
    this.#tell("play");
  }

  /** Shows a position that was tried: in the game, in the branch that is shown, or in a new one. @param {Position} found */
  async #try(found) {
    const { trunk, main } = this;
    const moves = found.line.map(({ move }) => move);
    const leaves = moves.findIndex((move, ply) => move !== main[ply]);
    if (leaves < 0) return this.home(moves.length);
    const own = moves.slice(leaves);
    const begins = (/** @type {string[]} */ whole, /** @type {string[]} */ part) => part.every((move, ply) => move === whole[ply]);
    const known = this.branches.findIndex((one) => one.at === leaves && begins(one.moves, own));
    if (known >= 0) return this.enter(known, moves.length);
    const current = this.branches[this.branch ?? -1];
    if (current?.at === leaves && begins(own, current.moves)) current.moves = own;
    else this.branch = this.branches.push({ at: leaves, moves: own }) - 1;
    this.#game ??= { line: trunk, positions: this.#positions };
    this.#show(found);
  }

  /** Shows the end of a line that is a branch. @param {Position} found */
  #show(found) {
    this.line = found.line;
    this.at = this.line.length;
    this.#positions = (this.#game?.positions ?? []).slice(0, this.shared + 1);
    this.#positions[this.at] = found;
    this.#tell("branch");
  }

  /** Shows a branch. @param {number} index @param {number} [at] the ply, else its end */
  async enter(index, at) {
    const epoch = this.#begin();
    const one = this.branches[index];
    const found = await describe({ ...this.question(0), moves: [...this.main.slice(0, one.at), ...one.moves] });
    // Others may have been removed meanwhile, or this one.
    index = this.branches.indexOf(one);
    if (epoch !== this.#epoch || index < 0) return;
    this.#game ??= { line: this.line, positions: this.#positions };
    this.branch = index;
    this.#show(found);
    if (at !== undefined) await this.go(at);
  }

  /** Shows the game again. @param {number} [at] the ply, else its end */
  async home(at) {
    if (this.#game) {
      const epoch = this.#begin();
      const { line, positions } = this.#game;
      if (at !== undefined) positions[at] ??= await describe({ ...this.question(0), moves: this.main.slice(0, at) });
      if (epoch !== this.#epoch) return;
      this.#game = this.branch = null;
      this.line = line;
      this.#positions = positions;
      this.at = at ?? line.length;
      this.#tell("branch");
    } else if (at !== undefined) await this.go(at);
  }

  /**
   * Plays a move at the end of the line, whichever position is shown: who looks at another one keeps it (`extend`), who saw the last
   * one sees the new one (`play`). It comes to nothing where the line has become another meanwhile.
   * @param {string} move
   */
  async extend(move) {
    const { line } = this;
    const question = this.question(line.length);
    const found = await describe({ ...question, moves: [...question.moves, move] });
    if (this.line !== line || this.ended) return;
    const follows = this.atEnd && this.#heading === null;
    this.line = found.line;
    this.#positions[this.line.length] = found;
    if (follows) {
      this.#begin();
      this.at = this.line.length;
    }
    this.#tell(follows ? "play" : "extend");
  }

  /** Shows the position after so many moves. @param {number} at */
  async go(at) {
    const target = Math.max(0, Math.min(at, this.line.length));
    const epoch = this.#begin();
    this.#heading = target;
    try {
      this.#positions[target] ??= await describe(this.question(target));
    } finally {
      if (epoch === this.#epoch) this.#heading = null;
    }
    if (epoch !== this.#epoch || target === this.at) return;
    this.at = target;
    this.#tell("go");
  }

  /** Takes back the last moves. @param {number} [count] */
  async undo(count = 1) {
    const left = Math.max(0, this.at - count);
    const epoch = this.#begin();
    this.#positions[left] ??= await describe(this.question(left));
    if (epoch !== this.#epoch) return;
    this.at = left;
    this.line = this.line.slice(0, left);
    this.branches = this.branches.filter((one) => one.at <= left);
    this.#positions.length = left + 1;
    this.resigned = this.timeout = null;
    this.#tell("undo");
  }

  /** What is being asked for just now comes to nothing. */
  halt() {
    this.#begin();
  }

  /** Begins something that ends whatever was begun before; its number tells later whether it still counts. */
  #begin() {
    this.#heading = null;
    return (this.#epoch += 1);
  }

  /** @param {import("./types.js").Side} side */
  resign(side) {
    if (this.ended) return;
    this.resigned = side;
    this.#tell("resign");
  }

  /** A side has no time left. @param {import("./types.js").Side} side */
  flag(side) {
    if (this.ended) return;
    this.timeout = side;
    this.#tell("timeout");
  }

  /** Takes what somebody pasted: a position, moves, or both. @param {string} text */
  async paste(text) {
    const { game, variant } = this;
    const epoch = this.#begin();
    const found = await describe({ game: game.name, variant, text });
    if (epoch === this.#epoch) this.#take(game, found);
  }

  /** The game as text: its moves, after the position it began from where that is not the start. */
  get text() {
    const moves = this.moves.join(moduleOf(this.game).join ?? " ");
    return this.start === null ? moves : `${this.start} moves ${moves}`;
  }

  /** @param {string} cause */
  #tell(cause) {
    if (cause !== "labels") this.#ahead = [];
    this.dispatchEvent(new CustomEvent("change", { detail: cause }));
  }
}

/** @param {any} question @returns {Promise<Position>} */
function describe(question) {
  return call("/v1/positions", { body: question });
}

/** The start position comes with the game. @param {Game} game @returns {Position} */
function start(game) {
  return /** @type {any} */ ({ ...game.start, position: game.start.text, start: null, line: [] });
}
