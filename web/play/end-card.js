// @ts-check
/** The end of the game: who won and why, and what to do next. */

import { rematch } from "../begin.js";
import { button, fill, h, refill } from "../dom.js";
import { statusLine } from "../status.js";
import { sharePicture } from "./picture.js";
import { w } from "../words.js";

export class EndCard {
  element = h("section", { class: "end-card", hidden: true });
  #shareStatus = h("span", { class: "copied", role: "status" });

  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  draw() {
    const { record, settings } = this.app;
    const shown = record.over && record.atEnd && settings.panel === "play";
    if (this.element.hidden === shown) fill(this.#shareStatus);
    this.element.hidden = !shown;
    if (!shown) {
      // Keeps the keyboard focus on the page.
      if (this.element.contains(document.activeElement)) this.app.board.focus();
      return fill(this.element);
    }
    const words = w().play.end;
    const { winner, result } = statusLine(record, settings, false);
    const own = settings.human === "first" || settings.human === "second" ? settings.human : null;
    const heading = !winner ? w().status.draw : !own ? w().status.wins(winner.name) : winner.side === own ? words.won : words.lost;
    this.element.dataset.result = !winner ? "draw" : !own ? "over" : winner.side === own ? "won" : "lost";
    this.element.setAttribute("aria-label", words.label);
    refill(this.element, "name",
      h("h2", {}, result?.(heading) ?? heading),
      h("div", { class: "buttons" },
        button(words.rematch, () => void rematch(this.app), { class: "primary", name: "rematch", title: own ? words.swapped : "" }),
        button(words.review, () => void this.#review(), { name: "review" }),
        button(words.share, () => void this.#share(), { name: "share" }),
        button(w().transfer.picture, () => void this.app.attempt(() => sharePicture(this.app)), { name: "picture" }),
        this.#shareStatus));
  }

  /** Opens and starts the review of this game. */
  #review() {
    const { app } = this;
    app.enter("review");
    app.tabs.get("review")?.focus();
    return app.attempt(async () => {
      const { runner } = await app.panels.review.fetch();
      if (!runner.running) void runner.start();
    });
  }

  /** Shares the link with the device's dialog on phones, else copies it to the clipboard. */
  async #share() {
    const { record } = this.app;
    const data = { title: document.title, text: statusLine(record, this.app.settings, false).text, url: location.href };
    try {
      if (navigator.canShare?.(data) && matchMedia("(pointer: coarse)").matches) return await navigator.share(data);
      await navigator.clipboard.writeText(data.url);
      this.#shareStatus.textContent = w().transfer.copied;
    } catch (error) {
      // A cancelled share needs no message; without a clipboard, the address bar has the link.
      if (!(error instanceof DOMException && error.name === "AbortError")) this.#shareStatus.textContent = w().play.end.address;
    }
  }
}
