// @ts-check
/** The settings of a search (engine, options, limit, memory, threads), as form fields and as request fields. */

import { field, fill, h, select } from "../dom.js";
import { LIMITS } from "../link.js";
import { wordFor, number, w } from "../words.js";

/**
 * @typedef {import("../link.js").Effort} Effort
 * @typedef {import("../types.js").Game} Game
 * @typedef {import("../types.js").Policy} Policy
 */

/** The engine that an effort names, if the game has it. @param {Game} game @param {string} name */
const engineOf = (game, name) => game.engines.find((engine) => engine.name === name);

/** The limits that the engine supports, or any engine for `auto`. @param {Game} game @param {Effort} effort */
function limits(game, effort) {
  const engines = effort.engine === "auto" || !engineOf(game, effort.engine) ? game.engines : [engineOf(game, effort.engine)];
  return LIMITS.filter((limit) => engines.some((engine) => engine?.budget.includes(limit)));
}

/**
 * The request fields that an effort determines.
 * @param {Game} game
 * @param {Effort} effort
 */
export function requestFields(game, effort) {
  const engine = engineOf(game, effort.engine);
  const limit = limits(game, effort).includes(effort.limit) ? effort.limit : "time_ms";
  /** @type {[string, string | number | boolean][]} */
  const options = [];
  for (const [name, value] of Object.entries(engine ? effort.options : {})) {
    const parameter = engine?.parameters.find((one) => one.name === name);
    if (parameter) options.push([name, typed(parameter, value)]);
  }
  return {
    engine: engine ? { name: engine.name, ...Object.fromEntries(options) } : "auto",
    budget: { [limit]: effort.amount, ...(effort.memory > 0 ? { memory_mb: effort.memory } : {}) },
    ...(effort.threads > 1 ? { threads: effort.threads } : {}),
  };
}

/**
 * Converts a link's text to the type of its parameter.
 * @param {import("../types.js").Parameter} parameter
 * @param {string} text
 */
function typed({ type }, text) {
  return type === "boolean" ? text === "true" : type === "integer" || type === "number" ? Number(text) : text;
}

/**
 * @param {Game} game
 * @param {Policy} policy
 * @param {Effort} effort changed in place
 * @param {() => void} onchange
 */
export function effortFields(game, policy, effort, onchange) {
  const words = w().effort;
  const element = h("div", { class: "effort" });
  const change = () => {
    onchange();
    draw();
  };
  const draw = () => {
    const engine = engineOf(game, effort.engine);
    const possible = limits(game, effort);
    const limit = possible.includes(effort.limit) ? effort.limit : "time_ms";
    const most = policy.most[limit];
    const engines = ["auto", ...game.engines.map(({ name }) => name)];
    const threaded = engine ? engine.threads : game.engines.some(({ threads }) => threads);
    fill(
      element,
      field(words.engine, select(engines.map((name) => [name, wordFor(w().engines, name)]), engine?.name ?? "auto", (name) => {
        effort.engine = name;
        effort.options = {};
        change();
      }, { name: "engine" })),
      field(words.limit, select(possible.map((name) => [name, words.limits[name]]), limit, (name) => {
        effort.limit = /** @type {import("../link.js").Limit} */ (name);
        effort.amount = DEFAULT_AMOUNTS[effort.limit];
        change();
      }, { name: "limit" })),
      field(words.units[limit] ? words.amount(words.limits[limit], words.units[limit]) : words.limits[limit], count("amount", effort.amount, 1, most, (value) => {
        effort.limit = limit;
        effort.amount = value;
        onchange();
      })),
      threaded && field(words.threads, count("threads", effort.threads, 1, policy.most.threads, (value) => {
        effort.threads = value;
        onchange();
      })),
      h("details", { class: "options", open: Object.keys(effort.options).length > 0 },
        h("summary", {}, words.more),
        h("div", { class: "fields" },
          field(words.memory, count("memory", effort.memory || "", 0, policy.most.memory_mb, (value) => {
            effort.memory = value;
            onchange();
          }, { placeholder: words.memoryAuto })),
          (engine?.parameters ?? []).map((parameter) => option(parameter, effort, onchange)))),
    );
  };
  draw();
  return { element, draw };
}

/** The settings of a search, folded behind one button. @param {...HTMLElement} fields */
export const settingsFold = (...fields) => h("details", { class: "engine-settings" }, h("summary", {}, w().effort.heading), h("div", {}, fields));

/**
 * Reduces the settings of searches to the policy's limits.
 * @param {import("../link.js").Settings} settings changed in place
 * @param {Policy} policy
 */
export function clampSettings(settings, { most }) {
  settings.time = Math.min(settings.time, most.time_ms);
  for (const effort of [settings.analysis, settings.tree, settings.review]) {
    effort.amount = Math.min(effort.amount, most[effort.limit]);
    effort.memory = Math.min(effort.memory, most.memory_mb);
    effort.threads = Math.min(effort.threads, most.threads);
  }
}

/** The initial amount of each limit. */
const DEFAULT_AMOUNTS = { time_ms: 5000, simulations: 100_000, nodes: 1_000_000, depth: 8 };

/** @param {import("../types.js").Parameter} parameter @param {Effort} effort @param {() => void} onchange */
function option(parameter, effort, onchange) {
  const keep = (/** @type {string} */ value) => {
    if (value === "" || value === String("default" in parameter ? parameter.default : "")) delete effort.options[parameter.name];
    else effort.options[parameter.name] = value;
    onchange();
  };
  const value = effort.options[parameter.name] ?? String("default" in parameter ? parameter.default : "");
  const label = wordFor(w().parameters, parameter.name);
  if (parameter.type === "choice" || parameter.type === "boolean") {
    const values = parameter.type === "choice" ? parameter.choices : ["true", "false"];
    const choices = values.map((choice) => /** @type {[string, string]} */ ([choice, wordFor(w().choices, choice)]));
    return field(label, select(choices, value, keep, { name: parameter.name }), parameter.description);
  }
  const range = !("minimum" in parameter) ? {} : { min: parameter.minimum, max: parameter.maximum };
  const input = h("input", { type: parameter.type === "cell" ? "text" : "number", step: "any", name: parameter.name, value, ...range });
  input.addEventListener("change", () => keep(input.value));
  return field(label, input, parameter.description);
}

/**
 * @param {string} name
 * @param {number | string} value
 * @param {number} least
 * @param {number} most
 * @param {(value: number) => void} keep
 * @param {import("../dom.js").Attributes} [more]
 */
function count(name, value, least, most, keep, more = {}) {
  const input = h("input", { type: "number", name, min: least, max: most, step: 1, value, title: `${number(least)}–${number(most)}`, ...more });
  input.addEventListener("change", () => {
    const typed = Math.round(Number(input.value));
    const clamped = Math.min(most, Math.max(least, Number.isFinite(typed) ? typed : least));
    input.value = clamped === 0 ? "" : String(clamped);
    keep(clamped);
  });
  return input;
}
