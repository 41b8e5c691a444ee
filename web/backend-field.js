// @ts-check
/** Where searches run: the sign in the page header, and the choice among the preferences. */

import { backend } from "./backend/router.js";
import { field, fill, h, select, whileShown } from "./dom.js";
import { number, percent, w } from "./words.js";

/** A sign that shows where searches run, if not on the server, and the progress of loading. */
export function backendStatus() {
  const element = h("span", { class: "backend-status", role: "status" });
  const draw = () => {
    const words = w().backend;
    const { loading, reason, chosen, hasServer } = backend;
    element.dataset.backend = backend.current;
    element.dataset.reason = reason ?? "";
    // A growing number would be read out endlessly.
    element.setAttribute("aria-live", loading ? "off" : "polite");
    // The size of a compressed file is unknown until its end.
    if (loading) fill(element, words.loading(loading.total > 0 ? percent(loading.loaded / loading.total) : megabytes(loading.loaded)));
    else if (reason) fill(element, words[reason]);
    else fill(element, chosen === "browser" && hasServer && words.here);
  };
  draw();
  whileShown(element, backend, "change", draw);
  return element;
}

/** @param {number} bytes */
const megabytes = (bytes) => `${number(bytes / 1e6, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`;

/** @param {() => void} onchange */
export function backendField(onchange) {
  const { label, server, browser, none } = w().backend;
  if (!backend.hasServer) return null;
  const choices = /** @type {[string, string][]} */ ([["server", server], ["browser", backend.hasEngine ? browser : `${browser} (${none})`]]);
  const control = select(choices, backend.chosen, (value) => {
    backend.chosen = /** @type {import("./backend/router.js").BackendName} */ (value);
    onchange();
  }, { name: "place" });
  if (!backend.hasEngine) control.options[1].disabled = true;
  return field(label, control);
}
