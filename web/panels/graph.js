// @ts-check
/**
 * The value of a game by ply, between its two sides in their colours. For the keyboard and screen readers it is a slider, whose
 * text for a ply is also shown below it. Mistakes are buttons on the curve that share one tab stop.
 */

import { fill, h, s } from "../dom.js";

/**
 * Expected points of the first player, the kind of mistake that led there, and both in words.
 * @typedef {{ share: number | null, kind: string | null, label: string, text: string }} Point
 * @typedef {{ label: string, faults: string, ahead: { first: string, second: string } }} Words
 */

const WIDTH = 600;
const HEIGHT = 170;
/** The margin on all sides, so that marks at the ends are not cut off. */
const ROOM = 8;

/** Steps of keys, in plies. @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };

export class Graph {
  #upper = s("path", { class: "side-second" });
  #lower = s("path", { class: "side-first" });
  #curve = s("path", { class: "curve" });
  #now = s("line", { class: "now", y1: 0, y2: HEIGHT });
  #svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    this.#upper, this.#lower, s("line", { class: "middle", x1: 0, y1: HEIGHT / 2, x2: WIDTH, y2: HEIGHT / 2 }), this.#now, this.#curve);
  #slider = h("div", { class: "graph-slider", role: "slider", tabindex: 0, "aria-valuemin": 0 });
  #faults = h("div", { class: "graph-faults", role: "group" });
  #first = h("span", { class: "graph-side top", "aria-hidden": "true" });
  #second = h("span", { class: "graph-side bottom", "aria-hidden": "true" });
  #text = h("figcaption", { class: "graph-text" });
  /** @type {Point[]} */
  #points = [];
  #at = 0;
  /** The ply of the mistake that has the tab stop. */
  #held = 0;
  element = h("figure", { class: "graph-frame" },
    h("div", { class: "graph" }, this.#svg, this.#second, this.#first, this.#slider, this.#faults), this.#text);

  /** @param {(ply: number) => void} onchoose */
  constructor(onchoose) {
    this.onchoose = onchoose;
    const slider = this.#slider;
    slider.addEventListener("click", (event) => onchoose(this.#under(event)));
    slider.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.#read(this.#under(event)));
    slider.addEventListener("pointerleave", () => this.#read(this.#at));
    slider.addEventListener("keydown", (event) => this.#key(event));
    this.#faults.addEventListener("keydown", (event) => this.#walk(event));
  }

  get #last() {
    return Math.max(1, this.#points.length - 1);
  }

  /**
   * @param {Point[]} points by ply
   * @param {number} at the ply shown
   * @param {Words} words
   */
  show(points, at, { label, faults, ahead }) {
    this.#points = points;
    this.#at = at;
    const known = points.flatMap(({ share }, ply) => (share === null ? [] : [`${this.#x(ply).toFixed(1)} ${this.#y(share).toFixed(1)}`]));
    const line = known.length > 0 ? `M${known.join("L")}` : "";
    this.#curve.setAttribute("d", line);
    // The areas reach the edges, but end where the review does.
    const [start, end] = [known[0]?.split(" ")[1], known[known.length - 1]?.split(" ")[1]];
    const to = points[points.length - 1]?.share === null ? known[known.length - 1]?.split(" ")[0] : WIDTH;
    const area = line && `M0 ${start}L${line.slice(1)}L${to} ${end}`;
    this.#lower.setAttribute("d", area && `${area}L${to} ${HEIGHT}L0 ${HEIGHT}Z`);
    this.#upper.setAttribute("d", area && `${area}L${to} 0L0 0Z`);
    const x = String(this.#x(Math.min(at, this.#last)));
    this.#now.setAttribute("x1", x);
    this.#now.setAttribute("x2", x);
    this.#slider.setAttribute("aria-label", label);
    this.#slider.setAttribute("aria-valuemax", String(points.length - 1));
    this.#slider.setAttribute("aria-valuenow", String(at));
    this.#slider.setAttribute("aria-valuetext", points[at]?.text ?? "");
    this.#faults.setAttribute("aria-label", faults);
    fill(this.#first, ahead.first);
    fill(this.#second, ahead.second);
    this.#drawFaults();
    this.#read(at);
  }

  /** Buttons keep their elements while their mistakes stay, so that the focus stays. */
  #drawFaults() {
    const old = new Map([...this.#faults.children].map((one) => [/** @type {HTMLElement} */ (one).dataset.ply, /** @type {HTMLElement} */ (one)]));
    const marked = this.#points.flatMap(({ share, kind, label }, ply) => (share === null || kind === null ? [] : [{ share, kind, label, ply }]));
    if (!marked.some(({ ply }) => ply === this.#held)) this.#held = marked[0]?.ply ?? 0;
    const buttons = marked.map(({ share, kind, label, ply }) => {
      const one = old.get(String(ply)) ?? h("button", { type: "button", "data-ply": ply, onclick: () => this.onchoose(ply) });
      one.className = `fault ${kind}`;
      one.setAttribute("aria-label", label);
      one.title = label;
      one.tabIndex = ply === this.#held ? 0 : -1;
      one.toggleAttribute("aria-current", ply === this.#at);
      one.style.setProperty("--x", `${(this.#x(ply) / WIDTH) * 100}%`);
      one.style.setProperty("--y", `${(this.#y(share) / HEIGHT) * 100}%`);
      return one;
    });
    const same = buttons.length === old.size && buttons.every((one, index) => one === this.#faults.children[index]);
    if (!same) fill(this.#faults, buttons);
  }

  /** @param {number} ply */
  #x(ply) {
    return ROOM + (ply / this.#last) * (WIDTH - 2 * ROOM);
  }

  /** @param {number} share */
  #y(share) {
    return ROOM + (1 - share) * (HEIGHT - 2 * ROOM);
  }

  /** The ply under the pointer. @param {MouseEvent} event */
  #under({ clientX }) {
    const { left, width } = this.#slider.getBoundingClientRect();
    const ply = ((((clientX - left) / width) * WIDTH - ROOM) / (WIDTH - 2 * ROOM)) * this.#last;
    return Math.max(0, Math.min(this.#points.length - 1, Math.round(ply)));
  }

  /** Shows the text of a ply below the graph. @param {number} ply */
  #read(ply) {
    fill(this.#text, this.#points[ply]?.text ?? "");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.onchoose(Math.max(0, Math.min(this.#points.length - 1, this.#at + step)));
  }

  /** Moves the focus from mistake to mistake. @param {KeyboardEvent} event */
  #walk(event) {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = /** @type {HTMLElement[]} */ ([...this.#faults.children]);
    const index = buttons.findIndex((one) => one === document.activeElement) + step;
    const next = buttons[Math.max(0, Math.min(buttons.length - 1, index))];
    for (const one of buttons) one.tabIndex = one === next ? 0 : -1;
    this.#held = Number(next.dataset.ply);
    next.focus();
  }
}
