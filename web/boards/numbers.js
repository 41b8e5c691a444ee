// @ts-check
/** Move numbers on stones that lie where they were placed. */

import { fill, s } from "../dom.js";
import { moduleOf, styles } from "../games.js";
import { letterAt } from "./layout.js";

styles.adopt(`
  .numbered .last.dot { display: none; }
  .numbers { pointer-events: none; }
  .number text { font-weight: 700; font-variant-numeric: tabular-nums; paint-order: stroke; stroke-width: 9; stroke-linejoin: round; }
  .number .number-ring { fill: none; stroke-width: 3.5; }
  .number.first text { fill: var(--first-ink); stroke: var(--first); }
  .number.second text { fill: var(--second-ink); stroke: var(--second); }
  .number.first .number-ring { stroke: var(--first-ink); }
  .number.second .number-ring { stroke: var(--second-ink); }
`);

/**
 * Numbers the stones of the position shown. Pieces that move have no number; edges have no room for one.
 * @param {import("./board.js").Board} board
 * @param {import("../record.js").Record} record
 * @param {boolean} lastOnly
 */
export function number({ layout, layers, svg }, { game, position, line, at }, lastOnly) {
  const { owner, last: mark } = moduleOf(game);
  /** Plies by the place of the stone; of several stones in one place, the last. @type {Map<string, number>} */
  const plies = new Map();
  for (const { ply, from, to } of line.slice(0, at)) {
    for (const name of [from, to]) plies.delete(name ?? "");
    if (from === null && to !== null) plies.set(to, ply);
  }
  const newest = line[at - 1]?.ply;
  const numbers = [...plies].flatMap(([name, ply]) => {
    const target = layout.byName.get(name);
    const side = target && target.shape !== "edge" && owner(letterAt(position.cells, target));
    if (!side || (lastOnly && ply !== newest)) return [];
    const { x, y } = target;
    const size = [0, 50, 46, 36][String(ply).length] ?? 28;
    // Among other numbers, a ring marks the last one.
    const ring = ply === newest && !lastOnly && mark === "dot" && s("circle", { class: "number-ring", cx: x, cy: y, r: 37 });
    return s("g", { class: `number ${side}`, "data-number": ply, "data-of": name }, ring, s("text", { x, y, "font-size": size }, ply));
  });
  fill(layers.numbers, numbers);
  // The last number replaces the dot as the mark of the last move.
  svg.classList.toggle("numbered", numbers.some(({ dataset }) => Number(dataset.number) === newest));
}
