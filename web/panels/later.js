// @ts-check
/** A panel that few readers open: its script is fetched when it is entered for the first time. */

import { ApiError } from "../api.js";
import { fill, h } from "../dom.js";

/** @typedef {{ element: HTMLElement, refresh: (cause: string) => void, leave: () => void, runner?: import("./runner.js").Runner<any> }} Panel */

/** @template {Panel} P */
export class Later {
  /** What the script brought, once it is there. @type {P | null} */
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

  /** What runs its searches, where it has any and is there. */
  get runner() {
    return this.panel?.runner;
  }

  /** @param {string} cause */
  refresh(cause) {
    if (this.panel) this.panel.refresh(cause);
    else if (cause === "enter") void this.app.attempt(() => this.fetch());
  }

  /** The panel, fetched unless it is there. */
  async fetch() {
    if (this.panel) return this.panel;
    const panel = await fetched(this.load());
    if (this.panel) return this.panel;
    this.panel = panel;
    fill(this.element, panel.element);
    // The reader may have gone on meanwhile.
    if (this.element.isConnected && this.app.settings.panel === this.name) panel.refresh("enter");
    return panel;
  }

  leave() {
    this.panel?.leave();
  }
}

/** What a script brings; one that cannot be fetched can be tried again, as a request can. @template T @param {Promise<T>} script */
export async function fetched(script) {
  try {
    return await script;
  } catch (error) {
    throw new ApiError("offline", String(error));
  }
}
