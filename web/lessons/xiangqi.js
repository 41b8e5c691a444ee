// @ts-check
/** How the pieces move, and how a general is trapped. */

/** @type {import("../learn.js").Lesson} */
export default {
  steps: [
    {
      en: ["The goal", "Trap the opposing general: a player who cannot save it, or has no legal move, loses. Red begins. A piece captures by moving to an opposing piece’s point."],
      zh: ["目标", "将死对方的将（帅）：无法解将或无棋可走的一方判负。红方先走。棋子走到对方棋子所在的点就把它吃掉。"],
    },
    {
      position: "5k3/2r6/9/2p6/9/9/2C6/9/9/3K5 w - - 0 1", reach: ["c3"],
      en: ["Chariot and cannon", "The chariot moves any distance along a line. So does the cannon, but it captures only by jumping over exactly one piece: here over the soldier, to take the chariot."],
      zh: ["车和炮", "车沿直线走任意步。炮的走法相同，但吃子时必须正好隔一枚棋子：图中隔着卒可以吃车。"],
    },
    {
      position: "5k3/9/9/9/4p4/4N4/9/9/9/3K5 w - - 0 1", reach: ["e4"],
      en: ["Horse", "The horse moves one point straight, then one diagonally outwards. A piece on the first point blocks it: here it cannot go upwards."],
      zh: ["马", "马先直走一步，再向外斜走一步。第一步的点上有棋子就被绊住（蹩马腿）：图中的马不能往上跳。"],
    },
    {
      position: "3k5/9/9/9/9/9/9/9/4A4/2BAK1B2 w - - 0 1", reach: "all",
      en: ["Palace and river", "The general moves one point straight, advisors one diagonally; both stay in the palace. Elephants move exactly two points diagonally, never over a piece or across the river."],
      zh: ["九宫与河界", "帅（将）直走一步，仕（士）斜走一步，都不能出九宫。相（象）斜走两步，不能过河，中间有棋子时不能走。"],
    },
    {
      position: "3k5/9/9/9/6P2/2P6/9/9/9/4K4 w - - 0 1", reach: ["c4", "g5"],
      en: ["Soldier", "A soldier moves one point forwards. Across the river it can also move sideways, and never back."],
      zh: ["兵和卒", "兵（卒）每次前进一步，过河后也可以横走，但不能后退。"],
    },
    {
      position: "4k4/1R7/9/9/9/9/9/9/R8/3K5 w - - 0 1", moves: ["a1a9"],
      en: ["Checkmate", "One chariot attacks the general, the other guards its way out. Generals may never face each other on an open line: each guards a line against the other."],
      zh: ["将死", "一车将军，另一车封住去路。两将不能在同一直线上直接对面，所以自己的帅（将）也能控制一条线。"],
    },
  ],
  hints: {
    en: [
      "Bring out the chariots early: they are worth about two cannons or horses.",
      "Cannons are strong while many pieces stand on the board, horses near the end.",
      "Before each move, see what it leaves unprotected, your general first of all.",
    ],
    zh: ["尽早出车：一车约值两个炮或两个马。", "棋子多时炮的威力大，残局时马更灵活。", "每走一步，先看哪里会失去保护，首先是自己的帅（将）。"],
  },
};
