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
 * @param {string[]} moves
 * @param {(moves: string[]) => Promise<import("./types.js").Position>} describe
 */
export async function canonical(game, moves, describe) {
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
    line.push(listed(position, own));
  }
  return line;
}

/** @param {import("./types.js").Position} position @param {string} move */
function listed(position, move) {
  const plain = move.toLowerCase().replace(/^([a-i]\d{1,2})-/, "$1");
  if (position.legal_moves.includes(plain)) return plain;
  const other = position.notations?.find(({ chinese, wxf }) => chinese === move || wxf === move);
  return other?.move ?? move;
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
