// @ts-check
/** A call as text to copy: for a shell, for browsers and Node.js, for Python, and for the engine without a server. */

/**
 * A call with values: a path can contain `{name}` for a value that only the reader knows, such as a search's id.
 * @typedef {{
 *   method: string, path: string, body?: any, accept?: string, answer?: "json" | "text" | "events" | "none", id?: string,
 * }} Sample
 * @typedef {"curl" | "javascript" | "python" | "wasm"} Language
 */

/** @type {[Language, string][]} */
export const LANGUAGES = [["curl", "curl"], ["javascript", "JavaScript"], ["python", "Python"], ["wasm", "WebAssembly"]];

/** The engine's functions, by operation. @type {Record<string, string>} */
const FUNCTIONS = { listGames: "games", describeGame: "game", describePosition: "position", search: "search", review: "review" };

/**
 * A call in each language that can make it.
 * @param {Sample} sample
 * @param {string} origin of the server
 * @param {boolean} keyed whether to show where a key goes
 * @returns {Map<Language, string>}
 */
export function codeSamples(sample, origin, keyed) {
  const texts = new Map(/** @type {[Language, string][]} */ ([
    ["curl", curl(sample, origin, keyed)], ["javascript", javascript(sample, origin, keyed)], ["python", python(sample, origin, keyed)],
  ]));
  const name = FUNCTIONS[sample.id ?? ""];
  if (name) texts.set("wasm", wasm(name, sample));
  return texts;
}

/** A path with its placeholder replaced by a variable of the language. @param {string} path @param {string} variable */
const withVariable = (path, variable) => path.replace(/\{\w+\}/, () => variable);

/**
 * A comment on where the id in a path comes from.
 * @param {string} path
 * @param {string} comment how a comment begins
 * @param {string} variable
 */
function idComment(path, comment, variable) {
  const [, kind] = /^(\/v1\/\w+)\/\{id\}/.exec(path) ?? [];
  return kind ? `${comment} ${variable}: the id in the answer to POST ${kind}\n` : "";
}

/** @param {Sample} sample @param {string} origin @param {boolean} keyed */
function curl({ method, path, body, accept, answer }, origin, keyed) {
  const address = withVariable(`${origin}${path}`, "$JOB_ID");
  const parts = [
    `curl -s${answer === "events" ? "N" : ""}${method === "get" || body !== undefined ? "" : ` -X ${method.toUpperCase()}`} ${address.includes("$") ? `"${address}"` : address}`,
    accept && `-H 'Accept: ${accept}'`,
    keyed && '-H "Authorization: Bearer $TESUJI_KEY"',
    // Within single quotes, a shell interprets only the quote itself.
    body !== undefined && `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  ].filter(Boolean);
  return `${idComment(path, "#", "JOB_ID")}${parts.join(" \\\n  ")}`;
}

/** @param {Sample} sample @param {string} origin @param {boolean} keyed */
function javascript({ method, path, body, accept, answer }, origin, keyed) {
  const address = withVariable(`${origin}${path}`, "${jobId}");
  const headers = [
    body !== undefined && '"Content-Type": "application/json"',
    accept && `Accept: ${JSON.stringify(accept)}`,
    keyed && "Authorization: `Bearer ${key}`",
  ].filter(Boolean);
  const options = [
    method !== "get" && `  method: "${method.toUpperCase()}",\n`,
    headers.length > 0 && `  headers: { ${headers.join(", ")} },\n`,
    body !== undefined && `  body: JSON.stringify(${code(body, JAVASCRIPT, "  ")}),\n`,
  ].filter(Boolean).join("");
  const quoted = address.includes("$") ? `\`${address}\`` : `"${address}"`;
  const request = `const response = await fetch(${quoted}${options && `, {\n${options}}`});\n`;
  const reader = {
    json: "console.log(await response.json());",
    text: "console.log(await response.text());",
    none: "console.log(response.status);",
    events: "for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text);",
  };
  return `${idComment(path, "//", "jobId")}${request}${reader[answer ?? "json"]}`;
}

/** @param {Sample} sample @param {string} origin @param {boolean} keyed */
function python({ method, path, body, accept, answer = "json" }, origin, keyed) {
  const address = withVariable(`${origin}${path}`, "{job_id}");
  const headers = [
    body !== undefined && '"Content-Type": "application/json"',
    accept && `"Accept": ${JSON.stringify(accept)}`,
    keyed && '"Authorization": f"Bearer {key}"',
  ].filter(Boolean);
  const parts = [
    `    ${address.includes("{") ? "f" : ""}"${address}",\n`,
    body !== undefined && `    data=json.dumps(${code(body, PYTHON, "    ")}).encode(),\n`,
    headers.length > 0 && `    headers={${headers.join(", ")}},\n`,
    method !== "get" && body === undefined && `    method="${method.toUpperCase()}",\n`,
  ].filter(Boolean);
  const reader = {
    json: "    print(json.load(response))",
    text: "    print(response.read().decode())",
    none: "    print(response.status)",
    events: '    for line in response:\n        print(line.decode(), end="")',
  };
  const imports = body !== undefined || answer === "json" ? "import json\nimport urllib.request" : "import urllib.request";
  return `${imports}\n\n${idComment(path, "#", "job_id")}request = urllib.request.Request(\n${parts.join("")})\nwith urllib.request.urlopen(request) as response:\n${reader[answer]}`;
}

/** @param {string} name of the engine's function @param {Sample} sample */
function wasm(name, { path, body }) {
  const isJob = name === "search" || name === "review";
  const given = body !== undefined ? code(body, JAVASCRIPT, "") : name === "game" ? JSON.stringify(path.split("/").at(-1)) : "";
  const progress = isJob ? ", {\n  onProgress: (message) => console.log(message),\n}" : "";
  return `import { createEngine } from "./engine/index.js";\n\nconst engine = createEngine();\nconst answer = await engine.${name}(${given}${progress});\nconsole.log(answer);\nengine.close();`;
}

/**
 * How a language writes values.
 * @typedef {{ literals: Map<any, string>, name: (name: string) => string, open: string, close: string }} Syntax
 */
/** @type {Syntax} */
const JAVASCRIPT = {
  literals: new Map(), name: (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)), open: "{ ", close: " }",
};
/** @type {Syntax} */
const PYTHON = { literals: new Map(/** @type {[any, string][]} */ ([[true, "True"], [false, "False"], [null, "None"]])), name: (name) => JSON.stringify(name), open: "{", close: "}" };

/** The width beyond which values are broken into lines. */
const WIDTH = 76;

/**
 * A value as code.
 * @param {any} value
 * @param {Syntax} writing
 * @param {string} indent of the line that it begins in
 * @returns {string}
 */
function code(value, writing, indent) {
  if (writing.literals.has(value)) return writing.literals.get(value) ?? "";
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const list = Array.isArray(value);
  const inner = `${indent}  `;
  const parts = list
    ? value.map((one) => code(one, writing, inner))
    : Object.entries(value).map(([name, one]) => `${writing.name(name)}: ${code(one, writing, inner)}`);
  const flat = list ? `[${parts.join(", ")}]` : parts.length === 0 ? "{}" : `${writing.open}${parts.join(", ")}${writing.close}`;
  if (flat.length + indent.length <= WIDTH && !flat.includes("\n")) return flat;
  const [open, close] = list ? ["[", "]"] : ["{", "}"];
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}
