// @ts-check
/** A game against the engine: who plays which side, how strong it is, the moves, copying and pasting. */

import { ApiError, call, sendWithRetry } from "../api.js";
import { showCandidates } from "../boards/marks.js";
import { newGame } from "../begin.js";
import { confirm } from "../dialogs.js";
import { button, field, fill, h, select } from "../dom.js";
import { moduleOf, sideName } from "../games.js";
import { preferences, estimatedLevel } from "../preferences.js";
import { FULL_STRENGTH } from "../link.js";
import { errorText } from "../notice.js";
import { clockFields } from "../play/clock-fields.js";
import { levelField } from "../play/level.js";
import { Moves } from "../play/moves.js";
import { duration, number, w } from "../words.js";
import { loadModule } from "./lazy-panel.js";

/** The variety at full strength among moves of almost equal value, so that games differ. */
const VARIETY = 0.3;
/** The evaluation bar's budget for a position. */
const EVALUATION_BUDGET = { time_ms: 300 };
/** The report where only the move or the value of the position is used. */
const MINIMAL_REPORT = { children: "best", pv_length: 1 };
const TIMES = [20, 50, 200, 500, 1000, 2000, 5000, 10_000, 30_000];

export class Play {
  /** The search in progress for the engine's move. @type {AbortController | null} */
  #thinking = null;
  /** When it began. */
  #began = 0;
  /** The line after which the engine is to move. @type {import("../types.js").PlayedMove[] | null} */
  #searchedLine = null;
  /** The search for the value of the position. @type {AbortController | null} */
  #estimating = null;
  /** The search for a hint. @type {AbortController | null} */
  #hinting = null;
  /** Loaded with the first move that it grades. @type {import("../play/teacher.js").Teacher | null} */
  #teacher = null;
  /** What copies, opens and saves games. @type {import("./transfer.js").Transfer | null} */
  #transferPanel = null;

  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    this.fields = h("div", { class: "fields" });
    this.puzzles = h("p");
    /** Shown below the board. */
    this.buttons = h("div", { class: "buttons actions" });
    this.hint = h("p", { class: "hint-text", "aria-live": "polite" });
    /** The teacher's remark on the last move, below the board. */
    this.remark = h("div", { class: "teacher", "aria-live": "polite" });
    /** What the level is based on, if it follows the reader's results. */
    this.strength = h("div", { class: "strength" });
    this.moves = new Moves(app);
    this.transfer = h("details", { class: "transfer" }, h("summary", {}, w().transfer.heading));
    this.transfer.addEventListener("toggle", () => void this.#unfold());
    this.element = h("div", { class: "play" },
      this.fields,
      h("h3", {}, w().play.moves), this.moves.element,
      this.transfer, this.puzzles);
    this.#drawFields();
    this.moves.draw();
  }

  /** Loads the transfer section when it is first opened. */
  #unfold() {
    if (this.transfer.childElementCount > 1) return;
    return this.app.attempt(async () => {
      const { Transfer } = await loadModule(import("./transfer.js"));
      if (this.transfer.childElementCount > 1) return;
      this.#transferPanel = new Transfer(this.app);
      this.transfer.append(this.#transferPanel.element);
    });
  }

  #drawFields() {
    const { app } = this;
    const { settings, record, policy } = app;
    const words = w().play;
    const { game } = record;
    // A game in which sides or levels change does not count.
    const excludeResult = () => record.line.length > 0 && (app.session.ratingWeight = 0);
    const most = policy.most.time_ms;
    const side = (/** @type {import("../types.js").Side} */ one) => sideName(game, one);
    const times = [...new Set([...TIMES, settings.time])].filter((time) => time <= most).sort((a, b) => a - b);
    fill(this.fields,
      field(words.you, select([["first", side("first")], ["second", side("second")], ["both", words.both], ["none", words.none]], settings.human, (value) => {
        settings.human = /** @type {any} */ (value);
        excludeResult();
        app.orient();
        this.#changed();
      }, { name: "human" })),
      levelField(settings, (value) => {
        settings.auto = value === "auto";
        if (!settings.auto) settings.level = Number(value);
        else if (record.line.length === 0) settings.level = estimatedLevel(game.name, settings.level);
        if (!settings.auto) excludeResult();
        this.#changed();
        this.#drawStrength();
      }));
    const time = field(words.time, select(times.map((time) => [String(time), duration(time)]), String(settings.time), (value) => {
        settings.time = Number(value);
        this.#changed();
      }, { name: "time" }));
    this.fields.append(clockFields(settings.clock, (control) => {
      const timed = settings.clock.kind !== "none";
      settings.clock = control;
      app.timer.reset();
      if (timed !== (control.kind !== "none")) {
        this.#drawFields();
        /** @type {HTMLElement | null} */ (this.fields.querySelector('[name="clock"]'))?.focus();
      }
      this.#changed();
    }));
    // A clock replaces the time per move.
    if (settings.clock.kind === "none") this.fields.append(time);
    const teach = h("input", { type: "checkbox", name: "teach", checked: preferences.get("teach", "off") === "on" });
    teach.addEventListener("change", () => {
      preferences.set("teach", teach.checked ? "on" : "off");
      if (teach.checked) return;
      this.#stop();
      void this.think();
    });
    this.fields.append(this.strength, h("label", { class: "check", title: words.teaches }, teach, words.teach));
    this.#drawStrength();
    fill(this.puzzles, moduleOf(game).puzzles && h("a", { href: `#puzzles=${game.name}` }, w().front.puzzles));
    fill(this.buttons,
      button(words.newGame, () => void newGame(app), { class: "primary", name: "new" }),
      button(words.undo, () => this.undo(), { name: "undo" }),
      button(words.hint, () => void this.#hint(), { name: "hint" }),
      button(words.resign, () => void this.#resign(), { name: "resign" }));
    this.showButtons();
  }

  /** Enables the buttons that can be used now. */
  showButtons() {
    const { record } = this.app;
    const usable = { undo: this.#undoable !== null, hint: !record.over && !this.#thinking, resign: this.#resigner !== null };
    for (const [name, can] of Object.entries(usable)) {
      const one = /** @type {HTMLButtonElement | null} */ (this.buttons.querySelector(`[name="${name}"]`));
      if (!one || one.disabled === !can) continue;
      // Keeps the keyboard focus on the page.
      if (!can && document.activeElement === one) this.app.board.focus();
      one.disabled = !can;
    }
  }

  #changed() {
    const { app } = this;
    this.#stop();
    app.notice.clear();
    app.session.save();
    app.settingsChanged();
    app.show();
    app.showStatus();
    void this.think();
  }

  /** @param {string} cause */
  refresh(cause) {
    if (cause === "labels") {
      this.moves.draw();
      return this.#teacher?.draw();
    }
    // Viewing another position does not interrupt the engine.
    if (this.#searchedLine !== this.app.record.line || this.app.record.ended) this.#stop();
    else this.#abortPositionSearches();
    fill(this.hint);
    if (cause === "load" || cause === "undo") this.#teacher?.clearPraise();
    if (cause === "load") {
      this.#drawFields();
      this.#transferPanel?.draw();
    }
    this.moves.draw();
    this.#teacher?.draw();
    if (this.app.settings.panel !== "play") return;
    void this.#countResult();
    void this.think();
  }

  /** Counts the result of a finished game for the reader's strength. */
  async #countResult() {
    const { record, settings, session } = this.app;
    const { ratingWeight } = session;
    if (!record.ended || ratingWeight === 0 || settings.human === "both" || settings.human === "none") return;
    session.ratingWeight = 0;
    session.save();
    // If the module cannot be loaded, the game is not counted.
    const script = await import("../play/strength.js").catch(() => null);
    script?.countResult(this.app, ratingWeight);
    this.#drawStrength();
  }

  #drawStrength() {
    fill(this.strength);
    if (this.app.settings.auto) void import("../play/strength.js").then(({ drawNote }) => drawNote(this.strength, this.app), () => {});
  }

  /** The panel is shown: a review may have found something, and the engine may be to move. */
  enter() {
    this.moves.draw();
    void this.think();
  }

  leave() {
    this.#stop();
    this.#searchedLine = null;
    fill(this.hint);
  }

  #stop() {
    this.#thinking?.abort();
    this.#thinking = null;
    this.app.timer.hold("full", false);
    this.#abortPositionSearches();
  }

  /** Aborts what concerns only the position shown. */
  #abortPositionSearches() {
    this.#estimating?.abort();
    this.#hinting?.abort();
    this.#estimating = null;
    this.#hinting = null;
  }

  get thinking() {
    return this.#thinking !== null && !this.#teacher?.isAsking;
  }

  /** When the engine began to think, by `performance.now()`; null if it does not. */
  get since() {
    return this.thinking ? this.#began : null;
  }

  /** Whether the engine is to move in the position shown. */
  get enginesTurn() {
    return this.app.record.atEnd && this.#engineToMove;
  }

  /** Whether the engine is to move, whichever position is shown. */
  get #engineToMove() {
    const { record, timer } = this.app;
    return !record.ended && record.final !== undefined && timer.isEngine(record.final.to_move);
  }

  /** Has the engine move, if it is its turn. */
  async think() {
    const { app } = this;
    void this.#evaluate();
    if (!this.#engineToMove || this.#thinking) return app.showStatus();
    const control = new AbortController();
    this.#thinking = control;
    this.#began = performance.now();
    this.#searchedLine = app.record.line;
    app.showStatus();
    try {
      await this.#checkReadersMove(control.signal);
      if (control.signal.aborted) return;
      const move = await this.#requestMove(control.signal);
      if (control.signal.aborted || move === null) return;
      app.timer.press();
      await app.record.extend(move);
      if (this.#thinking === control) this.#thinking = null;
    } catch (error) {
      if (control.signal.aborted) return;
      this.#thinking = null;
      app.timer.release();
      fill(this.hint);
      app.actions.reportFailure("engine", error, () => this.#retryMove());
    } finally {
      if (this.#thinking === control) this.#thinking = null;
      app.showStatus();
    }
  }

  /** Waits until a mistake by the reader is taken back or confirmed, if "Teach me" is on. @param {AbortSignal} signal */
  async #checkReadersMove(signal) {
    const { app } = this;
    if (preferences.get("teach", "off") !== "on" || app.settings.human === "none") return;
    // If the module cannot be loaded, the game goes on.
    const script = await import("../play/teacher.js").catch(() => null);
    if (!script || signal.aborted) return;
    this.#teacher ??= new script.Teacher(app, this.remark);
    await this.#teacher.check(signal);
    this.#began = performance.now();
    app.showStatus();
  }

  /** Has the engine move once the service answers again. @returns {Promise<void>} */
  async #retryMove() {
    const { app } = this;
    try {
      await call("/v1/positions", { body: app.record.request(app.record.line.length) });
    } catch (error) {
      return app.actions.reportFailure("engine", error, () => this.#retryMove());
    }
    app.offlineOverlay.clear("engine");
    app.notice.clear();
    app.enter("play");
  }

  /**
   * The engine's move at the chosen strength, within the limits of its clock.
   * @param {AbortSignal} signal
   * @returns {Promise<string | null>}
   */
  async #requestMove(signal) {
    const { settings, record, timer, policy } = this.app;
    const strength = settings.level < FULL_STRENGTH ? { level: settings.level } : { variety: VARIETY };
    const time_ms = timer.timed ? timer.grant(policy.most.time_ms) : settings.time;
    const begun = performance.now();
    let waited = 0;
    const response = await sendWithRetry("/v1/searches", {
      body: { ...record.request(record.line.length), ...strength, budget: { time_ms }, report: MINIMAL_REPORT },
      signal,
      onwait: (seconds) => {
        waited += 1000 * seconds;
        timer.hold("full", true);
        fill(this.hint, w().run.states.full(number(seconds)));
      },
    });
    const { move, timing } = await response.json();
    timer.hold("full", false);
    timer.recordDelay(performance.now() - begun - waited - timing.search_ms);
    fill(this.hint);
    return move;
  }

  async #hint() {
    const { record, look, board } = this.app;
    if (record.over || this.#thinking) return;
    this.app.session.noteHelp();
    const at = record.at;
    this.#hinting?.abort();
    const control = new AbortController();
    this.#hinting = control;
    try {
      const { move, grades } = await call("/v1/searches", {
        body: { ...record.request(), budget: { time_ms: this.app.settings.time }, report: MINIMAL_REPORT, grade: ["best"] },
        signal: control.signal,
      });
      // A hint is useful even without its reasons.
      const script = await import("../reasons.js").catch(() => null);
      const { reasons } = grades[0];
      const learn = (/** @type {{ line: string[] }} */ { line }) => record.lines.learn(at, line, look.notation);
      await Promise.all(reasons.map(learn));
      if (record.at !== at || control.signal.aborted) return;
      const texts = (/** @type {readonly string[]} */ line) => record.lines.texts(at, line, look.notation);
      const why = script && ` ${script.sentences(reasons, texts).join(" ")}`;
      fill(this.hint, w().play.hinted(record.label(at, move, look.notation)), why);
      showCandidates(board, record, [{ move, grade: "best", share: null, text: "★", chosen: true }]);
    } catch (error) {
      if (control.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      fill(this.hint, ...errorText(error));
    }
  }

  /**
   * Evaluates the position for the evaluation bar, if it is shown. While the engine looks for its move, the bar keeps the last
   * value.
   */
  async #evaluate() {
    const { app } = this;
    const { record, settings } = app;
    if (settings.panel !== "play" || !app.showsEvaluation || (this.enginesTurn && settings.human !== "none")) return;
    const control = new AbortController();
    this.#estimating = control;
    try {
      const body = { ...record.request(), budget: EVALUATION_BUDGET, report: MINIMAL_REPORT };
      const { root, position } = await call("/v1/searches", { body, signal: control.signal });
      if (!control.signal.aborted) app.showEvaluation(root, position.to_move);
    } catch (error) {
      if (control.signal.aborted) return;
      // The game can go on without it.
      app.evaluation.show(null);
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** The reader's last decision, as the number of moves before it. */
  get #undoable() {
    const { settings, record, actions } = this.app;
    if (actions.pending.moves.length > 0) return record.at;
    const own = (/** @type {number} */ ply) => settings.human === "both" || settings.human === "none" || record.mover(ply) === settings.human;
    let left = record.at - 1;
    while (left > 0 && !own(left)) left -= 1;
    return left >= 0 && own(left) ? left : null;
  }

  /** Takes moves back to the reader's last decision, or to `left` moves. */
  undo(left = this.#undoable) {
    const { record, actions, session } = this.app;
    if (actions.takeBackPending() || left === null) return;
    session.noteHelp();
    this.#stop();
    void this.app.attempt(() => record.undo(record.at - left));
  }

  /** Who may resign now. @returns {import("../types.js").Side | null} */
  get #resigner() {
    const { settings, record } = this.app;
    if (record.ended || record.line.length === 0 || settings.human === "none") return null;
    return settings.human === "both" ? (record.final?.to_move ?? null) : settings.human;
  }

  async #resign() {
    const { record } = this.app;
    const words = w().play.resigning;
    const side = this.#resigner;
    if (side === null || !(await confirm(words.heading, words.text, w().play.resign)) || side !== this.#resigner) return;
    await this.app.attempt(() => record.go(record.line.length));
    record.resign(side);
  }
}
