// @ts-check
/** Gomoku: stones on wood. In swap2 the service determines the colour of a stone, regardless of who places it. */

import { coordinates, dot, slab } from "../boards/ground.js";
import { crossings, lattice } from "../boards/crossings.js";
import { MARGIN, RIM } from "../boards/layout.js";
import { stone, stoneOwner } from "../boards/pieces.js";
import { turnByCount, inRows } from "../boards/placing.js";
import { lang } from "../words.js";

/** @typedef {import("../types.js").Schemas["GomokuPosition"]} Position */

/** @type {import("../games.js").GameModule["words"]} */
const words = {
  en: {
    moves: { black: "Take Black", white: "Take White", place: "Place two more stones" },
    variants: { freestyle: "Freestyle", renju: "Renju", caro: "Caro" },
    parameters: { opening: "Opening" },
    choices: { free: "free", swap2: "swap2" },
    reasons: {
      five: "five in a row", overline_forbidden: "overline, forbidden to Black", double_four_forbidden: "double four, forbidden to Black",
      double_three_forbidden: "double three, forbidden to Black", no_legal_move: "only forbidden points are left",
    },
    forbidden: { overline: "forbidden: overline", double_four: "forbidden: double four", double_three: "forbidden: double three" },
    phases: { opening: "swap2: place three stones", choose: "swap2: choose", place: "swap2: place two more stones", play: "" },
    stages: {
      label: "Stage of swap2", opening: "first three stones", choose: "choice of colour", place: "two more stones",
      first: "play; the first player has Black", second: "play; the second player has Black",
    },
  },
  zh: {
    moves: { black: "执黑", white: "执白", place: "再摆两子" },
    variants: { freestyle: "无禁手", renju: "连珠（有禁手）", caro: "两头堵不算" },
    parameters: { opening: "开局" },
    choices: { free: "自由", swap2: "swap2" },
    reasons: {
      five: "五连", overline_forbidden: "黑方长连禁手", double_four_forbidden: "黑方四四禁手", double_three_forbidden: "黑方三三禁手",
      no_legal_move: "只剩禁手点",
    },
    forbidden: { overline: "禁手：长连", double_four: "禁手：四四", double_three: "禁手：三三" },
    phases: { opening: "swap2：摆三子", choose: "swap2：选择", place: "swap2：再摆两子", play: "" },
    stages: { label: "swap2 阶段", opening: "摆前三子", choose: "选择颜色", place: "再摆两子", first: "对局，先手执黑", second: "对局，后手执黑" },
  },
};

/** @type {import("../games.js").GameModule} */
export default {
  puzzles: true,
  records: ["sgf", "psq"],
  words,
  style: `
    .gomoku { --first: #1d1d1f; --first-ink: #fff; --second: #fbfaf6; --second-ink: #1d1d1f; }
  `,
  levels: {
    eloSteps: [330, 108, 93, 85, 115, 81, 156, 246, 168],
    losses: [0.541, 0.525, 0.525, 0.451, 0.265, 0.15, 0.105, 0.058, 0.058],
  },
  layout: ({ size }) => crossings(Number(size), Number(size)),
  ground: (board) => [slab(board), ...lattice(board), ...stars(board), ...coordinates(board, RIM)],
  owner: stoneOwner,
  piece: (side, place) => stone("gomoku", side, place, 46),
  last: "dot",
  picture: {
    variant: { name: "freestyle", size: 9 },
    cells: ["---------", "---------", "---O-X---", "----XO---", "---OXX---", "---XOO---", "--X------", "---------", "---------"],
  },
  winning: ({ board, position }) => (/** @type {Position} */ (position).five ?? []).flatMap((name) => board.byName.get(name) ?? []),
  forbidden: (position) => (/** @type {Position} */ (position).forbidden ?? []).map(({ point, kind }) => [point, words[lang()].forbidden[kind]]),
  notes: (position) => {
    const { opening } = /** @type {Position} */ (position);
    return opening ? [words[lang()].phases[opening.phase]] : [];
  },
  placing: {
    ...inRows({ letters: "xo", size: ({ size }) => [Number(size), Number(size)] }),
    turn: turnByCount("x", "o"),
    stages: ({ opening }) => (opening === "swap2" ? ["opening", "choose", "place", "first", "second"] : []),
  },
};

/** The star points: the fourth lines, and the middle. @param {import("../boards/layout.js").Layout} board */
function stars({ columns }) {
  if (columns < 9) return [];
  const near = columns < 13 ? 2 : 3;
  const places = [near, columns - 1 - near];
  const middle = (columns - 1) / 2;
  const points = places.flatMap((x) => places.map((y) => [x, y]));
  if (Number.isInteger(middle)) points.push([middle, middle]);
  return points.map(([x, y]) => dot(MARGIN + x * 100, MARGIN + y * 100, 9));
}
