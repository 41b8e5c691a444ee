// @ts-check
/**
 * Why nothing can be played at a place that the reader has chosen: what the page can tell without rules, in the game's own
 * words if it has them.
 */

import { letterAt } from "../boards/layout.js";
import { shake } from "../boards/motion.js";
import { fill } from "../dom.js";
import { contentName, moduleOf, sideName } from "../games.js";
import texts from "../lang/refusal.js";
import { lang } from "../words.js";

/** @typedef {import("../boards/layout.js").Target} Target */

/**
 * Shakes what cannot be played and says why. During the engine's turn it only reports that.
 * @param {import("../app.js").App} app
 * @param {Target} target
 * @param {string | null} start the place of the piece that was to move there
 */
export function explainRefusal(app, target, start) {
  const { board, record, look, panels } = app;
  const { game, position } = record;
  const own = /** @type {Record<string, string | undefined>} */ (moduleOf(game).words[lang()].refusal ?? {});
  const words = texts[lang()];
  const kind = record.over ? "over" : look.playable ? reason(app, target, start) : "turn";
  const piece = board.layers.pieces.querySelector(`[data-at="${CSS.escape(start ?? target.name)}"]`);
  if (kind !== "over" && kind !== "turn") shake(/** @type {SVGElement | null} */ (piece) ?? board.svg);
  const text = own[kind] ?? words[kind];
  fill(panels.play.hint, typeof text === "string" ? text : text(sideName(game, position.to_move)));
  // The next click or key on the board clears it.
  const cleared = new AbortController();
  for (const event of ["click", "keydown"]) {
    board.element.addEventListener(event, () => {
      fill(panels.play.hint);
      cleared.abort();
    }, { capture: true, signal: cleared.signal });
  }
}

/**
 * @param {import("../app.js").App} app
 * @param {Target} target
 * @param {string | null} start
 * @returns {"words" | "unreachable" | "stuck" | "theirs" | "none" | "taken" | "here"}
 */
function reason({ board, record }, target, start) {
  const { game, position } = record;
  const { cells, legal, to_move: side } = position;
  const { owner } = moduleOf(game);
  const content = (/** @type {Target | undefined} */ one) => one && contentName(game, letterAt(cells, one));
  const places = legal.map(({ from, to }) => [from, to].map((name) => board.layout.byName.get(name ?? "")));
  const whose = owner(letterAt(cells, target));
  if (places.every(([from, to]) => !from && !to)) return "words";
  if (places.some(([from, to]) => from && to)) {
    if (start !== null) return "unreachable";
    return whose === side ? "stuck" : whose ? "theirs" : "none";
  }
  // A place is taken only if all legal moves go to empty places.
  const puts = places.every(([from, to]) => !content(from ?? to));
  return puts && content(target) ? "taken" : "here";
}
