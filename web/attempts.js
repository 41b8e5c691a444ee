// @ts-check
/** Actions that the service may refuse or be unreachable for, and the moves that wait for it. */

import { ApiError } from "./api.js";
import { showKept } from "./boards/marks.js";

/**
 * Moves made here, after `at` others; `tried` moves do not change the game.
 * @typedef {{ moves: string[], at: number, tried?: boolean }} Waiting
 */

/** @type {Waiting} */
const NONE = { moves: [], at: 0 };

/** @param {unknown} error */
const isAway = (error) => error instanceof ApiError && error.code === "offline";

export class Attempts {
  #app;
  #count = 0;
  /** The number of steps (actions other than moves) so far, and the latest one. */
  #steps = 0;
  #doing = Promise.resolve();
  /** Moves not sent yet. */
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

  /**
   * Restores a kept game's moves made while the service was unreachable; they are sent once the game is shown.
   * @param {Waiting} kept
   */
  recall(kept) {
    this.#wait(kept);
    setTimeout(async () => {
      // A step by the reader may overtake them, and goes first.
      do await this.#doing;
      while (this.#kept === kept && (await this.#send(kept)));
    });
  }

  /** @param {Waiting} move */
  #send(move) {
    return this.make(() => this.#app.record.play(move.moves, move.at, move.tried), move);
  }

  /**
   * Runs an action, and shows the reason if it is refused. If the service is unreachable or temporarily fails, the action can
   * be retried; moves made stay on the board until then.
   * @param {() => Promise<unknown>} action
   * @param {Waiting} [move] the moves that the action plays
   */
  async make(action, move = NONE) {
    const own = (this.#count += 1);
    const whose = move === NONE ? "step" : "move";
    if (whose === "step") this.#steps += 1;
    const steps = this.#steps;
    // A move overtaken while being sent is not played, unless it waits: the clock of its side runs again.
    if (whose === "step" && this.#kept === NONE) this.#app.timer.release();
    const doing = action();
    if (whose === "step") this.#doing = doing.then(() => {}, () => {});
    try {
      await doing;
      if (own === this.#count || (whose === "step" && steps === this.#steps)) this.#app.away.clear(whose);
      return true;
    } catch (error) {
      const waits = this.#kept !== NONE;
      // A later action has replaced this one. A waiting move survives later steps, and a step that fails while a move waits is
      // dropped.
      if (own !== this.#count && !(waits && this.#kept === move)) return false;
      if (whose === "step" && waits && isAway(error)) return false;
      if (whose === "move") this.#keep(error instanceof ApiError && error.passes ? move : NONE);
      this.failed(whose, error, async () => {
        // The reader's current step goes first, and may make the retry unnecessary.
        await this.#doing;
        if (whose === "step" ? steps === this.#steps : this.#kept === move) await this.make(action, move);
      });
      return false;
    }
  }

  /**
   * Reports a failure. If the service is unreachable, the action waits for it; otherwise a retry is offered where it may help.
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

  /**
   * Explains why nothing can be played at the tapped place, except in a review, which is only viewed.
   * @param {Parameters<NonNullable<import("./boards/board.js").Board["onrefuse"]>>} tap
   */
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

  /** Shows the waiting moves on the board, and the overlay. */
  show() {
    const { moves, at } = this.#kept;
    this.#app.timer.hold("away", this.#app.away.shown);
    // The first position may not have loaded yet.
    if (!this.#app.shown) return;
    showKept(this.#app.board, this.#app.record, at === this.#app.record.at ? moves : []);
    this.#app.away.draw(this.#labels());
    this.#app.panels.play.showButtons();
  }

  #labels() {
    const { moves, at } = this.#kept;
    return this.#app.record.lineText(at, moves, this.#app.look.notation);
  }

  /** Takes back the moves that wait to be sent; returns whether there were any. */
  forget() {
    if (this.#kept === NONE) return false;
    // A move being sent must not come back either.
    this.#count += 1;
    this.#app.record.halt();
    this.#keep(NONE);
    this.#app.away.clear("move");
    this.#app.notice.clear();
    return true;
  }

  /**
   * Drops what waited for the game before a change. That game stays saved with its waiting moves: the keeper still has its id,
   * and is updated afterwards.
   * @param {string} cause
   */
  settle(cause) {
    // The game's waiting moves stay while others are tried.
    if (cause === "branch" && this.#kept !== NONE && !this.#kept.tried) return;
    if (this.#kept !== NONE) this.#wait(NONE);
    for (const whose of cause === "load" ? ["move", "step", "engine"] : ["move"]) this.#app.away.clear(whose);
  }
}
