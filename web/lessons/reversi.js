// @ts-check
/** How discs are enclosed and turned. */

/** @type {import("../learn.js").Lesson} */
export default {
  steps: [
    {
      reach: "all",
      en: ["The goal", "At the end, the side with more discs wins. Black begins: each move must turn at least one disc. The dots show where Black can play."],
      zh: ["目标", "终局时棋子多的一方获胜。黑方先走，每一步都必须至少翻转对方一枚棋子。圆点是黑方可以下的地方。"],
    },
    {
      moves: ["d3"],
      en: ["Turning discs", "Black’s new disc and another black one enclose a white disc in a straight line. It turns black. Now White answers."],
      zh: ["翻转", "黑方新落的棋子与另一枚黑子在一条直线上夹住一枚白子，白子翻成黑子。接着轮到白方。"],
    },
    {
      position: "------------------OX-------O-X-----OO----XO--------------------- X", signs: { d6: "A" },
      en: ["In all directions", "At A Black encloses white discs upwards, to the left and diagonally. All of them turn. A side that can turn nothing passes."],
      zh: ["各个方向同时翻", "黑方下在 A，在上、左和右上三个方向都夹住了白子，这些白子全部翻转。无子可翻的一方停一手。"],
    },
    {
      position: "-OX-------XO------OXX------XO------OX--------------------------- X", signs: { a1: "A", b2: "B" },
      en: ["Corners", "A disc in a corner, as Black’s at A, is never turned again and protects its neighbours. The squares beside an empty corner give it away, above all B."],
      zh: ["角", "占到角（如黑方下在 A）的棋子永远不会再被翻转，还能保护相邻的棋子。紧挨空角的格子会把角送给对方，尤其是 B。"],
    },
  ],
  hints: {
    en: [
      "Few discs early do not hurt: the number of moves you can choose from matters more.",
      "Take corners, and stay away from the squares beside empty ones.",
      "Choose moves that leave your opponent few answers.",
    ],
    zh: ["前半盘棋子少并不吃亏，重要的是自己有多少步可走。", "抢占角，远离空角旁边的格子。", "尽量让对方可下的地方变少。"],
  },
};
