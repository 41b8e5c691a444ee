// @ts-check
/** What the reader tries that the service may refuse, or not be there for; and the moves that wait until it is. */

import { ApiError, passing } from "./api.js";
import { showKept } from "./boards/marks.js";

/** @param {unknown} error */
const isAway = (error) => error instanceof ApiError && error.code === "offline";

export class Attempts {
  #app;
  #count = 0;
  /** Moves made here that the service could not be told of yet, and after how many. @type {{ moves: string[], at: number }} */
  #kept = { moves: [], at: 0 };

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Plays moves in the position shown. @param {string[]} moves */
  play(moves) {
    const { record, timer } = this.#app;
    const { at } = record;
    timer.press();
    return this.make(async () => {
      if (record.at !== at) await record.go(at);
      await record.play(...moves);
    }, moves);
  }

  /** Moves of a game that was kept, made while the service was away: they are played once the game is shown. @param {string[]} moves */
  recall(moves) {
    setTimeout(() => void this.play(moves));
  }

  /**
   * Does something that may be refused, and tells why it was. Where the service could not be reached, or could not answer now, it
   * can be tried again; moves made stay on the board until then.
   * @param {() => Promise<unknown>} action
   * @param {string[]} [moves]
   */
  async make(action, moves = []) {
    const own = (this.#count += 1);
    const whose = moves.length > 0 ? "move" : "step";
    try {
      await action();
      if (own === this.#count) this.#app.away.clear(whose);
      return true;
    } catch (error) {
      // What the reader did meanwhile has taken its place.
      if (own !== this.#count) return false;
      // To look at something else does not drop a move that waits, nor need it be done after that.
      if (whose === "step" && this.#kept.moves.length > 0 && isAway(error)) return false;
      if (whose === "move") this.#keep(passing(error) ? moves : []);
      this.failed(whose, error, () => this.make(action, moves));
      return false;
    }
  }

  /**
   * Tells that something failed. What failed because the service is away waits for it; else it can be tried again where that may help.
   * @param {"move" | "step" | "engine"} whose
   * @param {unknown} error
   * @param {() => Promise<unknown>} again
   */
  failed(whose, error, again) {
    if (isAway(error)) {
      this.#app.notice.clear();
      return this.#app.away.wait(whose, again);
    }
    this.#app.away.clear(whose);
    this.#app.notice.show(error, passing(error) ? () => void again() : undefined, this.#labels());
  }

  /** Moves that wait to be sent. */
  get waiting() {
    return this.#kept.moves;
  }

  /** @param {string[]} moves */
  #keep(moves) {
    this.#wait(moves);
    this.#app.keeper.save();
    this.show();
  }

  /** @param {string[]} moves */
  #wait(moves) {
    if (moves.length === 0) this.#app.timer.release();
    else this.#app.timer.press();
    this.#kept = { moves, at: this.#app.record.at };
  }

  /** Shows what waits, on the board and over it. */
  show() {
    const { moves, at } = this.#kept;
    this.#app.timer.hold("away", this.#app.away.shown);
    // The first position of all may be waited for.
    if (!this.#app.shown) return;
    showKept(this.#app.board, this.#app.record, at === this.#app.record.at ? moves : []);
    this.#app.away.draw(this.#labels());
    this.#app.panels.play.showButtons();
  }

  #labels() {
    const { moves, at } = this.#kept;
    return moves.map((move, index) => (index === 0 ? this.#app.record.label(at, move, this.#app.look.notation) : move)).join(" ");
  }

  /** Takes back the moves that wait to be sent. Whether there were any. */
  forget() {
    if (this.#kept.moves.length === 0) return false;
    // One that is being sent just now must not come back, either.
    this.#count += 1;
    this.#app.record.halt();
    this.#keep([]);
    this.#app.away.clear("move");
    this.#app.notice.clear();
    return true;
  }

  /**
   * The game has changed: nothing waits for what it was. That one is kept as it is, with what waited: the keeper has its name still,
   * and follows afterwards.
   * @param {string} cause
   */
  settle(cause) {
    if (this.#kept.moves.length > 0) this.#wait([]);
    for (const whose of cause === "load" ? ["move", "step", "engine"] : ["move"]) this.#app.away.clear(whose);
  }
}
