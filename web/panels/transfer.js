// @ts-check
/** Import and export of games: copied and pasted as text, opened from files and saved in the formats of other programs. */

import { hasRecords, convertRecord } from "../api.js";
import { button, fill, h, select } from "../dom.js";
import { moduleOf } from "../games.js";
import texts from "../lang/transfer.js";
import { preferences } from "../preferences.js";
import { download, sharePicture } from "../play/picture.js";
import { playerName } from "../play/strips.js";
import { lang, w } from "../words.js";
import { other } from "../sides.js";
import { Importer } from "./importer.js";

/** @typedef {import("../types.js").Side} Side */

/** The nodes of an SGF game without variations, without the semicolons before them. @param {string} text */
const nodes = (text) => (text.match(/;(?:\[(?:\\[\s\S]|[^\]\\])*\]|[^;[])*/g) ?? []).map((node) => node.slice(1).replace(/\)\s*$/, "").trim());

/**
 * An SGF game with others as its variations, each from its first node that differs.
 * @param {string} game
 * @param {string[]} others
 */
export function withVariations(game, others) {
  const main = nodes(game);
  // The node at which each of them leaves the game; the first node describes the game, and may differ in the result.
  const variations = others.map(nodes).map((line) => {
    const leaves = line.findIndex((node, index) => index > 0 && node !== main[index]);
    return { leaves, text: `(${line.slice(leaves).map((node) => `;${node}`).join("")})` };
  }).filter(({ leaves }) => leaves > 0);
  let text = "";
  for (let index = main.length - 1; index >= 0; index -= 1) {
    const beside = variations.filter(({ leaves }) => leaves === index + 1).map((one) => one.text);
    text = `;${main[index]}${beside.length === 0 ? text : `(${text || ";"})${beside.join("")}`}`;
  }
  return `(${text})\n`;
}

/** The file extension of a format. @param {string} name */
const extension = (name) => (name.startsWith("pgn") ? "pgn" : ["sgf", "ggf", "psq"].includes(name) ? name : "txt");

export class Transfer {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    const words = texts[lang()];
    const { record } = app;
    this.importer = new Importer(() => ({
      games: app.games, game: record.game, settings: app.settings, attempt: (action) => app.attempt(action), take: (text) => record.paste(text),
    }));
    this.files = h("div", { class: "files" });
    this.copied = h("span", { class: "copied", role: "status" });
    const copy = (/** @type {string} */ label, /** @type {() => string} */ text, /** @type {string} */ name) =>
      button(label, () => void this.#copy(text()), { name });
    this.element = h("div", {},
      h("div", { class: "buttons" },
        copy(words.copyGame, () => record.text, "copy-game"),
        copy(words.copyPosition, () => record.position.position, "copy-position"),
        copy(words.copyLink, () => location.href, "copy-link"),
        button(w().transfer.picture, () => void app.attempt(() => sharePicture(app)), { name: "picture" }),
        this.copied),
      this.importer.element,
      hasRecords() && this.files);
    this.draw();
  }

  /** Updates what depends on the game: the example, and the formats to save in. */
  draw() {
    const words = texts[lang()];
    const { game } = this.app.record;
    this.importer.draw();
    const names = [...(moduleOf(game).records ?? []), "moves"];
    const preferred = preferences.get("record", "");
    let wanted = names.includes(preferred) ? preferred : names[0];
    const formats = names.map((name) => /** @type {[string, string]} */ ([name, words.formats[name] ?? name]));
    fill(this.files,
      select(formats, wanted, (name) => preferences.set("record", (wanted = name)), { name: "format", "aria-label": words.format }),
      button(words.save, () => void this.#save(wanted), { name: "save-record" }));
  }

  /** Saves the game in a format. @param {string} name */
  #save(name) {
    const { app } = this;
    const { game, variant, start, moves, resigned, timeout, final, branches } = app.record;
    return app.attempt(async () => {
      const names = (/** @type {Side} */ side) => ({ name: app.settings.human === side ? null : playerName(app.settings, side) || null });
      const lost = resigned ?? timeout;
      const result = lost
        ? { winner: other(lost), early: resigned ? "resignation" : "timeout" }
        : final?.outcome ? { winner: final.outcome.winner ?? null } : null;
      const write = async (/** @type {string[]} */ line, /** @type {object | null} */ ended) => (await convertRecord({
        game: game.name, variant, position: start, moves: line, write: name, result: ended,
        players: { first: names("first"), second: names("second") }, date: new Date().toISOString().slice(0, 10),
      })).written.text;
      // Other formats cannot hold branches.
      const lines = name === "sgf" ? branches.map((one) => [...moves.slice(0, one.at), ...one.moves]) : [];
      const [text, ...others] = await Promise.all([write(moves, result), ...lines.map((line) => write(line, null))]);
      download(new Blob([others.length > 0 ? withVariations(text, others) : text], { type: "text/plain" }), `${game.name}.${extension(name)}`);
    });
  }

  /** @param {string} text */
  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Browsers deny the clipboard to unencrypted pages: the text can then be copied by hand.
      this.importer.paste.value = text;
      this.importer.paste.select();
      return;
    }
    this.copied.textContent = w().transfer.copied;
    setTimeout(() => (this.copied.textContent = ""), 2000);
  }
}
