// @ts-check
/** Import and export of games as text and files, in both languages. */

export default {
  en: {
    copyGame: "Copy game",
    copyPosition: "Copy position",
    copyLink: "Copy link",
    paste: "Position or moves",
    placeholder: "e.g.",
    load: "Load",
    open: "Open a file…",
    save: "Save",
    format: "Format of the file",
    formats: /** @type {Record<string, string>} */ ({
      moves: "Moves", sgf: "SGF", ggf: "GGF", psq: "Gomocup (.psq)", "pgn-chinese": "PGN, 炮二平五", "pgn-iccs": "PGN, H2-E2", "pgn-wxf": "PGN, C2.5",
      ucci: "UCCI", uci: "UCI",
    }),
    which: "Which game is it?",
  },
  zh: {
    copyGame: "复制棋谱",
    copyPosition: "复制局面",
    copyLink: "复制链接",
    paste: "局面或着法",
    placeholder: "例如",
    load: "载入",
    open: "打开文件…",
    save: "保存",
    format: "文件格式",
    formats: /** @type {Record<string, string>} */ ({
      moves: "着法", sgf: "SGF", ggf: "GGF", psq: "Gomocup (.psq)", "pgn-chinese": "PGN, 炮二平五", "pgn-iccs": "PGN, H2-E2", "pgn-wxf": "PGN, C2.5",
      ucci: "UCCI", uci: "UCI",
    }),
    which: "这是哪种棋？",
  },
};
