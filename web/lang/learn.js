// @ts-check
/** How a game is played: the texts around its steps, in both languages. */

export default {
  en: {
    hints: "First hints",
    first: "Play a first game",
    back: "Back",
    others: "Other games",
    reachable: "legal target",
  },
  zh: {
    hints: "入门要点",
    first: "下第一盘",
    back: "返回",
    others: "其他棋类",
    reachable: "可走",
  },
};
