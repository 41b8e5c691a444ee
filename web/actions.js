// @ts-check
/** Actions that the service may refuse or be unreachable for, and the moves that wait for it. */

import { ApiError } from "./api.js";
import { showPending } from "./boards/marks.js";

/**
 * Moves made here, after `at` others; `tried` moves do not change the game.
 * @typedef {{ moves: string[], at: number, tried?: boolean }} PendingMoves
 */

/** @type {PendingMoves} */
const NONE = { moves: [], at: 0 };

/** @param {unknown} error */
const isOffline = (error) => error instanceof ApiError && error.code === "offline";

export class Actions {
  #app;
  #count = 0;
  /** The number of actions other than moves so far, and the latest one. */
  #actionCount = 0;
  #running = Promise.resolve();
  /** Moves not sent yet. */
  #pending = NONE;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Plays moves in the position shown. @param {string[]} moves */
  play(moves) {
    const { record, session, triesMoves } = this.#app;
    if (!triesMoves && !record.atEnd) session.noteHelp();
    this.#app.timer.press();
    return this.#send({ moves, at: this.#app.record.at, tried: this.#app.triesMoves });
  }

  /**
   * Restores a stored game's moves made while the service was unreachable; they are sent once the game is shown.
   * @param {PendingMoves} pending
   */
  restore(pending) {
    this.#setPending(pending);
    setTimeout(async () => {
      // An action by the reader may overtake them, and goes first.
      do await this.#running;
      while (this.#pending === pending && (await this.#send(pending)));
    });
  }

  /** @param {PendingMoves} move */
  #send(move) {
    return this.run(() => this.#app.record.play(move.moves, move.at, move.tried), move);
  }

  /**
   * Runs an action, and shows the reason if it is refused. If the service is unreachable or temporarily fails, the action can
   * be retried; moves made stay on the board until then.
   * @param {() => Promise<unknown>} action
   * @param {PendingMoves} [move] the moves that the action plays
   */
  async run(action, move = NONE) {
    const number = (this.#count += 1);
    const origin = move === NONE ? "action" : "move";
    if (origin === "action") this.#actionCount += 1;
    const actionCount = this.#actionCount;
    // A move overtaken while being sent is not played, unless it waits: the clock of its side runs again.
    if (origin === "action" && this.#pending === NONE) this.#app.timer.release();
    const running = action();
    if (origin === "action") this.#running = running.then(() => {}, () => {});
    try {
      await running;
      if (number === this.#count || (origin === "action" && actionCount === this.#actionCount)) this.#app.offlineOverlay.clear(origin);
      return true;
    } catch (error) {
      const hasPending = this.#pending !== NONE;
      // A later action has replaced this one. A waiting move survives later actions, and an action that fails while a move waits is
      // dropped.
      if (number !== this.#count && !(hasPending && this.#pending === move)) return false;
      if (origin === "action" && hasPending && isOffline(error)) return false;
      if (origin === "move") this.#changePending(error instanceof ApiError && error.isTemporary ? move : NONE);
      this.reportFailure(origin, error, async () => {
        // The reader's current action goes first, and may make the retry unnecessary.
        await this.#running;
        if (origin === "action" ? actionCount === this.#actionCount : this.#pending === move) await this.run(action, move);
      });
      return false;
    }
  }

  /**
   * Reports a failure. If the service is unreachable, the action waits for it; otherwise a retry is offered where it may help.
   * @param {"move" | "action" | "engine"} origin
   * @param {unknown} error
   * @param {() => Promise<unknown>} retry
   */
  reportFailure(origin, error, retry) {
    if (isOffline(error)) {
      this.#app.notice.clear();
      return this.#app.offlineOverlay.wait(origin, retry);
    }
    this.#app.offlineOverlay.clear(origin);
    this.#app.notice.show(error, { retry: error instanceof ApiError && error.isTemporary ? () => void retry() : undefined, pending: this.#labels() });
  }

  /**
   * Explains why nothing can be played at the tapped place, except in a review, which is only viewed.
   * @param {Parameters<NonNullable<import("./boards/board.js").Board["onrefuse"]>>} tap
   */
  async explainRefusal(...tap) {
    const script = this.#app.settings.panel !== "review" && (await import("./play/refusal.js").catch(() => null));
    if (script) script.explainRefusal(this.#app, ...tap);
  }

  /** Moves that wait to be sent. */
  get pending() {
    return this.#pending;
  }

  /** @param {PendingMoves} pending */
  #changePending(pending) {
    this.#setPending(pending);
    this.#app.session.save();
    this.show();
  }

  /** @param {PendingMoves} pending */
  #setPending(pending) {
    if (pending === NONE) this.#app.timer.release();
    else this.#app.timer.press();
    this.#pending = pending;
  }

  /** Shows the waiting moves on the board, and the overlay. */
  show() {
    const { moves, at } = this.#pending;
    this.#app.timer.hold("offline", this.#app.offlineOverlay.shown);
    // The first position may not have loaded yet.
    if (!this.#app.shown) return;
    showPending(this.#app.board, this.#app.record, at === this.#app.record.at ? moves : []);
    this.#app.offlineOverlay.draw(this.#labels());
    this.#app.panels.play.showButtons();
  }

  #labels() {
    const { moves, at } = this.#pending;
    return this.#app.record.lines.text(at, moves, this.#app.look.notation);
  }

  /** Takes back the moves that wait to be sent; returns whether there were any. */
  takeBackPending() {
    if (this.#pending === NONE) return false;
    // A move being sent must not come back either.
    this.#count += 1;
    this.#app.record.discardRequest();
    this.#changePending(NONE);
    this.#app.offlineOverlay.clear("move");
    this.#app.notice.clear();
    return true;
  }

  /**
   * Drops what waited for the game before a change. That game stays saved with its waiting moves: the session still has its id,
   * and is updated afterwards.
   * @param {string} cause
   */
  dropStale(cause) {
    // The game's waiting moves stay while others are tried.
    if (cause === "branch" && this.#pending !== NONE && !this.#pending.tried) return;
    if (this.#pending !== NONE) this.#setPending(NONE);
    for (const whose of cause === "load" ? ["move", "action", "engine"] : ["move"]) this.#app.offlineOverlay.clear(whose);
  }
}
