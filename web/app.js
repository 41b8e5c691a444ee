// @ts-check
/** The page: what is shown where, who is told when the game changes, and the keys that work everywhere. */

import { call, passing } from "./api.js";
import { places } from "./backend/places.js";
import { Board } from "./boards/board.js";
import { showKept } from "./boards/marks.js";
import { button, fill, h } from "./dom.js";
import { moduleOf } from "./games.js";
import { format, parse, PANELS } from "./link.js";
import { showKeys } from "./dialogs.js";
import { likes } from "./likes.js";
import { Notice } from "./notice.js";
import { keepFor, onceKept } from "./offline.js";
import { Record } from "./record.js";
import { header } from "./header.js";
import { icon } from "./icons.js";
import { fit } from "./panels/effort.js";
import { Evaluation } from "./panels/evaluation.js";
import { Analysis } from "./panels/analysis.js";
import { Later } from "./panels/later.js";
import { Play } from "./panels/play.js";
import { Review } from "./panels/review.js";
import { Tree } from "./panels/tree.js";
import { statusLine } from "./status.js";
import { w } from "./words.js";

/**
 * @typedef {import("./link.js").Panel} Panel
 * @typedef {{ play: Play, analyse: Analysis, tree: Tree, review: Review, setup: Later }} Panels
 */

/** What the address says, and where it says nothing, what the reader likes. */
const address = () => parse(location.hash, likes.get("level", ""));

export class App {
  look = {
    glyphs: likes.get("glyphs", "characters"),
    notation: likes.get("notation", "coordinates"),
    flipped: false,
    hints: false,
    playable: true,
    evaluation: likes.get("evaluation", "hidden") === "shown",
  };
  notice = new Notice();
  /** Moves made here that the service could not be told of yet. @type {string[]} */
  #kept = [];
  #attempts = 0;
  likes = likes;
  root = /** @type {HTMLElement} */ (document.getElementById("app"));

  // What is seen; built once the game is known, and again when the language changes.
  /** @type {Panels | undefined} */
  #panels;
  /** @type {Board} */
  board;
  /** @type {Evaluation} */
  evaluation;
  /** @type {HTMLElement} */
  status;
  /** The end of the game, for those who listen. @type {HTMLElement} */
  final;
  /** @type {Map<Panel, HTMLElement>} */
  tabs;
  /** @type {HTMLElement} */
  panel;

  /** @param {import("./types.js").Game[]} games @param {import("./types.js").Policy} policy @param {() => Promise<void>} welcome shows the page without a game */
  constructor(games, policy, welcome) {
    this.welcome = welcome;
    this.games = games;
    this.policy = policy;
    const { course, settings } = address();
    this.settings = settings;
    const game = games.find(({ name }) => name === course?.game) ?? games[0];
    this.record = new Record(game);
    this.record.addEventListener("change", (event) => this.#changed(/** @type {CustomEvent} */ (event).detail));
    this.notice.onleave = () => this.board.focus();
    addEventListener("hashchange", () => void this.open());
    if (places.hasEngine) onceKept(() => this.#provide());
    addEventListener("pagehide", () => this.#panels?.[this.settings.panel].leave());
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  get panels() {
    return /** @type {Panels} */ (this.#panels);
  }

  /** Whether the evaluation can be seen: in a game only where the reader asks for it, since it gives advice. */
  get evaluated() {
    return this.settings.panel !== "play" || this.look.evaluation;
  }

  /** A search under way would go on without anybody to see it. */
  #leave() {
    this.#panels?.[this.settings.panel].leave();
    this.#panels?.review.runner.abandon();
    this.#panels = undefined;
  }

  build() {
    this.#leave();
    this.root.dataset.view = "game";
    this.board = new Board(this.record, this.look, (move) => this.#chosen(move));
    this.evaluation = new Evaluation();
    this.status = h("p", { class: "status" });
    this.final = h("p", { class: "unseen", "aria-live": "polite" });
    const setup = new Later(this, "setup", async () => new (await import("./panels/setup.js")).Setup(this));
    this.#panels = { play: new Play(this), analyse: new Analysis(this), tree: new Tree(this), review: new Review(this), setup };
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
          this.status, this.final, this.#controls()),
        h("div", { class: "side" }, tablist, this.panel)));
    this.notice.draw();
    document.title = `${w().title}: ${w().tagline}`;
    this.#show();
    this.enter(this.settings.panel);
  }

  /** @param {Panel} name */
  #tab(name) {
    return button(w().panels[name], () => this.enter(name), { role: "tab", id: `tab-${name}`, "aria-controls": "panel", "data-panel": name });
  }

  #controls() {
    const words = w().board;
    const { record } = this;
    const step = (/** @type {"first" | "back" | "forward" | "end"} */ sign, /** @type {string} */ label, /** @type {() => number} */ to) =>
      button(icon(sign), () => void this.attempt(() => record.go(to())), { "aria-label": label, title: label });
    return h("div", { class: "controls" },
      step("first", words.first, () => 0),
      step("back", words.back, () => record.heading - 1),
      step("forward", words.forward, () => record.heading + 1),
      step("end", words.end, () => record.moves.length),
      this.#toggle("hints", words.hints),
      this.#toggle("evaluation", words.evaluation),
      this.#toggle("flipped", words.flip));
  }

  /** @param {"hints" | "evaluation" | "flipped"} name @param {string} label */
  #toggle(name, label) {
    const element = button(icon(name), () => {
      this.look[name] = !this.look[name];
      if (name === "evaluation") likes.set(name, this.look[name] ? "shown" : "hidden");
      element.setAttribute("aria-pressed", String(this.look[name]));
      this.#show();
      this.panels[this.settings.panel].refresh("enter");
    }, { "aria-label": label, title: label, "aria-pressed": String(this.look[name]), "data-toggle": name });
    return element;
  }

  /** Another panel. @param {Panel} name */
  enter(name) {
    const before = this.settings.panel;
    if (before !== name) this.panels[before].leave();
    this.settings.panel = name;
    this.root.dataset.panel = name;
    for (const [one, tab] of this.tabs) {
      tab.setAttribute("aria-selected", String(one === name));
      tab.tabIndex = one === name ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `tab-${name}`);
    fill(this.panel, this.panels[name].element);
    fill(this.board.layers.marks);
    this.#showEvaluation();
    if (name === "play") void this.panels.play.think();
    else this.panels[name].refresh("enter");
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
    if (!this.#panels) return;
    if (likes.get("sounds", "off") === "on") void import("./sounds.js").then(({ follow }) => follow(this.record, cause));
    if (cause !== "labels") {
      this.#kept = [];
      this.notice.clear();
    }
    this.#show();
    if (cause === "load") this.#provide();
    if (cause !== "labels") {
      // The value of a game in progress stays until the next one is known.
      if (cause !== "play" || this.settings.panel !== "play") this.evaluation.show(null);
      for (const panel of Object.values(this.panels)) panel.refresh(cause);
      this.final.textContent = this.record.over ? statusLine(this.record, this.settings, false).text : "";
    } else this.panels[this.settings.panel].refresh(cause);
    this.showStatus();
    this.settingsChanged();
  }

  #show() {
    fill(this.board.layers.marks);
    this.board.show(this.look);
    showKept(this.board, this.record, this.#kept);
    for (const flip of this.root.querySelectorAll('[data-toggle="flipped"]')) {
      /** @type {HTMLElement} */ (flip).hidden = !moduleOf(this.record.game).flips;
    }
    this.#showEvaluation();
  }

  /** The bar in the colours of the game's sides, where it is wanted; the button that shows it, where it may be hidden. */
  #showEvaluation() {
    this.evaluation.of(this.record.game);
    this.evaluation.element.hidden = !this.evaluated;
    if (!this.evaluated) this.evaluation.show(null);
    for (const toggle of this.root.querySelectorAll('[data-toggle="evaluation"]')) {
      /** @type {HTMLElement} */ (toggle).hidden = this.settings.panel !== "play";
    }
  }

  showStatus() {
    const { text, kind } = statusLine(this.record, this.settings, this.panels.play.thinking);
    // Nobody moves for the engine.
    this.board.allow(this.settings.panel !== "play" || !this.panels.play.enginesTurn);
    this.status.dataset.kind = kind;
    this.status.textContent = text;
    this.root.dataset.over = String(this.record.over);
    this.root.dataset.ply = String(this.record.at);
  }

  /** The estimate of the position shown. @param {import("./types.js").Knowledge} known @param {import("./types.js").Side} side */
  evaluate(known, side) {
    this.evaluation.show(known, side);
  }

  /** Searches run elsewhere from now on, and may spend what can be spent there. */
  relocate() {
    return this.attempt(async () => {
      const { budget } = await call("/v1/games");
      this.policy = budget;
      fit(this.settings, budget);
      this.#provide();
      this.build();
    });
  }

  /** Has what searches of the game use fetched before it is needed. */
  #provide() {
    const { name } = this.record.game;
    void places.prepare(name);
    if (places.hasEngine) keepFor(name, places.current === "browser");
  }

  /** The address follows whatever is chosen. */
  settingsChanged() {
    const { game, variant, start, moves, at, resigned } = this.record;
    const link = `#${format({ game: game.name, variant, start, moves, at, resigned }, this.settings)}`;
    if (link !== location.hash) history.replaceState(null, "", link);
  }

  /** A move made on the board: an exercise takes it for an answer, else it is played. @param {string} move */
  #chosen(move) {
    const { exercise } = this.panels.review;
    void (exercise?.active ? exercise.try(move) : this.play(move));
  }

  /** Plays moves in the position shown. @param {...string} moves */
  play(...moves) {
    return this.attempt(() => this.record.play(...moves), moves);
  }

  /**
   * Does something that may be refused, and tells why it was. Where the service could not be reached, or could not answer now, it
   * can be tried again; moves made stay on the board until then.
   * @param {() => Promise<unknown>} action
   * @param {string[]} [moves]
   */
  async attempt(action, moves = []) {
    const own = (this.#attempts += 1);
    try {
      await action();
      return true;
    } catch (error) {
      // What the reader did meanwhile has taken its place.
      if (own !== this.#attempts) return false;
      const again = passing(error);
      this.#keep(again ? moves : []);
      const { at } = this.record;
      const labels = this.#kept.map((move, index) => (index === 0 ? this.record.label(at, move, this.look.notation) : move));
      this.notice.show(error, again ? () => void this.attempt(action, moves) : undefined, labels.join(" "));
      return false;
    }
  }

  /** @param {string[]} moves */
  #keep(moves) {
    this.#kept = moves;
    if (this.#panels) showKept(this.board, this.record, moves);
  }

  /** Takes back the moves that wait to be sent. Whether there were any. */
  forget() {
    if (this.#kept.length === 0) return false;
    // One that is being sent just now must not come back, either.
    this.#attempts += 1;
    this.record.halt();
    this.#keep([]);
    this.notice.clear();
    return true;
  }

  newGame() {
    const { game, variant } = this.record;
    return this.attempt(() => this.record.load({ game, variant }));
  }

  /** Opens what the address says. */
  async open() {
    const { course, settings } = address();
    if (!course) {
      this.#leave();
      return this.welcome();
    }
    Object.assign(this.settings, settings);
    const game = this.games.find(({ name }) => name === course?.game);
    if (course && game) {
      const name = course.variant.name === "" ? game.start.variant.name : course.variant.name;
      const variant = { .../** @type {any} */ (course.variant), name };
      const { start, moves, at, resigned } = course;
      await this.attempt(() => this.record.load({ game, variant, start, moves, at, resigned }));
    }
    this.build();
    this.#provide();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest('input:not([type="radio"], [type="checkbox"]), select, textarea, dialog') || !this.#panels) return;
    const { record, settings } = this;
    const panel = this.panels[settings.panel];
    /** @type {{ [key: string]: () => unknown }} */
    const actions = {
      "?": () => showKeys(),
      b: () => this.board.focus(),
      n: () => this.newGame(),
      u: () => this.panels.play.undo(),
      h: () => this.#press("hints"),
      e: () => this.#press("evaluation"),
      f: () => this.#press("flipped"),
      s: () => "runner" in panel && panel.runner.toggle(),
      ",": () => this.attempt(() => record.go(record.heading - 1)),
      ".": () => this.attempt(() => record.go(record.heading + 1)),
      "[": () => this.attempt(() => record.go(0)),
      "]": () => this.attempt(() => record.go(record.moves.length)),
    };
    PANELS.forEach((name, index) => (actions[String(index + 1)] = () => this.enter(name)));
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    void action();
  }

  /** @param {string} name */
  #press(name) {
    /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-toggle="${name}"]:not([hidden])`))?.click();
  }
}
