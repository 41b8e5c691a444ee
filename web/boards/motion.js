// @ts-check
/**
 * Animated moves: stones are put down, discs fall or are turned over, pieces slide. Animations end within a quarter of a
 * second, only change how things look, and are left out for readers who want less motion.
 */

/** The longest animation of a move, in milliseconds. */
const MAX_DURATION = 240;

/** Whether the reader wants less motion. */
export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Animates a move that has just been played.
 * @param {import("./board.js").Board} board
 * @param {import("../games.js").GameModule} module
 * @param {import("../types.js").PlayedMove} move
 * @param {Map<string, Element>} before what stood on the board, by target
 */
export function animateMove({ layout, layers }, module, move, before) {
  if (reducedMotion()) return;
  const pieces = new Map([...layers.pieces.children].map((one) => [/** @type {SVGElement} */ (one).dataset.at ?? "", one]));
  const [to, from] = [layout.byName.get(move.to ?? ""), layout.byName.get(move.from ?? "")];
  const moved = pieces.get(move.to ?? "");
  if (!to || !moved) return;
  for (const name of move.captured) {
    const [target, gone, turned] = [layout.byName.get(name), before.get(name), pieces.get(name)];
    if (target && gone && turned && turned !== moved) turn(layers.moving, turned, gone, target, Math.hypot(target.x - to.x, target.y - to.y));
    else if (gone) vanish(layers.pieces, gone);
  }
  for (const name of move.claimed) land(pieces.get(name));
  // What remains where the move began, such as a house to sow from, does not slide.
  if (from && !pieces.has(move.from ?? "")) slide(moved, from, to);
  else if (module.entrance === "fall") fall(moved, to);
  else land(moved, to);
}

/** Shakes what cannot be played. @param {SVGElement} element */
export function shake(element) {
  if (reducedMotion()) return;
  const reach = element instanceof SVGSVGElement ? 4 : 9;
  element.animate([0, -1, 1, -0.6, 0.3, 0].map((share) => ({ transform: `translateX(${share * reach}px)` })), { duration: 280 });
}

/** A stone is put down. @param {Element | undefined} piece @param {{ x: number, y: number }} [place] its middle, if not that of what is drawn */
function land(piece, place) {
  const origin = place ? { transformOrigin: `${place.x}px ${place.y}px` } : { transformBox: "fill-box", transformOrigin: "center" };
  piece?.animate([{ ...origin, transform: "scale(1.22)", opacity: 0 }, { ...origin, transform: "none", opacity: 1 }], { duration: 150, easing: "ease-out" });
}

/** A disc falls, and bounces once. @param {Element} piece @param {import("./layout.js").Target} place */
function fall(piece, { row }) {
  const height = (row + 1) * 100;
  piece.animate([
    { transform: `translateY(${-height}px)`, easing: "cubic-bezier(0.4, 0, 0.9, 0.6)" },
    { transform: "none", offset: 0.72, easing: "ease-out" },
    { transform: `translateY(${-5 - row * 2}px)`, offset: 0.86, easing: "ease-in" },
    { transform: "none" },
  ], { duration: MAX_DURATION });
}

/**
 * A disc is turned over, the later the farther it is from the stone played.
 * @param {SVGGElement} above
 * @param {Element} now
 * @param {Element} before
 * @param {{ x: number, y: number }} place
 * @param {number} distance
 */
function turn(above, now, before, { x, y }, distance) {
  const timing = /** @type {const} */ ({ duration: 170, delay: Math.min(MAX_DURATION - 170, distance / 8), fill: "backwards" });
  const [open, edge] = ["none", "scaleX(0.02)"].map((transform) => ({ transformOrigin: `${x}px ${y}px`, transform }));
  above.append(before);
  now.animate([edge, { ...edge, offset: 0.5, easing: "ease-out" }, open], timing);
  end(before, before.animate([{ ...open, opacity: 1, easing: "ease-in" }, { ...edge, opacity: 1, offset: 0.5 }, { ...edge, opacity: 0, offset: 0.51 }, { ...edge, opacity: 0 }], timing));
}

/**
 * A piece slides to its place, above all others.
 * @param {Element} piece
 * @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number }} to
 */
function slide(piece, from, to) {
  piece.parentNode?.append(piece);
  piece.animate([{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "none" }],
    { duration: 200, easing: "cubic-bezier(0.3, 0, 0.2, 1)" });
}

/** A captured piece fades where it stood. @param {SVGGElement} below @param {Element} piece */
function vanish(below, piece) {
  /** @type {SVGElement} */ (piece).removeAttribute("data-at");
  below.prepend(piece);
  end(piece, piece.animate([{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0 }], { duration: 200 }));
}

/** Removes an element once its animation has ended. @param {Element} piece @param {Animation} moving */
function end(piece, moving) {
  moving.finished.then(() => piece.remove(), () => piece.remove());
}
