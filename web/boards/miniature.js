// @ts-check
/** A small static board: no targets, no coordinates, hidden from screen readers. */

import { h, s } from "../dom.js";
import { classOf, moduleOf } from "../games.js";
import { piecesOnBoard } from "./pieces.js";

/** The width of the rim that is cut off. */
const CUT = 34;

/**
 * A position of a game; by default its module's `picture`, or else its start.
 * @param {import("../types.js").Game} game
 * @param {string} glyphs
 * @param {import("../games.js").Picture} [position]
 */
export function miniature(game, glyphs, position) {
  const module = moduleOf(game);
  const start = /** @type {any} */ (game.start);
  if (module.asText) return h("span", { class: "miniature as-text", "aria-hidden": "true" }, position?.position ?? start.text);
  const { variant, cells, line = [] } = position ?? module.picture ?? { variant: start.variant, cells: start.cells };
  const board = module.layout(variant, false);
  const facts = /** @type {any} */ ({ cells });
  const contents = { board, variant, position: facts, line, last: undefined, glyphs: module.glyphs?.includes(glyphs) ? glyphs : (module.glyphs?.[0] ?? "") };
  const { width, height } = board;
  return s("svg", { class: `miniature ${classOf(game)}`, viewBox: `${CUT} ${CUT} ${width - 2 * CUT} ${height - 2 * CUT}`, "aria-hidden": "true" },
    s("g", {}, module.ground(board, variant)),
    s("g", {}, module.pieces?.(contents) ?? piecesOnBoard(module, contents)),
    s("g", {}, module.front?.(board, variant) ?? []));
}
