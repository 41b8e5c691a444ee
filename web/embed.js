// @ts-check
/**
 * The one module that other pages import, at an address that never changes: it defines `<tesuji-board>` and `<tesuji-eval>`
 * (docs/embed.md). An export of the page writes `"none"` in place of `"here"`: its engine runs in the browser.
 */

const { define } = await import(new URL("{assets}/embed/elements.js", import.meta.url).href);
define("here");
