// @ts-check
/** The page's words in the reader's language, and numbers in that language's format. */

/** @typedef {typeof import("./lang/en.js").default} Words */
/** @typedef {"en" | "zh"} Language */

/** @type {readonly Language[]} */
export const LANGUAGES = ["en", "zh"];
export const LANGUAGE_NAMES = { en: "English", zh: "简体中文" };

/** @type {Words} */
let words;
/** @type {Language} */
let language = "en";

/** The words of the current language. */
export function w() {
  return words;
}

/** The current language. */
export function lang() {
  return language;
}

/** The language that the reader chose earlier, else the browser's first supported language. */
export const preferredLanguage = () => matchLanguage([localStorage.getItem("language") ?? "", ...navigator.languages]);

/** The language of the first supported tag, else English. @param {readonly string[]} tags */
export function matchLanguage(tags) {
  const wanted = tags.map((tag) => tag.toLowerCase().split("-")[0]);
  return LANGUAGES.find((one) => one === wanted.find((tag) => LANGUAGES.some((known) => known === tag))) ?? "en";
}

/** The tag of a language. @param {Language} one */
export const tagOf = (one) => (one === "zh" ? "zh-Hans" : "en");

/** @type {Record<string, { rules: string, moves: string, position: string } | undefined>} */
let games = {};

/** A game's texts that the API has in English only, in another language; none in English. @param {string} game */
export const gameTexts = (game) => games[game];

/** Loads a language and switches the page to it. @param {Language} next */
export async function setLanguage(next) {
  (await loadLanguage(next))();
  document.documentElement.lang = tagOf(next);
}

/** Loads a language; returns a function that switches to it. @param {Language} next */
export async function loadLanguage(next) {
  const chinese = next === "zh";
  const [module, texts] = await Promise.all([
    chinese ? import("./lang/zh.js") : import("./lang/en.js"),
    chinese ? fetch(new URL("./lang/games-zh.json", import.meta.url)).then((response) => response.json()) : {},
  ]);
  return () => {
    words = module.default;
    games = texts;
    language = next;
  };
}

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 */
export function number(value, options = {}) {
  const key = language + JSON.stringify(options);
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(language === "zh" ? "zh-CN" : "en", options)));
  return format.format(value);
}

/** A large count, short: 12.3K. @param {number} value */
export const short = (value) => number(value, { notation: "compact", maximumSignificantDigits: 3 });

/** A share as a percentage. @param {number} value @param {number} [digits] */
export const percent = (value, digits = 0) =>
  number(value, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A signed number. @param {number} value @param {number} [digits] */
export const signed = (value, digits = 1) =>
  number(value, { signDisplay: "exceptZero", minimumFractionDigits: digits, maximumFractionDigits: digits });

/** The approximate width of a text in digits: Chinese characters and some signs are wider. @param {string} text */
export const width = (text) =>
  [...text].reduce((sum, one) => sum + (one > "\u2e80" ? 1.7 : /[≤≥+WD]/.test(one) ? 1.5 : /[.,-]/.test(one) ? 0.65 : 1), 0);

/** A span of time. @param {number} ms */
export const duration = (ms) =>
  ms < 1000 ? `${number(Math.round(ms))} ms` : `${number(ms / 1000, { maximumFractionDigits: 1 })} s`;

/**
 * The word for a name in a table; the name itself if the table lacks it.
 * @param {Record<string, string>} table
 * @param {string} name
 */
export const wordFor = (table, name) => (Object.hasOwn(table, name) ? table[name] : name);

/** A name cut to the room on the page: names of games added at run time can have any length. @param {string} name */
export const clipped = (name) => (name.length <= 40 ? name : `${[...name].slice(0, 39).join("")}…`);

/** A game's name. @param {import("./types.js").Game} game */
export const gameName = (game) => clipped(game.names[language]);
