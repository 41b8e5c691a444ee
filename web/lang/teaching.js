// @ts-check
/** Words of the teaching mode and of the estimate of the reader's strength. Loaded with what shows them. */

export default {
  en: {
    card: {
      label: "Your last move",
      space: " ",
      verdict: (/** @type {string} */ move, /** @type {string} */ kind) => `${move}: ${kind}.`,
      loss: (/** @type {string} */ loss) => `It is ${loss} worse than the best move.`,
      better: (/** @type {string} */ move) => `Better is ${move}.`,
      ask: "Take it back?",
      back: "Take back",
      on: "Play on",
      show: "Show",
      praise: (/** @type {string} */ move) => `Well found: only ${move} keeps the result.`,
    },
    strength: {
      begin: (/** @type {string} */ level) => `Level ${level}, until your first result.`,
      level: (/** @type {string} */ level, /** @type {string} */ games) => `Level ${level}, by your results in ${games} ${games === "1" ? "game" : "games"}.`,
      next: (/** @type {string} */ level) => `Next game: level ${level}.`,
      rule: "Every game you finish against the engine counts; with hints or moves taken back, half.",
      reset: "Reset",
    },
    played: {
      you: (/** @type {string} */ levels) => `You played at about level ${levels}.`,
      as: (/** @type {string} */ side, /** @type {string} */ levels) => `${side} played at about level ${levels}.`,
      range: (/** @type {string} */ low, /** @type {string} */ high) => `${low} to ${high}`,
      rough: "A rough estimate: the mean loss compared with the engine’s levels.",
    },
  },
  zh: {
    card: {
      label: "你刚下的一步",
      space: "",
      verdict: (/** @type {string} */ move, /** @type {string} */ kind) => `${move}：${kind}。`,
      loss: (/** @type {string} */ loss) => `比最佳着法差 ${loss}。`,
      better: (/** @type {string} */ move) => `更好的是 ${move}。`,
      ask: "要悔棋吗？",
      back: "悔棋",
      on: "继续下",
      show: "看更好的着法",
      praise: (/** @type {string} */ move) => `好棋：只有 ${move} 能保住结果。`,
    },
    strength: {
      begin: (/** @type {string} */ level) => `暂定 ${level} 级，下完第一局后调整。`,
      level: (/** @type {string} */ level, /** @type {string} */ games) => `${level} 级，根据你 ${games} 局的结果估计。`,
      next: (/** @type {string} */ level) => `下一局：${level} 级。`,
      rule: "与引擎下完的每一局都计入；用过提示或悔过棋的，算半局。",
      reset: "重置",
    },
    played: {
      you: (/** @type {string} */ levels) => `你这一局约有 ${levels} 级的水平。`,
      as: (/** @type {string} */ side, /** @type {string} */ levels) => `${side}这一局约有 ${levels} 级的水平。`,
      range: (/** @type {string} */ low, /** @type {string} */ high) => `${low} 至 ${high}`,
      rough: "粗略估计：由平均损失与引擎各级比较得出。",
    },
  },
};
