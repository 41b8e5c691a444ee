// @ts-check
/**
 * Saves the current game in this browser and in the tab's history: each game is one history entry, and a reload restores
 * everything, clocks included. A game belongs to one tab: if it is opened in a second one (a duplicated tab, or from the list),
 * the first tab continues with a copy.
 */

import { storedGames, randomId, loadGame, storeGame, deleteGame } from "./stored-games.js";
import { estimatedLevel } from "./preferences.js";
import { format } from "./link.js";
import { formatControl } from "./play/clock.js";
import { winnerOf } from "./sides.js";

/**
 * @typedef {{ id: string, times: import("./play/timer.js").Times | null, auto?: boolean } | null} HistoryState the state of a history
 *   entry
 */

export class Session {
  /** This tab's id, until it is reloaded. */
  #tab = randomId();
  id = randomId();
  #startedAt = Date.now();
  /** What was last saved under this id. @type {{ moves: string[], ended: boolean, changed: number } | null} */
  #saved = null;
  /** The result's weight in the estimate of the reader's strength: half with help, 0 for games not played here from their start. */
  ratingWeight = 0;
  /** The address that is shown. */
  #shown = "";
  /** Whether an address is being opened, which adds no history entry. */
  #navigating = true;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    addEventListener("popstate", () => void this.navigate());
    addEventListener("hashchange", () => void this.navigate());
    const leave = () => {
      this.save();
      this.show();
    };
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", () => document.hidden && leave());
  }

  get #link() {
    const { record, settings } = this.app;
    const { game, variant, start, mainMoves: moves, at, resigned, timeout, branches, branch } = record;
    return `#${format({ game: game.name, variant, start, moves, at, resigned, timeout, branches, branch }, settings)}`;
  }

  /**
   * Follows a change of the game. Another game adds a history entry, so that Back leaves a game at once.
   * @param {string} cause
   */
  recordChanged(cause) {
    if (cause === "load") this.#adopt();
    if (!this.app.shown) return;
    if (cause === "load" && !this.#navigating && this.#link !== location.hash) history.pushState(null, "", this.#link);
    if (cause === "branch" && this.playedHere) {
      const stored = loadGame(this.id);
      if (stored?.writer === this.#tab) storeGame({ ...stored, branches: this.app.record.branches });
    }
    this.save();
    this.show();
  }

  /** Updates the address and the state of its history entry. */
  show() {
    if (!this.app.shown) return;
    this.#shown = this.#link;
    /** @type {HistoryState} */
    const state = { id: this.id, times: this.app.timer.times, auto: this.app.settings.auto };
    history.replaceState(state, "", this.#shown);
  }

  /** The state of the current history entry. @returns {HistoryState} */
  get historyState() {
    const { id, times, auto } = history.state ?? {};
    return typeof id === "string" ? { id, times: Array.isArray(times?.spent) ? times : null, auto } : null;
  }

  /** Runs an action without adding history entries. @template T @param {() => Promise<T>} action */
  async withoutHistory(action) {
    this.#navigating = true;
    try {
      return await action();
    } finally {
      this.#navigating = false;
    }
  }

  /** Takes over a loaded game, resumed or new. */
  #adopt() {
    const { record, timer, actions, settings } = this.app;
    const moves = record.moves.join();
    if (settings.auto && !moves) settings.level = estimatedLevel(record.game.name, settings.level);
    this.ratingWeight = moves || record.start !== null ? 0 : 1;
    // A link may lead to a stored game.
    const state = record.historyState ?? (moves && this.#findStored());
    this.#renewId();
    if (!state) return;
    const stored = loadGame(state.id);
    const same = stored?.moves.join() === moves;
    timer.reset(state.times ?? (same ? stored?.times : null) ?? undefined);
    // Another tab has played on: its game is not cut short, and this one continues as a copy.
    if (stored && !same && record.moves.every((move, ply) => stored.moves[ply] === move)) return;
    this.id = state.id;
    if (!stored) {
      // A game played here was deleted from the list.
      if (timer.begun) this.#saved = { moves: record.moves, ended: record.ended, changed: Date.now() };
      return;
    }
    this.#startedAt = stored.begun;
    this.ratingWeight = stored.counts;
    this.#saved = { moves: stored.moves, ended: stored.result !== null, changed: stored.changed };
    storeGame({ ...stored, writer: this.#tab });
    if (same && stored.pending.length > 0) actions.restore({ moves: stored.pending, at: stored.pendingAt });
  }

  /** A stored game with the same moves as the one on the board. @returns {HistoryState} */
  #findStored() {
    const { game, variant, start, moves } = this.app.record;
    const rules = (/** @type {import("./types.js").Variant} */ one) => JSON.stringify(Object.entries({ ...game.start.variant, ...one }).sort());
    const found = storedGames().find((one) =>
      one.game === game.name && rules(one.variant) === rules(variant) && one.start === start && one.moves.join() === moves.join());
    return found ? { id: found.id, times: null } : null;
  }

  #renewId() {
    this.id = randomId();
    this.#startedAt = Date.now();
    this.#saved = null;
  }

  /** Saves the current state of the game, on the play panel only. */
  save() {
    const { record, settings, timer, actions } = this.app;
    if (!this.app.shown || settings.panel !== "play" || !this.#needsSaving()) return;
    const { game, variant, start, moves, resigned, timeout, ended, branches } = record;
    const { pending } = actions;
    if (moves.length === 0) return deleteGame(this.id);
    const winner = winnerOf(record);
    const changed = this.#same(moves, ended) ? (this.#saved?.changed ?? 0) : Date.now();
    this.#saved = { moves, ended, changed };
    storeGame({
      id: this.id, writer: this.#tab, changed, begun: this.#startedAt,
      game: game.name, variant, start, moves, resigned, timeout, branches,
      human: settings.human, level: settings.level, auto: settings.auto, counts: this.ratingWeight, time: settings.time, clock: formatControl(settings.clock),
      times: timer.timed ? timer.times : null, pending: pending.moves, pendingAt: pending.at, result: ended ? { winner } : null,
    });
  }

  /** Notes that the reader had help. */
  noteHelp() {
    this.ratingWeight = Math.min(this.ratingWeight, 0.5);
  }

  /** Whether the game was played here; if so, trying moves does not change it. */
  get playedHere() {
    return this.#saved !== null;
  }

  /** Whether these moves were saved last. @param {string[]} moves @param {boolean} ended */
  #same(moves, ended) {
    return this.#saved !== null && this.#saved.ended === ended && this.#saved.moves.join() === moves.join();
  }

  /** Whether there is something to save. If the saved game must not be overwritten, this one gets a new id. */
  #needsSaving() {
    const { record, timer, actions } = this.app;
    const { moves, ended } = record;
    const saved = this.#saved;
    const waits = actions.pending.moves.length > 0;
    // A game that was only viewed is not saved.
    if (!saved) return moves.length > 0 && (timer.begun || waits);
    const same = this.#same(moves, ended);
    const there = loadGame(this.id);
    // A game now open in another tab, or deleted from the list, is saved under a new id once it is played on.
    const gone = there === null || there.writer !== this.#tab;
    if (gone && same && !waits) return false;
    const replayed = saved.ended && saved.moves.join() !== moves.join();
    if (gone || replayed) this.#renewId();
    return true;
  }

  /** Handles a new address: a history entry, or an address typed or followed. */
  async navigate() {
    if (location.hash === this.#shown) return;
    this.#shown = location.hash;
    await this.withoutHistory(() => this.app.open());
  }
}
