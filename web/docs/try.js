// @ts-check
/**
 * A form to try a call: its parameters and body as fields, sent from this page, with the response below. Streams are shown raw.
 */

import { key } from "../backend/key.js";
import { button, field, fill, h, select } from "../dom.js";
import { addressOf } from "../root.js";

/**
 * @typedef {{ name: string, in: string, required?: boolean, schema?: any }} Parameter
 * @typedef {{
 *   method: string, path: string, parameters: Parameter[], media: string[],
 *   examples: [name: string, value: unknown][], body: boolean,
 * }} Call
 */

/** How many characters of a response are shown, from its end. */
const LONGEST = 200_000;

/** @param {Call} call */
export function tryIt(call) {
  /** @type {Map<string, string>} */
  const values = new Map();
  const inputs = call.parameters.map((parameter) => {
    const initial = parameter.in === "path" ? (parameter.schema?.enum?.[0] ?? "") : "";
    if (initial) values.set(parameter.name, initial);
    const keep = (/** @type {string} */ value) => values.set(parameter.name, value);
    const choices = /** @type {string[] | undefined} */ (parameter.schema?.enum);
    if (choices) return field(parameter.name, select(choices.map((one) => [one, one]), initial, keep));
    const input = h("input", { placeholder: parameter.in, required: parameter.required });
    input.addEventListener("input", () => keep(input.value));
    return field(parameter.name, input);
  });
  const body = h("textarea", { rows: 8, spellcheck: false, "aria-label": "Request body" });
  const write = (/** @type {string} */ name) => {
    const found = call.examples.find(([one]) => one === name);
    body.value = found ? JSON.stringify(found[1], null, 2) : "{}";
  };
  if (call.examples[0]) write(call.examples[0][0]);
  const examples = call.examples.length > 1 && field("Example", select(call.examples.map(([name]) => [name, name]), call.examples[0][0], write));
  let accept = call.media[0] ?? "*/*";
  const mediaTypes = call.media.length > 1 && field("Accept", select(call.media.map((one) => [one, one]), accept, (one) => (accept = one)));
  const output = h("div", { class: "answer", "aria-live": "polite" });
  /** @type {AbortController | null} */
  let running = null;
  const send = button("Send", () => void start(), { class: "primary send" });
  const stop = button("Stop", () => running?.abort(), { hidden: true });

  async function start() {
    running?.abort();
    const control = new AbortController();
    running = control;
    stop.hidden = false;
    const status = h("p", { class: "answer-status" }, "…");
    const text = h("pre", { tabindex: 0 }, h("code"));
    fill(output, status, text);
    try {
      await exchange(call, values, call.body ? body.value : undefined, accept, control.signal, status, /** @type {HTMLElement} */ (text.firstElementChild));
    } catch (error) {
      status.append(control.signal.aborted ? " stopped" : ` ${error}`);
    }
    if (running === control) stop.hidden = true;
  }

  return h("div", { class: "try" },
    h("div", { class: "fields" }, inputs, examples, mediaTypes), call.body && body, h("div", { class: "buttons" }, send, stop), output);
}

/**
 * @param {Call} call
 * @param {Map<string, string>} values
 * @param {string | undefined} body
 * @param {string} accept
 * @param {AbortSignal} signal
 * @param {HTMLElement} status
 * @param {HTMLElement} output
 */
async function exchange(call, values, body, accept, signal, status, output) {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name) ?? ""));
  const query = call.parameters.filter((one) => one.in === "query" && values.get(one.name)).map((one) => [one.name, values.get(one.name) ?? ""]);
  const headers = new Headers({ Accept: accept });
  if (body !== undefined) headers.set("Content-Type", "application/json");
  if (key.value) headers.set("Authorization", `Bearer ${key.value}`);
  for (const one of call.parameters) {
    const value = values.get(one.name);
    if (one.in === "header" && value) headers.set(one.name, value);
  }
  const address = query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path;
  const response = await fetch(addressOf(address), { method: call.method.toUpperCase(), headers, body, signal });
  const location = response.headers.get("Location");
  fill(status, h("strong", { class: response.ok ? "fine" : "refused" }, `${response.status} ${response.statusText}`), ` ${response.headers.get("Content-Type") ?? ""}`, location && ` → ${location}`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) break;
    text = (text + value).slice(-LONGEST);
    output.textContent = text;
  }
  if (/\bjson\b/.test(response.headers.get("Content-Type") ?? "") && !/ndjson/.test(response.headers.get("Content-Type") ?? "")) {
    output.textContent = JSON.stringify(JSON.parse(text), null, 2);
  }
}
