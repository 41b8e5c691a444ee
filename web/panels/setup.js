// @ts-check
/**
 * A position set up by hand: a board with freely placed pieces, its text, which can also be edited, and the service's verdict.
 * The game stays as it is until the position is played or analysed.
 */

import { ApiError, call } from "../api.js";
import { Board } from "../boards/board.js";
import { button, coded, field, fill, h, s, select } from "../dom.js";
import { classOf, contentName, gameWord, moduleOf, sideName } from "../games.js";
import { icon } from "../icons.js";
import { errorText } from "../notice.js";
import { statusLine } from "../status.js";
import { gameTexts, number, w } from "../words.js";

/**
 * @typedef {import("../boards/placing.js").Draft} Draft
 * @typedef {import("../games.js").GameModule} GameModule
 * @typedef {import("../types.js").Position} Position
 * @typedef {import("../types.js").Side} Side
 */

/** Milliseconds without a change before the service is asked. */
const DEBOUNCE = 200;
/** Milliseconds before it is asked again if it could not answer. */
const RETRY_DELAY = 2000;
/** @type {readonly Side[]} */
const SIDES = ["first", "second"];

export class Setup {
  /** @type {Draft | null} null where only the service can read the text */
  #draft = null;
  /** The piece to put on the board; null removes pieces. @type {string | null} */
  #tool = null;
  /** Whether the reader has changed the draft; otherwise it follows the game. */
  #changed = false;
  /** The service's reading of the text. @type {Position | null} */
  #position = null;
  #checks = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /**
   * The game's module, and the one that the board draws with, which lacks what only games need.
   * @type {GameModule | undefined}
   */
  #source;
  /** @type {GameModule} */
  #module;
  /** The text that this panel has put into the address. @type {string | null} */
  #linkedText = null;

  palette = h("div", { class: "palette", role: "radiogroup" });
  turn = h("div", { class: "segments", role: "radiogroup" });
  stage = h("div");
  text = h("textarea", { rows: 3, spellcheck: false, name: "setup", autocapitalize: "off", "aria-describedby": "setup-verdict" });
  verdict = h("p", { class: "setup-verdict", role: "status", id: "setup-verdict" });
  /** @type {Board} */
  board;

  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    const words = w().setup;
    this.play = button(words.play, () => void this.#use("play"), { class: "primary", name: "setup-play" });
    this.analyse = button(words.analyse, () => void this.#use("analyse"), { name: "setup-analyse" });
    this.palette.setAttribute("aria-label", words.palette);
    this.turn.setAttribute("aria-label", words.turn);
    this.hint = h("p", { class: "rules" });
    this.editing = h("div", { class: "editing" },
      this.palette,
      h("div", { class: "buttons" },
        button(words.start, () => this.#load(null), { name: "setup-start" }),
        button(words.clear, () => this.#clear(), { name: "setup-clear" }),
        button(words.fromGame, () => this.#copyGame(), { name: "setup-game" })),
      h("div", { class: "field" }, h("span", { class: "field-label" }, words.turn), this.turn), this.stage);
    this.element = h("div", { class: "setup" }, this.editing, field(words.text, this.text), this.hint, h("div", { class: "buttons" }, this.play, this.analyse));
    this.text.addEventListener("input", () => this.#textEdited());
    this.board = new Board(this.#boardState, app.look, (name) => this.#put(name));
    this.board.element.classList.add("setup-board");
    this.board.element.addEventListener("keydown", (event) => this.#key(event));
  }

  get #placing() {
    return moduleOf(this.app.record.game).placing;
  }

  /** What the board shows instead of a game: every target can be chosen. */
  get #boardState() {
    const { game, variant } = this.app.record;
    const module = moduleOf(game);
    const draft = this.#draft;
    if (this.#source !== module) {
      this.#source = module;
      const place = module.placing?.layout;
      const layout = place ? (/** @type {any} */ one, /** @type {boolean} */ flipped) => place(module.layout(one, flipped)) : module.layout;
      this.#module = { ...module, layout, clickTargets: undefined, winning: undefined, forbidden: undefined };
    }
    const side = draft?.side ?? this.#position?.to_move ?? "first";
    const cells = draft?.cells.map((row) => row.join("")) ?? this.#position?.cells ?? [];
    const colour = this.#tool === null ? null : this.#owner(this.#tool);
    const targets = draft ? this.#module.layout(variant, false).targets.filter((one) => module.placing?.open?.(draft, one) ?? true) : [];
    const legal = targets.map(({ name }) => ({ move: name, from: null, to: name, colour, captured: [], claimed: [], notations: {} }));
    return /** @type {any} */ ({ game, variant, position: { position: this.#position?.position ?? "", cells, legal, to_move: side, outcome: null }, line: [], at: 0, over: false, module: this.#module });
  }

  /** @param {string} letter */
  #owner(letter) {
    return moduleOf(this.app.record.game).owner(letter) ?? (letter === this.#placing?.letters[0] ? "first" : "second");
  }

  /** @param {string} cause */
  refresh(cause) {
    const { settings } = this.app;
    if (cause === "load") {
      this.#changed = false;
      if (settings.setup === this.#linkedText) settings.setup = null;
    }
    if (settings.panel !== "setup") return;
    if (!this.board.element.isConnected) this.app.board.element.after(this.board.element);
    if (!this.verdict.isConnected) this.app.status.after(this.verdict);
    if (settings.setup !== null && !this.#changed) this.#load(settings.setup);
    else if (!this.#changed && cause !== "labels") this.#copyGame();
    else if (cause === "enter") this.#setText(this.text.value);
    else this.#draw();
  }

  leave() {
    clearTimeout(this.#timer);
    this.#checks += 1;
    this.board.element.remove();
    this.verdict.remove();
  }

  /** Shows the position of the game. */
  #copyGame() {
    const { position } = this.app.record;
    this.#changed = false;
    this.#tool ??= this.#placing?.letters[0] ?? null;
    this.#draft = this.#parse(position.position) ?? this.#draftFrom(position);
    this.#position = position;
    this.#setText(this.#draft ? this.#format() : position.position);
  }

  /** Parses a text as a draft; null if only the service can read it. @param {string} text */
  #parse(text) {
    return this.#placing?.read(text, this.app.record.variant) ?? null;
  }

  /** Converts the service's reading to a draft. @param {Position} position @returns {Draft | null} */
  #draftFrom({ cells, to_move: side, ...facts }) {
    const { variant } = this.app.record;
    const placing = this.#placing;
    if (!placing) return null;
    const stages = placing.stages?.(variant) ?? [];
    const phase = /** @type {any} */ (facts).opening?.phase;
    const rest = stages.length === 0 ? placing.clear(variant).rest : stages.includes(phase) ? phase : stages[stages.length - 2];
    const draft = { cells: cells.map((row) => [...row]), side, rest };
    return { ...draft, side: placing.turn?.(draft) ?? side };
  }

  #format() {
    return this.#draft && this.#placing ? this.#placing.write(this.#draft, this.app.record.variant) : "";
  }

  #clear() {
    const draft = this.#placing?.clear(this.app.record.variant);
    if (!draft) return;
    this.#draft = { ...draft, rest: this.#draft?.rest ?? draft.rest };
    this.#edited();
  }

  /** Loads a position by its text; null is the start. @param {string | null} text */
  #load(text) {
    this.#changed = true;
    this.#tool ??= this.#placing?.letters[0] ?? null;
    this.#draft = text === null ? this.#draft : this.#parse(text);
    if (text !== null) this.text.value = text;
    this.#draw();
    this.#scheduleCheck(text, true);
  }

  /** Puts a piece on the board, or removes one. @param {string} name @param {string | null} [letter] */
  #put(name, letter = this.#tool) {
    const target = this.board.layout.byName.get(name);
    const placing = this.#placing;
    if (!target || !placing || !this.#draft) return;
    placing.put(this.#draft, target, letter, this.app.record.variant);
    this.#draft.side = placing.turn?.(this.#draft) ?? this.#draft.side;
    this.#edited();
  }

  /** Updates the text after a change of the draft. */
  #edited() {
    this.#changed = true;
    this.#setText(this.#format());
  }

  /** @param {string} text */
  #setText(text) {
    this.text.value = text;
    this.#draw();
    this.#scheduleCheck(text, false);
  }

  /** Updates the board after an edit of the text, if it can be read. */
  #textEdited() {
    const text = this.text.value;
    this.#changed = true;
    const draft = this.#parse(text);
    if (draft) this.#draft = draft;
    this.#draw();
    this.#scheduleCheck(text, draft === null);
  }

  /**
   * Has the service check a text, once changes have paused.
   * @param {string | null} text null is the start
   * @param {boolean} take whether the board takes the service's reading
   */
  #scheduleCheck(text, take) {
    const number = (this.#checks += 1);
    this.app.settings.setup = this.#linkedText = this.#changed ? text : null;
    this.app.settingsChanged();
    this.#showVerdict(null, [w().setup.checking]);
    this.#startTimer(DEBOUNCE, number, text, take);
  }

  /** @param {number} ms @param {number} own @param {string | null} text @param {boolean} take */
  #startTimer(ms, own, text, take) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(own, text, take), ms);
  }

  /**
   * Asks the service, and retries while it cannot answer.
   * @param {number} own
   * @param {string | null} text
   * @param {boolean} take
   */
  async #check(own, text, take) {
    const { game, variant } = this.app.record;
    try {
      /** @type {Position} */
      const found = await call("/v1/positions", { body: { game: game.name, variant, ...(text === null ? {} : { position: text }) } });
      if (own !== this.#checks) return;
      this.#position = found;
      if (take) {
        this.#draft = this.#parse(found.position) ?? this.#draftFrom(found);
        if (text === null) this.text.value = this.#draft ? this.#format() : found.position;
        this.#draw();
      }
      this.#showVerdict(found, [this.#statusText(found)]);
    } catch (error) {
      if (own !== this.#checks) return;
      if (!(error instanceof ApiError)) throw error;
      if (error.isTemporary) {
        this.#showVerdict(null, errorText(error));
        return this.#startTimer(RETRY_DELAY, own, text, take);
      }
      // The pointers do not matter here: the request has only the position.
      const details = error.errors.map(({ detail }) => detail).join("; ");
      this.#showVerdict(null, details ? [errorText(error)[0], h("small", { class: "detail", lang: "en" }, coded(details))] : errorText(error), true);
    }
  }

  /** Whose turn it is in a position, with the score, or how its game has ended. @param {Position} position */
  #statusText(position) {
    const { game } = this.app.record;
    if (position.outcome) return statusLine(/** @type {any} */ ({ game, position }), this.app.settings, false).text;
    const module = moduleOf(game);
    const points = module.points?.(position);
    const score = points && `${sideName(game, "first")} ${number(points.first)} : ${number(points.second)} ${sideName(game, "second")}`;
    return [w().status.toMove(sideName(game, position.to_move)), ...(module.notes?.(position) ?? []), score].filter(Boolean).join(" · ");
  }

  /** @param {Position | null} position @param {(Node | string)[]} content @param {boolean} [refused] */
  #showVerdict(position, content, refused = false) {
    fill(this.verdict, ...content);
    this.verdict.dataset.kind = refused ? "refused" : position ? "fine" : "checking";
    this.play.disabled = position === null;
    this.analyse.disabled = position === null || (position.outcome !== null && !position.outcome.adjudicated);
    if (refused) this.text.setAttribute("aria-invalid", "true");
    else this.text.removeAttribute("aria-invalid");
  }

  /** Loads the position and enters a panel. @param {"play" | "analyse"} panel */
  async #use(panel) {
    const { app } = this;
    const { game, variant } = app.record;
    const start = this.text.value.trim();
    if (!(await app.attempt(() => app.record.load({ game, variant, start })))) return;
    app.enter(panel);
  }

  #draw() {
    const { app } = this;
    const { game, variant } = app.record;
    const words = w().setup;
    const draft = this.#draft;
    const module = moduleOf(game);
    this.board.setGame(this.#boardState);
    this.board.show({ ...app.look, hints: false, playable: draft !== null });
    const own = gameTexts(game.name)?.position;
    fill(this.hint, own ? coded(own) : h("span", { lang: "en" }, coded(game.notation.position)));
    this.editing.hidden = !module.placing;
    if (!module.placing) return;
    const { letters, stages, reach = 55 } = module.placing;
    if (this.#tool !== null && !letters.includes(this.#tool)) this.#tool = letters[0];
    this.palette.classList.toggle("many", letters.length > 4);
    radios(this.palette, "piece", [...letters, null].map((letter) => {
      if (letter === null) return { value: "", label: words.eraser, content: icon("close"), checked: this.#tool === null, choose: () => this.#selectTool(null) };
      const side = this.#owner(letter);
      const place = /** @type {any} */ ({ name: "", x: 0, y: 0, row: 0, column: 0, at: [0, 0], shape: "edge" });
      const drawing = s("svg", { viewBox: `${-reach} ${-reach} ${2 * reach} ${2 * reach}`, class: `board ${classOf(game)}`, "aria-hidden": "true" }, module.piece(side, place, letter, app.look.glyphs));
      return { value: letter, label: contentName(game, letter) ?? sideName(game, side), content: drawing, checked: this.#tool === letter, choose: () => this.#selectTool(letter) };
    }));
    radios(this.turn, "turn", SIDES.map((side) => ({
      value: side, label: sideName(game, side), content: sideName(game, side), checked: draft?.side === side,
      choose: () => {
        if (!draft) return;
        draft.side = side;
        this.#edited();
      },
    })));
    const choices = stages?.(variant) ?? [];
    fill(this.stage, choices.length > 0 && draft && field(gameWord(game, "stages", "label"),
      select(["", ...choices].map((one) => [one, one ? gameWord(game, "stages", one) : "–"]), draft.rest, (value) => {
        draft.rest = value;
        this.#edited();
      }, { name: "stage" })));
  }

  /** @param {string | null} letter */
  #selectTool(letter) {
    this.#tool = letter;
    this.#draw();
  }

  /** Removes the piece at the focused target, on Delete or Backspace. @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    const name = /** @type {HTMLElement | null} */ (document.activeElement?.closest(".target"))?.dataset.name;
    if (!name) return;
    event.preventDefault();
    this.#put(name, null);
  }
}

/**
 * A choice of one among several, as radio buttons; when redrawn, the focus returns to the same value.
 * @param {HTMLElement} group
 * @param {string} name
 * @param {{ value: string, label: string, content: Node | string, checked: boolean, choose: () => void }[]} choices
 */
function radios(group, name, choices) {
  const focused = group.contains(document.activeElement) ? /** @type {HTMLInputElement} */ (document.activeElement).value : null;
  fill(group, choices.map(({ value, label, content, checked, choose }) => {
    const input = h("input", { type: "radio", name, value, checked, "aria-label": label });
    input.addEventListener("change", choose);
    return h("label", { title: label }, input, h("span", {}, content));
  }));
  if (focused === null) return;
  /** @type {HTMLElement | undefined} */ ([...group.querySelectorAll("input")].find((one) => one.value === focused))?.focus();
}
