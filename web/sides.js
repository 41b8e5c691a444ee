// @ts-check
/** The two sides of a game. */

/** @typedef {import("./types.js").Side} Side */

/** @param {Side} side @returns {Side} */
export const other = (side) => (side === "first" ? "second" : "first");

/** Who won a game that is over; null for a draw. @param {import("./record.js").Record} record */
export const winnerOf = ({ loser, final }) => (loser ? other(loser) : (final?.outcome?.winner ?? null));
