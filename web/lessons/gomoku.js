// @ts-check
/** How five stones in a line are made, and what the variants forbid. */

/** A small board shows the same. */
const SMALL = { name: "freestyle", size: 9 };

/** @type {import("../learn.js").Lesson} */
export default {
  steps: [
    {
      variant: SMALL, moves: ["e5", "e6", "d4", "d5", "f6", "f5", "c3", "c5", "g7"],
      en: ["The goal", "Five of your stones in a line win: across, down or diagonally. A full board is a draw."],
      zh: ["目标", "先把五枚己方棋子横、竖或斜连成一线者胜。棋盘放满则为和棋。"],
    },
    {
      variant: SMALL, moves: ["e5", "f6"],
      en: ["Moving", "Black begins. The players take turns to place a stone on a crossing of lines. Stones never move, and none is captured."],
      zh: ["走法", "黑方先走，双方轮流在空的交叉点上落子。棋子放下后不移动，也不会被吃掉。"],
    },
    {
      variant: SMALL, moves: ["e5", "e6", "d5", "d6", "f5"], signs: { c5: "A", g5: "B" },
      en: ["Open threes", "Three with both ends free become four with both ends free, which nobody can stop. White must answer now, for example at A or B."],
      zh: ["活三", "两头都空的三连（活三）再下一子就成活四，无法阻挡。白方必须马上应对，例如下在 A 或 B。"],
    },
    {
      variant: SMALL, moves: ["e5", "e6", "d5", "d6", "f6", "e7", "f7", "d8"], signs: { f5: "A" },
      en: ["Two threats at once", "At A Black makes two open threes with one stone, across and down. White can stop only one of them. Most games are won like this."],
      zh: ["双活三", "黑方下在 A，一子同时形成横、竖两个活三，白方只能挡住一个。多数对局就是这样取胜的。"],
    },
    {
      variant: { name: "renju", size: 15 }, moves: ["h8", "g9", "h9", "i8", "i10", "j9", "j10", "k11"],
      en: ["Variants", "Freestyle: five or more win. Standard: exactly five. Renju: Black loses by making six or more, two fours or two open threes with one stone; the board marks such points with a cross. White may do all this."],
      zh: ["规则变体", "无禁手：五子或更多相连即胜。标准：恰好五子才算。连珠：黑方一子形成长连、四四或三三即负，棋盘上用叉标出这些禁手点；白方不受限制。"],
    },
  ],
  hints: {
    en: [
      "Play near the middle and near your own stones.",
      "Before each move, count your opponent’s threes and fours.",
      "A four must be answered at once: use fours to gain time, not only to attack.",
    ],
    zh: ["下在中央附近，并与己方棋子配合。", "每步之前先数清对方有几个三、几个四。", "冲四对方必须马上应，既能进攻，也能借此抢先手。"],
  },
};
