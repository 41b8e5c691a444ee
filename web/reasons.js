// @ts-check
/** The reasons for moves' grades in sentences, made from the same table as in src/reasons.rs. Loaded on demand. */

import table from "./lang/reasons.js";
import { lang, number } from "./words.js";

/** @typedef {import("./types.js").Reason} Reason */

/** How many moves of a line a sentence shows at most. */
const SHOWN = 8;

/** @typedef {(line: readonly string[]) => readonly string[]} Texts a line's moves as text */

/** @param {readonly string[]} line @param {Texts} texts */
const shown = (line, texts) => texts(line.slice(0, SHOWN)).join(" ") + (line.length > SHOWN ? " …" : "");

/**
 * A sentence for each reason.
 * @param {readonly Reason[]} reasons
 * @param {Texts} texts
 * @param {(line: readonly string[]) => boolean} [showsLine] whether a line is shown
 */
export function sentences(reasons, texts, showsLine = () => true) {
  /** @type {Record<string, string[]>} */
  const words = table[lang()].reasons;
  // A newer service may know more kinds.
  return reasons.filter(({ kind }) => Object.hasOwn(words, kind)).map(({ kind, distance, points, proven, line }) =>
    fillTemplate(words[kind].at(proven ? 0 : -1) ?? "", { distance, points, line: showsLine(line) ? shown(line, texts) : "" }));
}

/** Parts of a sentence, in brackets and between them, drop out if one of their values is absent. @param {string} sentence @param {Record<string, string | number | null>} values */
function fillTemplate(sentence, values) {
  const parts = sentence.split(/[[\]]/).map((part) => {
    let whole = true;
    const text = part.replaceAll(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) => {
      const value = values[name] ?? "";
      if (value === "") whole = false;
      const shownValue = typeof value === "number" ? number(value) : value;
      return one === undefined ? shownValue : `${shownValue} ${value === 1 ? one : many}`;
    });
    return whole ? text : "";
  });
  return parts.join("");
}
