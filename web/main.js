// @ts-check
/** The page's entry point: opens what the address names (a game, a lesson or puzzles), else the games to choose from. */

import { sendWithRetry, keyDialog } from "./api.js";
import { backend } from "./backend/router.js";
import { addGradients, defaultBoard } from "./boards/materials.js";
import { askForKey } from "./dialogs.js";
import { button, fill, h } from "./dom.js";
import { prepare } from "./games.js";
import { preferences } from "./preferences.js";
import { parse, puzzlesIn } from "./link.js";
import { errorText } from "./notice.js";
import { registerServiceWorker } from "./offline.js";
import { loadModule } from "./panels/lazy-panel.js";
import { trust } from "./trust.js";
import { preferredLanguage, setLanguage, w } from "./words.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
/** The games listed first, from `index.html`. */
const first = root.dataset.first?.split(" ") ?? [];

/** Preloads all modules of a part of the page, as listed by `build.rs`. @param {"game" | "front"} part */
function fetchAll(part) {
  for (const link of document.querySelectorAll(`link[rel="${part}"]`)) /** @type {HTMLLinkElement} */ (link).rel = "modulepreload";
}

async function main() {
  trust();
  addGradients(document.body);
  document.documentElement.dataset.theme = preferences.get("theme", "auto");
  document.documentElement.dataset.board = preferences.get("board", defaultBoard());
  const languageLoaded = setLanguage(preferredLanguage());
  keyDialog.ask = () => languageLoaded.then(askForKey);
  const gamesRequest = sendWithRetry("/v1/games", {
    onwait: () => languageLoaded.then(() => fill(root, h("p", { class: "notice" }, w().problems.overloaded))),
  });
  try {
    const { state, lesson } = parse(location.hash);
    const game = state?.game;
    fetchAll(game ? "game" : "front");
    const chosen = Promise.all((game ? [game] : lesson ? [lesson] : first).map((name) => prepare({ name })));
    const [response] = await Promise.all([gamesRequest, languageLoaded, chosen]);
    const { games, budget } = await response.json();
    /** The page without a game. @param {boolean} canGoBack whether the reader has seen another page before */
    const showHome = async (canGoBack = true) => {
      const puzzles = puzzlesIn(location.hash);
      if (puzzles) {
        fetchAll("game");
        const { Puzzles } = await loadModule(import("./puzzles.js"));
        return new Puzzles(root, games, puzzles).show();
      }
      const lessonGame = games.find((/** @type {import("./types.js").Game} */ { name }) => name === parse(location.hash).lesson);
      if (lessonGame) {
        const { Learn } = await loadModule(import("./learn.js"));
        return new Learn(root, games, lessonGame, canGoBack).show();
      }
      const { Front } = await loadModule(import("./front.js"));
      await new Front(root, games, first, navigate).show();
    };
    /** Returns from a game to the page without one; errors are ignored if another game is open by then. */
    const returnHome = () => showHome().catch((error) => {
      if (!parse(location.hash).state) fail(error);
    });
    const start = async () => {
      fetchAll("game");
      const { App } = await loadModule(import("./app.js"));
      const app = new App(games, budget, returnHome);
      await prepare(app.record.game);
      await app.session.withoutHistory(() => app.open());
      return app;
    };
    /** @type {ReturnType<typeof start> | null} */
    let started = null;
    /** Opens what the address names. */
    const navigate = () => void (started ? started.then((app) => app.session.navigate()) : parse(location.hash).state ? openGame() : showHome()).catch(fail);
    /** Starts the page of a game, which follows the address from now on. */
    const openGame = () => {
      removeEventListener("hashchange", navigate);
      return (started = start());
    };
    // The reader may have chosen a game while this loaded, or may choose one later.
    if (parse(location.hash).state?.game) await openGame();
    else {
      addEventListener("hashchange", navigate);
      await showHome(false);
      // Preload once the reader is about to choose.
      for (const event of ["pointerover", "focusin"]) root.addEventListener(event, () => fetchAll("game"), { once: true });
    }
    document.documentElement.dataset.ready = "true";
    performance.mark("interactive");
    if (backend.hasEngine) void registerServiceWorker();
  } catch (error) {
    await languageLoaded;
    fail(error);
  }
}

/** @param {unknown} error */
function fail(error) {
  fill(root, h("div", { class: "notice", role: "alert" }, ...errorText(error), button("↻", () => location.reload())));
}

void main();
