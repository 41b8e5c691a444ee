// @ts-check
/**
 * Moves by finger on small targets: the first tap shows the move, a second one there or the button below the board plays it. A
 * sliding finger has a lens above it. Mouse and keyboard play at once.
 */

import { button, fill, h, s } from "../dom.js";
import { styles } from "../games.js";
import { preferences } from "../preferences.js";
import { w } from "../words.js";

/**
 * @typedef {import("./layout.js").Target} Target
 * @typedef {import("../types.js").LegalMove} LegalMove
 * @typedef {{ target: Target, moves: LegalMove[], position: unknown }} Aimed
 */

/** The distance between targets, in pixels, below which they are small for a finger. */
const SMALL = 30;
/** Pixels after which a moving finger counts as sliding. */
const SLIP = 8;
/** The lens: its size in pixels, its magnification, and its distance from the finger in pixels. */
const LENS = { size: 136, times: 2, gap: 36 };

// A second finger still zooms.
styles.adopt(`
  .board.aims { touch-action: pinch-zoom; }
  .aim-cross { pointer-events: none; }
  .aim-cross > line { stroke: var(--board-focus); stroke-width: 5; stroke-dasharray: 16 10; }
  .aim-cross > .piece { opacity: 0.75; }
  .lens { position: fixed; inset: 0 auto auto 0; z-index: 20; width: 136px; height: 136px; overflow: hidden; border: 3px solid var(--accent); border-radius: 50%; background: var(--surface); box-shadow: var(--shadow); pointer-events: none; }
  .lens > .board { width: 100%; height: 100%; box-shadow: none; }
  .aim { text-align: center; }
  .aim:empty { position: absolute; }
  .aim button { min-width: 11rem; min-height: 2.6rem; }
`);

export class Aim {
  /** @type {Aimed | null} */
  #aimed = null;
  /**
   * The finger on the board: where it came down, and what was aimed at before.
   * @type {{ id: number, x: number, y: number, slides: boolean, before: Aimed | null } | null}
   */
  #finger = null;
  /** Whether the click that follows a tap is withheld from the board. */
  #suppressClick = false;
  #lens = s("svg", { class: "board" });
  #glass = h("div", { class: "lens", "aria-hidden": "true" }, this.#lens);
  #cross = s("g", { class: "aim-cross" });
  /** The smallest distance between two targets. */
  #distance = 0;
  /** @type {import("./layout.js").Layout | undefined} */
  #measured;

  /** @param {import("./extras.js").GameView} view @param {HTMLElement} element where the button is */
  constructor(view, element) {
    this.view = view;
    this.board = view.board;
    this.element = element;
    const { svg, layers } = this.board;
    layers.targets.before(this.#cross);
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.#end());
    svg.addEventListener("click", (event) => {
      if (this.#suppressClick) event.stopPropagation();
      this.#suppressClick = false;
    }, true);
    new ResizeObserver(() => this.draw()).observe(svg);
  }

  /** Pixels per unit of the board. */
  get #scale() {
    return this.board.svg.getBoundingClientRect().width / this.board.layout.width;
  }

  /** Whether the reader wants to confirm moves on a board of this size. */
  get #enabled() {
    const preference = preferences.get("confirm", "auto");
    if (preference !== "auto") return preference === "always";
    const { layout } = this.board;
    if (layout !== this.#measured) [this.#measured, this.#distance] = [layout, nearest(layout.targets)];
    return this.#scale * this.#distance < SMALL;
  }

  /** Shows the button for the move that is aimed at, while it can be played. */
  draw() {
    const { board, record, look } = this.view;
    const { svg } = board;
    const playable = this.#enabled && svg.querySelector(".target.open") !== null;
    svg.classList.toggle("aims", playable);
    this.element.hidden = !this.#enabled || record.over;
    const { target, moves, position } = this.#aimed ?? {};
    const stands = playable && target && position === record.position && board.layout.byName.get(target.name) === target && this.#aimedAt(target);
    if (!target || !moves || !stands || stands.moves[0].move !== moves[0].move) return this.#aim(null);
    const [{ move }] = moves;
    const label = w().analyse.play(moves.length > 1 ? target.name : record.label(record.at, move, look.notation));
    if (this.element.textContent !== label) fill(this.element, button(label, () => this.#play(), { class: "primary", name: "confirm-move" }));
  }

  /** What choosing a target would play. @param {Target | undefined} target @returns {Aimed | null} */
  #aimedAt(target) {
    const moves = target ? this.board.movesAt(target) : [];
    return target && moves.length > 0 ? { target, moves, position: this.view.record.position } : null;
  }

  /** @param {Aimed | null} aimed @param {Target} [under] the target under the finger, where nothing can be played there */
  #aim(aimed, under = aimed?.target) {
    this.#aimed = aimed;
    const { width, height, byName } = this.board.layout;
    const place = byName.get(aimed?.moves[0].to ?? "") ?? under;
    fill(this.#cross, place && [
      s("line", { x1: 0, y1: place.y, x2: width, y2: place.y }), s("line", { x1: place.x, y1: 0, x2: place.x, y2: height }),
      aimed && this.board.ghost(aimed.target, aimed.moves),
    ]);
    if (aimed) this.draw();
    else fill(this.element);
  }

  #play() {
    const { target } = this.#aimed ?? {};
    this.#aim(null);
    if (target) this.board.choose(target);
  }

  /** @param {PointerEvent} event */
  #down({ pointerType, isPrimary, pointerId: id, clientX: x, clientY: y }) {
    this.#suppressClick = false;
    if (pointerType !== "touch" || !isPrimary || !this.board.svg.classList.contains("aims")) return;
    this.#finger = { id, x, y, slides: false, before: this.#aimed };
  }

  /** @param {PointerEvent} event */
  #move({ pointerId, clientX, clientY }) {
    const finger = this.#finger;
    if (finger?.id !== pointerId) return;
    if (!finger.slides && Math.hypot(clientX - finger.x, clientY - finger.y) < SLIP) return;
    if (!finger.slides) this.#showLens();
    finger.slides = true;
    const target = this.#targetAt(clientX, clientY);
    this.#aim(this.#aimedAt(target), target);
    this.#moveLens(clientX, clientY);
  }

  /** @param {PointerEvent} event */
  #up({ pointerId, clientX, clientY }) {
    const finger = this.#finger;
    if (finger?.id !== pointerId) return;
    this.#end();
    const found = this.#aimedAt(this.#targetAt(clientX, clientY));
    // A tap that plays nothing is left to the board: it may choose a piece.
    this.#suppressClick = finger.slides || found !== null;
    this.#aim(found);
    if (found && !finger.slides && finger.before?.moves[0].move === found.moves[0].move) this.#play();
  }

  /** Ends the touch. */
  #end() {
    this.#finger = null;
    this.#glass.remove();
  }

  /** The target nearest to a point of the screen; none outside the board. @param {number} clientX @param {number} clientY */
  #targetAt(clientX, clientY) {
    const { x, y } = this.#point(clientX, clientY);
    const { targets, width, height } = this.board.layout;
    if (x < 0 || y < 0 || x > width || y > height) return undefined;
    const far = (/** @type {Target} */ one) => Math.hypot(one.x - x, one.y - y);
    return targets.reduce((best, one) => (far(one) < far(best) ? one : best));
  }

  /** A point of the screen in units of the board. @param {number} clientX @param {number} clientY */
  #point(clientX, clientY) {
    const { left, top } = this.board.svg.getBoundingClientRect();
    return { x: (clientX - left) / this.#scale, y: (clientY - top) / this.#scale };
  }

  /** Lays the lens over the page, with a copy of the board in it. */
  #showLens() {
    const { svg } = this.board;
    const copy = /** @type {SVGElement} */ (svg.cloneNode(true));
    for (const one of copy.querySelectorAll(".targets, .aim-cross, .hover")) one.remove();
    this.#lens.setAttribute("class", svg.getAttribute("class") ?? "");
    fill(this.#lens, ...copy.childNodes);
    document.body.append(this.#glass);
  }

  /** Holds the lens above the finger, or beside it at the top of the screen. @param {number} clientX @param {number} clientY */
  #moveLens(clientX, clientY) {
    const { size, times, gap } = LENS;
    const span = size / (times * this.#scale);
    const { x, y } = this.#point(clientX, clientY);
    this.#lens.setAttribute("viewBox", `${x - span / 2} ${y - span / 2} ${span} ${span}`);
    this.#lens.querySelector(".aim-cross")?.remove();
    this.#lens.append(this.#cross.cloneNode(true));
    const above = clientY - size - gap;
    const [left, top] = above >= 0 ? [clientX - size / 2, above] : [clientX + (clientX < innerWidth / 2 ? gap : -size - gap), 0];
    this.#glass.style.translate = `${Math.max(0, Math.min(innerWidth - size, left))}px ${top}px`;
  }
}

/** The smallest distance between two targets. @param {Target[]} targets */
function nearest(targets) {
  let least = Infinity;
  targets.forEach((one, index) => {
    for (const other of targets.slice(index + 1)) least = Math.min(least, Math.hypot(one.x - other.x, one.y - other.y));
  });
  return least;
}
