// @ts-check
/** Words of puzzles. Loaded with the first puzzle. */

const en = {
  heading: "Puzzles",
  between: " ",
  daily: "Puzzle of the day",
  games: "Games",
  tasks: {
    win: (/** @type {string} */ side, /** @type {number} */ count, /** @type {string} */ moves) =>
      count === 0 ? `${side} to play: the only move that wins` : `${side} to play and win in ${moves} ${count === 1 ? "move" : "moves"}`,
    draw: (/** @type {string} */ side) => `${side} to play: the only move that holds the draw`,
    points: (/** @type {string} */ side, /** @type {number} */ sign, /** @type {string} */ margin) =>
      sign > 0 ? `${side} to play and win ${margin}` : sign < 0 ? `${side} to play: lose ${margin}, no more` : `${side} to play and draw`,
  },
  right: (/** @type {string} */ move) => `${move} is correct.`,
  wrong: {
    win: (/** @type {string} */ move, /** @type {number} */ count, /** @type {string} */ moves) =>
      `${move} does not win${count === 0 ? "" : ` in ${moves} ${count === 1 ? "move" : "moves"}`}. Try another move.`,
    draw: (/** @type {string} */ move) => `${move} loses. Try another move.`,
    points: (/** @type {string} */ move) => `${move} gives points away. Try another move.`,
  },
  solved: "Solved.",
  streak: (/** @type {string} */ count) => `${count} in a row on the first try.`,
  next: "Next",
  all: "All puzzles",
  solve: "Solve",
  done: "All solved.",
  count: (/** @type {string} */ solved, /** @type {string} */ all) => `${solved} of ${all} solved`,
  one: (/** @type {string} */ name) => `Puzzle ${name}`,
  isSolved: "solved",
  level: "Difficulty",
  levels: ["Very easy", "Easy", "Medium", "Hard", "Very hard"],
  anyLevel: "All difficulties",
  none: "No puzzles here.",
  missing: "This puzzle does not exist.",
};

/** @type {typeof en} */
const zh = {
  heading: "习题",
  between: "",
  daily: "每日一题",
  games: "棋类",
  tasks: {
    win: (side, count, moves) => (count === 0 ? `${side}先走，找出唯一的取胜着法` : `${side}先走，${moves} 步取胜`),
    draw: (side) => `${side}先走，找出唯一的求和着法`,
    points: (side, sign, margin) => (sign > 0 ? `${side}先走，净胜 ${margin}` : sign < 0 ? `${side}先走，最多输 ${margin}` : `${side}先走，弈成和棋`),
  },
  right: (move) => `${move}：正确。`,
  wrong: {
    win: (move, count, moves) => (count === 0 ? `${move} 不能取胜，再试一手。` : `${move} 不能在 ${moves} 步内取胜，再试一手。`),
    draw: (move) => `${move} 会输，再试一手。`,
    points: (move) => `${move} 会丢分，再试一手。`,
  },
  solved: "解开了。",
  streak: (count) => `连续 ${count} 题一次答对。`,
  next: "下一题",
  all: "全部习题",
  solve: "解题",
  done: "全部解出。",
  count: (solved, all) => `已解出 ${solved} / ${all}`,
  one: (name) => `第 ${name} 题`,
  isSolved: "已解出",
  level: "难度",
  levels: ["入门", "简单", "中等", "较难", "很难"],
  anyLevel: "全部难度",
  none: "没有符合条件的习题。",
  missing: "没有这道题。",
};

export default { en, zh };
