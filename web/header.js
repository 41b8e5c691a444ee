// @ts-check
/** The page header: game, variant and preferences. */

import { key } from "./backend/key.js";
import { showGames, showKeys } from "./dialogs.js";
import { button, coded, field, fill, h, select, s, whileShown } from "./dom.js";
import { icon } from "./icons.js";
import { lessonLink } from "./lesson-link.js";
import { preferences } from "./preferences.js";
import { shortcutsField } from "./keys.js";
import { gameWord, moduleOf } from "./games.js";
import { backendField, backendStatus } from "./backend-field.js";
import { addressOf } from "./root.js";
import { backend } from "./backend/router.js";
import { gameName, gameTexts, LANGUAGE_NAMES, LANGUAGES, lang, setLanguage, w } from "./words.js";

/** @typedef {{ build: () => void, backendChanged: () => unknown }} Owner the page without a game, or a game */

/** Closes popovers on Esc or a click elsewhere. @param {Event} event */
function closePopovers(event) {
  const escape = event instanceof KeyboardEvent;
  if (escape && event.key !== "Escape") return;
  for (const one of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(".popover[open]"))) {
    if (!escape && one.contains(/** @type {Node} */ (event.target))) continue;
    const focused = one.contains(document.activeElement);
    one.open = false;
    if (escape && focused) one.querySelector("summary")?.focus();
  }
}
document.addEventListener("keydown", closePopovers);
document.addEventListener("pointerdown", closePopovers);

/** @param {import("./app.js").App | import("./front.js").Front | import("./learn.js").Learn | import("./puzzles.js").Puzzles} app */
export function header(app) {
  if (!("record" in app)) return head(app, [], null, null);
  const names = app.games.map((game) => /** @type {[string, string]} */ ([game.name, gameName(game)]));
  const choose = (/** @type {string} */ name) => {
    const game = app.games.find((one) => one.name === name);
    if (!game) return;
    app.look.flipped = false;
    void app.attempt(() => app.record.load({ game, variant: /** @type {any} */ (game.start.variant) }));
  };
  const games = select(names, app.record.game.name, choose, { name: "game", "aria-label": w().game });
  const variants = h("details", { class: "popover variants" });
  const gameFields = h("div", { class: "fields" });
  const coarse = matchMedia("(any-pointer: coarse)").matches;
  const draw = () => {
    games.value = app.record.game.name;
    fill(variants, ...variantPopover(app, () => (variants.open = false)));
    fill(gameFields, gamePreference(app, "glyphs", "glyphs"), gamePreference(app, "notations", "notation"), boardPreference(app, "numbers"), coarse && boardPreference(app, "confirm"));
  };
  draw();
  whileShown(games, app.record, "change", ({ detail }) => detail === "load" && draw());
  return head(app, [games, variants], gameFields,
    button(icon("games"), () => void showGames(app), { class: "icon games", name: "games", "aria-label": w().storedGames.heading, title: w().storedGames.heading }));
}

/** @param {Owner} app @param {HTMLElement[]} choices of games @param {HTMLElement | null} gameFields preferences that the game adds @param {HTMLElement | null} gamesButton */
function head(app, choices, gameFields, gamesButton) {
  return h("header", {},
    h("a", { class: "brand", href: "./" }, logo(), h("h1", {}, w().title)),
    choices,
    h("span", { class: "gap" }),
    backendStatus(),
    backend.hasServer && h("a", { class: "docs-link", href: addressOf("/docs") }, w().menu.docs),
    gamesButton,
    button("?", () => void showKeys(), { class: "icon", "aria-label": w().menu.keys, title: w().menu.keys }),
    preferencesPopover(app, gameFields));
}

function logo() {
  return s("svg", { viewBox: "0 0 64 64", class: "logo", "aria-hidden": "true" },
    s("path", { class: "logo-lines", d: "M20 4v56M44 4v56M4 20h56M4 44h56" }),
    s("circle", { class: "logo-black", cx: 20, cy: 44, r: 12 }), s("circle", { class: "logo-black", cx: 44, cy: 20, r: 12 }),
    s("circle", { class: "logo-white", cx: 44, cy: 44, r: 12 }));
}

/**
 * The variant and its parameters.
 * @param {import("./app.js").App} app
 * @param {() => void} close
 */
function variantPopover(app, close) {
  const { game, variant: current } = app.record;
  /** @type {import("./types.js").Variant} */
  let chosen = { ...current };
  const about = () => game.variants.find(({ name }) => name === chosen.name) ?? game.variants[0];
  const several = game.variants.length > 1;
  const label = several ? gameWord(game, "variants", String(current.name)) : w().variant;
  const fields = h("div", { class: "fields" });
  const drawFields = () => fill(fields, about().parameters.map((parameter) => parameterField(game, parameter, chosen)));
  drawFields();
  const which = field(w().variant, select(game.variants.map(({ name }) => [name, gameWord(game, "variants", name)]), String(current.name), (name) => {
    chosen = { .../** @type {any} */ (game.variants.find((one) => one.name === name)?.default), name };
    drawFields();
  }, { name: "variant" }));
  const apply = () =>
    app.attempt(async () => {
      await app.record.load({ game, variant: chosen });
      close();
    });
  return [
    h("summary", { class: several ? "" : "plain" }, label),
    h("div", { class: "popup" }, which, fields,
      h("p", { class: "rules" }, coded(game.how_to_play[lang()]), " ", lessonLink(game)), !game.board && rules(game),
      button(w().apply, () => void apply(), { class: "primary", name: "apply" })),
  ];
}

/** A game's rules in full. @param {import("./types.js").Game} game */
function rules(game) {
  const own = gameTexts(game.name)?.rules;
  return h("p", { class: "rules", lang: own ? null : "en" }, coded(own ?? game.rules));
}

/**
 * @param {import("./types.js").Game} game
 * @param {import("./types.js").Parameter} parameter
 * @param {import("./types.js").Variant} chosen changed in place
 */
function parameterField(game, parameter, chosen) {
  const label = gameWord(game, "parameters", parameter.name);
  const value = chosen[parameter.name] ?? ("default" in parameter ? parameter.default : "");
  const keep = (/** @type {string} */ text) => {
    if (text === "") delete chosen[parameter.name];
    else chosen[parameter.name] = parameter.type === "integer" ? Number(text) : text;
  };
  if (parameter.type === "boolean") {
    const input = h("input", { name: parameter.name, type: "checkbox", checked: value === true });
    input.addEventListener("change", () => {
      chosen[parameter.name] = input.checked;
    });
    return field(label, input, parameter.description);
  }
  if (parameter.type === "choice") {
    const choices = parameter.choices.map((choice) => /** @type {[string, string]} */ ([choice, gameWord(game, "choices", choice)]));
    return field(label, select(choices, String(value), keep, { name: parameter.name }), parameter.description);
  }
  const range = parameter.type === "integer" ? { type: "number", min: parameter.minimum, max: parameter.maximum, step: parameter.step ?? 1 } : { type: "text", size: 4 };
  const input = h("input", { name: parameter.name, value, ...range });
  input.addEventListener("change", () => keep(input.value.trim()));
  return field(label, input, parameter.description);
}

/**
 * A preference for how the board shows the game, if it offers a choice.
 * @param {import("./app.js").App} app
 * @param {"glyphs" | "notations"} offer
 * @param {"glyphs" | "notation"} name
 */
function gamePreference(app, offer, name) {
  const { game } = app.record;
  const choices = moduleOf(game)[offer];
  if (!choices) return null;
  const options = choices.map((one) => /** @type {[string, string]} */ ([one, gameWord(game, offer, one)]));
  const chosen = choices.includes(app.look[name]) ? app.look[name] : choices[0];
  return field(gameWord(game, offer, "label"), select(options, chosen, (value) => {
    preferences.set(name, value);
    app.look[name] = value;
    app.build();
  }, { name }));
}

/** A preference of boards of all games. @param {import("./app.js").App} app @param {"numbers" | "confirm"} name */
function boardPreference(app, name) {
  const { label, ...choices } = w().look[name];
  const options = Object.entries(choices);
  return field(label, select(options, preferences.get(name, options[0][0]), (value) => {
    preferences.set(name, value);
    app.showStatus();
  }, { name }));
}

/** A button that forgets the service's key in all tabs. */
function keyField() {
  const forget = button(w().key.forget, () => key.forget(), { name: "forget-key" });
  const draw = () => (forget.hidden = key.value === null);
  draw();
  whileShown(forget, key, "change", draw);
  return forget;
}

/** @param {Owner} app @param {HTMLElement | null} gameFields what the game adds */
function preferencesPopover(app, gameFields) {
  const words = w();
  const rebuild = () => app.build();
  const store = preferences.set;
  return h("details", { class: "popover preferences" },
    h("summary", { class: "icon", "aria-label": words.menu.settings, title: words.menu.settings }, icon("settings")),
    h("div", { class: "popup right" },
      field(words.language, select(LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]]), lang(), (value) => {
        store("language", value);
        void setLanguage(/** @type {import("./words.js").Language} */ (value)).then(rebuild);
      }, { name: "language" })),
      field(words.theme.label, select([["auto", words.theme.auto], ["light", words.theme.light], ["dark", words.theme.dark]], preferences.get("theme", "auto"), (value) => {
        store("theme", value);
        document.documentElement.dataset.theme = value;
      }, { name: "theme" })),
      field(words.look.board, select(Object.entries(words.look.boards), document.documentElement.dataset.board ?? "", (value) => {
        store("board", value);
        document.documentElement.dataset.board = value;
      }, { name: "board" })),
      h("label", { class: "check" }, h("input", { type: "checkbox", name: "sounds", checked: preferences.get("sounds", "off") === "on", onchange: (/** @type {any} */ { target }) => {
        store("sounds", target.checked ? "on" : "off");
        if (target.checked) void import("./sounds.js").then(({ play }) => play("stone"));
      } }), words.look.sounds),
      backendField(() => void app.backendChanged()),
      gameFields,
      backend.hasServer && h("a", { class: "docs-link", href: addressOf("/docs") }, w().menu.docs),
      shortcutsField(),
      keyField()));
}
