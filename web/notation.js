// @ts-check
/** Reading and writing courses of play as people paste and copy them. The service judges the moves; here they are only parted. */

/** Single moves in a text. @type {Record<string, RegExp>} */
const MOVES = {
  "tic-tac-toe": /[a-s]\d{1,2}/gi,
  "connect-four": /[1-9a-c]/gi,
  reversi: /[a-h][1-8]|pass|--/gi,
  "dots-and-boxes": /[hv]\d,\d/gi,
  gomoku: /black|white|place|[a-v]\d{1,2}/gi,
  xiangqi: /[a-i]\d{1,2}-?[a-i]\d{1,2}|[+\-=.]?[a-z]\d?[+\-=.]\d|[\u4e00-\u9fff０-９\d+-]{4}/gi,
};

/** What only positions look like. */
const POSITION = /\/|^[xo-]{64}\b|^[01]+ \d+-\d+ (?:first|second)$/i;

/**
 * The parts of a pasted text.
 * @param {string} game
 * @param {string} text
 * @returns {{ start: string | null, moves: string[] }}
 */
export function tokens(game, text) {
  const [head, tail] = text.split(/\s+moves\s+/, 2);
  if (tail !== undefined) return { start: head.trim(), moves: split(game, tail) };
  if (POSITION.test(text)) return { start: text, moves: [] };
  return { start: null, moves: split(game, text) };
}

/** @param {string} game @param {string} text */
function split(game, text) {
  const pattern = MOVES[game];
  if (!pattern) return text.split(/\s+/).filter(Boolean);
  // Numbers of moves, as in "12. h8 h9", belong to nobody; in Connect Four numbers are moves.
  const bare = game === "connect-four" ? text : text.replace(/(^|\s)\d+\.+(?=\s|[^\d\s])/g, " ");
  const found = bare.match(pattern) ?? [];
  // What the pattern leaves over is sent as it is: the service says best what is wrong with it.
  const left = bare.replace(pattern, " ").split(/[\s,;]+/).filter(Boolean);
  return left.length > 0 ? bare.split(/\s+/).filter(Boolean) : found;
}

/**
 * Moves in the form in which the service lists them: passes that were left out are put in, and Xiangqi's notations become
 * coordinates.
 * @param {string} game
 * @param {import("./types.js").Variant} variant
 * @param {string[]} moves
 * @param {(moves: string[]) => Promise<import("./types.js").Position>} describe
 */
export async function canonical(game, variant, moves, describe) {
  if (game !== "reversi" && game !== "xiangqi") return moves.map((move) => move.toLowerCase());
  /** @type {string[]} */
  const line = [];
  for (const move of moves) {
    let position = await describe(line);
    const own = move === "--" ? "pass" : move;
    if (position.legal_moves[0] === "pass" && own.toLowerCase() !== "pass") {
      line.push("pass");
      position = await describe(line);
    }
    const plain = own.toLowerCase().replace(/^([a-i]\d{1,2})-/, "$1");
    if (game === "reversi" || position.legal_moves.includes(plain)) line.push(plain);
    else line.push(step(position.cells, (await describe([...line, own])).cells, variant.ranks === "from_one" ? 1 : 0));
  }
  return line;
}

/**
 * What was played in Xiangqi, seen by what it did: the service reads more ways of writing a move than it writes.
 * @param {string[]} before
 * @param {string[]} after
 * @param {number} lowest number of the lowest rank
 */
function step(before, after, lowest) {
  const changed = before.flatMap((row, y) => [...row].flatMap((piece, x) => (after[y][x] === piece ? [] : [{ x, y }])));
  const left = changed.find(({ x, y }) => after[y][x] === ".");
  const reached = changed.find(({ x, y }) => after[y][x] !== ".");
  return [left, reached].map((at) => at && `${"abcdefghi"[at.x]}${before.length - 1 - at.y + lowest}`).join("");
}

/**
 * A course of play as text: its moves, after the position it began from where that is not the start.
 * @param {string} game
 * @param {string | null} start
 * @param {string[]} moves
 */
export function written(game, start, moves) {
  const line = moves.join(game === "connect-four" || game === "reversi" ? "" : " ");
  return start === null ? line : `${start} moves ${line}`;
}
