// @ts-check
/** A game against the engine: who plays which side, how strong it is, the moves, copying and pasting. */

import { ApiError, call, insist } from "../api.js";
import { showCandidates } from "../boards/marks.js";
import { button, field, fill, h, select } from "../dom.js";
import { sideName } from "../games.js";
import { FULL_STRENGTH } from "../link.js";
import { explain } from "../notice.js";
import { duration, number, w } from "../words.js";

/** How much the choice varies at full strength among moves of almost equal worth, so that games differ. */
const VARIETY = 0.3;
/** What the bar beside the board may spend on a position. */
const ESTIMATE = { time_ms: 300 };
/** Where only the move, or the value of the position, is of interest. */
const BRIEFLY = { children: "best", pv_length: 1 };
const TIMES = [20, 50, 200, 500, 1000, 2000, 5000, 10_000, 30_000];

export class Play {
  /** The search for the engine's move under way. @type {AbortController | null} */
  #thinking = null;
  /** The search for the value of the position. @type {AbortController | null} */
  #estimating = null;
  /** The search for a hint. @type {AbortController | null} */
  #hinting = null;

  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    this.fields = h("div", { class: "fields" });
    this.buttons = h("div", { class: "buttons" });
    this.hint = h("p", { class: "hint-text", "aria-live": "polite" });
    this.moves = h("ol", { class: "moves" });
    this.paste = h("textarea", { rows: 2, spellcheck: false, name: "paste" });
    this.copied = h("span", { class: "copied", role: "status" });
    this.element = h("div", { class: "play" },
      this.fields, this.buttons, this.hint,
      h("h3", {}, w().play.moves), this.moves,
      h("details", { class: "transfer" }, h("summary", {}, w().transfer.heading), this.#transfer()));
    this.#drawFields();
    this.#drawMoves();
  }

  #drawFields() {
    const { app } = this;
    const { settings, record, policy } = app;
    const words = w().play;
    const { game } = record;
    const most = policy.most.time_ms;
    const side = (/** @type {import("../types.js").Side} */ one) => sideName(game, one);
    const levels = words.levels.map((name, index) => /** @type {[string, string]} */ ([String(index + 1), `${number(index + 1)} · ${name}`]));
    const times = [...new Set([...TIMES, settings.time])].filter((time) => time <= most).sort((a, b) => a - b);
    fill(this.fields,
      field(words.you, select([["first", side("first")], ["second", side("second")], ["both", words.both], ["none", words.none]], settings.human, (value) => {
        settings.human = /** @type {any} */ (value);
        this.#changed();
      }, { name: "human" })),
      field(words.strength, select(levels, String(settings.level), (value) => {
        settings.level = Number(value);
        app.likes.set("level", value);
        this.#changed();
      }, { name: "level" })),
      field(words.time, select(times.map((time) => [String(time), duration(time)]), String(settings.time), (value) => {
        settings.time = Number(value);
        this.#changed();
      }, { name: "time" })));
    fill(this.buttons,
      button(words.newGame, () => app.newGame(), { class: "primary", name: "new" }),
      button(words.undo, () => this.undo(), { name: "undo" }),
      button(words.hint, () => void this.#hint(), { name: "hint" }),
      button(words.resign, () => this.#resign(), { name: "resign" }));
  }

  #changed() {
    this.app.settingsChanged();
    this.app.showStatus();
    this.think();
  }

  /** @param {string} cause */
  refresh(cause) {
    this.#stop();
    fill(this.hint);
    if (cause === "load") this.#drawFields();
    this.#drawMoves();
    if (this.app.settings.panel === "play") this.think();
  }

  leave() {
    this.#stop();
    fill(this.hint);
  }

  #stop() {
    this.#thinking?.abort();
    this.#estimating?.abort();
    this.#hinting?.abort();
    this.#thinking = null;
    this.#estimating = null;
    this.#hinting = null;
  }

  get thinking() {
    return this.#thinking !== null;
  }

  /** Whether the engine is to move in the position shown. */
  get enginesTurn() {
    const { settings, record } = this.app;
    if (settings.human === "both" || record.over || !record.atEnd) return false;
    return settings.human === "none" || record.position.to_move !== settings.human;
  }

  /** Has the engine move, if it is its turn. */
  async think() {
    this.#stop();
    void this.#evaluate();
    if (!this.enginesTurn) return this.app.showStatus();
    const control = new AbortController();
    this.#thinking = control;
    this.app.notice.clear();
    this.app.showStatus();
    try {
      const move = await this.#ask(control.signal);
      if (control.signal.aborted) return;
      this.#thinking = null;
      if (move !== null) await this.app.play(move);
    } catch (error) {
      if (control.signal.aborted) return;
      this.#thinking = null;
      fill(this.hint);
      this.app.notice.show(error, () => this.app.enter("play"));
      this.app.showStatus();
    }
  }

  /** The engine's choice at the strength chosen. @param {AbortSignal} signal @returns {Promise<string | null>} */
  async #ask(signal) {
    const { settings, record } = this.app;
    const strength = settings.level < FULL_STRENGTH ? { level: settings.level } : { variety: VARIETY };
    const response = await insist("/v1/searches", {
      body: { ...record.question(), ...strength, budget: { time_ms: settings.time }, report: BRIEFLY },
      signal,
      onwait: (seconds) => fill(this.hint, w().run.states.full(number(seconds))),
    });
    fill(this.hint);
    return (await response.json()).move;
  }

  async #hint() {
    const { record, look, board } = this.app;
    if (record.over || this.thinking) return;
    const at = record.at;
    this.#hinting?.abort();
    const control = new AbortController();
    this.#hinting = control;
    try {
      const { move } = await call("/v1/searches", {
        body: { ...record.question(), budget: { time_ms: this.app.settings.time }, report: BRIEFLY },
        signal: control.signal,
      });
      if (record.at !== at || control.signal.aborted) return;
      fill(this.hint, w().play.hinted(record.label(at, move, look.notation)));
      showCandidates(board, record, [{ move, grade: "best", share: null, text: "★", chosen: true }]);
    } catch (error) {
      if (control.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      fill(this.hint, ...explain(error));
    }
  }

  /**
   * What the position is worth, for the bar beside the board, where the reader wants it. While the engine looks for its move,
   * the bar keeps the value before it.
   */
  async #evaluate() {
    const { app } = this;
    const { record, settings } = app;
    if (settings.panel !== "play" || !app.evaluated || (this.enginesTurn && settings.human !== "none")) return;
    const control = new AbortController();
    this.#estimating = control;
    try {
      const body = { ...record.question(), budget: ESTIMATE, report: BRIEFLY };
      const { root, position } = await call("/v1/searches", { body, signal: control.signal });
      if (!control.signal.aborted) app.evaluate(root, position.to_move);
    } catch (error) {
      if (control.signal.aborted) return;
      // A game can go on without it.
      app.evaluation.show(null);
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** Back to the reader's own last decision. */
  undo() {
    const { settings, record } = this.app;
    if (this.app.forget()) return;
    this.#stop();
    const own = (/** @type {number} */ ply) => settings.human === "both" || settings.human === "none" || record.mover(ply) === settings.human;
    let left = record.at - 1;
    while (left > 0 && !own(left)) left -= 1;
    if (left < 0 || !own(left)) return;
    void this.app.attempt(() => record.undo(record.at - left));
  }

  #resign() {
    const { settings, record } = this.app;
    if (record.over || record.at === 0) return;
    record.resign(settings.human === "first" || settings.human === "second" ? settings.human : record.position.to_move);
  }

  #drawMoves() {
    const { record, look } = this.app;
    const entries = record.moves.map((move, ply) => {
      const side = record.mover(ply) ?? "";
      const current = ply + 1 === record.at;
      return h("li", { class: `${side}${current ? " current" : ""}` },
        button(record.label(ply, move, look.notation), () => void this.app.attempt(() => record.go(ply + 1)), { "aria-current": current && "step" }));
    });
    fill(this.moves, entries.length > 0 ? entries : h("li", { class: "none" }, w().play.noMoves));
    // Only the list is moved, never the page.
    const current = this.moves.querySelector(".current")?.getBoundingClientRect();
    const list = this.moves.getBoundingClientRect();
    if (current && current.bottom > list.bottom) this.moves.scrollTop += current.bottom - list.bottom;
  }

  #transfer() {
    const words = w().transfer;
    const { record } = this.app;
    const copy = (/** @type {string} */ label, /** @type {() => string} */ text, /** @type {string} */ name) =>
      button(label, () => void this.#copy(text()), { name });
    this.paste.placeholder = `${words.placeholder} ${record.game.notation.moves_example.join(" ")}`;
    return h("div", {},
      h("div", { class: "buttons" },
        copy(words.copyGame, () => record.text, "copy-game"),
        copy(words.copyPosition, () => record.position.position, "copy-position"),
        copy(words.copyLink, () => location.href, "copy-link"),
        this.copied),
      field(words.paste, this.paste),
      button(words.load, () => void this.#load(), { name: "load" }));
  }

  async #load() {
    const text = this.paste.value;
    if (text.trim() === "") return;
    await this.app.attempt(async () => {
      await this.app.record.paste(text);
      this.paste.value = "";
    });
  }

  /** @param {string} text */
  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Browsers keep the clipboard from pages without encryption: then the text can be copied by hand.
      this.paste.value = text;
      this.paste.select();
      return;
    }
    this.copied.textContent = w().transfer.copied;
    setTimeout(() => (this.copied.textContent = ""), 2000);
  }
}
