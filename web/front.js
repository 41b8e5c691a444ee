// @ts-check
/** The page for an address without a game: all games as small boards, one click to play each, and games to resume. */

import { ApiError, call } from "./api.js";
import { miniature } from "./boards/miniature.js";
import { fill, h } from "./dom.js";
import { gameWord, moduleOf, prepare, sideName } from "./games.js";
import { storedGames, loadGame } from "./stored-games.js";
import { header } from "./header.js";
import { lessonLink } from "./lesson-link.js";
import { preferences } from "./preferences.js";
import { defaults, format, parse } from "./link.js";
import { Notice } from "./notice.js";
import { loadModule } from "./panels/lazy-panel.js";
import { parseControl } from "./play/clock.js";
import { levelField } from "./play/level.js";
import { gameName, number, w } from "./words.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./stored-games.js").StoredGame} StoredGame */

/** How many games in progress are offered at most. */
const MOST = 3;

/** The page without a game. */
export class Front {
  /**
   * @param {HTMLElement} root
   * @param {Game[]} games
   * @param {string[]} first the games that come first; the service's others follow
   * @param {() => void} navigate opens the game that the address names
   */
  constructor(root, games, first, navigate) {
    this.root = root;
    this.navigate = navigate;
    const named = first.flatMap((one) => games.filter(({ name }) => name === one));
    this.games = [...new Set([...named, ...games])];
  }

  /** Shows it, unless the address names a game meanwhile. */
  async show() {
    await Promise.all(this.games.map(prepare));
    if (parse(location.hash).state) return;
    this.root.dataset.view = "front";
    this.build();
  }

  build() {
    const words = w().front;
    const inProgress = storedGames().filter(({ game, result }) => result === null && this.games.some(({ name }) => name === game)).slice(0, MOST);
    fill(this.root, header(this), h("main", { class: "front" },
      h("section", { class: "greeting" }, h("h2", {}, w().tagline), h("p", {}, words.about)),
      inProgress.length > 0 && h("section", { class: "in-progress", "aria-labelledby": "in-progress" },
        h("h2", { id: "in-progress" }, words.inProgress), h("ul", { class: "cards" }, inProgress.map((stored) => this.#resumption(stored)))),
      this.#daily(),
      h("section", { "aria-labelledby": "games" },
        h("div", { class: "choices" },
          h("h2", { id: "games" }, words.games), this.#importSection(), levelField(parse("", preferences.get("level", "")).settings)),
        h("ul", { class: "cards" }, this.games.map((game) => card(game))))));
    document.title = `${w().title}: ${w().tagline}`;
  }

  /** Imports a game, pasted or from a file. The importer is loaded on demand. */
  #importSection() {
    const notice = new Notice();
    const place = h("div", {});
    const attempt = (/** @type {() => Promise<unknown>} */ action) => notice.attempt(action);
    const unfold = () => place.childElementCount === 0 && attempt(async () => {
      const { Importer } = await loadModule(import("./panels/importer.js"));
      if (place.childElementCount > 0) return;
      place.append(new Importer(() => ({ games: this.games, game: null, settings: defaults(), attempt })).element);
    });
    return h("details", { class: "import-game", ontoggle: unfold }, h("summary", {}, w().front.importGame), notice.element, place);
  }

  /** The backend has changed, and its limits with it. */
  backendChanged() {
    location.reload();
  }

  /** The puzzle of the day, loaded once the page is usable; nothing if there is none. */
  #daily() {
    if (!this.games.some((game) => moduleOf(game).puzzles)) return null;
    const place = h("section", { class: "daily", "aria-labelledby": "daily" });
    setTimeout(() => import("./daily.js").then(({ show }) => show(place, this.games)).catch(() => place.remove()));
    return place;
  }

  /** A game in progress in this browser. @param {StoredGame} stored */
  #resumption(stored) {
    const words = w().front;
    const { id, variant, start, moves } = stored;
    const game = /** @type {Game} */ (this.games.find(({ name }) => name === stored.game));
    const picture = h("span", { class: "picture" });
    const turn = h("span", {});
    // The position comes from the service; the link is there at once.
    const request = { game: game.name, variant, ...(start === null ? {} : { position: start }), moves };
    call("/v1/positions", { body: request }).then((position) => {
      fill(picture, miniature(game, glyphs(), position));
      fill(turn, ` · ${w().status.toMove(sideName(game, position.to_move))}`);
    }).catch((error) => {
      if (!(error instanceof ApiError)) throw error;
    });
    // The address names only moves, which several stored games may share, and another tab may have played on.
    const open = (/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      /** @type {import("./session.js").HistoryState} */
      const state = { id, times: null, auto: stored.auto };
      history.pushState(state, "", address(loadGame(id) ?? stored));
      this.navigate();
    };
    return h("li", { class: "card", "data-game": game.name }, picture,
      h("h3", {}, h("a", { class: "whole", href: address(stored), onclick: open }, gameName(game))),
      h("p", { class: "ways" }, h("span", {}, words.moves(number(moves.length)), turn)));
  }
}

/** The reader's preferred pieces. */
const glyphs = () => preferences.get("glyphs", "");

/** @param {string} game @param {Record<string, string>} [more] */
const link = (game, more = {}) => `#${new URLSearchParams({ game, ...more })}`;

/** A game, its variants, how it is played, and its analysis. @param {Game} game */
function card(game) {
  const words = w().front;
  const name = gameName(game);
  const defaultVariant = game.start.variant.name;
  const variants = game.variants.map((one) => one.name).filter((one) => one !== defaultVariant);
  return h("li", { class: "card", "data-game": game.name },
    h("span", { class: "picture" }, miniature(game, glyphs())),
    h("h3", {}, h("a", { class: "whole", href: link(game.name) }, h("span", { class: "visually-hidden" }, `${words.play} `), name)),
    h("p", { class: "ways" },
      variants.map((variant) => h("a", { href: link(game.name, { variant }) }, gameWord(game, "variants", variant))),
      lessonLink(game),
      moduleOf(game).puzzles && h("a", { href: `#puzzles=${game.name}`, "aria-label": `${words.puzzles}: ${name}` }, words.puzzles),
      h("a", { class: "analyse", href: link(game.name, { panel: "analyse" }), "aria-label": words.analyse(name) }, w().panels.analyse)));
}

/** @param {StoredGame} stored */
function address({ game, variant, start, moves, human, level, time, clock }) {
  const settings = { ...defaults(), human, level, time, clock: parseControl(clock) };
  return `#${format({ game, variant, start, moves, at: moves.length, resigned: null, timeout: null }, settings)}`;
}
