// @ts-check
/** The picture of the position shown, to share or to save: from the server, or painted by the page. */

import { ApiError } from "../api.js";
import { backend } from "../backend/router.js";
import { send } from "../backend/server.js";
import { paint } from "../boards/painter.js";
import { h } from "../dom.js";
import { moduleOf } from "../games.js";
import { preferences } from "../preferences.js";

/** The longer side, in pixels. */
const SIZE = 1024;

/** Shares the picture by the device's dialog on phones, else saves it as a file. @param {import("../app.js").App} app */
export async function sharePicture(app) {
  const blob = await picture(app);
  const file = new File([blob], `${app.record.game.name}.png`, { type: "image/png" });
  const data = { files: [file], title: document.title };
  try {
    if (navigator.canShare?.(data) && matchMedia("(pointer: coarse)").matches) return await navigator.share(data);
  } catch (error) {
    // Closing the dialog ends it; if the device refuses, the file is saved.
    if (error instanceof DOMException && error.name === "AbortError") return;
  }
  download(file, file.name);
}

/** @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** @param {import("../app.js").App} app @returns {Promise<Blob>} */
async function picture({ board, record, look }) {
  const { asText } = moduleOf(record.game);
  // The server draws neither numbers on stones nor flipped boards.
  const own = backend.current === "browser" || look.flipped || preferences.get("numbers", "none") !== "none";
  try {
    if (asText || !own) return await serverPicture(record);
  } catch (error) {
    if (asText || !(error instanceof ApiError && error.code === "offline")) throw error;
  }
  return new Promise((resolve, reject) => paint(board.svg, SIZE).toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture")))));
}

/** The picture that the server draws. @param {import("../record.js").Record} record */
async function serverPicture(record) {
  const { game, variant, position, moves } = record.request();
  const preferred = preferences.get("theme", "auto");
  const theme = preferred === "auto" ? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light") : preferred;
  const query = new URLSearchParams({ game, variant: JSON.stringify(variant), moves: moves.join(" "), size: String(SIZE), theme, ...(position && { position }) });
  return (await send(`/v1/positions/picture.png?${query}`, {})).blob();
}
