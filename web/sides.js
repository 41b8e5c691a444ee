// @ts-check
/** The two sides of a game. */

/** @typedef {import("./types.js").Side} Side */

/** @param {Side} side @returns {Side} */
export const other = (side) => (side === "first" ? "second" : "first");

/** Who won a game that is over; null for a draw. @param {import("./record.js").Record} record */
export const winnerOf = ({ lost, final }) => (lost ? other(lost) : (final?.outcome?.winner ?? null));
