// @ts-check
/** The page's state in the fragment of its address (after `#`), so that a link reproduces it. */

import { formatControl, parseControl, DEFAULTS } from "./play/clock.js";

/**
 * @typedef {"play" | "analyse" | "tree" | "review" | "setup"} Panel
 * @typedef {"time_ms" | "simulations" | "nodes" | "depth"} Limit
 *
 * A search's settings: engine and options, one limit, memory, threads.
 * @typedef {{ engine: string, options: Record<string, string>, limit: Limit, amount: number, memory: number, threads: number }} Effort
 *
 * `setup` is the text of a position that is being set up; `auto` is whether the level of new games follows the reader's results.
 *
 * @typedef {{
 *   panel: Panel,
 *   human: "first" | "second" | "both" | "none", level: number, auto: boolean, time: number, clock: import("./play/clock.js").Control,
 *   analysis: Effort & { avoid: string[] },
 *   tree: Effort & { depth: number, visits: number },
 *   review: Effort,
 *   setup: string | null,
 * }} Settings
 *
 * A variant without a name is the game's default one.
 * @typedef {{
 *   game: string, variant: import("./types.js").Variant, start: string | null, moves: string[], at: number,
 *   resigned: import("./types.js").Side | null, timeout: import("./types.js").Side | null,
 *   branches?: import("./record.js").Branch[], branch?: number | null,
 * }} GameState
 */

/** @type {readonly Panel[]} */
export const PANELS = ["play", "analyse", "tree", "review", "setup"];
/** @type {readonly Limit[]} */
export const LIMITS = ["time_ms", "simulations", "nodes", "depth"];
/** Levels of play go from 1 to this one, which is full strength. */
export const FULL_STRENGTH = 10;

/** @type {() => Settings} */
export const defaults = () => ({
  panel: "play",
  human: "first",
  level: 5,
  auto: false,
  time: 1000,
  clock: DEFAULTS.none,
  analysis: { engine: "auto", options: {}, limit: "time_ms", amount: 10_000, memory: 0, threads: 1, avoid: [] },
  tree: { engine: "mcts", options: {}, limit: "simulations", amount: 20_000, memory: 0, threads: 1, depth: 3, visits: 10 },
  review: { engine: "auto", options: {}, limit: "time_ms", amount: 200, memory: 0, threads: 1 },
  setup: null,
});

/** Short names of the efforts' fields in links. @type {["a" | "t" | "r", "analysis" | "tree" | "review"][]} */
const EFFORTS = [["a", "analysis"], ["t", "tree"], ["r", "review"]];

/**
 * @param {GameState} state
 * @param {Settings} settings
 */
export function format(state, settings) {
  const initial = defaults();
  /** @type {[string, string | number | boolean][]} */
  const parts = [["game", state.game]];
  /** @param {string} name @param {string | number} value @param {string | number} initialValue */
  const add = (name, value, initialValue) => value !== initialValue && parts.push([name, value]);
  for (const [name, value] of Object.entries(state.variant)) parts.push([name === "name" ? "variant" : `v.${name}`, value]);
  if (state.start !== null) parts.push(["position", state.start]);
  if (state.moves.length > 0) parts.push(["moves", state.moves.join("_")]);
  const { branches = [], branch = null } = state;
  for (const { at, moves } of branches) parts.push(["try", [at, ...moves].join("_")]);
  const shown = branches[branch ?? -1];
  if (branch !== null) parts.push(["in", branch + 1]);
  add("at", state.at, shown ? shown.at + shown.moves.length : state.moves.length);
  if (state.resigned !== null) parts.push(["resigned", state.resigned]);
  if (state.timeout !== null) parts.push(["timeout", state.timeout]);
  add("panel", settings.panel, initial.panel);
  add("human", settings.human, initial.human);
  // Always present, as a number: without it, the link would mean each reader's own level.
  parts.push(["level", settings.level]);
  add("time", settings.time, initial.time);
  add("clock", formatControl(settings.clock), formatControl(initial.clock));
  for (const [short, name] of EFFORTS) {
    const [effort, initialEffort] = [settings[name], initial[name]];
    for (const field of /** @type {const} */ (["engine", "limit", "amount", "memory", "threads"])) {
      add(`${short}.${field}`, effort[field], initialEffort[field]);
    }
    for (const [option, value] of Object.entries(effort.options)) parts.push([`${short}.o.${option}`, value]);
  }
  add("a.avoid", settings.analysis.avoid.join("_"), "");
  add("t.depth", settings.tree.depth, initial.tree.depth);
  add("t.visits", settings.tree.visits, initial.tree.visits);
  if (settings.panel === "setup" && settings.setup !== null) parts.push(["setup", settings.setup]);
  const encode = (/** @type {string | number | boolean} */ value) => encodeURIComponent(value).replaceAll("%2C", ",").replaceAll("%2F", "/");
  return parts.map(([name, value]) => `${name}=${encode(value)}`).join("&");
}

/**
 * @param {string} text
 * @param {string} [preferredLevel] the reader's own level, or `auto`, for an address that names none
 * @returns {{ state: GameState | null, lesson: string | null, settings: Settings }} `lesson` is the game of the lesson to show
 */
export function parse(text, preferredLevel = "") {
  const query = new URLSearchParams(text.replace(/^#/, "").replaceAll("+", "%2B"));
  const settings = defaults();
  settings.panel = oneOf(PANELS, query.get("panel"), settings.panel);
  settings.human = oneOf(/** @type {const} */ (["first", "second", "both", "none"]), query.get("human"), settings.human);
  settings.auto = (query.get("level") ?? preferredLevel) === "auto";
  settings.level = Math.min(FULL_STRENGTH, Math.max(1, count(query.get("level"), count(preferredLevel, settings.level))));
  settings.time = count(query.get("time"), settings.time);
  settings.clock = parseControl(query.get("clock"));
  for (const [short, name] of EFFORTS) {
    const effort = settings[name];
    effort.engine = query.get(`${short}.engine`) ?? effort.engine;
    effort.limit = oneOf(LIMITS, query.get(`${short}.limit`), effort.limit);
    effort.amount = count(query.get(`${short}.amount`), effort.amount);
    effort.memory = count(query.get(`${short}.memory`), effort.memory);
    effort.threads = count(query.get(`${short}.threads`), effort.threads);
    for (const [key, value] of query) {
      if (key.startsWith(`${short}.o.`)) effort.options[key.slice(4)] = value;
    }
  }
  settings.analysis.avoid = list(query.get("a.avoid"));
  settings.tree.depth = count(query.get("t.depth"), settings.tree.depth);
  settings.tree.visits = count(query.get("t.visits"), settings.tree.visits);
  settings.setup = query.get("setup");
  return { state: stateFrom(query), lesson: query.get("learn"), settings };
}

/** The puzzles that an address names: a game's, or one of them. @param {string} text @returns {{ game: string, id: string | null } | null} */
export function puzzlesIn(text) {
  const given = new URLSearchParams(text.replace(/^#/, ""));
  const id = given.get("puzzle");
  const game = id?.replace(/-[^-]*$/, "") ?? given.get("puzzles");
  return game === null ? null : { game, id };
}

/** @param {URLSearchParams} query @returns {GameState | null} */
function stateFrom(query) {
  const game = query.get("game");
  if (!game) return null;
  /** @type {import("./types.js").Variant} */
  const variant = { name: query.get("variant") ?? "" };
  for (const [key, value] of query) {
    if (key.startsWith("v.")) variant[key.slice(2)] = scalar(value);
  }
  const moves = list(query.get("moves"));
  const branches = query.getAll("try").map((text) => {
    const [at, ...tried] = list(text);
    return { at: count(at ?? null, moves.length + 1), moves: tried };
  }).filter((one) => one.at <= moves.length && one.moves.length > 0);
  const branch = count(query.get("in"), 0) - 1;
  const shown = branches[branch];
  const at = count(query.get("at"), shown ? shown.at + shown.moves.length : moves.length);
  const side = (/** @type {string} */ name) => oneOf(/** @type {const} */ (["first", "second", null]), query.get(name), null);
  return { game, variant, start: query.get("position"), moves, at, resigned: side("resigned"), timeout: side("timeout"), branches, branch: shown ? branch : null };
}

/** A parameter's value: a number, yes or no, or a word. @param {string} text */
const scalar = (text) => (/^\d+$/.test(text) ? Number(text) : text === "true" ? true : text === "false" ? false : text);

/** @param {string | null} text */
const list = (text) => (text ? text.split("_").filter(Boolean) : []);

/** @param {string | null} text @param {number} fallback */
const count = (text, fallback) => (text !== null && /^\d{1,12}$/.test(text) ? Number(text) : fallback);

/**
 * @template {string | null} T
 * @param {readonly T[]} allowed
 * @param {string | null} text
 * @param {T} fallback
 * @returns {T}
 */
const oneOf = (allowed, text, fallback) => allowed.find((one) => one === text) ?? fallback;
