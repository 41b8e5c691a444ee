// @ts-check
/**
 * How a game is played: steps with a diagram each, and first hints. Built-in games have a module in `lessons/`; other games
 * show the text of their description. The diagrams' positions, and what moves do in them, come from the service.
 */

import { sendWithRetry } from "./api.js";
import { diagram } from "./boards/diagram.js";
import { miniature } from "./boards/miniature.js";
import { button, coded, fill, h } from "./dom.js";
import { moduleOf, prepare } from "./games.js";
import { header } from "./header.js";
import learn from "./lang/learn.js";
import { lessonLink } from "./lesson-link.js";
import { preferences } from "./preferences.js";
import { parse } from "./link.js";
import { errorText } from "./notice.js";
import { gameName, lang, w } from "./words.js";

/**
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").Variant} Variant
 *
 * A step: the position of its diagram, signs and moves on it, and the text.
 * @typedef {import("./boards/diagram.js").DiagramMarks & {
 *   variant?: Variant, position?: string, moves?: string[], en: [heading: string, text: string], zh: [heading: string, text: string],
 * }} Step
 *
 * `first` is added to the link to a first game, such as a smaller board.
 * @typedef {{ steps: Step[], hints: { en: string[], zh: string[] }, first?: Record<string, string> }} Lesson
 */

/** The level of a first game. */
const FIRST_LEVEL = "1";

/** The lesson of a built-in game; null for any other. @param {Game} game @returns {Promise<Lesson | null>} */
async function lessonOf({ name, board, source }) {
  if (board || source !== "built_in") return null;
  // If it cannot be loaded, the description is shown.
  return import(`./lessons/${name}.js`).then((module) => module.default, () => null);
}

export class Learn {
  /** @type {Lesson | null} */
  #lesson = null;
  /** The diagrams' positions, requested once. @type {Promise<any>[]} */
  #positions = [];

  /**
   * @param {HTMLElement} root
   * @param {Game[]} games
   * @param {Game} game
   * @param {boolean} canGoBack whether there is a page to go back to
   */
  constructor(root, games, game, canGoBack) {
    this.root = root;
    this.games = games;
    this.game = game;
    this.canGoBack = canGoBack;
  }

  /** Shows it, unless the address names something else meanwhile. */
  async show() {
    const { game } = this;
    [this.#lesson] = await Promise.all([lessonOf(game), prepare(game)]);
    if (parse(location.hash).lesson !== game.name) return;
    this.#positions = (this.#lesson?.steps ?? []).map(async ({ variant, position, moves = [] }) => {
      const body = { game: game.name, ...(variant && { variant }), ...(position && { position }), moves };
      return (await sendWithRetry("/v1/positions", { body })).json();
    });
    this.root.dataset.view = "learn";
    this.build();
    scrollTo(0, 0);
    this.root.querySelector("h2")?.focus();
  }

  build() {
    const { game } = this;
    const words = learn[lang()];
    const name = gameName(game);
    const heading = w().learn.of(name);
    const lesson = this.#lesson;
    const others = this.games.filter((one) => one !== game).map((one) => lessonLink(one, gameName(one)));
    fill(this.root, header(this), h("main", { class: "lesson" },
      h("h2", { tabindex: -1 }, heading),
      lesson ? h("ol", { class: "steps" }, lesson.steps.map((step, index) => this.#step(step, this.#positions[index]))) : this.#description(),
      lesson && h("section", {}, h("h3", {}, words.hints), h("ul", { class: "advice" }, lesson.hints[lang()].map((hint) => h("li", {}, hint)))),
      h("div", { class: "buttons" },
        h("a", { class: "primary", href: `#${new URLSearchParams({ game: game.name, level: FIRST_LEVEL, ...lesson?.first })}` }, words.first),
        this.canGoBack && button(words.back, () => history.back(), { name: "back" })),
      h("nav", { "aria-label": words.others }, h("h3", {}, words.others), h("p", { class: "ways" }, others))));
    document.title = `${w().title}: ${heading}`;
  }

  /** The game's description. */
  #description() {
    return h("div", { class: "described" }, h("span", { class: "picture" }, miniature(this.game, this.#glyphs)), h("p", {}, coded(this.game.how_to_play[lang()])));
  }

  /** @param {Step} step @param {Promise<any>} position */
  #step(step, position) {
    const [heading, text] = step[lang()];
    const picture = h("div", { class: "picture" });
    position.then((known) => fill(picture, diagram(this.game, this.#glyphs, known, step, learn[lang()].reachable)),
      (error) => fill(picture, h("p", { class: "rules" }, ...errorText(error))));
    return h("li", {}, picture, h("h3", {}, heading), h("p", {}, text));
  }

  /** The reader's preferred pieces, if the game has them. */
  get #glyphs() {
    const { glyphs = [""] } = moduleOf(this.game);
    const preferred = preferences.get("glyphs", "");
    return glyphs.includes(preferred) ? preferred : glyphs[0];
  }

  /** The backend has changed. */
  backendChanged() {
    location.reload();
  }
}
