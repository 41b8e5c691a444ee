// @ts-check
/**
 * The common part of both elements: a shadow root with the page's styles, isolated from the host page's, a language, and errors
 * in words.
 */

import { ApiError } from "../backend/error.js";
import { addGradients, defaultBoard } from "../boards/materials.js";
import { h } from "../dom.js";
import { styles } from "../games.js";
import embedWords from "../lang/embed.js";
import { errorText } from "../notice.js";
import { matchLanguage, lang, loadLanguage, tagOf } from "../words.js";

/** Attributes of both elements. */
export const COMMON = ["theme", "board", "lang"];

/** The elements inherit neither properties nor variables from the host page, only whether it is light or dark. */
const ELEMENT_STYLE = `
  :host { all: initial; color-scheme: inherit; display: block; }
  :host([hidden]) { display: none; }
  .root:not([data-theme]) { color-scheme: inherit; }
  .bare .coordinate { display: none; }
  .notice { padding: 0.5rem 0 0; }
  .root > .evaluation { height: 100%; min-height: 4rem; }
  .root:has(> .evaluation) { height: 100%; }
`;

/** The styles of games. @type {CSSStyleSheet[]} */
const games = [];
styles.adopt = (style) => void games.push(sheetOf(style));

/** A style of the page for shadow roots: rules for the document's root apply to the element's root. @param {string} text */
function sheetOf(text) {
  const names = new Set(text.match(/(?<=var\()--[\w-]+/g));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:host { ${[...names].map((name) => `${name}: initial;`).join(" ")} } ${text.replaceAll(":root", ".root")}`);
  return sheet;
}

/** @type {Promise<CSSStyleSheet> | null} */
let pageSheet = null;

/** The page's styles, fetched once. */
function pageStyle() {
  const read = async (/** @type {string} */ name) => {
    const response = await fetch(new URL(`../style/${name}.css`, import.meta.url));
    if (!response.ok) throw new ApiError("offline", `${response.url}: ${response.status}`);
    return response.text();
  };
  pageSheet ??= Promise.all(["base", "board", "themes"].map(read)).then((texts) => sheetOf([...texts, ELEMENT_STYLE].join("\n")));
  pageSheet.catch(() => (pageSheet = null));
  return pageSheet;
}

export class PageElement extends HTMLElement {
  /** The visible content. */
  root = h("div", { class: "root" });
  /** Switches the page's words to the element's language; null until that is loaded. @type {(() => void) | null} */
  #setLanguage = null;
  /** @type {CSSStyleSheet[]} */
  #sheets = [];
  /** The last queued action. @type {Promise<boolean>} */
  #tail = Promise.resolve(true);
  /** Whether the attributes are to be read again. */
  #stale = false;

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).append(this.root);
    addGradients(this.root);
    // The board responds to these with words, and another element may have switched the language since.
    for (const type of ["click", "keydown"]) this.root.addEventListener(type, () => this.useLanguage(), true);
  }

  connectedCallback() {
    // Properties that were set before the element was defined.
    for (const name of /** @type {any} */ (this.constructor).observedAttributes) {
      if (!Object.hasOwn(this, name)) continue;
      const own = /** @type {any} */ (this);
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
    this.refresh();
  }

  attributeChangedCallback() {
    this.refresh();
  }

  /** Updates the element from its attributes. */
  refresh() {
    if (this.#stale || !this.isConnected) return;
    this.#stale = true;
    void this.queue(async () => {
      this.#stale = false;
      await this.#loadStyles();
      await this.update();
    });
  }

  /** Applies the attributes; overridden by each element. @returns {Promise<void>} */
  async update() {}

  /** Shows an error; overridden by each element. @param {(Node | string)[]} _words */
  report(_words) {}

  /**
   * Runs actions one at a time. Returns whether the action succeeded; a failure is shown, and sent as an event.
   * @param {() => Promise<void>} action
   */
  queue(action) {
    this.#tail = this.#tail.then(async () => {
      try {
        await action();
        return true;
      } catch (error) {
        this.#fail(error);
        return false;
      }
    });
    return this.#tail;
  }

  /** @param {unknown} error */
  #fail(error) {
    if (!(error instanceof ApiError)) console.error(error);
    this.useLanguage();
    const { code = "unexpected", errors = [] } = error instanceof ApiError ? error : {};
    const words = this.#setLanguage ? errorText(error, embedWords[lang()].problems[code]) : [String(error)];
    if (this.#setLanguage) this.report(words);
    this.dispatchEvent(new CustomEvent("error", { detail: { code, message: words[0], errors } }));
  }

  /** Loads the language and the styles, and sets the colours. */
  async #loadStyles() {
    const { lang } = /** @type {HTMLElement} */ (this.closest("[lang]") ?? this);
    const language = matchLanguage(lang ? [lang] : navigator.languages);
    const [speak, sheet] = await Promise.all([loadLanguage(language), pageStyle()]);
    this.#setLanguage = speak;
    this.#sheets = [sheet];
    this.root.lang = tagOf(language);
    this.root.dataset.board = this.getAttribute("board") ?? defaultBoard();
    const theme = this.getAttribute("theme");
    if (theme) this.root.dataset.theme = theme;
    else delete this.root.dataset.theme;
  }

  /** Switches the words to the element's language. */
  useLanguage() {
    this.#setLanguage?.();
  }

  /** Applies the styles, including those of all loaded games. */
  applyStyles() {
    /** @type {ShadowRoot} */ (this.shadowRoot).adoptedStyleSheets = [...this.#sheets, ...games];
  }
}
