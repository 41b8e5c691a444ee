// @ts-check
/**
 * The list of moves: a row for each turn, a column for each side, and the loss of each move once the game has been reviewed.
 */

import { button, h, refill } from "../dom.js";
import { lessonLink } from "../lesson-link.js";
import { wordFor, number, w } from "../words.js";

/**
 * @typedef {import("../types.js").PlayedMove} PlayedMove
 * @typedef {{ class: string | null, loss: string }} Verdict a review's verdict on a move: its class, and its loss
 */

/** The signs of chess annotation. @type {Record<string, string>} */
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/**
 * Plies by turn: a turn is the first side's moves and the second side's answers, each of which may be several or none.
 * @param {{ side: string }[]} line
 */
export function turns(line) {
  /** @type {{ first: number[], second: number[] }[]} */
  const rows = [];
  line.forEach(({ side }, ply) => {
    let row = rows[rows.length - 1];
    if (!row || (side === "first" && row.second.length > 0)) rows.push((row = { first: [], second: [] }));
    row[side === "first" ? "first" : "second"].push(ply);
  });
  return rows;
}

/** The text before the move of each ply: the number of its turn in the list. @param {{ side: string }[]} line */
export function plyNumbers(line) {
  /** @type {string[]} */
  const numbers = [];
  turns(line).forEach(({ first, second }, index) => {
    for (const ply of first) numbers[ply] = `${number(index + 1)}.`;
    for (const ply of second) numbers[ply] = `${number(index + 1)}…`;
  });
  return numbers;
}

export class Moves {
  element = h("ol", { class: "moves" });

  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  draw() {
    const { record, panels } = this.app;
    const verdicts = panels?.review.panel?.verdicts ?? [];
    const rows = turns(record.line).map(({ first, second }, index) =>
      h("li", {}, h("span", { class: "turn-number", "aria-hidden": "true" }, number(index + 1)),
        [first, second].map((plies) => h("span", { class: "turn-moves" }, plies.flatMap((ply) => this.#move(ply, verdicts[ply]))))));
    const lesson = lessonLink(record.game);
    refill(this.element, "data-ply", rows.length > 0 ? rows : h("li", { class: "none" }, w().play.noMoves, lesson && " · ", lesson));
    // Only the list is scrolled, never the page.
    const current = this.element.querySelector("[aria-current]")?.getBoundingClientRect();
    const list = this.element.getBoundingClientRect();
    if (current && current.bottom > list.bottom) this.element.scrollTop += current.bottom - list.bottom;
    else if (current && current.top < list.top) this.element.scrollTop -= list.top - current.top;
  }

  /** @param {number} ply @param {Verdict | undefined} verdict */
  #move(ply, verdict) {
    const { record, look } = this.app;
    const current = ply + 1 === record.at;
    const { move, side } = record.line[ply];
    const go = () => void this.app.attempt(() => record.go(ply + 1));
    return [
      button(record.label(ply, move, look.notation), go, { class: side, "aria-current": current && "step", "data-ply": ply + 1 }),
      verdict?.class && SIGNS[verdict.class] && this.#loss(verdict.class, verdict.loss),
    ];
  }

  /** @param {string} kind @param {string} loss */
  #loss(kind, loss) {
    const word = wordFor(w().review.classes, kind);
    const text = loss && ` −${loss}`;
    return h("small", { class: `loss ${kind}`, title: word }, h("span", { "aria-hidden": "true" }, SIGNS[kind]), h("span", { class: "visually-hidden" }, ` ${word} `), text);
  }
}
