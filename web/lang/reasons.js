// @ts-check
/**
 * Classes and reasons in words, for the page, the command line and MCP. What follows `export default` is JSON, which the
 * program reads too (src/reasons.rs). A text in brackets drops out if a value in it is absent; `{points|point|points}` is a
 * number with the word for one or for more. Of two sentences the second is for estimates.
 */
export default {
  "en": {
    "classes": {
      "forced": "the only legal move",
      "best": "the best move, or one with the same result",
      "good": "a good move",
      "inaccuracy": "an inaccuracy",
      "mistake": "a mistake",
      "blunder": "a blunder"
    },
    "unknown": "not known well enough to grade",
    "grade": "{move} is {class}.[ Rank {rank} of {choices}.][ Loss {loss}.]",
    "reasons": {
      "forced": ["It is the only legal move."],
      "misses_win": ["It misses a win[ within {distance|ply|plies}][: {line}].", "It seems to miss a win[ within {distance|ply|plies}][: {line}]."],
      "allows_win": ["It lets the opponent win[ within {distance|ply|plies}][: {line}].", "It seems to let the opponent win[: {line}]."],
      "ignores_threat": ["It leaves a threat unanswered[: {line}]."],
      "answers_threat": ["It answers a threat[: without it, for example, {line}]."],
      "only_move": ["It is the only move that keeps the result[, a win within {distance|ply|plies}]."],
      "loses_points": ["It gives away {points|point|points}[; better is {line}].", "It seems to give away {points|point|points}[; better seems {line}]."],
      "gives_corner": ["It gives away a corner[: {line}]."],
      "opens_chain": ["It opens {points|box|boxes} to the opponent[: {line}]."]
    },
    "best": "Best is {best}[: {line}].",
    "after": "After it: {line}.",
    "exact": "This is proven.",
    "estimate": "This is an estimate[ at depth {depth}]."
  },
  "zh": {
    "classes": {
      "forced": "唯一的合法着法",
      "best": "最佳着法，或结果相同的着法",
      "good": "好着",
      "inaccuracy": "缓着",
      "mistake": "错着",
      "blunder": "败着"
    },
    "unknown": "所知不足，无法评定",
    "grade": "{move}：{class}。[在 {choices} 个着法中排第 {rank}。][损失 {loss}。]",
    "reasons": {
      "forced": ["这是唯一的合法着法。"],
      "misses_win": ["错过必胜[，双方合计至多 {distance} 步][：{line}]。", "似乎错过胜机[，双方合计至多 {distance} 步][：{line}]。"],
      "allows_win": ["此后对方必胜[，双方合计至多 {distance} 步][：{line}]。", "此后对方似乎取胜[：{line}]。"],
      "ignores_threat": ["没有应对盘上的威胁[：{line}]。"],
      "answers_threat": ["应对了威胁[，否则例如 {line}]。"],
      "only_move": ["这是唯一能保住结果的着法[，双方合计至多 {distance} 步取胜]。"],
      "loses_points": ["损失 {points} 分[，较好的是 {line}]。", "似乎损失 {points} 分[，较好的似乎是 {line}]。"],
      "gives_corner": ["让出一个角[：{line}]。"],
      "opens_chain": ["让对方可以多连占 {points} 格[：{line}]。"]
    },
    "best": "最佳是 {best}[：{line}]。",
    "after": "此后：{line}。",
    "exact": "以上已证明。",
    "estimate": "以上是估计[，深度 {depth}]。"
  }
};
