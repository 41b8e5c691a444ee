// @ts-check
/** Xiangqi: engraved discs that move on nine by ten lines, with a river between the sides. */

import { s } from "../dom.js";
import { coordinates, label, line, slab } from "../boards/ground.js";
import { crossings } from "../boards/crossings.js";
import { LETTERS, MARGIN, RIM } from "../boards/layout.js";
import { piece, shadow } from "../boards/pieces.js";
import { inRows } from "../boards/placing.js";
import { lang } from "../words.js";

/** @typedef {import("../types.js").Schemas["XiangqiPosition"]} Position */
/** @typedef {import("../types.js").Side} Side */

/** Red's and Black's characters. @type {Record<string, string>} */
const CHARACTERS = { K: "帥", A: "仕", B: "相", N: "傌", R: "俥", C: "炮", P: "兵", k: "將", a: "士", b: "象", n: "馬", r: "車", c: "砲", p: "卒" };

/** @type {import("../games.js").GameModule["words"]} */
const words = {
  en: {
    glyphs: { label: "Xiangqi pieces", characters: "Characters", letters: "Letters" },
    notations: { label: "Xiangqi moves", coordinates: "h2e2", chinese: "炮二平五", wxf: "C2.5" },
    parameters: { no_capture_plies: "Plies without capture", ranks: "Ranks" },
    choices: { from_zero: "from 0", from_one: "from 1" },
    reasons: {
      checkmate: "checkmate", stalemate: "no legal move", perpetual_check: "perpetual check", perpetual_chase: "perpetual chase",
      repetition: "repetition", no_capture: "too long without a capture", insufficient_material: "nothing left to attack with",
    },
    pieces: { k: "general", a: "advisor", b: "elephant", n: "horse", r: "chariot", c: "cannon", p: "soldier" },
    notes: { check: "check" },
    refusal: {
      unreachable: "This piece cannot go there, or your general would be left under attack.",
      stuck: "This piece has no legal move: it is blocked, or protects your general.",
    },
  },
  zh: {
    glyphs: { label: "象棋棋子", characters: "汉字", letters: "字母" },
    notations: { label: "象棋记谱", coordinates: "h2e2", chinese: "炮二平五", wxf: "C2.5" },
    parameters: { no_capture_plies: "自然限着（手数）", ranks: "横线编号" },
    choices: { from_zero: "从 0 起", from_one: "从 1 起" },
    reasons: {
      checkmate: "将死", stalemate: "困毙", perpetual_check: "长将", perpetual_chase: "长捉", repetition: "局面重复",
      no_capture: "自然限着", insufficient_material: "双方无进攻子力",
    },
    pieces: { k: "将帅", a: "士", b: "象", n: "马", r: "车", c: "炮", p: "兵卒" },
    notes: { check: "将军" },
    refusal: { unreachable: "这枚棋子不能走到那里，或者走了就是送将。", stuck: "这枚棋子现在走不了：无处可走，或者一动就是送将。" },
  },
};

/** @param {string} letter @returns {Side | null} */
const owner = (letter) => (/[A-Z]/.test(letter) ? "first" : /[a-z]/.test(letter) ? "second" : null);

/** @type {import("../games.js").GameModule} */
export default {
  puzzles: true,
  records: ["pgn-chinese", "pgn-iccs", "pgn-wxf", "ucci", "uci"],
  words,
  style: `
    .river { font-family: "Noto Serif CJK SC", "Songti SC", "SimSun", serif !important; font-size: 46px; fill: var(--rule); opacity: 0.75; }
    .xiangqi { --first: #b3261e; --first-ink: #fff; --second: #1a1a1a; --second-ink: #fff; }
    .xiangqi .flank { fill: var(--disc-side); display: var(--depth); }
    .xiangqi .body { fill: var(--disc); stroke: var(--disc-edge); stroke-width: 2; }
    .xiangqi.second .body { fill: var(--disc-second, var(--disc)); }
    .xiangqi .rim { fill: none; stroke-width: 3; }
    .xiangqi.first .rim { stroke: var(--first); }
    .xiangqi.second .rim { stroke: var(--glyph-second, var(--second)); }
    .xiangqi.first .glyph { fill: var(--first); }
    .xiangqi.second .glyph { fill: var(--glyph-second, var(--second)); }
    .glyph.characters { font: 700 50px "Kaiti SC", "STKaiti", "KaiTi", "Noto Serif CJK SC", "Noto Serif CJK TC", "Songti SC", serif !important; }
    .glyph.letters { font: 700 46px Georgia, "Liberation Serif", serif !important; }
  `,
  levels: {
    eloSteps: [269, 191, 199, 127, 207, 215, 290, 250, 585],
    losses: [0.168, 0.168, 0.086, 0.086, 0.086, 0.082, 0.082, 0.046, 0.044],
  },
  layout: ({ ranks }, flipped) => crossings(9, 10, ranks === "from_one" ? 1 : 0, flipped),
  ground: (board, _, notation) => [slab(board), ...lines(), ...river(board.flipped), ...(notation === "chinese" ? files(board) : coordinates(board, RIM))],
  owner,
  piece: (side, { x, y }, letter, glyphs) =>
    piece("xiangqi", side,
      shadow(x, y + 3, 44),
      s("circle", { class: "flank", cx: x, cy: y + 5, r: 44 }),
      s("circle", { class: "body", cx: x, cy: y, r: 44 }),
      s("circle", { class: "dome", cx: x, cy: y, r: 44 }),
      s("circle", { class: "rim", cx: x, cy: y, r: 37 }),
      s("text", { class: `glyph ${glyphs}`, x, y }, glyphs === "letters" ? letter?.toUpperCase() : CHARACTERS[letter ?? ""])),
  content: (letter, nameOf) => {
    const side = owner(letter);
    return side && `${nameOf(side)} ${words[lang()].pieces[letter.toLowerCase()]}`;
  },
  notes: (position) => (/** @type {Position} */ (position).in_check ? [words[lang()].notes.check] : []),
  flips: true,
  // Arrows of more pieces would hide the board.
  candidates: 5,
  capturable: "rcnbap",
  glyphs: ["characters", "letters"],
  notations: ["coordinates", "chinese", "wxf"],
  defaultNotation: { zh: "chinese" },
  placing: inRows({ letters: "KABNRCPkabnrcp", sides: ["w", "b"], size: () => [9, 10], rest: "- - 0 1" }),
};

/** @param {number} index of a line */
const at = (index) => MARGIN + index * 100;

/** The numbers of the files as each side counts them, from its right. @param {import("../boards/layout.js").Layout} board */
const files = (board) => board.targets.filter(({ row }) => row === 0 || row === 9).map(({ name, x, row }) => {
  const file = LETTERS.indexOf(name[0]);
  const red = (row === 9) !== board.flipped;
  return label(board, x, row === 0 ? RIM : board.height - RIM, red ? "九八七六五四三二一"[file] : String(file + 1));
});

/** The nine by ten lines in their frame, palaces, and the marks of cannons and soldiers. */
function lines() {
  const parts = [];
  for (let row = 0; row < 10; row += 1) parts.push(line(at(0), at(row), at(8), at(row)));
  for (let column = 0; column < 9; column += 1) {
    if (column === 0 || column === 8) parts.push(line(at(column), at(0), at(column), at(9)));
    else parts.push(line(at(column), at(0), at(column), at(4)), line(at(column), at(5), at(column), at(9)));
  }
  for (const top of [0, 7]) {
    parts.push(line(at(3), at(top), at(5), at(top + 2)), line(at(5), at(top), at(3), at(top + 2)));
  }
  const places = [[1, 2], [7, 2], [1, 7], [7, 7], ...[0, 2, 4, 6, 8].flatMap((column) => [[column, 3], [column, 6]])];
  const marks = places.map(([column, row]) => s("path", { class: "rule", d: corners(column, row) }));
  return [s("rect", { class: "rule thick", x: at(0) - 12, y: at(0) - 12, width: 824, height: 924 }), ...parts, ...marks];
}

/** The river's two names, each to be read from its side. @param {boolean} flipped */
function river(flipped) {
  const names = flipped ? ["漢 界", "楚 河"] : ["楚 河", "漢 界"];
  return names.map((name, index) => s("text", { class: "river", x: at(2 + 4 * index), y: at(4.5), "aria-hidden": "true" }, name));
}

/** The small corners round a crossing. @param {number} column @param {number} row */
function corners(column, row) {
  const [gap, arm] = [9, 18];
  const sides = [...(column > 0 ? [-1] : []), ...(column < 8 ? [1] : [])];
  const [x, y] = [at(column), at(row)];
  const corner = (/** @type {number} */ a, /** @type {number} */ b) => `M${x + a * gap} ${y + b * (gap + arm)}v${-b * arm}h${a * arm}`;
  return sides.flatMap((a) => [corner(a, -1), corner(a, 1)]).join("");
}
