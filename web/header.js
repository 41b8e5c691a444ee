// @ts-check
/** The head of the page: which game and variant, and how the reader likes the page. */

import { showKeys } from "./dialogs.js";
import { button, field, fill, h, select, s } from "./dom.js";
import { icon } from "./icons.js";
import { gameName, LANGUAGE_NAMES, LANGUAGES, lang, named, use, w } from "./words.js";

/** @param {import("./app.js").App} app */
export function header(app) {
  const names = app.games.map((game) => /** @type {[string, string]} */ ([game.name, gameName(game)]));
  const choose = (/** @type {string} */ name) => {
    const game = app.games.find((one) => one.name === name);
    if (!game) return;
    app.look.flipped = false;
    void app.attempt(app.record.load({ game, variant: /** @type {any} */ (game.start.variant) }));
  };
  const games = select(names, app.record.game.name, choose, { name: "game", "aria-label": w().game });
  const variants = h("details", { class: "popover variants" });
  const draw = () => {
    games.value = app.record.game.name;
    fill(variants, ...variant(app, () => (variants.open = false)));
  };
  draw();
  app.record.addEventListener("change", (event) => /** @type {CustomEvent} */ (event).detail === "load" && draw());
  return h("header", {},
    h("a", { class: "brand", href: "/" }, logo(), h("h1", {}, w().title)),
    games, variants,
    h("span", { class: "gap" }),
    h("a", { class: "docs-link", href: "/docs" }, w().menu.docs),
    button("?", showKeys, { class: "icon", "aria-label": w().menu.keys, title: w().menu.keys }),
    preferences(app));
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
function variant(app, close) {
  const { game, variant: current } = app.record;
  /** @type {import("./types.js").Variant} */
  let chosen = { ...current };
  const about = () => game.variants.find(({ name }) => name === chosen.name) ?? game.variants[0];
  const label = game.variants.length > 1 ? named(w().variants, String(current.name)) : w().variant;
  const fields = h("div", { class: "fields" });
  const drawFields = () => fill(fields, about().parameters.map((parameter) => parameterField(parameter, chosen)));
  drawFields();
  const which = field(w().variant, select(game.variants.map(({ name }) => [name, named(w().variants, name)]), String(current.name), (name) => {
    chosen = { .../** @type {any} */ (game.variants.find((one) => one.name === name)?.default), name };
    drawFields();
  }, { name: "variant" }));
  const apply = async () => {
    if (await app.attempt(app.record.load({ game, variant: chosen }))) close();
  };
  return [
    h("summary", {}, label),
    h("div", { class: "popup" }, which, fields, h("p", { class: "rules", lang: "en" }, game.rules),
      button(w().apply, () => void apply(), { class: "primary", name: "apply" })),
  ];
}

/** @param {import("./types.js").Parameter} parameter @param {import("./types.js").Variant} chosen changed in place */
function parameterField(parameter, chosen) {
  const label = named(w().parameters, parameter.name);
  const value = chosen[parameter.name] ?? ("default" in parameter ? parameter.default : "");
  const keep = (/** @type {string} */ text) => {
    if (text === "") delete chosen[parameter.name];
    else chosen[parameter.name] = parameter.type === "integer" ? Number(text) : text;
  };
  if (parameter.type === "choice") {
    const choices = parameter.choices.map((choice) => /** @type {[string, string]} */ ([choice, named(w().choices, choice)]));
    return field(label, select(choices, String(value), keep, { name: parameter.name }), parameter.description);
  }
  const range = parameter.type === "integer" ? { type: "number", min: parameter.minimum, max: parameter.maximum } : { type: "text", size: 4 };
  const input = h("input", { name: parameter.name, value, ...range });
  input.addEventListener("change", () => keep(input.value.trim()));
  return field(label, input, parameter.description);
}

/** @param {import("./app.js").App} app */
function preferences(app) {
  const words = w();
  const again = () => app.build();
  const like = (/** @type {string} */ name, /** @type {string} */ value) => app.likes.set(name, value);
  return h("details", { class: "popover preferences" },
    h("summary", { class: "icon", "aria-label": words.menu.settings, title: words.menu.settings }, icon("settings")),
    h("div", { class: "popup right" },
      field(words.language, select(LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]]), lang(), (value) => {
        like("language", value);
        void use(/** @type {import("./words.js").Language} */ (value)).then(again);
      }, { name: "language" })),
      field(words.theme.label, select([["auto", words.theme.auto], ["light", words.theme.light], ["dark", words.theme.dark]], app.likes.get("theme", "auto"), (value) => {
        like("theme", value);
        document.documentElement.dataset.theme = value;
      }, { name: "theme" })),
      field(words.glyphs.label, select([["characters", words.glyphs.characters], ["letters", words.glyphs.letters]], app.look.glyphs, (value) => {
        like("glyphs", value);
        app.look.glyphs = /** @type {import("./boards/pieces.js").Glyphs} */ (value);
        again();
      }, { name: "glyphs" })),
      field(words.notation.label, select([["coordinates", words.notation.coordinates], ["chinese", words.notation.chinese], ["wxf", words.notation.wxf]], app.look.notation, (value) => {
        like("notation", value);
        app.look.notation = value;
        again();
      }, { name: "notation" }))));
}
