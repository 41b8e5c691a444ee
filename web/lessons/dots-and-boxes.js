// @ts-check
/** How edges are drawn, and boxes are won and given away. */

/** @type {import("../learn.js").Lesson} */
export default {
  steps: [
    {
      moves: ["h1,0", "v2,1", "h2,2", "v0,2"],
      en: ["Moving", "The players take turns to draw an edge between two neighbouring dots."],
      zh: ["走法", "双方轮流在相邻两点之间画一条边。"],
    },
    {
      moves: ["h0,0", "h1,0", "v0,0", "v0,1"],
      en: ["The goal", "Orange has drawn the fourth edge of a box, owns it, and must move again. At the end, the player with more boxes wins."],
      zh: ["目标", "橙方画上了一格的第四条边，这一格归橙方，并且橙方要再走一步。全部画完后，占格多的一方获胜。"],
    },
    {
      moves: ["h1,1", "h2,1"], signs: { "v1,1": "A", "v1,2": "B" },
      en: ["The third edge", "The box in the middle has two edges. The player who draws the third, at A or B, gives it away."],
      zh: ["第三条边", "中间一格已有两条边。谁画上第三条边（A 或 B），谁就把这一格送给对方。"],
    },
    {
      moves: ["h0,0", "h0,1", "h0,2", "h1,0", "h1,1", "h1,2"], signs: { "v0,0": "A", "v0,1": "1", "v0,2": "2", "v0,3": "3" },
      en: ["Chains", "Boxes side by side with two edges each are a chain. After A, the opponent draws 1, 2 and 3 and takes all of it. Late in the game, the player who must open a long chain usually loses."],
      zh: ["长链", "相连而各有两条边的格子组成一条链。一方画了 A，对方就连画 1、2、3，全部占走。到了后半盘，被迫打开长链的一方往往输棋。"],
    },
  ],
  hints: {
    en: [
      "As long as you can, draw no third edge.",
      "If you must give boxes away, open the shortest chain.",
      "Count the chains: before taking the last two boxes of one, consider leaving them, so that your opponent must open the next.",
    ],
    zh: ["只要还有别的边可画，就不要画第三条边。", "不得不送格子时，先打开最短的链。", "数一数有几条链：有时宁可把一条链的最后两格让给对方，迫使对方打开下一条。"],
  },
};
