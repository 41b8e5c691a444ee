// @ts-check
/** Code to copy, in the language that the reader chose: a choice in one place applies to all. */

import { key } from "../backend/key.js";
import { button, fill, h, select } from "../dom.js";
import { addressOf } from "../root.js";
import { LANGUAGES, codeSamples } from "./calls.js";

/** @typedef {import("./calls.js").Sample} Sample */
/** @typedef {import("./calls.js").Language} Language */

/** @type {Language} */
let chosen = LANGUAGES.find(([name]) => name === localStorage.getItem("docs.language"))?.[0] ?? "curl";
/** Functions that redraw everything that shows code. @type {Set<() => void>} */
const shown = new Set();

/** Whether the reader has given a key, so that examples show where it goes. */
const keyed = () => key.value !== null;

/** Redraws all code after a change of language or key. */
const redraw = () => shown.forEach((draw) => draw());
key.addEventListener("change", redraw);

/**
 * A call in all languages, with a choice of examples.
 * @param {[name: string, sample: Sample][]} samples
 */
export function calls(samples) {
  let [name] = samples[0];
  const languages = h("div", { class: "languages", role: "group", "aria-label": "Language" });
  const text = h("code");
  const copied = h("span", { class: "copied", role: "status" });
  const pre = h("pre", { tabindex: 0 }, text);
  const examples = samples.length > 1 && select(samples.map(([one]) => [one, one]), name, (one) => {
    name = one;
    draw();
  }, { "aria-label": "Example" });
  const draw = () => {
    const [, sample] = samples.find(([one]) => one === name) ?? samples[0];
    const texts = codeSamples(sample, addressOf("/").slice(0, -1), keyed());
    const language = texts.has(chosen) ? chosen : "javascript";
    const focused = languages.contains(document.activeElement);
    fill(languages, LANGUAGES.filter(([one]) => texts.has(one)).map(([one, label]) =>
      button(label, () => choose(one), { "aria-pressed": String(one === language), "data-language": one })));
    if (focused) /** @type {HTMLElement | null} */ (languages.querySelector('[aria-pressed="true"]'))?.focus();
    text.textContent = texts.get(language) ?? "";
    copied.textContent = "";
  };
  shown.add(draw);
  draw();
  return h("div", { class: "code" },
    h("div", { class: "code-head" }, languages, examples, copied, button("Copy", () => void copy(text, copied), { class: "copy" })), pre);
}

/** @param {Language} language */
function choose(language) {
  chosen = language;
  localStorage.setItem("docs.language", language);
  redraw();
}

/** One piece of code, in one language. @param {string} text */
export function block(text) {
  const code = h("code", {}, text);
  const copied = h("span", { class: "copied", role: "status" });
  return h("div", { class: "code" },
    h("div", { class: "code-head" }, copied, button("Copy", () => void copy(code, copied), { class: "copy" })), h("pre", { tabindex: 0 }, code));
}

/** @param {HTMLElement} code @param {HTMLElement} copied */
async function copy(code, copied) {
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    copied.textContent = "Copied";
  } catch {
    // Browsers deny the clipboard to unencrypted pages: the text is then selected, to be copied by hand.
    getSelection()?.selectAllChildren(code);
    copied.textContent = "Selected";
  }
}
