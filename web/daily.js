// @ts-check
/** The puzzle of the day on the page without a game. */

import { call } from "./api.js";
import { miniature } from "./boards/miniature.js";
import { fill, h } from "./dom.js";
import { preferences } from "./preferences.js";
import { daily, isSolved, task, words } from "./puzzle-book.js";
import { gameName } from "./words.js";

/** Fills the section reserved for it. @param {HTMLElement} place @param {import("./types.js").Game[]} games */
export async function show(place, games) {
  const puzzle = await daily(games);
  const game = games.find(({ name }) => name === puzzle.game);
  if (!game) return place.remove();
  const { id, variant, moves } = puzzle;
  const position = await call("/v1/positions", { body: { game: game.name, variant, moves } });
  const solved = isSolved(puzzle);
  fill(place, h("h2", { id: "daily" }, words().daily),
    h("ul", { class: "cards" }, h("li", { class: "card" },
      h("span", { class: "picture" }, miniature(game, preferences.get("glyphs", ""), position)),
      h("h3", {}, h("a", { class: "whole", href: `#puzzle=${id}` }, task(game, puzzle))),
      h("p", { class: "ways" }, h("span", {}, `${gameName(game)} · ${words().levels[puzzle.difficulty - 1]}`), h("strong", {}, solved ? `✓ ${words().isSolved}` : words().solve)))));
}
