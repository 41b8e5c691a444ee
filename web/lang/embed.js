// @ts-check
/** Texts that only the elements for other pages use. */

export default {
  en: {
    unknown: "unknown",
    problems: /** @type {Record<string, string>} */ ({ no_board: "This page has no <tesuji-board> with this id." }),
  },
  zh: {
    unknown: "未知",
    problems: /** @type {Record<string, string>} */ ({ no_board: "本页没有使用此 id 的 <tesuji-board>。" }),
  },
};
