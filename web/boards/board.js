// @ts-check
/**
 * The board: one drawing for every game, walked by keyboard as a grid. What is seen is in layers, from the ground up; the targets
 * on top take clicks and focus, and stay when everything below is drawn anew.
 */

import { button, fill, h, s } from "../dom.js";
import { named, sideName, w } from "../words.js";
import { ground } from "./ground.js";
import { columnMove, ends, landing, layout, neighbour } from "./layout.js";
import { letterAt, owner, owners, pieces, winning } from "./pieces.js";

/**
 * @typedef {import("./layout.js").Target} Target
 * @typedef {import("../record.js").Record} Game
 * @typedef {{ glyphs: import("./pieces.js").Glyphs, flipped: boolean, hints: boolean, playable: boolean }} Look
 */

/** Keys that walk the board. @type {Record<string, [dx: number, dy: number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /** The layers, in drawing order. Marks are filled by `marks.js`. */
  layers = {
    ground: s("g"),
    last: s("g"),
    pieces: s("g"),
    hints: s("g"),
    marks: s("g", { class: "marks" }),
    targets: s("g", { class: "targets" }),
  };
  svg = s("svg", { class: "board" });
  /** Moves that have no place on the board: passing, choosing a colour. */
  words = h("div", { class: "board-words" });
  element = h("div", { class: "board-frame" }, this.svg, this.words);

  /** @type {import("./layout.js").Layout} */
  layout;
  /** @type {Map<string, SVGGElement>} */
  #cells = new Map();
  #drawnFor = "";
  /** The piece chosen to walk. @type {string | null} */
  #chosen = null;
  /** The target that holds the place of the keyboard. */
  #place = "";
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
    this.layout = layout(record.game, record.variant, false);
  }

  /** Draws everything that may have changed. @param {Look} look */
  show(look) {
    this.#look = look;
    const { game, variant } = this.#record;
    const flipped = look.flipped && game.name === "xiangqi";
    const key = JSON.stringify([game.name, variant, flipped]);
    if (key !== this.#drawnFor) {
      this.layout = layout(game, variant, flipped);
      this.#drawnFor = key;
      this.#lay();
    }
    this.#chosen = null;
    this.#draw();
  }

  /** What does not change during a game. */
  #lay() {
    const { game, variant } = this.#record;
    const { width, height, targets } = this.layout;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("class", `board ${game.name}`);
    this.element.style.setProperty("--ratio", String(width / height));
    fill(this.layers.ground, ground(game, variant, this.layout));
    this.#cells.clear();
    /** @type {Map<number, SVGGElement>} */
    const rows = new Map();
    for (const target of targets) {
      const cell = s("g", { class: "target", role: "gridcell", tabindex: -1, "data-name": target.name }, ...shapes(target));
      cell.addEventListener("click", () => this.#choose(target));
      cell.addEventListener("focus", () => this.#hold(target.name));
      this.#cells.set(target.name, cell);
      const row = rows.get(target.row) ?? s("g", { role: "row" });
      rows.set(target.row, row);
      row.append(cell);
    }
    fill(this.layers.targets, [...rows.keys()].sort((a, b) => a - b).map((row) => rows.get(row)));
    this.#hold(targets[Math.floor(targets.length / 2)].name);
  }

  #draw() {
    const { game, variant, position, moves, at } = this.#record;
    const last = at > 0 ? this.#landed(moves[at - 1]) : undefined;
    const before = this.#record.known(0);
    const owned = owners(this.layout, moves.slice(0, at), before?.to_move ?? "first", before?.cells ?? []);
    const look = { glyphs: this.#look.glyphs, fresh: last?.name ?? null, owners: owned };
    fill(this.layers.pieces, pieces(game, this.layout, position, look));
    fill(this.layers.last, this.#lastMarks(last));
    for (const { x, y } of winning(variant, this.layout, position, last)) {
      this.layers.pieces.append(s("circle", { class: "winning", cx: x, cy: y, r: 47 }));
    }
    this.layers.targets.setAttribute("aria-label", w().board.label(sideName(game.name, position.to_move)));
    this.#words();
    this.#refresh();
  }

  /** The target of the last move. In Connect Four the topmost stone of its column. @param {string} move */
  #landed(move) {
    const { game, position } = this.#record;
    if (game.name !== "connect-four") return this.layout.byName.get(ends(game, move).to);
    const column = "123456789abc".indexOf(move);
    return this.layout.targets.find(
      (target) => target.column === column && owner(game.name, letterAt(this.layout, position.cells, target)) !== null,
    );
  }

  /** @param {Target | undefined} last */
  #lastMarks(last) {
    const { game, moves, at } = this.#record;
    if (!last || this.layout.kind === "edges") return [];
    const from = this.layout.byName.get(ends(game, moves[at - 1]).from ?? "");
    if (this.layout.kind === "cells" && game.name !== "connect-four") {
      return [s("rect", { class: "last", x: last.x - 50, y: last.y - 50, width: 100, height: 100 })];
    }
    const marks = [s("circle", { class: "last", cx: last.x, cy: last.y, r: 50 })];
    if (from) marks.push(s("circle", { class: "last from", cx: from.x, cy: from.y, r: 24 }));
    return marks;
  }

  /** Legal moves, by the target that is chosen first to play them. */
  #plays() {
    const { game, position, over } = this.#record;
    /** @type {Map<string, string[]>} */
    const plays = new Map();
    if (over || !this.#look.playable) return plays;
    /** @param {string} name @param {string} move */
    const add = (name, move) => plays.set(name, [...(plays.get(name) ?? []), move]);
    for (const move of position.legal_moves) {
      const { from, to } = ends(game, move);
      if (game.name === "connect-four") {
        for (const { name, column } of this.layout.targets) if (columnMove(column) === move) add(name, move);
      } else add(from ?? to, move);
    }
    return plays;
  }

  /** States and labels of the targets, and the marks of legal moves. */
  #refresh() {
    const { game, position } = this.#record;
    const plays = this.#plays();
    const chosen = this.#chosen;
    const reached = new Set(chosen ? (plays.get(chosen) ?? []).map((move) => ends(game, move).to) : []);
    const last = this.#record.at > 0 ? this.#landed(this.#record.moves[this.#record.at - 1])?.name : undefined;
    const foul = new Map((position.forbidden ?? []).map(({ point, kind }) => [point, kind]));
    for (const target of this.layout.targets) {
      const cell = /** @type {SVGGElement} */ (this.#cells.get(target.name));
      const open = plays.has(target.name) || reached.has(target.name);
      cell.classList.toggle("open", open);
      cell.classList.toggle("chosen", target.name === chosen);
      const words = [target.name, this.#content(target)];
      if (target.name === last) words.push(w().board.last);
      if (target.name === chosen) words.push(w().board.chosen);
      if (reached.has(target.name)) words.push(w().board.reachable);
      const kind = foul.get(target.name);
      if (kind) words.push(named(w().forbidden, kind));
      cell.setAttribute("aria-label", words.join(", "));
      cell.setAttribute("aria-disabled", String(!open));
    }
    const shown = chosen ? [...reached] : this.#look.hints ? this.#hinted(plays) : [];
    fill(this.layers.hints, shown.map((name) => this.#hint(name)), [...foul.keys()].map((name) => this.#cross(name)));
  }

  /** @param {Map<string, string[]>} plays */
  #hinted(plays) {
    const { game, position } = this.#record;
    if (game.name !== "connect-four") return [...plays.keys()];
    return position.legal_moves.flatMap((move) => landing(game, this.layout, position.cells, move)?.name ?? []);
  }

  /** @param {string} name */
  #hint(name) {
    const target = this.layout.byName.get(name);
    if (!target) return null;
    const { x, y } = target;
    const taken = this.layout.kind !== "edges" && owner(this.#record.game.name, letterAt(this.layout, this.#record.position.cells, target));
    if (taken) return s("circle", { class: "hint ring", cx: x, cy: y, r: 47 });
    return s("circle", { class: "hint", cx: x, cy: y, r: 13 });
  }

  /** A point that is forbidden. @param {string} name */
  #cross(name) {
    const target = this.layout.byName.get(name);
    return target && s("path", { class: "foul", d: `M${target.x - 16} ${target.y - 16}l32 32m0 -32l-32 32` });
  }

  /** What stands at a target, in words. @param {Target} target */
  #content(target) {
    const { game, position } = this.#record;
    const letter = letterAt(this.layout, position.cells, target);
    if (this.layout.kind === "edges") return letter === " " ? w().board.empty : w().board.drawn;
    if (letter === "#") return w().board.blocked;
    const side = owner(game.name, letter);
    if (!side) return w().board.empty;
    const name = sideName(game.name, side);
    return game.name === "xiangqi" ? `${name} ${named(w().pieces, letter.toLowerCase())}` : name;
  }

  /** Moves that are words become buttons. */
  #words() {
    const { game, position, over } = this.#record;
    const moves = over || !this.#look.playable ? [] : position.legal_moves.filter((move) => this.#isWord(game, move));
    fill(
      this.words,
      moves.map((move) => button(named(w().moveWords, move), () => this.onplay(move), { class: "primary", "data-move": move })),
    );
  }

  /** @param {import("../types.js").Game} game @param {string} move */
  #isWord(game, move) {
    return game.name !== "connect-four" && !this.layout.byName.has(ends(game, move).to);
  }

  /** @param {Target} target */
  #choose(target) {
    const plays = this.#plays();
    const { game } = this.#record;
    if (this.#chosen !== null) {
      const move = (plays.get(this.#chosen) ?? []).find((one) => ends(game, one).to === target.name);
      this.#chosen = null;
      if (move) return this.onplay(move);
    }
    const moves = plays.get(target.name);
    if (!moves) return this.#refresh();
    if (ends(game, moves[0]).from === null) return this.onplay(moves[0]);
    this.#chosen = target.name;
    this.#refresh();
  }

  /** Moves the keyboard's place. @param {string} name */
  #hold(name) {
    this.#cells.get(this.#place)?.setAttribute("tabindex", "-1");
    this.#place = name;
    this.#cells.get(name)?.setAttribute("tabindex", "0");
  }

  focus() {
    this.#cells.get(this.#place)?.focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = this.layout.byName.get(this.#place);
    if (!target) return;
    const step = STEPS[event.key];
    const next = step ? neighbour(this.layout, target, ...step) : this.#far(event.key, target);
    if (next) this.#cells.get(next.name)?.focus();
    else if (event.key === "Enter" || event.key === " ") this.#choose(target);
    else if (event.key === "Escape" && this.#chosen !== null) {
      this.#chosen = null;
      this.#refresh();
    } else if (!step) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The ends of a row. @param {string} key @param {Target} target */
  #far(key, target) {
    const row = this.layout.targets.filter((one) => one.row === target.row);
    return key === "Home" ? row[0] : key === "End" ? row[row.length - 1] : undefined;
  }
}

/** What of a target can be hit, and what shows that it has the focus. @param {Target} target */
function shapes({ shape, x, y, upright }) {
  if (shape === "edge") {
    const [width, height] = upright ? [52, 112] : [112, 52];
    const box = { x: x - width / 2, y: y - height / 2, width, height, rx: 16 };
    const [long, thin] = upright ? [14, 108] : [108, 14];
    const ghost = { x: x - long / 2, y: y - thin / 2, width: long, height: thin, rx: 7 };
    return [s("rect", { class: "hit", ...box }), s("rect", { class: "ghost", ...ghost }), s("rect", { class: "focus", ...box })];
  }
  const box = { x: x - 49, y: y - 49, width: 98, height: 98, rx: shape === "point" ? 49 : 6 };
  return [s("rect", { class: "hit", ...box }), s("rect", { class: "focus", ...box })];
}
