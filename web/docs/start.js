// @ts-check
/** The quick start, and the same without a server. */

import { key } from "../backend/key.js";
import { button, fill, h } from "../dom.js";
import { addressOf } from "../root.js";
import { block, calls } from "./code.js";

/** @typedef {import("./calls.js").Sample} Sample */

/**
 * The smallest call, from the beginning of the contract, where games are named.
 * @param {any} contract
 * @returns {{ game: string, moves: string[], budget: { time_ms: number } }}
 */
const smallest = (contract) => JSON.parse(/-d '(\{.*\})'/.exec(contract.info.description)?.[1] ?? "{}");

/** The quick-start card. @param {any} contract */
export function quickStart(contract) {
  const body = smallest(contract);
  const { game, moves } = body;
  const search = { method: "post", path: "/v1/searches" };
  /** @type {Sample} */
  const stream = { ...search, accept: "text/event-stream", answer: "events", body: { game, moves, budget: { time_ms: 2000 } } };
  /** @type {Sample} */
  const position = { id: "describePosition", method: "post", path: "/v1/positions", body: { game, moves } };
  const output = h("div", { class: "answer", "aria-live": "polite" });
  return h("section", { class: "card", id: "quick-start", "aria-labelledby": "quick-start-heading" },
    h("h2", { id: "quick-start-heading" }, "Quick start"),
    h("ol", { class: "steps" },
      step("Find the best move", "Send a game, its moves and a budget. The response has the best move, and a value for every other move.",
        calls([["move", { ...search, id: "search", body }]]), h("div", { class: "buttons" }, button("Run it here", () => void run(output, body), { class: "primary", name: "run" })), output),
      step("Watch it think", "In a stream, each message is the whole response so far; the last one has final: true.", calls([["stream", stream]])),
      step("List the legal moves", "Rules without a search: legal moves and their effects, the result, and the cells to draw.", calls([["position", position]]))));
}

/** @param {string} heading @param {string} text @param {...Node} content */
const step = (heading, text, ...content) => h("li", {}, h("h3", {}, heading), h("p", {}, text), ...content);

/** Makes the first call, and shows the main parts of its response. @param {HTMLElement} output @param {any} body */
async function run(output, body) {
  fill(output, h("p", {}, "…"));
  try {
    const response = await fetch(addressOf("/v1/searches"), {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(key.value ? { Authorization: `Bearer ${key.value}` } : {}) },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) return fill(output, h("p", { class: "refused" }, `${response.status}: ${answer.detail}`));
    show(output, answer);
  } catch (error) {
    fill(output, h("p", { class: "refused" }, String(error)));
  }
}

/** @param {HTMLElement} output @param {import("../types.js").Search} answer */
function show(output, { move, children, root, timing }) {
  fill(output,
    h("p", {}, h("strong", { class: "fine" }, `move: ${move}`), ` · value ${root.value} · ${children.length} moves · ${timing.search_ms} ms`),
    h("table", {}, h("thead", {}, h("tr", {}, ["move", "value", "win", "draw", "loss"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, children.map(({ move: one, value, win, draw, loss }) =>
        h("tr", {}, h("th", { scope: "row" }, one), [value, win, draw, loss].map((number) => h("td", {}, number === null ? "–" : String(number))))))));
}

const EXPORT = "tesuji export --engine-only engine";
/** A page that searches. Line by line, since scripts are served without the indentation of their lines. @param {any} body */
const page = ({ game, moves, budget }) => [
  '<script type="module">',
  '  import { createEngine } from "./engine/index.js";',
  "",
  "  const engine = createEngine();",
  "  const stop = new AbortController();",
  "  const answer = await engine.search(",
  `    { game: "${game}", moves: ${JSON.stringify(moves)}, budget: { time_ms: ${budget.time_ms} } },`,
  "    { onProgress: (message) => console.log(message.root.value, message.move), signal: stop.signal },",
  "  );",
  "  console.log(answer.move, answer.children);",
  "</script>",
].join("\n");

/** The interface of the engine package. @type {[call: string, answer: string][]} */
const INTERFACE = [
  ["createEngine({ base, workers, onLoad })", "an engine; nothing is fetched before the first call"],
  ["games(), game(name)", "the responses of GET /v1/games and GET /v1/games/{game}"],
  ["position(request)", "the response of POST /v1/positions"],
  ["search(request, { onProgress, signal })", "the response of POST /v1/searches; onProgress receives the earlier messages"],
  ["review(request, { onProgress, signal })", "the last message of a review"],
  ["prepare(game)", "nothing, once the game's data file is loaded"],
  ["close()", "ends the workers"],
];

/** The engine without a server. @param {any} contract @param {boolean} hasEngine whether this server offers it to browsers */
export function webAssembly(contract, hasEngine) {
  const body = smallest(contract);
  const output = h("div", { class: "answer", "aria-live": "polite" });
  return h("section", { class: "card", id: "webassembly", "aria-labelledby": "webassembly-heading" },
    h("h2", { id: "webassembly-heading" }, "WebAssembly"),
    h("p", {}, "The same requests and responses in a web page or in Node.js, without a server. Write the package with"),
    block(EXPORT),
    h("p", {}, "and use it in a page:"),
    block(page(body)),
    h("table", { class: "interface" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Call"), h("th", { scope: "col" }, "Resolves to"))),
      h("tbody", {}, INTERFACE.map(([call, answer]) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, call)), h("td", {}, answer))))),
    h("p", {}, "A refused request throws an ", h("code", {}, "EngineError"), " with ", h("code", {}, "code"), ", ", h("code", {}, "status"), " and ", h("code", {}, "errors"),
      ", as in the server's problems. Aborting ", h("code", {}, "signal"), " ends a search with the best move so far. Calls below show the engine's form where there is one."),
    hasEngine && h("div", { class: "buttons" }, button("Run it in this browser", () => void runHere(output, body), { class: "primary", name: "run-wasm" })), output);
}

/** Makes the first call with the engine that this server provides. @param {HTMLElement} output @param {any} body */
async function runHere(output, body) {
  fill(output, h("p", {}, "…"));
  try {
    const { createEngine } = await import("../engine/index.js");
    const engine = createEngine({ onLoad: ({ file, loaded }) => fill(output, h("p", {}, `${file}: ${loaded} bytes`)) });
    show(output, /** @type {any} */ (await engine.search(body)));
    engine.close();
  } catch (error) {
    fill(output, h("p", { class: "refused" }, String(error)));
  }
}
