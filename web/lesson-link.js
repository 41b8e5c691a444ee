// @ts-check
/** The link to a game's lesson, if there is one. */

import { h } from "./dom.js";
import { gameName, lang, w } from "./words.js";

/** @param {import("./types.js").Game} game @param {string} [text] */
export const lessonLink = (game, text = w().learn.short) =>
  game.how_to_play[lang()].trim() !== "" &&
  h("a", { class: "learn", href: `#${new URLSearchParams({ learn: game.name })}`, "aria-label": w().learn.of(gameName(game)) }, text);
