// @ts-check
/** How two edges of a board of hexagons are connected. */

/** A small board shows the same. */
const SMALL = { name: "standard", size: 5 };

/** @type {import("../learn.js").Lesson} */
export default {
  first: { "v.size": "7" },
  steps: [
    {
      variant: SMALL, moves: ["c3", "b3", "c2", "d2", "d1", "c4", "b4", "a5", "b5"],
      en: ["The goal", "Red connects the top with the bottom, Blue the left with the right. Here Red has a chain. One of them always succeeds: draws are impossible."],
      zh: ["目标", "红方要连通上下两边，蓝方要连通左右两边。图中红方已经连通。总有一方能连通，没有和棋。"],
    },
    {
      variant: SMALL, moves: ["c3"], signs: { c2: "1", d2: "2", d3: "3", c4: "4", b4: "5", b3: "6" },
      en: ["Moving", "The players take turns to place a stone on any empty cell. Stones never move. Each cell touches up to six others."],
      zh: ["走法", "双方轮流在任意空格落子，棋子放下后不再移动。每格最多与六格相邻。"],
    },
    {
      variant: SMALL, moves: ["d2", "b3", "c4"], signs: { c3: "A", d3: "B" },
      en: ["Bridges", "Red’s stones are as good as connected: if Blue plays A, Red plays B, and the other way round."],
      zh: ["桥", "红方这两子等于已经相连：蓝方下 A，红方就下 B；蓝方下 B，红方就下 A。"],
    },
    {
      variant: SMALL, moves: ["b3", "c4", "c2"], signs: { c1: "A", d1: "B" },
      en: ["The edge", "A stone in the second row reaches its edge in the same way, by A or B."],
      zh: ["靠边", "第二行的棋子同样等于已连到边上：A 和 B 总能下到一处。"],
    },
    {
      variant: SMALL, moves: ["c2", "swap"], signs: { c2: "1" },
      en: ["The swap rule", "The first stone is worth a lot. So the second player may take it over in place of a move: the stone put at 1 becomes blue, mirrored across the board, and Red moves again. Begin away from the middle."],
      zh: ["交换规则", "第一子的优势很大，所以后手的第一步可以不落子，而接过这枚棋子：下在 1 的红子按对角线翻到对称的位置，变成蓝子，再由红方走。因此第一子不要下得太靠中央。"],
    },
  ],
  hints: {
    en: [
      "To block is to connect: stopping your opponent completes your own chain.",
      "Block at a distance, not by touching the opponent’s stone.",
      "Leave finished bridges alone: fill one only when it is attacked.",
    ],
    zh: ["挡住对方就是连通自己，攻守是一回事。", "阻挡要隔开一段距离，不要紧贴对方的棋子。", "搭好的桥不必去补，对方来断时再补。"],
  },
};
