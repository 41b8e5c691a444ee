// @ts-check
/** What the reader tries that the service may refuse, or not be there for; and the moves that wait until it is. */

import { ApiError } from "./api.js";
import { showKept } from "./boards/marks.js";

/**
 * Moves made here, and after how many others; `tried` are those that leave the game as it is.
 * @typedef {{ moves: string[], at: number, tried?: boolean }} Waiting
 */

/** @type {Waiting} */
const NONE = { moves: [], at: 0 };

/** @param {unknown} error */
const isAway = (error) => error instanceof ApiError && error.code === "offline";

export class Attempts {
  #app;
  #count = 0;
  /** Those that are not moves, and the last of them while it is under way. */
  #steps = 0;
  #doing = Promise.resolve();
  /** What the service could not be told of yet. */
  #kept = NONE;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Plays moves in the position shown. @param {string[]} moves */
  play(moves) {
    const { record, keeper, tries } = this.#app;
    if (!tries && !record.atEnd) keeper.helped();
    this.#app.timer.press();
    return this.#send({ moves, at: this.#app.record.at, tried: this.#app.tries });
  }

  /** Moves of a game that was kept, made while the service was away: they wait on, and are sent once the game is shown. @param {Waiting} kept */
  recall(kept) {
    this.#wait(kept);
    setTimeout(async () => {
      // A step of the reader's may overtake them, and comes first.
      do await this.#doing;
      while (this.#kept === kept && (await this.#send(kept)));
    });
  }

  /** @param {Waiting} move */
  #send(move) {
    return this.make(() => this.#app.record.play(move.moves, move.at, move.tried), move);
  }

  /**
   * Does something that may be refused, and tells why it was. Where the service could not be reached, or could not answer now, it
   * can be tried again; moves made stay on the board until then.
   * @param {() => Promise<unknown>} action
   * @param {Waiting} [move] what is played by that
   */
  async make(action, move = NONE) {
    const own = (this.#count += 1);
    const whose = move === NONE ? "step" : "move";
    if (whose === "step") this.#steps += 1;
    const steps = this.#steps;
    // A move overtaken while it is sent is not played, unless it waits: its side thinks on.
    if (whose === "step" && this.#kept === NONE) this.#app.timer.release();
    const doing = action();
    if (whose === "step") this.#doing = doing.then(() => {}, () => {});
    try {
      await doing;
      if (own === this.#count || (whose === "step" && steps === this.#steps)) this.#app.away.clear(whose);
      return true;
    } catch (error) {
      const waits = this.#kept !== NONE;
      // What the reader did meanwhile has taken its place. A move that waits is not dropped by looking at something else, nor need
      // that be done after it.
      if (own !== this.#count && !(waits && this.#kept === move)) return false;
      if (whose === "step" && waits && isAway(error)) return false;
      if (whose === "move") this.#keep(error instanceof ApiError && error.passes ? move : NONE);
      this.failed(whose, error, async () => {
        // What the reader does just now comes first, and may leave nothing to be tried again.
        await this.#doing;
        if (whose === "step" ? steps === this.#steps : this.#kept === move) await this.make(action, move);
      });
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
    this.#app.notice.show(error, { retry: error instanceof ApiError && error.passes ? () => void again() : undefined, kept: this.#labels() });
  }

  /** Nothing can be played where the reader has tapped: says why. What a review shows is only looked at. @param {Parameters<NonNullable<import("./boards/board.js").Board["onrefuse"]>>} tap */
  async refused(...tap) {
    const script = this.#app.settings.panel !== "review" && (await import("./play/refusal.js").catch(() => null));
    if (script) script.refuse(this.#app, ...tap);
  }

  /** Moves that wait to be sent. */
  get waiting() {
    return this.#kept;
  }

  /** @param {Waiting} kept */
  #keep(kept) {
    this.#wait(kept);
    this.#app.keeper.save();
    this.show();
  }

  /** @param {Waiting} kept */
  #wait(kept) {
    if (kept === NONE) this.#app.timer.release();
    else this.#app.timer.press();
    this.#kept = kept;
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
    return this.#app.record.lineText(at, moves, this.#app.look.notation);
  }

  /** Takes back the moves that wait to be sent. Whether there were any. */
  forget() {
    if (this.#kept === NONE) return false;
    // One that is being sent just now must not come back, either.
    this.#count += 1;
    this.#app.record.halt();
    this.#keep(NONE);
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
    // Moves of the game wait on while others are tried.
    if (cause === "branch" && this.#kept !== NONE && !this.#kept.tried) return;
    if (this.#kept !== NONE) this.#wait(NONE);
    for (const whose of cause === "load" ? ["move", "step", "engine"] : ["move"]) this.#app.away.clear(whose);
  }
}
