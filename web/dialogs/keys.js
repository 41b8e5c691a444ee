// @ts-check
/** The list of keyboard shortcuts, and the setting that enables single keys. */

import { dialog } from "../dialogs.js";
import { button, h } from "../dom.js";
import { shortcutsField } from "../keys.js";
import { w } from "../words.js";

export function showKeys() {
  const rows = w().keys.list.map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, what)));
  const element = dialog(w().keys.heading, h("table", { class: "keys" }, h("tbody", {}, rows)), shortcutsField(),
    button(w().menu.close, () => element.close(), { class: "primary" }));
}
