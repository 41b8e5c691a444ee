// @ts-check
/**
 * The board: one drawing for all games, navigated by keyboard as a grid. It is drawn in layers, from the ground up; the targets
 * on top take clicks and focus, and stay when everything below is redrawn.
 */

import { button, fill, h, s } from "../dom.js";
import { classOf, contentName, gameWord, moduleOf, sideName } from "../games.js";
import { w, width as widthOf } from "../words.js";
import { letterAt, NARROW, neighbour, rowEnd } from "./layout.js";
import { animateMove } from "./motion.js";
import { piecesOnBoard } from "./pieces.js";
import { forbiddenPoint, lastMove, legalTarget, winningStones } from "./signs.js";
import { shapes } from "./targets.js";

/**
 * @typedef {import("./layout.js").Target} Target
 * @typedef {import("../types.js").LegalMove} LegalMove
 * @typedef {import("../games.js").GameModule} GameModule
 *
 * What the board shows: a game, or a substitute that may have another module.
 * @typedef {Pick<import("../record.js").Record, "game" | "variant" | "position" | "line" | "at" | "over"> & { module?: GameModule }} Game
 * @typedef {{ glyphs: string, notation: string, flipped: boolean, hints: boolean, playable: boolean }} Look
 */

/** Keys that move on the board. @type {Record<string, [dx: number, dy: number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /** The layers, in drawing order. Marks are filled by `marks.js`. */
  layers = {
    ground: s("g"),
    under: s("g"),
    pieces: s("g"),
    hover: s("g", { class: "hover" }),
    moving: s("g"),
    front: s("g"),
    over: s("g"),
    numbers: s("g", { class: "numbers", "aria-hidden": "true" }),
    hints: s("g"),
    marks: s("g", { class: "marks" }),
    pending: s("g", { class: "marks" }),
    targets: s("g", { class: "targets" }),
  };
  svg = s("svg", { class: "board" });
  /** The text of a game without cells. */
  text = h("pre", {});
  panel = h("div", { class: "board-text", role: "region", tabindex: 0 }, this.text);
  /** Moves that have no place on the board: passing, choosing a colour. */
  moveButtons = h("div", { class: "board-moves" });
  /** The same for games that describe their board. @type {import("./choices.js").Choices | undefined} */
  #choices;
  element = h("div", { class: "board-frame" }, this.panel, this.svg, this.moveButtons);

  /** @type {import("./layout.js").Layout} */
  layout;
  /** @type {Map<string, SVGGElement>} */
  #cells = new Map();
  #drawnFor = "";
  /** @type {import("../games.js").GameModule | undefined} */
  #drawnBy;
  /** The piece chosen to move. @type {string | null} */
  #chosen = null;
  /** Moves with the same cells, among which the reader is to choose. @type {LegalMove[]} */
  #ambiguous = [];
  /** The target pointed at, by mouse or by keyboard. @type {string | null} */
  #pointed = null;
  /** The moves up to the position drawn last. @type {string[]} */
  #drawnMoves = [];
  /** The target that is the board's tab stop. */
  #tabStop = "";
  /**
   * Called with a target where nothing can be chosen, and the piece that was to move there.
   * @type {((target: Target, start: string | null) => void) | undefined}
   */
  onrefuse;
  /** @type {Game} */
  #record;
  /** @type {Look} */
  #look;

  /**
   * @param {Game} record
   * @param {Look} look
   * @param {(move: string) => void} onplay
   */
  constructor(record, look, onplay) {
    this.onplay = onplay;
    this.#record = record;
    this.#look = look;
    this.svg.append(...Object.values(this.layers));
    this.layers.targets.setAttribute("role", "grid");
    this.layers.targets.addEventListener("keydown", (event) => this.#key(event));
    this.layout = this.#module.layout(record.variant, false);
  }

  get #module() {
    return this.#record.module ?? moduleOf(this.#record.game);
  }

  /** Sets what is shown from now on. @param {Game} record */
  setGame(record) {
    this.#record = record;
  }

  /** Draws everything that may have changed. @param {Look} look */
  show(look) {
    this.#look = look;
    const { game, variant } = this.#record;
    const flipped = look.flipped && this.#module.flips === true;
    const upright = matchMedia(NARROW).matches;
    const key = JSON.stringify([game.name, variant, flipped, upright, look.notation]);
    const rebuilt = key !== this.#drawnFor || this.#module !== this.#drawnBy;
    if (rebuilt) {
      this.layout = this.#module.layout(variant, flipped, upright);
      [this.#drawnFor, this.#drawnBy] = [key, this.#module];
      this.#drawStatic();
    }
    this.#chosen = null;
    this.#ambiguous = [];
    const before = new Map([...this.layers.pieces.children].map((one) => [/** @type {SVGElement} */ (one).dataset.at ?? "", one]));
    this.#draw();
    this.#animate(before, rebuilt);
  }

  /** Sets whether the reader may move. @param {boolean} playable */
  setPlayable(playable) {
    if (this.#look.playable === playable) return;
    this.#look.playable = playable;
    this.#chosen = null;
    this.#ambiguous = [];
    this.#drawMoveButtons();
    this.#refresh();
  }

  /**
   * Animates the last move, if it follows the position drawn before.
   * @param {Map<string, Element>} before
   * @param {boolean} rebuilt
   */
  #animate(before, rebuilt) {
    const { line, at } = this.#record;
    const moves = line.slice(0, at).map(({ move }) => move);
    const follows = moves.length === this.#drawnMoves.length + 1 && this.#drawnMoves.every((move, index) => move === moves[index]);
    this.#drawnMoves = moves;
    fill(this.layers.moving);
    if (follows && !rebuilt) animateMove(this, this.#module, line[at - 1], before);
  }

  /** Draws what does not change during a game. */
  #drawStatic() {
    const { game, variant } = this.#record;
    const { width, height, targets } = this.layout;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("class", `board ${classOf(game)}`);
    this.element.classList.toggle("as-text", this.#module.asText === true);
    this.element.style.setProperty("--ratio", String(width / height));
    fill(this.layers.ground, this.#module.ground(this.layout, variant, this.#look.notation));
    fill(this.layers.front, this.#module.front?.(this.layout, variant) ?? []);
    this.#pointed = null;
    this.#cells.clear();
    /** @type {Map<number, SVGGElement>} */
    const rows = new Map();
    for (const target of targets) {
      const cell = s("g", { class: "target", role: "gridcell", tabindex: -1, "data-name": target.name }, ...shapes(target));
      cell.addEventListener("click", () => this.choose(target));
      cell.addEventListener("focus", () => {
        this.#setTabStop(target.name);
        if (cell.matches(":focus-visible")) this.#point(target.name);
      });
      cell.addEventListener("blur", () => this.#pointed === target.name && this.#point(null));
      // A finger covers what it points at.
      cell.addEventListener("pointerenter", ({ pointerType }) => pointerType !== "touch" && this.#point(target.name));
      cell.addEventListener("pointerleave", () => this.#pointed === target.name && this.#point(null));
      this.#cells.set(target.name, cell);
      const row = rows.get(target.row) ?? s("g", { role: "row" });
      rows.set(target.row, row);
      row.append(cell);
    }
    fill(this.layers.targets, [...rows.keys()].sort((a, b) => a - b).map((row) => rows.get(row)));
    if (targets.length > 0) this.#setTabStop(targets[Math.floor(targets.length / 2)].name);
  }

  #draw() {
    const { game, variant, position, line, at } = this.#record;
    const module = this.#module;
    const last = this.#last;
    /** @type {import("../games.js").BoardContents} */
    const contents = { board: this.layout, variant, position, line: line.slice(0, at), last, glyphs: this.#look.glyphs };
    fill(this.layers.pieces, module.pieces?.(contents) ?? piecesOnBoard(module, contents));
    const { under, over } = lastMove(module.last, this.layout, line[at - 1]);
    fill(this.layers.under, under);
    fill(this.layers.over, over, winningStones(module.winning?.(contents) ?? []));
    for (const one of [this.layers.targets, this.panel]) one.setAttribute("aria-label", w().board.label(sideName(game, position.to_move)));
    if (module.asText) this.#write(position.position);
    this.#drawMoveButtons();
    this.#refresh();
  }

  /** Shows a position as text, its longest line as large as fits. @param {string} text */
  #write(text) {
    this.text.textContent = text;
    this.panel.style.setProperty("--length", String(Math.max(...text.split("\n").map(widthOf))));
  }

  /** The target of the last move. */
  get #last() {
    const { line, at } = this.#record;
    return this.layout.byName.get(line[at - 1]?.to ?? "");
  }

  /**
   * The targets where a move begins and ends. A move with only one of them has just an end; a move with none is played by its
   * text.
   * @param {LegalMove} move
   * @returns {[start: string | null, end: string | null]}
   */
  #ends({ from, to }) {
    if (this.#module.list) return [null, null];
    const [start, end] = [from, to].map((name) => (name !== null && this.layout.byName.has(name) ? name : null));
    return start !== null && end !== null ? [start, end] : [null, end ?? start];
  }

  /** Legal moves, by the target to choose first. Moves without a place on the board have none. */
  #movesByTarget() {
    const { position, over } = this.#record;
    /** @type {Map<string, LegalMove[]>} */
    const plays = new Map();
    if (over || !this.#look.playable) return plays;
    for (const move of position.legal) {
      const [start, end] = this.#ends(move);
      const first = start ?? end;
      const names = this.#module.clickTargets?.(this.layout, move) ?? (first === null ? [] : [first]);
      for (const name of names) plays.set(name, [...(plays.get(name) ?? []), move]);
    }
    return plays;
  }

  /** Updates states and labels of the targets, and the marks of legal moves. */
  #refresh() {
    const { position } = this.#record;
    const plays = this.#movesByTarget();
    const chosen = this.#chosen;
    const reached = new Set(chosen ? (plays.get(chosen) ?? []).map((move) => this.#ends(move)[1]) : []);
    const last = this.#last?.name;
    const forbidden = new Map(this.#module.forbidden?.(position) ?? []);
    for (const target of this.layout.targets) {
      const cell = /** @type {SVGGElement} */ (this.#cells.get(target.name));
      const open = plays.has(target.name) || reached.has(target.name);
      cell.classList.toggle("open", open);
      cell.classList.toggle("chosen", target.name === chosen);
      const words = [this.#module.targetName?.(target) ?? target.name, this.#name(target) ?? w().board.empty];
      if (target.name === last) words.push(w().board.last);
      if (target.name === chosen) words.push(w().board.chosen);
      if (reached.has(target.name)) words.push(w().board.reachable);
      words.push(forbidden.get(target.name) ?? "");
      cell.setAttribute("aria-label", words.filter(Boolean).join(", "));
      cell.setAttribute("aria-disabled", String(!open));
    }
    const hinted = new Set(this.#look.hints ? [...plays.values()].flat().map((move) => this.#ends(move).find((name) => name !== null)) : []);
    const shown = [...(chosen ? reached : hinted)];
    fill(this.layers.hints, shown.map((name) => this.#at(name ?? "", (target) => legalTarget(target, this.#name(target) !== null))), [...forbidden.keys()].map((name) => this.#at(name, forbiddenPoint)));
    this.#raise();
  }

  /** @param {string | null} name */
  #point(name) {
    if (name === this.#pointed) return;
    this.#pointed = name;
    this.#raise();
  }

  /**
   * Raises the chosen piece, and halfway the one pointed at if it can move. Over a place where a piece can be put, that piece
   * hovers in the colour it would have.
   */
  #raise() {
    const pointed = this.layout.byName.get(this.#pointed ?? "");
    const moves = (pointed && this.#movesByTarget().get(pointed.name)) ?? [];
    const walks = moves.some((move) => this.#ends(move)[0] !== null);
    for (const one of this.layers.pieces.children) {
      const { at } = /** @type {SVGElement} */ (one).dataset;
      one.classList.toggle("raised", at === this.#chosen && at !== undefined);
      one.classList.toggle("eager", walks && at === this.#pointed);
    }
    fill(this.layers.hover, pointed && this.ghost(pointed, moves));
  }

  /** The piece that choosing a target would put down. @param {Target} target @param {LegalMove[]} moves that begin there */
  ghost(target, moves) {
    const { position } = this.#record;
    const module = this.#module;
    if (this.#chosen !== null) {
      const start = this.layout.byName.get(this.#chosen);
      if (!start || !this.#movesByTarget().get(this.#chosen)?.some((move) => this.#ends(move)[1] === target.name)) return null;
      const letter = letterAt(position.cells, start);
      const owner = module.owner(letter);
      return owner && module.piece(owner, target, letter, this.#look.glyphs);
    }
    const [move] = moves;
    const place = this.layout.byName.get(move?.to ?? "");
    // Nothing is put down where something lies, such as in a house to sow from.
    const put = place && move.from === null && this.#name(place) === null;
    return put ? module.piece(move.colour ?? position.to_move, place, null, this.#look.glyphs) : null;
  }

  /**
   * Draws something at a target, if there is one of this name.
   * @param {string} name
   * @param {(target: Target) => SVGElement} draw
   */
  #at(name, draw) {
    const target = this.layout.byName.get(name);
    return target ? draw(target) : null;
  }

  /** The content of a target in words; null if empty. @param {Target} target */
  #name(target) {
    const { game, position } = this.#record;
    return contentName(game, letterAt(position.cells, target));
  }

  /** Draws buttons for moves without a place on the board, and for moves that cannot be told apart there. */
  #drawMoveButtons() {
    const { game, position, over } = this.#record;
    const moves = over || !this.#look.playable ? [] : position.legal;
    const placeless = moves.filter((move) => this.#ends(move)[1] === null);
    const { Choices, list, asText } = this.#module;
    if (!Choices) {
      this.moveButtons.classList.remove("list");
      return fill(this.moveButtons, placeless.map(({ move }) =>
        button(gameWord(game, "moves", move), () => this.onplay(move), { class: "primary", "data-move": move })));
    }
    this.#choices ??= new Choices(this.moveButtons, (move) => this.onplay(move), () => this.#leaveChoices());
    if (this.#ambiguous.length > 0) return this.#choices.show(game, this.#ambiguous, "question");
    this.#choices.show(game, placeless, list || asText ? "list" : "words");
  }

  /** Returns to the board without a choice. */
  #leaveChoices() {
    this.#askWhich([]);
    this.focus();
  }

  /** The moves that choosing a target would play; none if it only chooses a piece. @param {Target} target */
  movesAt(target) {
    const plays = this.#movesByTarget();
    const steps = (plays.get(this.#chosen ?? "") ?? []).filter((move) => this.#ends(move)[1] === target.name);
    const moves = plays.get(target.name) ?? [];
    return steps.length > 0 ? steps : moves.every((move) => this.#ends(move)[0] === null) ? moves : [];
  }

  /** @param {Target} target */
  choose(target) {
    const [moves, start] = [this.movesAt(target), this.#chosen];
    const asked = this.#ambiguous.length > 0;
    this.#chosen = null;
    this.#ambiguous = [];
    if (moves.length > 0) return this.#playOrAsk(moves);
    const chooses = this.#movesByTarget().has(target.name);
    this.#chosen = chooses ? target.name : null;
    if (asked) this.#drawMoveButtons();
    this.#refresh();
    if (!chooses) this.onrefuse?.(target, start);
  }

  /** Plays a move, or asks which of several. @param {LegalMove[]} moves */
  #playOrAsk(moves) {
    if (moves.length === 1 || !this.#module.Choices) return this.onplay(moves[0].move);
    this.#askWhich(moves);
  }

  /** Asks which of several moves is meant; an empty list ends the question. @param {LegalMove[]} moves */
  #askWhich(moves) {
    this.#ambiguous = moves;
    this.#drawMoveButtons();
    this.#refresh();
  }

  /** Moves the board's tab stop. @param {string} name */
  #setTabStop(name) {
    this.#cells.get(this.#tabStop)?.setAttribute("tabindex", "-1");
    this.#tabStop = name;
    this.#cells.get(name)?.setAttribute("tabindex", "0");
  }

  focus() {
    if (this.#module.list || this.#module.asText) this.#choices?.focus();
    else this.#cells.get(this.#tabStop)?.focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = this.layout.byName.get(this.#tabStop);
    if (!target) return;
    const step = STEPS[event.key];
    const next = step ? neighbour(this.layout, target, ...step) : rowEnd(this.layout, target, event.key);
    if (next) this.#cells.get(next.name)?.focus();
    else if (event.key === "Enter" || event.key === " ") this.choose(target);
    else if (event.key === "Escape" && (this.#chosen !== null || this.#ambiguous.length > 0)) {
      this.#chosen = null;
      this.#askWhich([]);
    } else if (!step) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
