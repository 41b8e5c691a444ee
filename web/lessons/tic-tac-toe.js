// @ts-check
/** How crosses and rings are played on three by three cells. */

/** @type {import("../learn.js").Lesson} */
export default {
  steps: [
    {
      moves: ["b2", "b1", "a3", "b3", "c1"],
      en: ["The goal", "Three of your signs in a line win: across, down or diagonally. Here X has a diagonal. A full board without a line is a draw."],
      zh: ["目标", "先把三枚己方棋子横、竖或斜连成一线者胜。图中 X 方连成了斜线。棋盘放满而无人连成则为和棋。"],
    },
    {
      moves: ["b2"],
      en: ["Moving", "X begins. The players take turns to fill one empty cell. A sign never moves again."],
      zh: ["走法", "X 方先走，双方轮流在一个空格落子。棋子放下后不再移动。"],
    },
    {
      moves: ["b2", "a1", "c1"], signs: { a3: "A" },
      en: ["Win or block", "X has two in a line, and the third cell is free. O must take A, or X wins with the next move."],
      zh: ["能赢就赢，否则就挡", "X 方已有两子成线，第三格还空着。O 方必须占 A，否则 X 方下一步就赢。"],
    },
    {
      moves: ["a1", "b2", "c3", "a3", "c1"], signs: { b1: "A", c2: "B" },
      en: ["Two threats at once", "X threatens A and B. O can block only one of them. Such a fork decides the game."],
      zh: ["双重威胁", "X 方同时威胁 A 和 B，O 方只能挡住一处。造出这样的双威胁就赢了。"],
    },
  ],
  hints: {
    en: [
      "The middle lies on four lines, a corner on three, an edge on two.",
      "Before each move, look for your own win, then for your opponent’s.",
      "With best play the game is a draw: wait for a mistake, and make none.",
    ],
    zh: ["中心在四条线上，角在三条线上，边只在两条线上。", "每步先看自己能不能赢，再看对方下一步能不能赢。", "双方都不出错必然是和棋：自己不出错，等对方出错。"],
  },
};
