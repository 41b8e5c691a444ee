// @ts-check
/**
 * The clocks of the game on the board. A clock runs once the first move has been made; it stops while the page waits for the
 * service, shows another panel, or is closed: only thinking costs time.
 */

import { budget, face, formatControl, replay, total } from "./clock.js";

/**
 * @typedef {import("../types.js").Side} Side
 * @typedef {{ control: string, spent: (number | null)[], used: number }} Times
 *   the saved state of a game's clocks: the control, how long each move took, and how long the side to move has thought
 */

/** Milliseconds by which a response of the service may be late. */
const MARGIN = 100;

/** Dispatches `time` when the clocks may have changed, and `flag` when a person's time is up; `detail` is the side. */
export class Timer extends EventTarget {
  /** How long each move took, in milliseconds; null if unknown. @type {(number | null)[]} */
  spent = [];
  /** How long the side to move had thought when its clock last stopped. */
  #used = 0;
  /** When its clock was started; null while it stands. @type {number | null} */
  #since = null;
  /** The reasons that hold the clock. @type {Set<string>} */
  #holds = new Set();
  /** The most that the engine's move can cost: its budget and the margin. @type {number | null} */
  #granted = null;
  /** The moves that were timed. @type {string[]} */
  #moves = [];
  /** The recent delay of responses, in milliseconds. */
  #delay = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timeout;

  /**
   * @param {import("../record.js").Record} record
   * @param {() => import("./clock.js").Control} currentControl
   * @param {(side: Side) => boolean} isEngine whether a side is the engine's
   */
  constructor(record, currentControl, isEngine) {
    super();
    this.record = record;
    this.currentControl = currentControl;
    this.isEngine = isEngine;
  }

  get control() {
    return this.currentControl();
  }

  get timed() {
    return this.control.kind !== "none";
  }

  /** Whose clock it is now. @returns {Side | null} */
  get side() {
    return this.timed && !this.record.ended ? (this.record.final?.to_move ?? null) : null;
  }

  /** Whether any move was timed. */
  get begun() {
    return this.spent.some((ms) => ms !== null);
  }

  get #running() {
    return this.#since === null ? 0 : performance.now() - this.#since;
  }

  get #elapsed() {
    return this.#used + this.#running;
  }

  #left() {
    return replay(this.control, this.record.mainLine.map(({ side }) => side), this.spent);
  }

  /** What a side's clock shows. @param {Side} side */
  face(side) {
    if (this.record.timeout === side) return { ms: 0, periods: null };
    const left = this.#left()[side];
    return face(this.control, left, side === this.side ? Math.min(this.#elapsed, this.#maxCost(side)) : 0);
  }

  /**
   * What the engine may spend on its next move: at most `most`, and no more than its clock allows. An earlier, aborted search
   * for it costs nothing.
   * @param {number} most
   */
  grant(most) {
    const { side } = this;
    if (!side) return most;
    this.#restart();
    this.#run();
    const margin = MARGIN + 2 * this.#delay;
    const left = this.#left()[side];
    const granted = Math.min(most, budget(this.control, left, margin));
    this.#granted = Math.min(granted + margin, total(this.control, left) - 1);
    return granted;
  }

  /** Records how much longer than the search its response took. @param {number} ms */
  recordDelay(ms) {
    this.#delay = Math.max(0, this.#delay * 0.8, ms);
  }

  /** Follows a change of the game. @param {string} cause */
  recordChanged(cause) {
    if (cause === "load") return this.reset();
    const moves = this.record.mainMoves;
    const other = moves.findIndex((move, ply) => move !== this.#moves[ply]);
    const same = other < 0 ? moves.length : other;
    if (same < this.#moves.length) this.#restart();
    this.spent.length = same;
    if (moves.length > same) this.#add(moves.length);
    this.#moves = moves;
    this.#run();
  }

  /** Resets the clocks, or restores them. @param {Times} [times] */
  reset(times) {
    const { length } = this.record.mainLine;
    const known = times?.control === formatControl(this.control) ? times : undefined;
    this.spent = Array.from({ length }, (_, ply) => known?.spent[ply] ?? null);
    this.#restart();
    this.#moves = this.record.mainMoves;
    this.#used = known?.used ?? 0;
    this.#run();
  }

  /** @returns {Times} */
  get times() {
    return { control: formatControl(this.control), spent: this.spent, used: Math.round(this.#elapsed) };
  }

  /** A move was made, or several at once. @param {number} length */
  #add(length) {
    const mover = this.record.mainLine[this.spent.length].side;
    // The first move is free, so that nobody has to hurry to begin.
    this.spent.push(this.begun ? Math.round(Math.min(this.#elapsed, this.#maxCost(mover))) : 0);
    while (this.spent.length < length) this.spent.push(0);
    this.#restart();
  }

  /**
   * The most that a move can cost: time beyond what an engine was granted is the delay of the network or the machine.
   * @param {Side} side
   */
  #maxCost(side) {
    return !this.timed || !this.isEngine(side) ? Infinity : (this.#granted ?? total(this.control, this.#left()[side]) - 1);
  }

  /** A move was made here: the time the service takes to play it costs nothing. */
  press() {
    this.hold("sent", true);
  }

  /** The move was refused or taken back: the clock of its side runs again. */
  release() {
    this.hold("sent", false);
  }

  /** Holds the clock for a reason, or ends that hold; it runs without holds. @param {string} reason @param {boolean} held */
  hold(reason, held) {
    if (held === this.#holds.has(reason)) return;
    if (held) this.#holds.add(reason);
    else this.#holds.delete(reason);
    this.#run();
  }

  /** Starts the time of the next move. */
  #restart() {
    this.#used = 0;
    this.#since = null;
    this.#granted = null;
    this.#holds.delete("sent");
  }

  #run() {
    const runs = this.side !== null && this.begun && this.#holds.size === 0;
    if (runs && this.#since === null) this.#since = performance.now();
    else if (!runs && this.#since !== null) {
      this.#used += performance.now() - this.#since;
      this.#since = null;
    }
    this.#tick();
  }

  #tick() {
    clearTimeout(this.#timeout);
    this.dispatchEvent(new Event("time"));
    const { side } = this;
    if (this.#since === null || side === null) return;
    const left = total(this.control, this.#left()[side]) - this.#elapsed;
    if (left <= 0 && !this.isEngine(side)) {
      this.dispatchEvent(new CustomEvent("flag", { detail: side }));
      return;
    }
    this.#timeout = setTimeout(() => this.#tick(), Math.max(20, Math.min(100, left)));
  }
}
