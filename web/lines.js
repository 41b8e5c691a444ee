// @ts-check
/** Lines of play as text: each move in the reader's notation, which the service gives with the positions along the line. */

import { ApiError, call } from "./api.js";
import { gameWord, moduleOf } from "./games.js";

/** @typedef {import("./types.js").PlayedMove} PlayedMove */

/** How many lines are requested at once, and how many moves are kept. */
const [AT_ONCE, MOST] = [8, 50_000];

export class Lines {
  #record;
  /** The notations of moves, by the moves up to and including them. @type {Map<string, PlayedMove["notations"]>} */
  #known = new Map();
  /** Positions that have been requested, by their moves. @type {Set<string>} */
  #asked = new Set();
  #running = 0;
  /** Whether something has become known since the last `labels` change. */
  #fresh = false;

  /** @param {import("./record.js").Record} record */
  constructor(record) {
    this.#record = record;
    record.addEventListener("change", (event) => /** @type {CustomEvent} */ (event).detail === "load" && this.#forget());
  }

  /**
   * A line's moves in a notation; those after the first in coordinates until their notation is known, which a `labels` change
   * of the record reports.
   * @param {number} ply of the line's position
   * @param {readonly string[]} moves
   * @param {string} notation
   * @param {PlayedMove[]} [line] as in `Record.label`
   */
  texts(ply, moves, notation, line = this.#record.line) {
    const { game } = this.#record;
    if (!this.#has(notation)) return moves.map((move) => gameWord(game, "moves", move));
    const before = line.slice(0, ply).map(({ move }) => move);
    const known = moves.map((_, index) => this.#known.get([...before, ...moves.slice(0, index + 1)].join(" ")));
    if (known.slice(1).includes(undefined)) void this.learn(ply, moves, notation, line);
    return moves.map((move, index) => /** @type {{ [name: string]: string } | undefined} */ (known[index])?.[notation] ??
      (index === 0 ? this.#record.label(ply, move, notation, line) : move));
  }

  /** The same as one text. @param {Parameters<Lines["texts"]>} of */
  text(...of) {
    return this.texts(...of).join(" ");
  }

  /**
   * Requests the notations of a line's moves, and of the moves beside the last one.
   * @param {number} ply
   * @param {readonly string[]} moves
   * @param {string} notation
   * @param {PlayedMove[]} [line]
   */
  async learn(ply, moves, notation, line = this.#record.line) {
    const before = [...line.slice(0, ply).map(({ move }) => move), ...moves.slice(0, -1)];
    const key = before.join(" ");
    if (moves.length < 2 || !this.#has(notation) || this.#asked.has(key) || this.#running >= AT_ONCE) return;
    if (this.#known.size > MOST) this.#forget();
    const known = this.#known;
    this.#asked.add(key);
    this.#running += 1;
    try {
      /** @type {import("./types.js").Position} */
      const found = await call("/v1/positions", { body: { ...this.#record.request(0), moves: before } });
      found.line.slice(ply).forEach(({ notations }, index) => known.set(before.slice(0, ply + index + 1).join(" "), notations));
      for (const { move, notations } of found.legal) known.set([...before, move].join(" "), notations);
      this.#fresh = true;
    } catch (error) {
      // The moves stay in coordinates.
      this.#asked.delete(key);
      if (!(error instanceof ApiError)) throw error;
    } finally {
      this.#running -= 1;
    }
    if (this.#running > 0 || !this.#fresh) return;
    this.#fresh = false;
    this.#record.dispatchEvent(new CustomEvent("change", { detail: "labels" }));
  }

  /** Whether moves have a text in this notation besides their coordinates. @param {string} notation */
  #has(notation) {
    return notation !== "coordinates" && moduleOf(this.#record.game).notations?.includes(notation) === true;
  }

  #forget() {
    this.#known = new Map();
    this.#asked = new Set();
  }
}
