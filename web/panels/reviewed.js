// @ts-check
/** What a review shows beside its list: the graph, and why moves are mistakes. Fetched with the first review. */

import { h } from "../dom.js";
import { classOf, sideName } from "../games.js";
import { sentences } from "../reasons.js";
import { named, number, percent, w } from "../words.js";
import { Graph } from "./graph.js";
import { isFault, shareAfter, shareBefore } from "./review.js";

export class Reviewed {
  /** @param {import("./review.js").Review} review @param {(ply: number) => void} onchoose */
  constructor(review, onchoose) {
    this.review = review;
    this.graph = new Graph(onchoose);
    this.element = this.graph.element;
  }

  /** The value before each move, and after the last; a move's mistake lies where it has led. */
  draw() {
    const { moves, app: { record } } = this.review;
    const words = w().review;
    const { game } = record;
    const first = sideName(game, "first");
    const told = (/** @type {number | null} */ share) => (share === null ? "" : `${first} ${percent(share)}`);
    const points = [{ share: shareBefore(moves[0]), kind: null, label: "", text: words.start(told(shareBefore(moves[0]))) }, ...moves.map((one, index) => {
      const next = moves[index + 1];
      const share = next ? shareBefore(next) : shareAfter(one);
      const verdict = one.class ? named(words.classes, one.class) : "";
      const move = `${number(one.ply)}. ${this.review.label(one)}`;
      return {
        share,
        kind: isFault(one) ? one.class : null,
        label: words.fault(move, sideName(game, one.side), verdict),
        text: words.after(move, verdict, told(share)),
      };
    })];
    this.element.classList.add(...classOf(game).split(" "));
    this.graph.show(points, record.at, {
      label: words.graph, faults: words.marked, ahead: { first: words.ahead(first), second: words.ahead(sideName(game, "second")) },
    });
  }

  /** Why a move is a mistake; lines that begin with the better move only where it may be told. @param {import("./review.js").Move} move @param {boolean} told */
  why({ best, reasons }, told) {
    const text = sentences(reasons, (line) => told || line[0] !== best).join(" ");
    return text && h("div", { class: "why" }, h("small", {}, text));
  }
}
