// @ts-check
/** A panel that few readers open: its module is loaded when it is first entered. */

import { ApiError } from "../api.js";
import { fill, h } from "../dom.js";

/** @typedef {{ element: HTMLElement, refresh: (cause: string) => void, leave: () => void, runner?: import("./runner.js").Runner<any> }} Panel */

/** @template {Panel} P */
export class LazyPanel {
  /** The panel, once loaded. @type {P | null} */
  panel = null;
  element = h("div");

  /**
   * @param {import("../app.js").App} app
   * @param {import("../link.js").Panel} name
   * @param {() => Promise<P>} load
   */
  constructor(app, name, load) {
    this.app = app;
    this.name = name;
    this.load = load;
  }

  /** The runner of its searches, if it has one and is loaded. */
  get runner() {
    return this.panel?.runner;
  }

  /** @param {string} cause */
  refresh(cause) {
    if (this.panel) this.panel.refresh(cause);
    else if (cause === "enter") void this.app.attempt(() => this.fetch());
  }

  /** The panel, loaded if necessary. */
  async fetch() {
    if (this.panel) return this.panel;
    const panel = await loadModule(this.load());
    if (this.panel) return this.panel;
    this.panel = panel;
    fill(this.element, panel.element);
    // The reader may have left the panel meanwhile.
    if (this.element.isConnected && this.app.settings.panel === this.name) panel.refresh("enter");
    return panel;
  }

  leave() {
    this.panel?.leave();
  }
}

/**
 * A loaded module; one that cannot be loaded fails like a request and can be retried.
 * @template T
 * @param {Promise<T>} script
 */
export async function loadModule(script) {
  try {
    return await script;
  } catch (error) {
    throw new ApiError("offline", String(error));
  }
}
