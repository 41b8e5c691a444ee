// @ts-check
/**
 * The players, above and below the board: name, colour, captures or score, clock, whose turn it is, and whether the engine is
 * thinking.
 */

import { fill, h, s } from "../dom.js";
import { classOf, contentName, gameWord, moduleOf, sideName } from "../games.js";
import { FULL_STRENGTH } from "../link.js";
import { other } from "../sides.js";
import { number, w } from "../words.js";
import { clockText } from "./clock.js";

/** @typedef {import("../types.js").Side} Side */

/** Milliseconds below which a clock is urgent. */
const URGENT = 10_000;
/** The place of a piece drawn outside a board. */
const NOWHERE = /** @type {any} */ ({ name: "", x: 0, y: 0, row: 0, column: 0 });
/** Remaining seconds that are announced to screen readers. */
const ANNOUNCED_SECONDS = [60, 30, 10];

/**
 * Who plays a side, in words.
 * @param {import("../link.js").Settings} settings
 * @param {Side} side
 * @returns {string} empty if the side's name suffices
 */
export function playerName({ human, level }, side) {
  const { player: words, levels } = w().play;
  if (human === "both") return "";
  if (human === side) return words.you;
  return level === FULL_STRENGTH ? `${words.engine} · ${levels[level - 1]}` : `${words.engine} · ${words.level(number(level))}`;
}

export class Strips {
  upper = h("div", { class: "strip", role: "group" });
  lower = h("div", { class: "strip", role: "group" });
  /** @type {Map<Side, HTMLElement>} */
  #clocks = new Map();
  #indicator = h("span", { class: "thinking-indicator" });
  /** When the engine began to think about its move. @type {number | null} */
  #since = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #interval;
  /** The number of seconds announced last. */
  #announced = Infinity;

  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  /** The side of the lower strip: the side at the bottom of the board, or else the reader's. @returns {Side} */
  get #below() {
    const { record, settings, look } = this.app;
    if (moduleOf(record.game).flips) return look.flipped ? "second" : "first";
    return settings.human === "second" ? "second" : "first";
  }

  draw() {
    const below = this.#below;
    this.#trackThinking(this.app.panels.play.since);
    this.#clocks.clear();
    this.#draw(this.lower, below);
    this.#draw(this.upper, other(below));
    this.tick();
  }

  /** Follows the engine's thinking, counting the seconds of each move. @param {number | null} since */
  #trackThinking(since) {
    if (since === this.#since) return;
    this.#since = since;
    clearInterval(this.#interval);
    if (since === null) return;
    fill(this.#indicator, h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), h("span", { class: "seconds" }));
    this.#indicator.title = w().play.thinks;
    this.#interval = setInterval(() => this.#drawSeconds(since), 1000);
  }

  /** Stops counting: the game is no longer shown. */
  leave() {
    this.#trackThinking(null);
  }

  /** @param {HTMLElement} strip @param {Side} side */
  #draw(strip, side) {
    const { record, settings, timer, panels } = this.app;
    const { game, position, over } = record;
    const name = sideName(game, side);
    const who = settings.panel === "play" ? playerName(settings, side) : "";
    const turn = !over && position.to_move === side;
    const thinking = panels.play.thinking && record.final?.to_move === side;
    const clock = timer.timed && h("span", { class: "clock", role: "timer", "aria-label": w().play.clockOf(name) });
    if (clock) this.#clocks.set(side, clock);
    strip.className = `strip ${classOf(game)} ${side}${turn ? " turn" : ""}`;
    strip.dataset.side = side;
    strip.setAttribute("aria-label", [name, who].filter(Boolean).join(", "));
    fill(strip,
      this.#pieceIcon(side),
      h("span", { class: "who" }, h("b", {}, who || name), who && h("small", {}, name)),
      this.#captured(side), this.#points(side),
      thinking && this.#indicator, clock);
  }

  /** A piece of a side. @param {Side} side */
  #pieceIcon(side) {
    const module = moduleOf(this.app.record.game);
    const letter = [...(module.placing?.letters ?? "")].find((one) => module.owner(one) === side) ?? null;
    return h("span", { class: "piece-icon", "aria-hidden": "true" }, s("svg", { viewBox: "-52 -52 104 104" }, module.piece(side, NOWHERE, letter, this.#glyphs)));
  }

  /** How pieces are drawn. */
  get #glyphs() {
    const { record, look } = this.app;
    const { glyphs } = moduleOf(record.game);
    return glyphs?.includes(look.glyphs) ? look.glyphs : (glyphs?.[0] ?? "");
  }

  /** Pieces that a side has captured. @param {Side} side */
  #captured(side) {
    const { record } = this.app;
    const module = moduleOf(record.game);
    if (!module.capturable) return h("span", { class: "captured" });
    const letters = [...module.capturable].map((letter) => (module.owner(letter) === other(side) ? letter : swapCase(letter)));
    const [before, now] = [record.start ?? record.game.start.text, record.position.position].map(letterCounter);
    const missing = letters.map((letter) => /** @type {const} */ ([letter, before(letter) - now(letter)])).filter(([, count]) => count > 0);
    const words = missing.map(([letter, count]) => `${number(count)} ${contentName(record.game, letter) ?? letter}`).join(", ");
    const man = (/** @type {string} */ letter) => s("svg", { viewBox: "-48 -48 96 96" }, module.piece(other(side), NOWHERE, letter, this.#glyphs));
    return h("span", { class: "captured", role: missing.length > 0 && "img", "aria-label": words && w().play.captured(words) },
      missing.map(([letter, count]) => h("span", {}, Array.from({ length: count }, () => man(letter)))));
  }

  /** @param {Side} side */
  #points(side) {
    const { game, position } = this.app.record;
    const points = moduleOf(game).points?.(position);
    if (!points) return null;
    const unit = gameWord(game, "units", game.unit ?? "");
    return h("span", { class: "points" }, number(points[side]), h("span", { class: "visually-hidden" }, ` ${unit}`));
  }

  /** Shows the seconds: a sign of life even where animation is off. @param {number} since */
  #drawSeconds(since) {
    const seconds = Math.round((performance.now() - since) / 1000);
    const text = this.#indicator.querySelector(".seconds");
    if (text) text.textContent = w().play.seconds(number(seconds));
  }

  /** Updates the clocks. */
  tick() {
    const { timer } = this.app;
    for (const [side, clock] of this.#clocks) {
      const { ms, periods } = timer.face(side);
      const text = clockText(ms) + (periods === null ? "" : ` ×${number(periods)}`);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("running", side === timer.side && timer.begun);
      clock.classList.toggle("urgent", ms < URGENT);
      if (side === timer.side && !timer.isEngine(side)) this.#announceTime(Math.ceil(ms / 1000));
    }
  }

  /** Announces that little time is left, once for each count in `CALLED`. @param {number} seconds */
  #announceTime(seconds) {
    const due = ANNOUNCED_SECONDS.filter((one) => seconds <= one).pop() ?? Infinity;
    if (due < this.#announced) this.app.announce(w().play.left(number(seconds)));
    this.#announced = due;
  }
}

/** @param {string} letter */
const swapCase = (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());

/** Counts a letter on the board of a position's text. @param {string} text */
const letterCounter = (text) => {
  const [board] = text.split(" ");
  return (/** @type {string} */ letter) => board.split(letter).length - 1;
};
