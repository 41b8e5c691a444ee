// @ts-check
/** The games kept in this browser: what was played, against whom, how it ended, and when; each can be opened, or deleted. */

import { openKept } from "../begin.js";
import { dialog } from "../dialogs.js";
import { button, fill, h } from "../dom.js";
import { prepare, sideName } from "../games.js";
import { all, MOST, remove, watch } from "../games-kept.js";
import { icon } from "../icons.js";
import { player } from "../play/strips.js";
import { gameName, lang, number, w } from "../words.js";

/** @typedef {import("../games-kept.js").Kept} Kept */

/** @param {import("../app.js").App} app */
export async function showGames(app) {
  await Promise.all(app.games.filter(({ name }) => all().some(({ game }) => game === name)).map(prepare));
  const words = w().kept;
  const list = h("ul", { class: "kept-games" });
  const element = dialog(words.heading, h("p", { class: "empty" }, words.about(number(MOST))), list,
    button(w().menu.close, () => element.close(), { class: "primary" }));
  element.classList.add("wide");
  const draw = () => {
    const games = all().filter(({ game }) => app.games.some(({ name }) => name === game));
    fill(list, games.length > 0 ? games.map((kept) => row(kept)) : h("li", { class: "empty" }, words.none));
  };
  const row = (/** @type {Kept} */ kept) => {
    const { game, players, state } = described(app, kept);
    const open = () => {
      element.close();
      void openKept(app, kept);
    };
    const when = new Intl.DateTimeFormat(lang() === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium", timeStyle: "short" }).format(kept.changed);
    const current = kept.id === app.keeper.id;
    return h("li", { "data-id": kept.id },
      button(h("span", { class: "kept-game" }, h("b", {}, game), h("span", {}, players),
        h("small", {}, [state, words.moves(number(kept.moves.length)), when].join(" · "))), open, { class: "open", "aria-current": current && "true" }),
      button(icon("close"), () => {
        const index = [...list.children].findIndex((one) => /** @type {HTMLElement} */ (one).dataset.id === kept.id);
        remove(kept.id);
        draw();
        const next = list.children[Math.min(index, list.children.length - 1)]?.querySelector("button");
        (next ?? element.querySelector("button"))?.focus();
      }, { class: "icon", name: "delete", "aria-label": words.remove(`${game}, ${players}`), title: words.remove(game) }));
  };
  draw();
  element.addEventListener("close", watch(draw));
}

/** @param {import("../app.js").App} app @param {Kept} kept */
function described(app, kept) {
  const words = w().kept;
  const game = /** @type {import("../types.js").Game} */ (app.games.find(({ name }) => name === kept.game));
  const settings = /** @type {any} */ ({ human: kept.human, level: kept.level });
  const name = (/** @type {import("../types.js").Side} */ side) => {
    const who = player(settings, side);
    return who ? `${who} (${sideName(game, side)})` : sideName(game, side);
  };
  const winner = kept.result?.winner;
  const state = !kept.result ? words.open : winner ? w().status.wins(sideName(game, winner)) : w().status.draw;
  return { game: gameName(game), players: `${name("first")} – ${name("second")}`, state };
}
