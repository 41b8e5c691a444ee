// @ts-check
/** A game comes and goes: copied and pasted as text, opened from a file and saved as one in the formats of other programs. */

import { ApiError, hasRecords, records } from "../api.js";
import { button, field, fill, h, select } from "../dom.js";
import { moduleOf } from "../games.js";
import { likes } from "../likes.js";
import { format } from "../link.js";
import { player } from "../play/strips.js";
import { w } from "../words.js";

/** @typedef {import("../types.js").Side} Side */

/** The nodes of a game in SGF that has no variations, without the semicolons before them. @param {string} text */
const nodes = (text) => (text.match(/;(?:\[(?:\\[\s\S]|[^\]\\])*\]|[^;[])*/g) ?? []).map((node) => node.slice(1).replace(/\)\s*$/, "").trim());

/** A game in SGF with others as variations of it: each from the node on that is not the game's. @param {string} game @param {string[]} others */
export function withVariations(game, others) {
  const main = nodes(game);
  // After which of the game's nodes each of them begins; the first node describes the game, and may differ in how that ended.
  const begun = others.map(nodes).map((line) => {
    const leaves = line.findIndex((node, index) => index > 0 && node !== main[index]);
    return { leaves, text: `(${line.slice(leaves).map((node) => `;${node}`).join("")})` };
  }).filter(({ leaves }) => leaves > 0);
  let text = "";
  for (let index = main.length - 1; index >= 0; index -= 1) {
    const beside = begun.filter(({ leaves }) => leaves === index + 1).map((one) => one.text);
    text = `;${main[index]}${beside.length === 0 ? text : `(${text || ";"})${beside.join("")}`}`;
  }
  return `(${text})\n`;
}

/** How files of a format are called. @param {string} name */
const extension = (name) => (name.startsWith("pgn") ? "pgn" : ["sgf", "ggf", "psq"].includes(name) ? name : "txt");
/** @param {Side} side @returns {Side} */
const other = (side) => (side === "first" ? "second" : "first");

export class Transfer {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    const words = w().transfer;
    const { record } = app;
    this.paste = h("textarea", { rows: 2, spellcheck: false, name: "paste" });
    this.files = h("div", { class: "files" });
    this.copied = h("span", { class: "copied", role: "status" });
    const copy = (/** @type {string} */ label, /** @type {() => string} */ text, /** @type {string} */ name) =>
      button(label, () => void this.#copy(text()), { name });
    this.element = h("div", {},
      h("div", { class: "buttons" },
        copy(words.copyGame, () => record.text, "copy-game"),
        copy(words.copyPosition, () => record.position.position, "copy-position"),
        copy(words.copyLink, () => location.href, "copy-link"),
        this.copied),
      field(words.paste, this.paste),
      button(words.load, () => void this.#load(), { name: "load" }),
      hasRecords() && this.files);
    this.draw();
  }

  /** What differs from game to game: the example, a file to open, and one to save. */
  draw() {
    const words = w().transfer;
    const { game } = this.app.record;
    this.paste.placeholder = `${words.placeholder} ${game.notation.moves_example.join(" ")}`;
    const file = h("input", { type: "file", name: "record", class: "unseen", tabindex: "-1", "aria-label": words.open });
    file.addEventListener("change", () => {
      const [chosen] = file.files ?? [];
      file.value = "";
      if (chosen) void this.#open(chosen);
    });
    const names = [...(moduleOf(game).records ?? []), "moves"];
    const liked = likes.get("record", "");
    let wanted = names.includes(liked) ? liked : names[0];
    const formats = names.map((name) => /** @type {[string, string]} */ ([name, words.formats[name] ?? name]));
    fill(this.files,
      button(words.open, () => file.click(), { name: "open-record" }), file,
      select(formats, wanted, (name) => likes.set("record", (wanted = name)), { name: "format", "aria-label": words.format }),
      button(words.save, () => void this.#save(wanted), { name: "save-record" }));
  }

  async #load() {
    const text = this.paste.value;
    if (text.trim() === "") return;
    await this.app.attempt(async () => {
      await this.app.record.paste(text);
      this.paste.value = "";
    });
  }

  /** Opens a record of any game, to be looked at move by move. @param {File} file */
  #open(file) {
    const { app } = this;
    return app.attempt(async () => {
      const read = await records(file).catch((error) => {
        // Moves alone may belong to several games: then the one on the board is meant.
        const untold = error instanceof ApiError && error.errors?.some(({ pointer }) => pointer === "/game");
        if (!untold) throw error;
        return records(file, app.record.game.name);
      });
      const moves = read.moves.map((/** @type {{ move: string }} */ { move }) => move);
      const { early, winner } = read.result ?? {};
      const loser = winner ? other(winner) : null;
      const course = {
        game: read.game, variant: read.variant, start: read.position, moves, at: moves.length,
        resigned: early === "resignation" ? loser : null, timeout: early === "timeout" ? loser : null,
      };
      location.hash = format(course, { ...app.settings, panel: "review" });
    });
  }

  /** Saves the game in a format. @param {string} name */
  #save(name) {
    const { app } = this;
    const { game, variant, start, moves, resigned, timeout, final, branches } = app.record;
    return app.attempt(async () => {
      const names = (/** @type {Side} */ side) => ({ name: app.settings.human === side ? null : player(app.settings, side) || null });
      const lost = resigned ?? timeout;
      const result = lost
        ? { winner: other(lost), early: resigned ? "resignation" : "timeout" }
        : final?.outcome ? { winner: final.outcome.winner ?? null } : null;
      const write = async (/** @type {string[]} */ line, /** @type {object | null} */ ended) => (await records({
        game: game.name, variant, position: start, moves: line, write: name, result: ended,
        players: { first: names("first"), second: names("second") }, date: new Date().toISOString().slice(0, 10),
      })).written.text;
      // Other formats have no place for what was tried.
      const lines = name === "sgf" ? branches.map((one) => [...moves.slice(0, one.at), ...one.moves]) : [];
      const [text, ...others] = await Promise.all([write(moves, result), ...lines.map((line) => write(line, null))]);
      const url = URL.createObjectURL(new Blob([others.length > 0 ? withVariations(text, others) : text], { type: "text/plain" }));
      h("a", { href: url, download: `${game.name}.${extension(name)}` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    });
  }

  /** @param {string} text */
  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Browsers keep the clipboard from pages without encryption: then the text can be copied by hand.
      this.paste.value = text;
      this.paste.select();
      return;
    }
    this.copied.textContent = w().transfer.copied;
    setTimeout(() => (this.copied.textContent = ""), 2000);
  }
}
