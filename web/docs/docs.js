// @ts-check
/** The API reference, from the contract itself: operations, their parameters and responses, and a form to try each call. */

import { key } from "../backend/key.js";
import { button, fill, h, select } from "../dom.js";
import { addressOf } from "../root.js";
import { trust } from "../trust.js";
import { calls } from "./code.js";
import { markdown } from "./markdown.js";
import { Schemas } from "./schema.js";
import { quickStart, webAssembly } from "./start.js";
import { tryIt } from "./try.js";

/** @typedef {{ [key: string]: any }} Any */

const METHODS = ["get", "post", "put", "patch", "delete"];

async function main() {
  trust();
  document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "auto";
  const root = /** @type {HTMLElement} */ (document.getElementById("app"));
  const response = await fetch(new URL("../openapi.json", import.meta.url));
  // Examples are for this server.
  const contract = /** @type {Any} */ (JSON.parse((await response.text()).replaceAll("localhost:8080/", addressOf("/"))));
  const schemas = new Schemas(contract);
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({ path, method, operation: item[method], shared: item.parameters ?? [] })));
  const tags = /** @type {Any[]} */ (contract.tags);
  const of = (/** @type {string} */ tag) => operations.filter(({ operation }) => operation.tags?.includes(tag));
  const first = [["quick-start", "Quick start"], ["webassembly", "WebAssembly"], ["conventions", "Conventions"]];
  const links = tags.map(({ name }) => h("li", {}, h("span", { class: "tag" }, name), h("ul", {}, of(name).map(({ method, path, operation }) =>
    h("li", {}, h("a", { href: `#${operation.operationId}` }, badge(method), " ", path))))));
  fill(root,
    h("header", { class: "docs-head" }, h("a", { href: addressOf("/") }, "Tesuji"), h("h1", {}, "The API"), h("span", { class: "version" }, contract.info.version),
      h("a", { href: addressOf("/openapi.yaml") }, "openapi.yaml"), keyField()),
    h("div", { class: "docs" },
      h("details", { class: "contents", open: matchMedia("(min-width: 50.01rem)").matches }, h("summary", {}, "Contents"),
        h("nav", { "aria-label": "Contents" }, h("ul", {}, h("li", {}, h("ul", {}, first.map(([id, name]) => h("li", {}, h("a", { href: `#${id}` }, name))))), links))),
      h("main", {},
        h("p", { class: "summary" }, contract.info.summary),
        quickStart(contract),
        webAssembly(contract, root.dataset.engine === "carried"),
        h("section", { class: "intro", id: "conventions" }, h("h2", {}, "Conventions"), ...markdown(contract.info.description)),
        tags.map(({ name, description }) => h("section", {}, h("h2", {}, name), h("p", { class: "summary" }, description),
          of(name).map((one) => operation(one, schemas)))))));
  document.documentElement.dataset.ready = "true";
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/** @param {string} method */
const badge = (method) => h("span", { class: `method ${method}` }, method.toUpperCase());

/**
 * @param {{ path: string, method: string, operation: Any, shared: Any[] }} one
 * @param {Schemas} schemas
 */
function operation({ path, method, operation: about, shared }, schemas) {
  const parameters = [...shared, ...(about.parameters ?? [])].map((one) => schemas.resolve(one))
    .map((one) => /** @type {Any} */ ({ ...one, schema: schemas.suggested(one.schema) }));
  const body = about.requestBody ? schemas.resolve(about.requestBody).content["application/json"] : null;
  const examples = Object.entries(body?.examples ?? {}).map(([name, example]) => /** @type {[string, unknown]} */ ([name, schemas.resolve(example).value]));
  const answers = Object.entries(about.responses).map(([status, answer]) => ({ status, answer: schemas.resolve(answer) }));
  const media = answers.filter(({ status }) => status.startsWith("2")).flatMap(({ answer }) => Object.keys(answer.content ?? {}));
  const given = path.replace(/\{(\w+)\}/g, (open, name) => parameters.find((one) => one.name === name)?.schema.enum?.[0] ?? open);
  const answerKind = answerOf(method, media);
  const samples = /** @type {[string, import("./calls.js").Sample][]} */ ((examples.length > 0 ? examples : [["", undefined]]).map(([name, value]) =>
    [name, { id: about.operationId, method, path: given, body: ordered(value), answer: answerKind }]));
  const call = { method, path, parameters: /** @type {any[]} */ (parameters), media: [...new Set(media)], examples, body: body !== null };
  return h("article", { id: about.operationId },
    h("h3", {}, badge(method), " ", h("code", {}, path)),
    h("p", { class: "summary" }, about.summary), ...markdown(about.description),
    calls(samples),
    parameters.length > 0 && h("details", {}, h("summary", {}, "Parameters"), h("ul", { class: "schema" }, parameters.map((one) =>
      h("li", {}, h("code", { class: "name" }, one.name), ` in ${one.in}${one.required ? ", required" : ""}. `, ...markdown(one.description))))),
    body && h("details", {}, h("summary", {}, "Request body"), schemas.view(body.schema)),
    h("details", {}, h("summary", {}, "Responses"), answers.map((one) => answer(one, schemas))),
    h("details", { class: "trying" }, h("summary", {}, "Try it"), tryIt(call)));
}

/** A request with its main fields first, as one would write it. @param {any} body */
function ordered(body) {
  const first = ["game", "variant", "position", "moves", "text", "defaults", "searches", "budget"];
  const isObject = body !== null && typeof body === "object" && !Array.isArray(body);
  return isObject ? { ...Object.fromEntries(first.filter((name) => name in body).map((name) => [name, body[name]])), ...body } : body;
}

/** The kind of response, for the code that reads it. @param {string} method @param {string[]} media */
function answerOf(method, media) {
  if (media.some((one) => /\bjson\b/.test(one))) return "json";
  return media.includes("text/event-stream") ? "events" : media.length > 0 ? "text" : method === "delete" ? "json" : "none";
}

/** @param {{ status: string, answer: Any }} one @param {Schemas} schemas */
function answer({ status, answer: about }, schemas) {
  const contents = Object.entries(about.content ?? {});
  return h("div", { class: "one-answer" },
    h("h4", {}, h("code", {}, status), " ", ...markdown(about.description).flatMap((part) => [...part.childNodes, " "])),
    contents.map(([media, { schema, examples }]) => h("div", {}, h("p", { class: "media" }, media), schema && schemas.view(schema), sample(examples, schemas))));
}

/** Examples of responses, one at a time. @param {Any | undefined} examples @param {Schemas} schemas */
function sample(examples, schemas) {
  const all = Object.entries(examples ?? {});
  if (all.length === 0) return null;
  const text = h("pre", { tabindex: 0 });
  const show = (/** @type {string} */ name) => fill(text, h("code", {}, JSON.stringify(schemas.resolve(examples?.[name]).value, null, 2)));
  show(all[0][0]);
  return h("div", {}, all.length > 1 && select(all.map(([name]) => [name, name]), all[0][0], show, { "aria-label": "Example" }), text);
}

/** The field for the key that this page and the others send if the service requires one. */
function keyField() {
  const input = h("input", { type: "password", "aria-label": "API key", placeholder: "API key", autocomplete: "off" });
  const show = () => (input.value = key.value ?? "");
  show();
  key.addEventListener("change", show);
  const save = () => (input.value ? key.set(input.value, key.remembered) : key.forget());
  return h("span", { class: "key" }, input, button("Use", save));
}

void main();
