// @ts-check
/** Translates between an external engine's work and a search of the service. */

/**
 * The work to analyse (`ExternalEngineWork` in the interface), limited by one of `movetime`, `depth`, `nodes` and `infinite`.
 * @typedef {object} Work
 * @property {string} sessionId
 * @property {number} threads
 * @property {number} hash in MiB
 * @property {number} multiPv
 * @property {string} variant
 * @property {string} initialFen
 * @property {string[]} moves
 * @property {number} [movetime] in milliseconds
 * @property {number} [depth]
 * @property {number} [nodes]
 * @property {boolean} [infinite]
 */

/** @typedef {import("tesuji-client").SearchRequest} SearchRequest */
/** @typedef {import("tesuji-client").SearchResponse} SearchResponse */
/** @typedef {import("tesuji-client").Child} Child */

/**
 * The variants on offer, and their names in the service. UCI counts the ranks of Xiangqi from 1.
 * @type {Record<string, Pick<SearchRequest, "game" | "variant">>}
 */
export const VARIANTS = {
  xiangqi: { game: "xiangqi", variant: { name: "standard", ranks: "from_one" } },
  reversi: { game: "reversi" },
  gomoku: { game: "gomoku" },
  renju: { game: "gomoku", variant: "renju" },
};

/**
 * The search for some work, within what the server allows (`budget.most` of `GET /v1/games`). An infinite analysis gets the
 * longest time: the site ends it sooner by closing its connection.
 * @param {Work} work
 * @param {import("tesuji-client").Schemas["Caps"]} most
 * @returns {SearchRequest}
 */
export function toRequest(work, most) {
  const variant = VARIANTS[work.variant];
  if (!variant) throw new RangeError(`the variant ${work.variant} is not on offer; there are ${Object.keys(VARIANTS).join(", ")}`);
  const { movetime, depth, nodes } = work;
  const time_ms = Math.min(movetime ?? most.time_ms, most.time_ms);
  return {
    ...variant,
    position: work.initialFen || null,
    moves: work.moves,
    threads: Math.min(work.threads, most.threads),
    budget: {
      time_ms,
      memory_mb: Math.min(work.hash, most.memory_mb),
      ...(depth === undefined ? {} : { depth: Math.min(depth, most.depth) }),
      ...(nodes === undefined ? {} : { nodes: Math.min(nodes, most.nodes) }),
    },
    report: { interval_ms: 100, multipv: work.multiPv, max_children: work.multiPv },
  };
}

/**
 * A message as `info` lines of UCI: one for each of the best moves that has a value.
 * @param {SearchResponse} message
 */
export function toInfo({ root, children, timing }) {
  const known = children.filter(({ value }) => value !== null);
  return known.map((child, index) => {
    const depth = Math.max(1, child.depth);
    const time = Math.round(timing.search_ms);
    return `info multipv ${index + 1} depth ${depth} ${score(child)} nodes ${root.nodes} time ${time} pv ${child.pv.join(" ")}\n`;
  });
}

/**
 * A child's value, from the view of the side to move: moves to the end, or 400 log10 of the odds, as in `tesuji uci`.
 * @param {Child} child
 */
function score({ value, proven, distance }) {
  if (distance !== null && proven !== null) return `score mate ${(proven === "win" ? 1 : -1) * Math.ceil(distance / 2)}`;
  const chance = (Math.min(0.9999, Math.max(-0.9999, value ?? 0)) + 1) / 2;
  return `score cp ${Math.round(400 * Math.log10(chance / (1 - chance)))}`;
}
