// @ts-check
/** The page's state in the fragment of its address (after `#`), so that a link reproduces it. */

import { formatControl, parseControl, USUAL } from "./play/clock.js";

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
 * }} Course
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
  clock: USUAL.none,
  analysis: { engine: "auto", options: {}, limit: "time_ms", amount: 10_000, memory: 0, threads: 1, avoid: [] },
  tree: { engine: "mcts", options: {}, limit: "simulations", amount: 20_000, memory: 0, threads: 1, depth: 3, visits: 10 },
  review: { engine: "auto", options: {}, limit: "time_ms", amount: 200, memory: 0, threads: 1 },
  setup: null,
});

/** Short names of the efforts' fields in links. @type {["a" | "t" | "r", "analysis" | "tree" | "review"][]} */
const EFFORTS = [["a", "analysis"], ["t", "tree"], ["r", "review"]];

/**
 * @param {Course} course
 * @param {Settings} settings
 */
export function format(course, settings) {
  const initial = defaults();
  /** @type {[string, string | number | boolean][]} */
  const parts = [["game", course.game]];
  /** @param {string} name @param {string | number} value @param {string | number} usual */
  const add = (name, value, usual) => value !== usual && parts.push([name, value]);
  for (const [name, value] of Object.entries(course.variant)) parts.push([name === "name" ? "variant" : `v.${name}`, value]);
  if (course.start !== null) parts.push(["position", course.start]);
  if (course.moves.length > 0) parts.push(["moves", course.moves.join("_")]);
  const { branches = [], branch = null } = course;
  for (const { at, moves } of branches) parts.push(["try", [at, ...moves].join("_")]);
  const shown = branches[branch ?? -1];
  if (branch !== null) parts.push(["in", branch + 1]);
  add("at", course.at, shown ? shown.at + shown.moves.length : course.moves.length);
  if (course.resigned !== null) parts.push(["resigned", course.resigned]);
  if (course.timeout !== null) parts.push(["timeout", course.timeout]);
  add("panel", settings.panel, initial.panel);
  add("human", settings.human, initial.human);
  // Always present, as a number: without it, the link would mean each reader's own level.
  parts.push(["level", settings.level]);
  add("time", settings.time, initial.time);
  add("clock", formatControl(settings.clock), formatControl(initial.clock));
  for (const [short, name] of EFFORTS) {
    const [effort, usual] = [settings[name], initial[name]];
    for (const field of /** @type {const} */ (["engine", "limit", "amount", "memory", "threads"])) {
      add(`${short}.${field}`, effort[field], usual[field]);
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
 * @param {string} [liked] the reader's own level, or `auto`, for an address that names none
 * @returns {{ course: Course | null, lesson: string | null, settings: Settings }} `lesson` is the game of the lesson to show
 */
export function parse(text, liked = "") {
  const given = new URLSearchParams(text.replace(/^#/, "").replaceAll("+", "%2B"));
  const settings = defaults();
  settings.panel = oneOf(PANELS, given.get("panel"), settings.panel);
  settings.human = oneOf(/** @type {const} */ (["first", "second", "both", "none"]), given.get("human"), settings.human);
  settings.auto = (given.get("level") ?? liked) === "auto";
  settings.level = Math.min(FULL_STRENGTH, Math.max(1, count(given.get("level"), count(liked, settings.level))));
  settings.time = count(given.get("time"), settings.time);
  settings.clock = parseControl(given.get("clock"));
  for (const [short, name] of EFFORTS) {
    const effort = settings[name];
    effort.engine = given.get(`${short}.engine`) ?? effort.engine;
    effort.limit = oneOf(LIMITS, given.get(`${short}.limit`), effort.limit);
    effort.amount = count(given.get(`${short}.amount`), effort.amount);
    effort.memory = count(given.get(`${short}.memory`), effort.memory);
    effort.threads = count(given.get(`${short}.threads`), effort.threads);
    for (const [key, value] of given) {
      if (key.startsWith(`${short}.o.`)) effort.options[key.slice(4)] = value;
    }
  }
  settings.analysis.avoid = list(given.get("a.avoid"));
  settings.tree.depth = count(given.get("t.depth"), settings.tree.depth);
  settings.tree.visits = count(given.get("t.visits"), settings.tree.visits);
  settings.setup = given.get("setup");
  return { course: course(given), lesson: given.get("learn"), settings };
}

/** The puzzles that an address names: a game's, or one of them. @param {string} text @returns {{ game: string, id: string | null } | null} */
export function puzzlesIn(text) {
  const given = new URLSearchParams(text.replace(/^#/, ""));
  const id = given.get("puzzle");
  const game = id?.replace(/-[^-]*$/, "") ?? given.get("puzzles");
  return game === null ? null : { game, id };
}

/** @param {URLSearchParams} given @returns {Course | null} */
function course(given) {
  const game = given.get("game");
  if (!game) return null;
  /** @type {import("./types.js").Variant} */
  const variant = { name: given.get("variant") ?? "" };
  for (const [key, value] of given) {
    if (key.startsWith("v.")) variant[key.slice(2)] = scalar(value);
  }
  const moves = list(given.get("moves"));
  const branches = given.getAll("try").map((text) => {
    const [at, ...tried] = list(text);
    return { at: count(at ?? null, moves.length + 1), moves: tried };
  }).filter((one) => one.at <= moves.length && one.moves.length > 0);
  const branch = count(given.get("in"), 0) - 1;
  const shown = branches[branch];
  const at = count(given.get("at"), shown ? shown.at + shown.moves.length : moves.length);
  const side = (/** @type {string} */ name) => oneOf(/** @type {const} */ (["first", "second", null]), given.get(name), null);
  return { game, variant, start: given.get("position"), moves, at, resigned: side("resigned"), timeout: side("timeout"), branches, branch: shown ? branch : null };
}

/** A parameter's value: a number, yes or no, or a word. @param {string} text */
const scalar = (text) => (/^\d+$/.test(text) ? Number(text) : text === "true" ? true : text === "false" ? false : text);

/** @param {string | null} text */
const list = (text) => (text ? text.split("_").filter(Boolean) : []);

/** @param {string | null} text @param {number} usual */
const count = (text, usual) => (text !== null && /^\d{1,12}$/.test(text) ? Number(text) : usual);

/**
 * @template {string | null} T
 * @param {readonly T[]} known
 * @param {string | null} text
 * @param {T} usual
 * @returns {T}
 */
const oneOf = (known, text, usual) => known.find((one) => one === text) ?? usual;
