// @ts-check
/**
 * Imports games, pasted as text or opened from a file: of the game on the board or, without one, of any game, asking which if
 * several fit. An imported game is opened through the address.
 */

import { ApiError, call, hasRecords, convertRecord } from "../api.js";
import { button, field, fill, h } from "../dom.js";
import texts from "../lang/transfer.js";
import { format } from "../link.js";
import { other } from "../sides.js";
import { gameName, lang } from "../words.js";

/**
 * @typedef {import("../types.js").Game} Game
 * @typedef {import("../types.js").Side} Side
 * @typedef {{ game: string, variant: import("../types.js").Variant, start: string | null, moves: string[], resigned: Side | null, timeout: Side | null }} ImportedGame
 *
 * The owner of the input: the game on the board, if any, how a pasted text is loaded there (`take`), and how an action that may
 * be refused is run (`attempt`).
 * @typedef {{
 *   games: Game[], game: Game | null, settings: import("../link.js").Settings,
 *   attempt: (action: () => Promise<unknown>) => Promise<unknown>, take?: (text: string) => Promise<unknown>,
 * }} Owner
 */

/** The part of a pasted link that names a game. */
const LINK = /#(?=\S*\bgame=)\S+/;

export class Importer {
  /** @param {() => Owner} owner */
  constructor(owner) {
    this.owner = owner;
    const words = texts[lang()];
    this.paste = h("textarea", { rows: 2, spellcheck: false, name: "paste", autocapitalize: "off" });
    this.question = h("div", { class: "buttons", role: "group", "aria-label": words.which });
    const file = h("input", { type: "file", name: "record", class: "visually-hidden", tabindex: "-1", "aria-label": words.open });
    file.addEventListener("change", () => {
      const [chosen] = file.files ?? [];
      file.value = "";
      if (chosen) void this.#attempt(() => this.#importRecord(chosen));
    });
    this.element = h("div", { class: "importer" },
      field(words.paste, this.paste),
      h("div", { class: "buttons" },
        button(words.load, () => void this.#importText(), { name: "load" }),
        hasRecords() && button(words.open, () => file.click(), { name: "open-record" }), hasRecords() && file),
      this.question);
    this.draw();
  }

  /** Updates what depends on the game: the example. */
  draw() {
    const { game } = this.owner();
    this.paste.placeholder = game ? `${texts[lang()].placeholder} ${game.notation.moves_example.join(" ")}` : "";
  }

  /** @param {() => Promise<unknown>} action */
  #attempt(action) {
    fill(this.question);
    return this.owner().attempt(action);
  }

  async #importText() {
    const text = this.paste.value.trim();
    if (text === "") return;
    const { take } = this.owner();
    await this.#attempt(async () => {
      const [link] = LINK.exec(text) ?? [];
      if (link) location.hash = link;
      else if (take) await take(text);
      else if (hasRecords()) await this.#importRecord(new Blob([text]));
      else await this.#tryAllGames((name) => fromText(text, name));
      if (this.question.childElementCount === 0) this.paste.value = "";
    });
  }

  /** Opens a record of any game. @param {Blob} record */
  async #importRecord(record) {
    try {
      this.#openGame(fromRecord(await convertRecord(record)));
    } catch (error) {
      // Moves alone may fit several games: the one on the board is meant.
      const needsGame = error instanceof ApiError && error.errors?.some(({ pointer }) => pointer === "/game");
      if (!needsGame) throw error;
      const { game } = this.owner();
      if (game) this.#openGame(fromRecord(await convertRecord(record, game.name)));
      else await this.#tryAllGames(async (name) => fromRecord(await convertRecord(record, name)));
    }
  }

  /** Reads it as each game, and asks which one is meant if several fit. @param {(game: string) => Promise<ImportedGame>} read */
  async #tryAllGames(read) {
    const { games } = this.owner();
    const tried = await Promise.allSettled(games.map(({ name }) => read(name)));
    const found = tried.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const failed = tried.find((one) => one.status === "rejected");
    if (found.length === 0 && failed) throw failed.reason;
    if (found.length === 1) return this.#openGame(found[0]);
    const name = (/** @type {ImportedGame} */ one) => gameName(/** @type {Game} */ (games.find((game) => game.name === one.game)));
    fill(this.question, h("span", {}, texts[lang()].which), found.map((one) => button(name(one), () => this.#openGame(one), { "data-game": one.game })));
    this.question.querySelector("button")?.focus();
  }

  /** Opens a game in the review, and a position in the analysis. @param {ImportedGame} game */
  #openGame(game) {
    const { settings } = this.owner();
    location.hash = format({ ...game, at: game.moves.length }, { ...settings, panel: game.moves.length > 0 ? "review" : "analyse" });
  }
}

/** Converts a record as read by the service. @param {any} record @returns {ImportedGame} */
function fromRecord({ game, variant, position: start, moves, result }) {
  const { early, winner } = result ?? {};
  const loser = winner ? other(winner) : null;
  return {
    game, variant, start, moves: moves.map((/** @type {{ move: string }} */ { move }) => move),
    resigned: early === "resignation" ? loser : null, timeout: early === "timeout" ? loser : null,
  };
}

/**
 * Reads a text as a position of a game, where records cannot be read.
 * @param {string} text
 * @param {string} game
 * @returns {Promise<ImportedGame>}
 */
async function fromText(text, game) {
  const { variant, start, line } = await call("/v1/positions", { body: { game, text } });
  return { game, variant, start, moves: line.map((/** @type {{ move: string }} */ { move }) => move), resigned: null, timeout: null };
}
