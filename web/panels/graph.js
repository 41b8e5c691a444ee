// @ts-check
/** The value of a game by ply, as a line between the two sides. The table beside it says the same to those who cannot see it. */

import { s } from "../dom.js";

/** @typedef {{ share: number | null, kind: string | null, label: string }} Point expected points of the first player */

const WIDTH = 600;
const HEIGHT = 170;

/**
 * @param {Point[]} points by ply
 * @param {number} at the ply shown
 * @param {string} label
 * @param {(ply: number) => void} onchoose
 */
export function graph(points, at, label, onchoose) {
  const last = Math.max(1, points.length - 1);
  const x = (/** @type {number} */ ply) => 8 + (ply / last) * (WIDTH - 16);
  const y = (/** @type {number} */ share) => 8 + (1 - share) * (HEIGHT - 16);
  const known = points.flatMap(({ share }, ply) => (share === null ? [] : [{ ply, share }]));
  const line = known.map(({ ply, share }, index) => `${index === 0 ? "M" : "L"}${x(ply).toFixed(1)} ${y(share).toFixed(1)}`).join("");
  const first = known[0];
  const end = known[known.length - 1];
  const area = first && end ? `${line}L${x(end.ply).toFixed(1)} ${y(0.5)}L${x(first.ply).toFixed(1)} ${y(0.5)}Z` : "";
  const dots = points.flatMap(({ share, kind, label: text }, ply) => {
    if (share === null || kind === null) return [];
    return [s("circle", { class: `fault ${kind}`, cx: x(ply), cy: y(share), r: 6 }, s("title", {}, text))];
  });
  const svg = s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    s("rect", { class: "half upper", x: 0, y: 0, width: WIDTH, height: HEIGHT / 2 }),
    s("rect", { class: "half lower", x: 0, y: HEIGHT / 2, width: WIDTH, height: HEIGHT / 2 }),
    s("path", { class: "area", d: area }),
    s("line", { class: "middle", x1: 0, y1: HEIGHT / 2, x2: WIDTH, y2: HEIGHT / 2 }),
    s("line", { class: "now", x1: x(Math.min(at, last)), y1: 0, x2: x(Math.min(at, last)), y2: HEIGHT }),
    s("path", { class: "curve", d: line }),
    dots);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const ply = Math.round((((event.clientX - box.left) / box.width) * WIDTH - 8) / (WIDTH - 16) * last);
    onchoose(Math.max(0, Math.min(last, ply)));
  });
  return svg;
}
