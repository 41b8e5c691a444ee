// @ts-check
/** JSON Schemas as nested lists: names, types, limits, descriptions. References are expanded in place. */

import { h } from "../dom.js";
import { inline } from "./markdown.js";

/** @typedef {{ [key: string]: any }} Schema */

export class Schemas {
  /** @param {Schema} contract */
  constructor(contract) {
    this.contract = contract;
  }

  /** What a reference refers to, with the fields beside it added. @param {Schema} schema @returns {Schema} */
  resolve(schema) {
    if (!schema?.$ref) return schema ?? {};
    const path = schema.$ref.slice(2).split("/").map((/** @type {string} */ part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    const found = path.reduce((/** @type {any} */ node, /** @type {string} */ part) => node[part], this.contract);
    const { $ref: _, ...beside } = schema;
    return { ...this.resolve(found), ...beside };
  }

  /** A schema; for an open list of words, that of the words it suggests. @param {Schema} reference @returns {Schema} */
  suggested(reference) {
    const schema = this.resolve(reference);
    const [known, other] = (schema.anyOf ?? []).map((/** @type {Schema} */ one) => this.resolve(one));
    return known?.enum && other.type === "string" && !("const" in other) ? known : schema;
  }

  /** @param {Schema} schema */
  view(schema) {
    return h("div", { class: "schema" }, this.#body(this.resolve(schema), 0));
  }

  /** @param {Schema} schema @param {number} depth @returns {(HTMLElement | null)[]} */
  #body(schema, depth) {
    const whole = this.#merged(schema);
    const required = new Set(whole.required ?? []);
    const fields = Object.entries(whole.properties ?? {});
    const branches = /** @type {Schema[]} */ (whole.oneOf ?? whole.anyOf ?? []);
    return [
      fields.length > 0 ? h("ul", {}, fields.map(([name, field]) => this.#field(name, field, required.has(name), depth))) : null,
      whole.items ? h("ul", {}, this.#field("[ ]", whole.items, false, depth)) : null,
      branches.length > 1 ? h("ul", { class: "either" }, branches.map((branch, index) => this.#field(index === 0 ? "either" : "or", branch, false, depth))) : null,
    ];
  }

  /** Flattens the fields of `allOf`. @param {Schema} schema @returns {Schema} */
  #merged(schema) {
    if (!schema.allOf) return schema;
    const parts = schema.allOf.map((/** @type {Schema} */ part) => this.#merged(this.resolve(part)));
    const { allOf: _, ...own } = schema;
    return [...parts, own].reduce((sum, part) => ({
      ...sum,
      ...part,
      properties: { ...sum.properties, ...part.properties },
      required: [...(sum.required ?? []), ...(part.required ?? [])],
    }), /** @type {Schema} */ ({}));
  }

  /** @param {string} name @param {Schema} reference @param {boolean} required @param {number} depth */
  #field(name, reference, required, depth) {
    const schema = this.resolve(reference);
    const head = [h("code", { class: "name" }, name), " ", h("span", { class: "type" }, this.#type(schema)), required && h("span", { class: "required" }, "required")];
    const text = schema.description ? h("span", { class: "about" }, ...inline(schema.description.trim())) : null;
    if (!this.#nested(schema)) return h("li", {}, ...head, " ", text);
    const details = h("details", {}, h("summary", {}, ...head, " ", text));
    // The content is built when opened: schemas can be recursive.
    details.addEventListener("toggle", () => details.open && details.children.length === 1 && details.append(...this.#body(schema, depth + 1).filter((part) => part !== null)));
    return h("li", {}, details);
  }

  /** @param {Schema} schema @returns {boolean} */
  #nested(schema) {
    const whole = this.#merged(schema);
    const branches = whole.oneOf ?? whole.anyOf ?? [];
    return Object.keys(whole.properties ?? {}).length > 0 || (whole.items && this.#nested(this.resolve(whole.items))) || branches.length > 1;
  }

  /** @param {Schema} schema @returns {string} */
  #type(schema) {
    if ("const" in schema) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((/** @type {any} */ one) => JSON.stringify(one)).join(" | ");
    const type = [schema.type ?? (schema.properties ? "object" : schema.oneOf || schema.anyOf ? "one of" : "any")].flat().join(" or ");
    const item = schema.items ? ` of ${this.#type(this.resolve(schema.items))}` : "";
    const limits = [
      schema.minimum !== undefined && `≥ ${schema.minimum}`,
      schema.maximum !== undefined && `≤ ${schema.maximum}`,
      schema.pattern && `like ${schema.pattern}`,
      schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
    ].filter(Boolean);
    return `${type}${item}${limits.length > 0 ? ` (${limits.join(", ")})` : ""}`;
  }
}
