// @ts-check
/** The page of a game: its layout, and what is updated when the game changes. */

import { ApiError, call } from "./api.js";
import { backend } from "./backend/router.js";
import { Board } from "./boards/board.js";
import { Extras } from "./boards/extras.js";
import { button, fill, h } from "./dom.js";
import { moduleOf, notationOf, sideName } from "./games.js";
import { parse, PANELS } from "./link.js";
import { preferences, estimatedLevel } from "./preferences.js";
import { Actions } from "./actions.js";
import { OfflineOverlay } from "./offline-overlay.js";
import { controls, showHints } from "./controls.js";
import { Session } from "./session.js";
import { listen } from "./keys.js";
import { Notice } from "./notice.js";
import { cacheGameFile, onControlled } from "./offline.js";
import { Record } from "./record.js";
import { header } from "./header.js";
import { Evaluation } from "./panels/evaluation.js";
import { loadModule, LazyPanel } from "./panels/lazy-panel.js";
import { Play } from "./panels/play.js";
import { Strips } from "./play/strips.js";
import { Timer } from "./play/timer.js";
import { statusLine } from "./status.js";
import { number, w } from "./words.js";

/**
 * @typedef {import("./link.js").Panel} Panel
 * @typedef {{
 *   play: Play, analyse: LazyPanel<import("./panels/analysis.js").Analysis>, tree: LazyPanel<import("./panels/tree.js").Tree>,
 *   review: LazyPanel<import("./panels/review.js").Review>, setup: LazyPanel<import("./panels/setup.js").Setup>,
 * }} Panels
 */

/** The state in the address, completed by the reader's preferences. */
const address = () => parse(location.hash, preferences.get("level", ""));

export class App {
  look = {
    glyphs: preferences.get("glyphs", "characters"),
    notation: "",
    flipped: false,
    hints: false,
    /** Whether the reader chose hints; null without a choice. */
    hinted: /** @type {boolean | null} */ (null),
    playable: true,
    evaluation: preferences.get("evaluation", "hidden") === "shown",
  };
  notice = new Notice();
  offlineOverlay = new OfflineOverlay();
  #cardPlace = new Comment();
  #branchesPlace = new Comment();
  /** @type {import("./panels/branches.js").Branches | undefined} */
  #branches;
  /** @type {import("./play/end-card.js").EndCard | undefined} */
  #card;
  root = /** @type {HTMLElement} */ (document.getElementById("app"));

  // The elements on screen: built once the game is known, and again when the language changes.
  /** @type {Panels | undefined} */
  #panels;
  /** @type {Board} */
  board;
  /** @type {Extras} */
  extras;
  /** @type {Evaluation} */
  evaluation;
  /** @type {HTMLElement} */
  status;
  /** The engine's move and the result, for screen readers. @type {HTMLElement} */
  announcement;
  /** @type {Map<Panel, HTMLElement>} */
  tabs;
  /** @type {HTMLElement} */
  panel;

  /** @param {import("./types.js").Game[]} games @param {import("./types.js").Policy} policy @param {() => Promise<void>} showHome shows the page without a game */
  constructor(games, policy, showHome) {
    this.showHome = showHome;
    this.games = games;
    this.policy = policy;
    const { state, settings } = address();
    this.settings = settings;
    const game = games.find(({ name }) => name === state?.game) ?? games[0];
    this.record = new Record(game);
    this.record.addEventListener("change", (event) => this.#changed(/** @type {CustomEvent} */ (event).detail));
    this.timer = new Timer(this.record, () => this.settings.clock, (side) => this.settings.human !== "both" && this.settings.human !== side);
    this.timer.addEventListener("time", () => this.strips?.tick());
    this.timer.addEventListener("flag", (event) => this.record.flag(/** @type {CustomEvent} */ (event).detail));
    this.strips = new Strips(this);
    this.actions = new Actions(this);
    this.session = new Session(this);
    this.notice.onleave = this.offlineOverlay.onleave = () => this.board.focus();
    this.offlineOverlay.onTakeBack = () => void this.actions.takeBackPending();
    this.offlineOverlay.onchange = () => this.actions.show();
    if (backend.hasEngine) onControlled(() => this.#prefetch());
    addEventListener("pagehide", () => this.#pause(true));
    addEventListener("pageshow", ({ persisted }) => persisted && this.#pause(false));
    listen(this);
  }

  /** The page is left, or restored from the browser's back/forward cache. @param {boolean} left */
  #pause(left) {
    this.timer.hold("left", left);
    if (!this.#panels) return;
    if (left) this.panels[this.settings.panel].leave();
    else this.enter(this.settings.panel);
  }

  /** Whether a game is shown. */
  get shown() {
    return this.#panels !== undefined;
  }

  get panels() {
    return /** @type {Panels} */ (this.#panels);
  }

  /** Whether the evaluation is shown: during play only on request, since it gives advice. */
  get showsEvaluation() {
    return this.settings.panel !== "play" || this.look.evaluation;
  }

  /** Leaves the game and stops its searches, whose results nobody would see. */
  #leave() {
    this.#panels?.[this.settings.panel].leave();
    this.#panels?.review.runner?.abandon();
    this.timer.hold("elsewhere", true);
    this.strips.leave();
    this.#panels = undefined;
  }

  build() {
    this.#leave();
    this.root.dataset.view = "game";
    this.look.notation = notationOf(this.record.game);
    this.board = new Board(this.record, this.look, (move) => this.#moveChosen(move));
    this.board.onrefuse = (...tap) => void this.actions.explainRefusal(...tap);
    this.extras = new Extras({ record: this.record, board: this.board, look: this.look });
    this.evaluation = new Evaluation();
    this.status = h("p", { class: "status" });
    this.board.element.prepend(this.strips.upper);
    this.board.element.append(this.strips.lower, this.offlineOverlay.element);
    this.announcement = h("p", { class: "visually-hidden", "aria-live": "polite" });
    this.#panels = {
      play: new Play(this),
      analyse: new LazyPanel(this, "analyse", async () => new (await import("./panels/analysis.js")).Analysis(this)),
      tree: new LazyPanel(this, "tree", async () => new (await import("./panels/tree.js")).Tree(this)),
      review: new LazyPanel(this, "review", async () => new (await import("./panels/review.js")).Review(this)),
      setup: new LazyPanel(this, "setup", async () => new (await import("./panels/setup.js")).Setup(this)),
    };
    this.tabs = new Map(PANELS.map((name) => [name, this.#tab(name)]));
    const tablist = h("div", { class: "tabs", role: "tablist", "aria-label": w().panels.label }, [...this.tabs.values()]);
    tablist.addEventListener("keydown", (event) => this.#walkTabs(event));
    this.panel = h("section", { class: "panel", id: "panel", role: "tabpanel" });
    fill(this.root,
      header(this),
      this.notice.element,
      h("main", {},
        h("section", { class: "table" },
          h("div", { class: "stage" }, this.evaluation.element, this.board.element),
          this.status, this.extras.element, this.announcement, this.panels.play.hint, this.panels.play.remark,
          h("div", { class: "below" }, controls(this), this.panels.play.buttons)),
        h("div", { class: "aside" }, this.#cardPlace, this.#branchesPlace, h("div", { class: "side" }, tablist, this.panel))));
    this.notice.draw();
    document.title = `${w().title}: ${w().tagline}`;
    this.enter(this.settings.panel);
  }

  /** @param {Panel} name */
  #tab(name) {
    return button(w().panels[name], () => this.enter(name), { role: "tab", id: `tab-${name}`, "aria-controls": "panel", "data-panel": name });
  }

  /** Switches to a panel. @param {Panel} name */
  enter(name) {
    const before = this.settings.panel;
    if (before === "play") this.session.save();
    this.settings.panel = name;
    if (before !== name) this.panels[before].leave();
    if (name === "play") {
      if (this.actions.pending.tried) this.actions.takeBackPending();
      void this.record.leaveBranch();
    }
    this.root.dataset.panel = name;
    for (const [one, tab] of this.tabs) {
      tab.setAttribute("aria-selected", String(one === name));
      tab.tabIndex = one === name ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `tab-${name}`);
    fill(this.panel, this.panels[name].element);
    this.timer.hold("elsewhere", name !== "play");
    this.show();
    if (name === "play") this.panels.play.enter();
    else this.panels[name].refresh("enter");
    void this.#drawBranches();
    this.showStatus();
    this.settingsChanged();
  }

  /** @param {KeyboardEvent} event */
  #walkTabs(event) {
    const index = PANELS.indexOf(this.settings.panel);
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = PANELS[(index + step + PANELS.length) % PANELS.length];
    if (step === 0) return;
    this.enter(next);
    this.tabs.get(next)?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} cause what changed in the record */
  #changed(cause) {
    if (cause === "labels") return this.#relabel();
    if (cause === "branch") this.timer.release();
    else if (cause !== "go") this.timer.recordChanged(cause);
    if (cause !== "go") this.actions.dropStale(cause);
    if (cause === "load") {
      this.orient();
      this.look.notation = notationOf(this.record.game);
    }
    // A notice about a waiting move stays while other positions are viewed.
    if (cause !== "go" || this.actions.pending.moves.length === 0) this.notice.clear();
    this.session.recordChanged(cause);
    if (!this.#panels) return;
    if (preferences.get("sounds", "off") === "on") void import("./sounds.js").then(({ playEvent }) => playEvent(this.record, cause));
    this.show();
    if (cause === "load") this.#prefetch();
    // During play the last value stays until the next one is known.
    if (cause !== "play" || this.settings.panel !== "play") this.evaluation.show(null);
    const usual = cause === "extend" ? "play" : cause;
    for (const panel of Object.values(this.panels)) panel.refresh(panel === this.panels.play ? cause : usual);
    this.#announceChange(cause);
    this.showStatus();
    this.settingsChanged();
    void this.#drawBranches();
  }

  /** Redraws moves whose notation has become known. */
  #relabel() {
    if (!this.#panels) return;
    this.actions.show();
    this.panels[this.settings.panel].refresh("labels");
    void this.#drawBranches();
  }

  /** Draws the tried moves. Their module is loaded with the first of them. */
  async #drawBranches() {
    if (!this.#branches) {
      const script = this.record.branches.length > 0 && (await import("./panels/branches.js").catch(() => null));
      if (!script) return;
      this.#branches ??= new script.Branches(this);
    }
    if (!this.#branches.element.isConnected) this.#branchesPlace.replaceWith(this.#branches.element);
    this.#branches.draw();
  }

  /** Turns the board to the reader's side, in games where it can be turned. */
  orient() {
    this.look.flipped = moduleOf(this.record.game).flips === true && this.settings.human === "second";
  }

  /** Announces the engine's move and the result. @param {string} cause */
  #announceChange(cause) {
    const { record, settings, look } = this;
    const ply = record.line.length - 1;
    const last = record.line[ply];
    const played = (cause === "play" || cause === "extend") && settings.panel === "play" && last && this.timer.isEngine(last.side);
    const move = played ? w().play.played(sideName(record.game, last.side), record.label(ply, last.move, look.notation)) : "";
    const end = record.over ? statusLine(record, settings, false).text : "";
    this.announce([move, end].filter(Boolean).join(" "));
  }

  /** Has a text read out by screen readers. @param {string} text */
  announce(text) {
    this.announcement.textContent = text;
  }

  show() {
    fill(this.board.layers.marks);
    showHints(this);
    this.board.show(this.look);
    this.actions.show();
    for (const flip of this.root.querySelectorAll('[data-toggle="flipped"]')) {
      /** @type {HTMLElement} */ (flip).hidden = !moduleOf(this.record.game).flips;
      flip.setAttribute("aria-pressed", String(this.look.flipped));
    }
    this.#showEvaluation();
  }

  /** Shows the evaluation bar in the sides' colours, if enabled, and its toggle, during play. */
  #showEvaluation() {
    this.evaluation.of(this.record.game);
    this.evaluation.element.hidden = !this.showsEvaluation;
    if (!this.showsEvaluation) this.evaluation.show(null);
    for (const toggle of this.root.querySelectorAll('[data-toggle="evaluation"]')) {
      /** @type {HTMLElement} */ (toggle).hidden = this.settings.panel !== "play";
    }
  }

  /** Draws the end card. Its module is loaded at the first end; if that fails, the status line still shows the result. */
  async #drawCard() {
    if (!this.#card) {
      const script = this.record.over && (await import("./play/end-card.js").catch(() => null));
      if (!script) return;
      this.#card ??= new script.EndCard(this);
    }
    if (!this.#card.element.isConnected) this.#cardPlace.replaceWith(this.#card.element);
    this.#card.draw();
  }

  showStatus() {
    // Work cancelled when the game was left may still end here.
    if (!this.#panels) return;
    const { text, kind } = statusLine(this.record, this.settings, this.panels.play.thinking && this.record.atEnd);
    // The reader cannot move for the engine.
    this.board.setPlayable(this.settings.panel !== "play" || !this.panels.play.enginesTurn);
    this.status.dataset.kind = kind;
    this.status.textContent = text;
    this.extras.draw();
    this.strips.draw();
    void this.#drawCard();
    this.panels.play.showButtons();
    this.root.dataset.over = String(this.record.over);
    this.root.dataset.ply = String(this.record.at);
  }

  /** @param {import("./types.js").Knowledge} known of the position shown @param {import("./types.js").Side} side */
  showEvaluation(known, side) {
    this.evaluation.show(known, side);
  }

  /** The backend has changed: applies its limits. */
  backendChanged() {
    return this.attempt(async () => {
      const [{ budget }, { clampSettings }] = await Promise.all([call("/v1/games"), loadModule(import("./panels/effort.js"))]);
      this.policy = budget;
      clampSettings(this.settings, budget);
      this.#prefetch();
      this.build();
    });
  }

  /** Prefetches the files that the game's searches use. */
  #prefetch() {
    const { name } = this.record.game;
    void backend.prepare(name);
    if (backend.hasEngine) cacheGameFile(name, backend.current === "browser");
  }

  /** Updates the address to the current settings. */
  settingsChanged() {
    this.session.show();
  }

  /** Whether a move is only tried now: outside the play panel, where playing it would change the game. */
  get triesMoves() {
    const { record, settings, session } = this;
    return settings.panel !== "play" && (record.branch !== null || !record.atEnd || record.ended || session.playedHere);
  }

  /** Handles a move made on the board: the answer to an exercise, or a move to play. @param {string} move */
  #moveChosen(move) {
    const exercise = this.panels.review.panel?.exercise;
    void (exercise?.active ? exercise.try(move) : this.play(move));
  }

  /** Plays moves in the position shown. @param {...string} moves */
  play(...moves) {
    return this.actions.play(moves);
  }

  /** Runs an action, and shows the reason if it is refused. @param {() => Promise<unknown>} action */
  attempt(action) {
    return this.actions.run(action);
  }

  /**
   * Loads a game; if a move is refused, only the moves before it.
   * @param {import("./record.js").Content & { moves: string[], at: number }} content
   */
  async #load(content) {
    const { moves, at } = content;
    try {
      await this.record.load(content);
    } catch (error) {
      const ply = error instanceof ApiError ? error.refusedMove : null;
      if (ply === null) throw error;
      await this.record.load({ ...content, moves: moves.slice(0, ply), at: Math.min(at, ply), resigned: null, timeout: null, branches: [] });
      this.notice.show(error, { text: () => w().notice.refused(number(ply + 1), moves[ply]) });
    }
  }

  /** Opens the game in the address. */
  async open() {
    const { state, settings } = address();
    if (!state) {
      this.#leave();
      return this.showHome();
    }
    const { historyState } = this.session;
    if (settings.auto) settings.level = estimatedLevel(state.game, settings.level);
    Object.assign(this.settings, settings, { auto: settings.auto || historyState?.auto === true });
    const game = this.games.find(({ name }) => name === state.game);
    if (game) {
      const name = state.variant.name === "" ? game.start.variant.name : state.variant.name;
      const variant = { ...state.variant, name };
      const { branch = null } = state;
      await this.attempt(async () => {
        await this.#load({ ...state, game, variant, at: branch === null ? state.at : state.moves.length, historyState });
        if (branch !== null && this.record.branches[branch]) await this.record.showBranch(branch, state.at);
      });
    }
    this.build();
    this.#prefetch();
  }
}
