// @ts-check
/**
 * What a review shows besides its list: the graph, the approximate level of each side, and why moves are mistakes. Loaded with
 * the first review.
 */

import { fill, h } from "../dom.js";
import { classOf, sideName } from "../games.js";
import teaching from "../lang/teaching.js";
import { sentences } from "../reasons.js";
import { lang, wordFor, number, w } from "../words.js";
import { Graph } from "./graph.js";
import { estimateLevels } from "./level-estimate.js";
import { isFault, shareAfter, shareBefore, shareFor, worth } from "./review.js";

export class ReviewDetails {
  /** @param {import("./review.js").Review} review @param {(ply: number) => void} onchoose */
  constructor(review, onchoose) {
    this.review = review;
    this.graph = new Graph(onchoose);
    this.levels = h("div", { class: "played" });
    this.element = h("div", {}, this.graph.element, this.levels);
  }

  /** Draws the value before each move, and after the last; a mistake is marked where it has led. */
  draw() {
    const { moves, app: { record } } = this.review;
    const words = w().review;
    const { game } = record;
    /**
     * A value with the name of its side.
     * @param {import("../types.js").Side} side
     * @param {number | null} value
     * @param {number | null} score
     */
    const valueLabel = (side, value, score) => (value === null ? "" : `${sideName(game, side)} ${worth(value, score, game.unit)}`);
    const [opening] = moves;
    const points = [{ share: shareBefore(opening), kind: null, label: "", text: words.start(valueLabel(opening.side, opening.value_before, opening.score_before)) }, ...moves.map((one, index) => {
      const next = moves[index + 1];
      const share = next ? shareBefore(next) : shareAfter(one);
      const score = !next ? one.score_after : next.score_before && next.score_before * (next.side === one.side ? 1 : -1);
      const verdict = one.class ? wordFor(words.classes, one.class) : "";
      const move = this.review.numbered(one);
      return {
        share,
        kind: isFault(one) ? one.class : null,
        label: words.fault(move, sideName(game, one.side), verdict),
        text: words.after(move, verdict, valueLabel(one.side, next ? shareFor(one.side, share) : one.value_after, score)),
      };
    })];
    this.graph.element.className = `graph-frame ${classOf(game)}`;
    this.graph.show(points, record.at, {
      label: words.graph, faults: words.marked, ahead: { first: words.ahead(sideName(game, "first")), second: words.ahead(sideName(game, "second")) },
    });
    this.#drawLevels();
  }

  /** Draws the approximate level of each side, once all moves are reviewed. */
  #drawLevels() {
    const { moves, complete, app: { record, settings } } = this.review;
    const words = teaching[lang()].played;
    const lines = !complete ? [] : /** @type {const} */ (["first", "second"]).flatMap((side) => {
      const found = estimateLevels(record, moves.filter((one) => one.side === side));
      if (!found) return [];
      const [low, high] = found.map((level) => number(level));
      const levels = low === high ? low : words.range(low, high);
      return h("p", { "data-side": side }, settings.human === side ? words.you(levels) : words.as(sideName(record.game, side), levels));
    });
    fill(this.levels, lines, lines.length > 0 && h("small", {}, words.rough));
  }

  /**
   * Why a move is a mistake; lines that begin with the better move only if it may be shown.
   * @param {import("./review.js").Move} move
   * @param {boolean} revealed
   */
  why({ ply, best, reasons }, revealed) {
    const { record, look } = this.review.app;
    const texts = (/** @type {readonly string[]} */ line) => record.lines.texts(ply - 1, line, look.notation, record.mainLine);
    const text = sentences(reasons, texts, (line) => revealed || line[0] !== best).join(" ");
    return text && h("div", { class: "why" }, h("small", {}, text));
  }
}
