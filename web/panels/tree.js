// @ts-check
/** The search tree, level by level: solved nodes first, then by visits, each with its value, bound and visits. */

import { button, fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { grade, showLine } from "../boards/marks.js";
import { wordFor, number, percent, short, w } from "../words.js";
import { requestFields, effortFields, settingsFold } from "./effort.js";
import { Runner } from "./runner.js";
import { valueText, budgetShare } from "./values.js";

/**
 * @typedef {import("../types.js").Search} Search
 * @typedef {import("../types.js").Child & { children?: Node[] }} Node
 */

/** How many children of a node are shown at most. */
const MAX_CHILDREN = 40;

export class Tree {
  /** @type {Search | null} */
  #result = null;
  /** Moves from the position on the board to the tree's root. @type {string[]} */
  #path = [];
  /** Nodes that are open, by their moves from the root. @type {Set<string>} */
  #open = new Set();
  #place = "";

  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    const { settings } = app;
    this.effort = effortFields(app.record.game, app.policy, settings.tree, () => app.settingsChanged());
    this.runner = new Runner({
      path: "/v1/searches",
      request: () => this.#request(),
      onstart: () => {
        this.#result = null;
        this.#draw();
      },
      onmessage: (/** @type {Search} */ message) => {
        this.#result = message;
        this.#draw();
        if (this.#path.length === 0) app.showEvaluation(message.root, message.position.to_move);
      },
      progress: budgetShare,
      ended: ({ stop_reason }) => (stop_reason ? wordFor(w().stop_reasons, stop_reason) : w().run.states.failed),
    });
    this.levels = h("div", { class: "fields" });
    this.trail = h("nav", { class: "trail", "aria-label": w().tree.up });
    this.view = h("div", { class: "nodes", role: "tree", "aria-label": w().tree.heading });
    this.empty = h("p", { class: "empty" }, w().tree.none);
    this.view.addEventListener("keydown", (event) => this.#key(event));
    fill(this.runner.extra, settingsFold(this.effort.element, this.levels));
    this.element = h("div", { class: "tree" }, this.runner.element, this.trail, this.empty, this.view);
    this.#drawLevels();
    this.#draw();
  }

  #drawLevels() {
    const { settings } = this.app;
    const words = w().tree;
    const input = (/** @type {"depth" | "visits"} */ name, /** @type {number} */ most) => {
      const element = h("input", { type: "number", min: 1, max: most, value: settings.tree[name], name: `tree-${name}` });
      element.addEventListener("change", () => {
        settings.tree[name] = Math.min(most, Math.max(1, Math.round(Number(element.value)) || 1));
        element.value = String(settings.tree[name]);
        this.app.settingsChanged();
      });
      return h("label", { class: "field" }, h("span", { class: "field-label" }, words[name]), element);
    };
    fill(this.levels, input("depth", MAX_LEVELS), input("visits", 1_000_000));
  }

  /** @returns {any} */
  #request() {
    const { record, settings } = this.app;
    if (record.finished) return null;
    const request = record.request();
    return {
      ...request,
      moves: [...request.moves, ...this.#path],
      ...requestFields(record.game, settings.tree),
      report: { interval_ms: 500, pv_length: 8, tree: { depth: settings.tree.depth, min_visits: settings.tree.visits } },
    };
  }

  /** @param {string} cause */
  refresh(cause) {
    if (cause === "enter" || cause === "labels") return this.#draw();
    if (cause === "load") {
      const { app, effort } = this;
      this.effort = effortFields(app.record.game, app.policy, app.settings.tree, () => app.settingsChanged());
      effort.element.replaceWith(this.effort.element);
    }
    this.#path = [];
    this.#open.clear();
    this.runner.abandon();
    this.#result = null;
    this.#draw();
  }

  leave() {
    this.runner.abandon();
  }

  #draw() {
    const found = this.#result;
    const { record } = this.app;
    const words = w().tree;
    this.empty.hidden = found !== null && found.children.length > 0;
    this.empty.textContent = record.finished ? w().analyse.over : this.runner.running ? w().run.states.starting : words.none;
    const trail = [words.root, ...this.#texts(this.#path)].map((move, index) =>
      button(move, () => this.#root(this.#path.slice(0, index)), { "aria-current": index === this.#path.length && "page" }));
    fill(this.trail, this.#path.length > 0 ? trail : []);
    const focused = this.view.contains(document.activeElement);
    fill(this.view, found ? this.#nodes(found.children, [], found.root.visits) : []);
    const items = this.#items();
    const current = items.find((item) => item.dataset.path === this.#place) ?? items[0];
    if (current) current.tabIndex = 0;
    if (focused) current?.focus({ preventScroll: true });
  }

  /** Moves from the position on the board in the reader's notation. @param {string[]} moves */
  #texts(moves) {
    const { record, look } = this.app;
    return record.lines.texts(record.at, moves, look.notation);
  }

  /** Searches from another root below the position on the board. @param {string[]} path */
  #root(path) {
    this.#path = path;
    this.#open.clear();
    this.#place = "";
    void this.runner.start();
  }

  /**
   * @param {Node[]} nodes
   * @param {string[]} path
   * @param {number | null} all visits of their parent
   * @returns {HTMLElement[]}
   */
  #nodes(nodes, path, all) {
    const sorted = [...nodes].sort((a, b) => Number(b.proven !== null) - Number(a.proven !== null) || (b.visits ?? 0) - (a.visits ?? 0));
    const items = sorted.slice(0, MAX_CHILDREN).map((node) => this.#node(node, [...path, node.move], all));
    if (sorted.length > MAX_CHILDREN) items.push(h("p", { class: "rest" }, `+ ${number(sorted.length - MAX_CHILDREN)}`));
    return items;
  }

  /** @param {Node} node @param {string[]} path @param {number | null} all */
  #node(node, path, all) {
    const key = path.join(" ");
    const below = node.children ?? [];
    const open = this.#open.has(key) && below.length > 0;
    const words = w().tree;
    // Where transpositions share a node, its visits include those from other lines.
    const share = node.visits !== null && all ? Math.min(node.visits / all, 1) : null;
    const texts = this.#texts([...this.#path, ...path]).slice(this.#path.length);
    // A proven value already shows its bound.
    const bounds = node.bound && node.bound !== "exact" && !node.proven ? w().analyse.bounds[node.bound] : "";
    const bar = h("span", { class: "bar", "aria-hidden": "true" }, h("span", { class: "bar-fill" }));
    /** @type {HTMLElement} */ (bar.firstElementChild).style.width = `${Math.round((share ?? 0) * 100)}%`;
    // The accessible name is the visible text. Children follow the item instead of being inside it, or the name would include
    // them; `aria-level` shows where it belongs.
    const item = h("div", { class: "node", role: "treeitem", tabindex: -1, "data-grade": grade(node), "data-path": key, "aria-level": path.length, "aria-expanded": below.length > 0 ? String(open) : null },
      h("span", { class: "twist", "aria-hidden": "true" }, below.length === 0 ? "·" : open ? "▾" : "▸"),
      h("span", { class: "node-move" }, texts.at(-1)),
      h("span", { class: `node-value${node.proven ? " proven" : ""}` }, valueText(node)),
      node.proven && h("span", { class: "badge" }, words.solved),
      bounds && h("span", { class: "badge bound" }, bounds),
      bar,
      h("span", { class: "node-visits" }, node.visits === null ? `${w().analyse.depth} ${number(node.depth)}` : `${short(node.visits)}${share === null ? "" : ` · ${percent(share)}`}`),
      button(icon("root"), () => this.#root([...this.#path, ...path]),
        { class: "more", tabindex: -1, title: words.more, "aria-label": `${words.more}: ${texts.join(" ")}` }));
    item.addEventListener("click", () => this.#toggle(key, below.length > 0));
    item.addEventListener("mouseenter", () => this.#preview(path));
    item.addEventListener("mouseleave", () => this.#preview([]));
    item.addEventListener("focus", () => {
      this.#place = key;
      this.#preview(path);
    });
    return h("div", { role: "none" }, item, open && h("div", { role: "none", class: "below" }, this.#nodes(below, path, node.visits)));
  }

  /** @param {string[]} path */
  #preview(path) {
    showLine(this.app.board, this.app.record, path.length > 0 ? [...this.#path, ...path] : []);
  }

  /** @param {string} key @param {boolean} possible */
  #toggle(key, possible) {
    if (!possible) return;
    if (!this.#open.delete(key)) this.#open.add(key);
    this.#place = key;
    this.#draw();
  }

  #items() {
    return /** @type {HTMLElement[]} */ ([...this.view.querySelectorAll('[role="treeitem"]')]);
  }

  /** The keys of a tree, as in the ARIA practices. @param {KeyboardEvent} event */
  #key(event) {
    const items = this.#items();
    const item = items.find((one) => one === document.activeElement);
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const index = items.indexOf(item);
    const expanded = item.getAttribute("aria-expanded");
    const key = item.dataset.path ?? "";
    const move = (/** @type {HTMLElement | null | undefined} */ next) => next?.focus();
    switch (event.key) {
      case "ArrowDown": move(items[index + 1]); break;
      case "ArrowUp": move(items[index - 1]); break;
      case "Home": move(items[0]); break;
      case "End": move(items[items.length - 1]); break;
      case "ArrowRight":
        if (expanded === "true") move(items[index + 1]);
        else this.#toggle(key, expanded === "false");
        break;
      case "ArrowLeft":
        if (expanded === "true") this.#toggle(key, true);
        else move(items.slice(0, index).findLast((one) => Number(one.ariaLevel) < Number(item.ariaLevel)));
        break;
      case "Enter":
      case " ":
        if (event.shiftKey) this.#root([...this.#path, ...key.split(" ")]);
        else this.#toggle(key, expanded !== null);
        break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The maximum number of levels in a report. */
const MAX_LEVELS = 6;
