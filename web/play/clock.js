// @ts-check
/**
 * The arithmetic of time controls: what a side has left after its moves, and what an engine may spend on its next one. Times
 * are in milliseconds, those in controls in seconds. Nothing here reads a clock: `timer.js` does.
 */

/**
 * `none`: no clock. `move`: seconds for each move. `fischer`: seconds for the game, and an increment after each move.
 * `byo-yomi`: seconds for the game, then periods; a move within a period's seconds costs none.
 * @typedef {{ kind: "none" }
 *   | { kind: "move", seconds: number }
 *   | { kind: "fischer", seconds: number, increment: number }
 *   | { kind: "byo-yomi", seconds: number, periods: number, period: number }} Control
 *
 * What a side has left: its time for the game (with `move`, for the move), and its periods.
 * @typedef {{ main: number, periods: number }} Left
 *
 * What a clock shows: the time, and the number of periods left once it counts them.
 * @typedef {{ ms: number, periods: number | null }} Face
 */

/** @type {readonly Control["kind"][]} */
export const KINDS = ["none", "move", "fischer", "byo-yomi"];

/** The initial control of each kind. @type {Record<Control["kind"], Control>} */
export const DEFAULTS = {
  none: { kind: "none" },
  move: { kind: "move", seconds: 30 },
  fischer: { kind: "fischer", seconds: 300, increment: 3 },
  "byo-yomi": { kind: "byo-yomi", seconds: 300, periods: 3, period: 30 },
};

/**
 * The numbers of each kind in the order of its text, with their minimum and maximum.
 * @type {Record<string, [string, number, number][]>}
 */
export const NUMBERS = {
  none: [],
  move: [["seconds", 1, 3600]],
  fischer: [["seconds", 0, 10_800], ["increment", 0, 180]],
  "byo-yomi": [["seconds", 0, 10_800], ["periods", 1, 20], ["period", 1, 300]],
};

/** A control in a link: `fischer-300-3`. @param {Control} control */
export const formatControl = (control) =>
  [control.kind, ...NUMBERS[control.kind].map(([name]) => /** @type {any} */ (control)[name])].join("-");

/** Parses a control; `none` if the text is invalid. @param {string | null} text @returns {Control} */
export function parseControl(text) {
  for (const kind of KINDS) {
    const values = (text ?? "").split(`${kind}-`)[1]?.split("-");
    const names = NUMBERS[kind];
    if (!text?.startsWith(`${kind}-`) || values?.length !== names.length) continue;
    /** @type {Record<string, string | number>} */
    const control = { kind };
    for (const [index, [name, least, most]] of names.entries()) {
      if (!/^\d{1,6}$/.test(values[index])) return DEFAULTS.none;
      control[name] = Math.min(most, Math.max(least, Number(values[index])));
    }
    return withTime(/** @type {any} */ (control));
  }
  return DEFAULTS.none;
}

/** Replaces a control without any time, under which nobody could move. @param {Control} control @returns {Control} */
export const withTime = (control) =>
  control.kind === "fischer" && control.seconds + control.increment === 0 ? { ...control, seconds: 60 } : control;

/** What a side has before its first move. @param {Control} control @returns {Left} */
export function initialTime(control) {
  if (control.kind === "none") return { main: Infinity, periods: 0 };
  // With only an increment, the first move gets it.
  if (control.kind === "fischer") return { main: 1000 * (control.seconds || control.increment), periods: 0 };
  return { main: 1000 * control.seconds, periods: control.kind === "byo-yomi" ? control.periods : 0 };
}

/** How long a side can think before it loses on time. @param {Control} control @param {Left} left */
export const total = (control, { main, periods }) => main + (control.kind === "byo-yomi" ? 1000 * control.period * periods : 0);

/**
 * What a side has left after a move of `ms`; only periods that passed completely are used up.
 * @param {Control} control
 * @param {Left} left
 * @param {number} ms
 * @returns {Left}
 */
export function timeAfter(control, left, ms) {
  if (control.kind === "none" || control.kind === "move") return left;
  if (control.kind === "fischer") return { main: Math.max(0, left.main - ms) + 1000 * control.increment, periods: 0 };
  const over = Math.max(0, ms - left.main);
  const used = Math.floor(over / (1000 * control.period));
  return { main: Math.max(0, left.main - ms), periods: Math.max(0, left.periods - used) };
}

/**
 * What a clock shows after its side has thought for `ms`.
 * @param {Control} control
 * @param {Left} left
 * @param {number} ms
 * @returns {Face}
 */
export function face(control, left, ms) {
  if (control.kind !== "byo-yomi" || ms < left.main) return { ms: Math.max(0, left.main - ms), periods: null };
  const period = 1000 * control.period;
  const over = ms - left.main;
  const used = Math.floor(over / period);
  if (used >= left.periods) return { ms: 0, periods: 0 };
  return { ms: period - (over % period), periods: left.periods - used };
}

/**
 * What both sides have left after moves that took `spent` (ms); null is a move of unknown time, which costs nothing.
 * @param {Control} control
 * @param {("first" | "second")[]} sides who made each move
 * @param {(number | null)[]} spent
 */
export function replay(control, sides, spent) {
  const left = { first: initialTime(control), second: initialTime(control) };
  sides.forEach((side, ply) => {
    const ms = spent[ply];
    if (typeof ms === "number") left[side] = timeAfter(control, left[side], ms);
  });
  return left;
}

/** The number of moves over which an engine spreads its time for the rest of the game. */
const REMAINING_MOVES = 25;
/** The minimum of an engine's search, in milliseconds. */
const MIN_SEARCH_MS = 10;

/**
 * What an engine may spend on its next move so that a delay of `margin` costs it neither the game nor a period. It never takes
 * more than half of a time that does not come back, so that there is always some left.
 * @param {Control} control
 * @param {Left} left
 * @param {number} margin
 */
export function budget(control, left, margin) {
  if (control.kind === "none") return Infinity;
  const within = (/** @type {number} */ ms) => Math.max(Math.min(ms, MIN_SEARCH_MS), ms - Math.min(margin, ms / 2));
  if (control.kind === "move") return Math.floor(within(left.main));
  if (control.kind === "fischer") {
    const share = left.main / REMAINING_MOVES + 800 * control.increment;
    return Math.max(1, Math.floor(Math.min(share, within(left.main), left.main / 2)));
  }
  const period = 1000 * control.period;
  if (left.main < period) return Math.floor(within(left.main + period));
  return Math.floor(Math.min(left.main / REMAINING_MOVES + period / 2, within(left.main)));
}

/** A time as clocks show it, with tenths in the last ten seconds. @param {number} ms */
export function clockText(ms) {
  const tenths = Math.ceil(ms / 100);
  const two = (/** @type {number} */ count) => String(count).padStart(2, "0");
  if (tenths < 100) return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
