// @ts-check
/** How discs fall into columns, and how four of them in a line are made. */

/** @type {import("../learn.js").Lesson} */
export default {
  steps: [
    {
      moves: [..."34456556166"],
      en: ["The goal", "Four of your discs in a line win: across, down or diagonally. A full board without a line is a draw."],
      zh: ["目标", "先把四枚己方棋子横、竖或斜连成一线者胜。棋盘放满而无人连成则为和棋。"],
    },
    {
      moves: [..."443"], reach: "all",
      en: ["Moving", "Choose a column. The disc falls to its lowest free cell: the dots show where Yellow’s next disc can land."],
      zh: ["走法", "选一列投入棋子，棋子落到该列最低的空格。圆点是黄方下一子可能落到的地方。"],
    },
    {
      moves: [..."44335"], signs: { b1: "A", f1: "B" },
      en: ["Three with both ends free", "Red threatens A and B. Yellow can block only one. Answer two discs with free cells on both sides in time."],
      zh: ["两头空的三连", "红方同时威胁 A 和 B，黄方只能挡住一处。看到两头都空的二连就要及早应对。"],
    },
    {
      moves: [..."54466353"], signs: { g1: "A", g2: "B" },
      en: ["The cell above", "Red needs B, which can be reached only once A is filled. If Yellow plays A, Red wins at B. Such threats decide games when the other columns are full."],
      zh: ["上面的一格", "红方只差 B，而 A 填上之后才能下到 B。黄方一占 A，红方就占 B 取胜。其他列填满之后，这种威胁往往决定胜负。"],
    },
  ],
  hints: {
    en: [
      "The middle column belongs to most lines: play there first.",
      "Before you drop a disc, look at the cell above it: your opponent can take it next.",
      "Make two threats with one move, or one above the other in the same column.",
    ],
    zh: ["中间一列的连线最多，开局先占中间。", "落子之前先看它上面那一格：对方下一步就能占到。", "争取一步形成两个威胁，或在同一列形成上下相邻的两个威胁。"],
  },
};
