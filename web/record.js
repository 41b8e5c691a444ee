// @ts-check
/** The game on the board: its start, its moves and their effects, and positions, all as the service describes them. */

import { ApiError, call } from "./api.js";
import { gameWord, moduleOf, prepare } from "./games.js";
import { Lines } from "./lines.js";

/**
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").Position} Position
 * @typedef {import("./types.js").PlayedMove} PlayedMove
 * @typedef {import("./types.js").Variant} Variant
 * @typedef {{ game: Game, variant: Variant, start?: string | null, moves?: string[], at?: number, resigned?: import("./types.js").Side | null,
 *   timeout?: import("./types.js").Side | null, historyState?: import("./session.js").HistoryState, branches?: Branch[] }} Content
 *
 * Moves that leave the game after its first `at` moves.
 * @typedef {{ at: number, moves: string[] }} Branch
 */

/** Dispatches `change` when the game, its moves or the ply shown change; `detail` is the cause. */
export class Record extends EventTarget {
  /** @type {Game} */
  game;
  /** @type {Variant} */
  variant;
  /** The position it began from, in the game's notation; null for the start. @type {string | null} */
  start = null;
  /** The moves shown: the game's, or a branch's with the game's moves before it. @type {PlayedMove[]} */
  line = [];
  /** Tried moves that leave the game. @type {Branch[]} */
  branches = [];
  /** The index of the branch shown; null for the game. @type {number | null} */
  branch = null;
  /** The game, while a branch of it is shown. @type {{ line: PlayedMove[], positions: (Position | undefined)[] } | null} */
  #mainState = null;
  /** How many moves have been played in the position shown. */
  at = 0;
  /** Who resigned. @type {import("./types.js").Side | null} */
  resigned = null;
  /** Who lost on time. @type {import("./types.js").Side | null} */
  timeout = null;
  /** The history state of the stored game that was loaded, if any. @type {import("./session.js").HistoryState} */
  historyState = null;

  /** Positions by the number of moves played. @type {(Position | undefined)[]} */
  #positions = [];
  #epoch = 0;
  /** The line last explored from the position shown. @type {PlayedMove[]} */
  #preview = [];
  /** The ply being loaded. @type {number | null} */
  #target = null;
  /** Plies whose positions are being requested. @type {Set<number>} */
  #requested = new Set();
  /** The texts of lines of play. */
  lines = new Lines(this);

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

  /** The moves of the game itself, even while a branch is shown. */
  get mainLine() {
    return this.#mainState?.line ?? this.line;
  }

  get mainMoves() {
    return this.mainLine.map(({ move }) => move);
  }

  /** How many of the moves shown are the game's. */
  get shared() {
    return this.branch === null ? this.line.length : this.branches[this.branch].at;
  }

  /** The ply that will be shown once the service has responded, so that quick steps add up. */
  get targetPly() {
    return this.#target ?? this.at;
  }

  get atEnd() {
    return this.at === this.line.length;
  }

  /** Whether nothing more can be played from the position shown. */
  get over() {
    return this.position.outcome !== null || (this.loser !== null && this.atEnd && this.branch === null);
  }

  /** Whether the rules leave nothing to search in the position shown: an adjudicated game can be played on. */
  get finished() {
    const { outcome } = this.position;
    return outcome !== null && !outcome.adjudicated;
  }

  /** Who resigned or lost on time. */
  get loser() {
    return this.resigned ?? this.timeout;
  }

  /** The position after all moves, if known. */
  get final() {
    return this.#positions[this.line.length];
  }

  /** Whether the game is over, whichever position is shown. */
  get ended() {
    return this.loser !== null || Boolean(this.final?.outcome);
  }

  /** The request fields for the position after `at` moves. @returns {import("./types.js").PositionQuery} */
  request(at = this.at) {
    const { game, variant, start, moves } = this;
    return { game: game.name, variant, ...(start === null ? {} : { position: start }), moves: moves.slice(0, at) };
  }

  /** Who plays the move after `ply` others, if known. @param {number} ply */
  mover(ply) {
    return this.line[ply]?.side ?? this.#positions[ply]?.to_move;
  }

  /**
   * A move after `ply` others, in a notation; in coordinates until that is known, which a `labels` change reports.
   * @param {number} ply
   * @param {string} move
   * @param {string} notation
   * @param {PlayedMove[]} [line] the line of the position, if not the one shown: the game's
   */
  label(ply, move, notation, line = this.line) {
    if (!moduleOf(this.game).notations?.includes(notation)) return gameWord(this.game, "moves", move);
    const apart = line !== this.line && ply > this.shared;
    const position = (apart ? this.#mainState?.positions : this.#positions)?.[ply];
    const known = [line[ply], ...(position?.legal ?? [])].find((one) => one?.move === move);
    if (!known && !apart && ply <= line.length) void this.#fetchLabels(ply);
    return /** @type {{ [name: string]: string } | undefined} */ (known?.notations)?.[notation] ?? move;
  }

  /** Requests a position whose moves need labels. @param {number} ply */
  async #fetchLabels(ply) {
    if (this.#positions[ply] || this.#requested.has(ply)) return;
    const epoch = this.#epoch;
    this.#requested.add(ply);
    try {
      const position = await describe(this.request(ply));
      if (epoch !== this.#epoch) return;
      this.#positions[ply] = position;
      this.#emit("labels");
    } catch (error) {
      // Labels stay plain; a caller that needs the position requests it and gets the error.
      if (!(error instanceof ApiError)) throw error;
    } finally {
      this.#requested.delete(ply);
    }
  }

  /**
   * What moves from the position shown would do, as far as known without a request: at least the first, if legal.
   * @param {string[]} moves
   * @returns {PlayedMove[]}
   */
  knownPreview(moves) {
    const same = moves.findIndex((move, index) => this.#preview[index]?.move !== move);
    const known = this.#preview.slice(0, same < 0 ? moves.length : same);
    if (known.length > 0) return known;
    const { legal, to_move, position } = this.position;
    const first = legal.find(({ move }) => move === moves[0]);
    return first ? [{ ...first, ply: 1, side: to_move, position }] : [];
  }

  /** The same after a request to the service. @param {string[]} moves */
  async preview(moves) {
    const { at } = this;
    const epoch = this.#epoch;
    const request = this.request();
    try {
      const { line } = await describe({ ...request, moves: [...request.moves, ...moves] });
      if (epoch === this.#epoch) this.#preview = line.slice(at);
    } catch (error) {
      // What is known is still returned.
      if (!(error instanceof ApiError)) throw error;
    }
    return this.knownPreview(moves);
  }

  /**
   * Loads another game, variant or line. If the service refuses it, nothing changes and the promise rejects with the reasons.
   * @param {Content} content
   */
  async load({ game, variant, start: from = null, moves = [], at = moves.length, resigned = null, timeout = null, historyState = null, branches = [] }) {
    const epoch = this.#supersede();
    const request = { game: game.name, variant, ...(from === null ? {} : { position: from }) };
    const partial = at < moves.length ? describe({ ...request, moves: moves.slice(0, at) }) : undefined;
    const [whole, shown] = await Promise.all([describe({ ...request, moves }), partial, prepare(game)]);
    if (epoch === this.#epoch) this.#setGame(game, whole, shown, resigned, timeout, historyState, branches);
  }

  /**
   * @param {Game} game
   * @param {Position} whole the position after all moves
   * @param {Position} [shown] the one to show, if different
   * @param {Content["resigned"]} [resigned]
   * @param {Content["timeout"]} [timeout]
   * @param {Content["historyState"]} [historyState]
   * @param {Branch[]} [branches]
   */
  #setGame(game, whole, shown = whole, resigned = null, timeout = null, historyState = null, branches = []) {
    this.game = game;
    this.#mainState = this.branch = null;
    this.historyState = historyState;
    this.variant = whole.variant;
    this.start = whole.start;
    this.line = whole.line;
    this.branches = branches.filter(({ at }) => at <= whole.line.length);
    // The service has inserted omitted passes.
    this.at = shown.line.length;
    // A game that has ended, or not begun, cannot be resigned.
    const losable = this.line.length > 0 && whole.outcome === null;
    this.resigned = losable ? resigned : null;
    this.timeout = losable && resigned === null ? timeout : null;
    this.#positions = [];
    this.#positions[this.line.length] = whole;
    this.#positions[this.at] = shown;
    this.#emit("load");
  }

  /**
   * Plays moves after the first `at`, in place of those that followed, or as a branch if only tried.
   * @param {string[]} moves
   * @param {number} at
   * @param {boolean} [tried]
   */
  async play(moves, at, tried = false) {
    if (!tried && this.#mainState) await this.leaveBranch();
    const epoch = this.#supersede();
    const request = this.request(at);
    const found = await describe({ ...request, moves: [...request.moves, ...moves] });
    if (epoch !== this.#epoch) return;
    if (tried) return this.#showTried(found);
    this.line = found.line;
    this.branches = this.branches.filter((one) => one.at <= at);
    this.#positions.length = at + 1;
    this.at = this.line.length;
    this.#positions[this.at] = found;
    this.resigned = this.timeout = null;
    this.#emit("play");
  }

  /** Shows a position that was tried: in the game, in the branch that is shown, or in a new one. @param {Position} found */
  async #showTried(found) {
    const { mainLine, mainMoves } = this;
    const moves = found.line.map(({ move }) => move);
    const leaves = moves.findIndex((move, ply) => move !== mainMoves[ply]);
    if (leaves < 0) return this.leaveBranch(moves.length);
    const own = moves.slice(leaves);
    const begins = (/** @type {string[]} */ whole, /** @type {string[]} */ part) => part.every((move, ply) => move === whole[ply]);
    const known = this.branches.findIndex((one) => one.at === leaves && begins(one.moves, own));
    if (known >= 0) return this.showBranch(known, moves.length);
    const current = this.branches[this.branch ?? -1];
    if (current?.at === leaves && begins(own, current.moves)) current.moves = own;
    else this.branch = this.branches.push({ at: leaves, moves: own }) - 1;
    this.#mainState ??= { line: mainLine, positions: this.#positions };
    this.#showBranchEnd(found);
  }

  /** Shows the end of a branch. @param {Position} found */
  #showBranchEnd(found) {
    this.line = found.line;
    this.at = this.line.length;
    this.#positions = (this.#mainState?.positions ?? []).slice(0, this.shared + 1);
    this.#positions[this.at] = found;
    this.#emit("branch");
  }

  /** Shows a branch. @param {number} index @param {number} [at] the ply, else its end */
  async showBranch(index, at) {
    const epoch = this.#supersede();
    const one = this.branches[index];
    const found = await describe({ ...this.request(0), moves: [...this.mainMoves.slice(0, one.at), ...one.moves] });
    // This or other branches may have been removed meanwhile.
    index = this.branches.indexOf(one);
    if (epoch !== this.#epoch || index < 0) return;
    this.#mainState ??= { line: this.line, positions: this.#positions };
    this.branch = index;
    this.#showBranchEnd(found);
    if (at !== undefined) await this.go(at);
  }

  /** Shows the game again. @param {number} [at] the ply, else its end */
  async leaveBranch(at) {
    if (this.#mainState) {
      const epoch = this.#supersede();
      const { line, positions } = this.#mainState;
      if (at !== undefined) positions[at] ??= await describe({ ...this.request(0), moves: this.mainMoves.slice(0, at) });
      if (epoch !== this.#epoch) return;
      this.#mainState = this.branch = null;
      this.line = line;
      this.#positions = positions;
      this.at = at ?? line.length;
      this.#emit("branch");
    } else if (at !== undefined) await this.go(at);
  }

  /**
   * Plays a move at the end of the line, and shows its position if the last one was shown (`play`), else stays (`extend`). Does
   * nothing if the line has changed meanwhile.
   * @param {string} move
   */
  async extend(move) {
    const { line } = this;
    const request = this.request(line.length);
    const found = await describe({ ...request, moves: [...request.moves, move] });
    if (this.line !== line || this.ended) return;
    const follows = this.atEnd && this.#target === null;
    this.line = found.line;
    this.#positions[this.line.length] = found;
    if (follows) {
      this.#supersede();
      this.at = this.line.length;
    }
    this.#emit(follows ? "play" : "extend");
  }

  /** Shows the position after `at` moves. @param {number} at */
  async go(at) {
    const target = Math.max(0, Math.min(at, this.line.length));
    const epoch = this.#supersede();
    this.#target = target;
    try {
      this.#positions[target] ??= await describe(this.request(target));
    } finally {
      if (epoch === this.#epoch) this.#target = null;
    }
    if (epoch !== this.#epoch || target === this.at) return;
    this.at = target;
    this.#emit("go");
  }

  /** Takes back the last moves. @param {number} [count] */
  async undo(count = 1) {
    const left = Math.max(0, this.at - count);
    const epoch = this.#supersede();
    this.#positions[left] ??= await describe(this.request(left));
    if (epoch !== this.#epoch) return;
    this.at = left;
    this.line = this.line.slice(0, left);
    this.branches = this.branches.filter((one) => one.at <= left);
    this.#positions.length = left + 1;
    this.resigned = this.timeout = null;
    this.#emit("undo");
  }

  /** Discards the request in progress. */
  discardRequest() {
    this.#supersede();
  }

  /** Begins an action that supersedes earlier ones; its number shows later whether it is still current. */
  #supersede() {
    this.#target = null;
    return (this.#epoch += 1);
  }

  /** @param {import("./types.js").Side} side */
  resign(side) {
    if (this.ended) return;
    this.resigned = side;
    this.#emit("resign");
  }

  /** Ends the game: a side has run out of time. @param {import("./types.js").Side} side */
  flag(side) {
    if (this.ended) return;
    this.timeout = side;
    this.#emit("timeout");
  }

  /** Loads pasted text: a position, moves, or both. @param {string} text */
  async paste(text) {
    const { game, variant } = this;
    const epoch = this.#supersede();
    const found = await describe({ game: game.name, variant, text });
    if (epoch === this.#epoch) this.#setGame(game, found);
  }

  /** The game as text: its moves, preceded by the position it began from unless that is the start. */
  get text() {
    const moves = this.moves.join(moduleOf(this.game).join ?? " ");
    return this.start === null ? moves : `${this.start} moves ${moves}`;
  }

  /** @param {string} cause */
  #emit(cause) {
    if (cause !== "labels") this.#preview = [];
    this.dispatchEvent(new CustomEvent("change", { detail: cause }));
  }
}

/** @param {any} request @returns {Promise<Position>} */
function describe(request) {
  return call("/v1/positions", { body: request });
}

/** The start position comes with the game. @param {Game} game @returns {Position} */
function start(game) {
  return /** @type {any} */ ({ ...game.start, position: game.start.text, start: null, line: [] });
}
