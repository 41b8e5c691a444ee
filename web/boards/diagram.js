// @ts-check
/** A diagram of a position: a small board with signs on it, and its content in words for screen readers. */

import { s, set } from "../dom.js";
import { contentName, moduleOf } from "../games.js";
import { letterAt } from "./layout.js";
import { miniature } from "./miniature.js";
import { forbiddenPoint, lastMove, legalTarget, plate, winningStones } from "./signs.js";

/**
 * @typedef {import("./layout.js").Target} Target
 *
 * Texts on targets, and the pieces whose legal moves are shown; `all` for those of the side to move.
 * @typedef {{ signs?: Record<string, string>, reach?: string[] | "all" }} DiagramMarks
 */

/**
 * @param {import("../types.js").Game} game
 * @param {string} glyphs
 * @param {import("../types.js").Position & { line: import("../types.js").PlayedMove[] }} position
 * @param {DiagramMarks} shown
 * @param {string} reachable the word for legal targets
 */
export function diagram(game, glyphs, position, { signs = {}, reach = [] }, reachable) {
  const module = moduleOf(game);
  const { variant, cells, line, legal } = position;
  const svg = miniature(game, glyphs, position);
  const board = module.layout(variant, false);
  const last = board.byName.get(line.at(-1)?.to ?? "");
  const targets = (/** @type {(string | null)[]} */ names) => [...new Set(names)].flatMap((name) => board.byName.get(name ?? "") ?? []);
  const content = (/** @type {Target} */ target) => contentName(game, letterAt(cells, target));
  const moves = legal.filter(({ from }) => reach === "all" || reach.includes(from ?? ""));
  const ends = targets(moves.map(({ to }) => to));
  const forbidden = new Map(module.forbidden?.(position) ?? []);
  const contents = { board, variant, position, line, last, glyphs };
  const { under, over } = lastMove(module.last, board, line.at(-1));
  // The last move can be under the pieces.
  svg.children[0]?.after(s("g", {}, under));
  svg.append(s("g", {}, over, winningStones(module.winning?.(contents) ?? []), ends.map((target) => legalTarget(target, content(target) !== null)),
    targets([...forbidden.keys()]).map(forbiddenPoint), Object.entries(signs).flatMap(([name, text]) => targets([name]).map((target) => plate(target, text)).flat())));
  set(svg, { "aria-hidden": null, role: "img", "aria-label": description() });
  return svg;

  /** Places by content, then the signs. */
  function description() {
    const nameOf = (/** @type {Target} */ target) => module.targetName?.(target) ?? target.name;
    /** @type {Map<string, string[]>} */
    const places = new Map();
    const add = (/** @type {string | null} */ what, /** @type {Target} */ target) => what && places.set(what, [...(places.get(what) ?? []), nameOf(target)]);
    for (const target of board.targets) add(content(target), target);
    for (const target of ends) add(reachable, target);
    for (const [name, words] of forbidden) for (const target of targets([name])) add(words, target);
    for (const [name, text] of Object.entries(signs)) for (const target of targets([name])) add(text, target);
    return [...places].map(([what, where]) => `${what}: ${where.join(", ")}`).join("; ");
  }
}
