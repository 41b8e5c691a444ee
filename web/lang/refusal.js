// @ts-check
/** Why nothing can be played at a place, in both languages. A game can override any of them in its table `refusal`. */

export default {
  en: {
    over: "The game is over.",
    turn: (/** @type {string} */ side) => `Not your turn: ${side} moves.`,
    words: "Choose a move below the board.",
    unreachable: "This piece cannot go there.",
    stuck: "This piece has no legal move now.",
    theirs: (/** @type {string} */ side) => `Not your piece: ${side} moves.`,
    none: "Choose one of your pieces first.",
    taken: "This place is taken.",
    here: "No legal move here.",
  },
  zh: {
    over: "本局已经结束。",
    turn: (/** @type {string} */ side) => `现在轮到${side}，请稍候。`,
    words: "请在棋盘下方选择着法。",
    unreachable: "这枚棋子不能走到那里。",
    stuck: "这枚棋子现在无处可走。",
    theirs: (/** @type {string} */ side) => `这不是${side}的棋子，现在轮到${side}。`,
    none: "请先选一枚己方棋子。",
    taken: "这里已有棋子。",
    here: "这里不能下。",
  },
};
