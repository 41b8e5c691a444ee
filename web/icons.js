// @ts-check
/** Button icons, drawn as paths since not every font has them. */

import { s } from "./dom.js";

const PATHS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  forward: "M8 5l9 7-9 7z",
  end: "M18 5v14M5 5l9 7-9 7z",
  hints: "M12 12m-2 0a2 2 0 104 0a2 2 0 10-4 0M12 3v3M12 18v3M3 12h3M18 12h3",
  evaluation: "M8 3h8v18H8zM8 11h8M4 12h1M19 12h1",
  flipped: "M8 20V5M8 5l-4 4M8 5l4 4M16 4v15M16 19l-4-4M16 19l4-4",
  games: "M5 6h14M5 12h14M5 18h9",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 7m-2 0a2 2 0 104 0a2 2 0 10-4 0M9 17m-2 0a2 2 0 104 0a2 2 0 10-4 0",
  close: "M6 6l12 12M18 6L6 18",
  root: "M12 4v12M12 16l-5-5M12 16l5-5M5 20h14",
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: "glyph-icon", "aria-hidden": "true" }, s("path", { d: PATHS[name] }));
}
