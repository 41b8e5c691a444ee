// @ts-check
/** The API reference: a quick start, and calls for this server that can be copied and run unchanged, in every language. */

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { click } from "./player.js";
import { browser, service } from "./stage.js";
import { hasEngine, ready, violations, visit } from "./visitor.js";

const run = promisify(execFile);
const carried = await hasEngine();
/** The engine's package, where it has been built. */
const PACKAGE = new URL("../../web/engine", import.meta.url).pathname;
const built = existsSync(join(PACKAGE, "dist/tesuji.wasm"));

/** @param {string} program */
const hasProgram = (program) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** @param {import("playwright-core").BrowserContextOptions} [options] @param {string} [part] */
const open = (options, part = "") => visit(browser, `${service.url}/docs${part}`, options);

/** The call of an operation as it is shown. @param {import("playwright-core").Page} page @param {string} id */
const shown = (page, id) => page.locator(`#${id} .code pre`).first().innerText();

/** Chooses a language everywhere. @param {import("playwright-core").Page} page @param {string} language */
const choose = (page, language) => page.click(`#quick-start .code [data-language="${language}"] >> nth=0`);

test("the quick start comes first, is for this server, and runs", async () => {
  const { page, context, faults } = await open({ permissions: ["clipboard-read", "clipboard-write"] });
  assert.equal(await page.locator("main section").first().getAttribute("id"), "quick-start");
  const all = (await page.locator("pre").allInnerTexts()).join("\n");
  assert.ok(all.includes(`${service.url}/v1/searches`));
  assert.doesNotMatch(all, /localhost/, "nothing speaks of another server");
  await page.click("#quick-start .code .copy >> nth=0");
  await page.waitForFunction(() => document.querySelector("#quick-start .copied")?.textContent === "Copied");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await shown(page, "quick-start"));
  await page.click('button[name="run"]');
  await page.waitForSelector("#quick-start .answer tbody tr:nth-child(7)");
  assert.match((await page.textContent("#quick-start .answer")) ?? "", /^move: [1-7] /);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a language chosen once holds for all calls, and is remembered; a key shows where it goes", async () => {
  const { page, context, faults } = await open();
  await choose(page, "python");
  assert.match(await shown(page, "describePosition"), /^import json\nimport urllib\.request/);
  // Calls that the engine without a server lacks have no such form.
  await choose(page, "wasm");
  assert.match(await shown(page, "review"), /engine\.review\(/);
  assert.equal(await page.locator('#metrics [data-language="wasm"]').count(), 0);
  await page.reload();
  await ready(page);
  assert.match(await shown(page, "describePosition"), /engine\.position\(/);
  await choose(page, "curl");
  assert.doesNotMatch(await shown(page, "search"), /Authorization/);
  await page.fill(".key input", "secret");
  await page.click(".key button");
  assert.match(await shown(page, "search"), /-H "Authorization: Bearer \$TESUJI_KEY"/);
  // Another example is another call.
  await page.selectOption('#search .code select', "xiangqi");
  assert.match(await shown(page, "search"), /"game":"xiangqi"/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a key is one for the reference and for games, in all tabs, remembered or forgotten", async () => {
  const { page, context, faults } = await open();
  await page.evaluate(() => localStorage.setItem("key", "remembered"));
  const later = await context.newPage();
  await later.goto(`${service.url}/docs`);
  await ready(later);
  assert.equal(await later.inputValue(".key input"), "remembered");
  assert.match(await shown(later, "search"), /Authorization/);
  const sent = later.waitForRequest("**/v1/searches");
  await later.click('button[name="run"]');
  assert.equal(await (await sent).headerValue("authorization"), "Bearer remembered");
  await later.locator("#version details.trying summary").click();
  const tried = later.waitForRequest("**/version");
  await later.click("#version .send");
  assert.equal(await (await tried).headerValue("authorization"), "Bearer remembered");
  // Another key replaces it everywhere, also in open tabs.
  const game = await context.newPage();
  await game.goto(`${service.url}/#game=tic-tac-toe`);
  await ready(game);
  await later.fill(".key input", "another");
  await later.click(".key button");
  await page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.querySelector(".key input")).value === "another");
  assert.match(await shown(page, "search"), /Authorization/);
  const asked = game.waitForRequest("**/v1/positions");
  await click(game, "b2");
  assert.equal(await (await asked).headerValue("authorization"), "Bearer another");
  assert.equal(await page.evaluate(() => localStorage.getItem("key")), "another", "it is still remembered");
  await game.click(".preferences summary");
  await game.click('button[name="forget-key"]');
  await page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.querySelector(".key input")).value === "");
  assert.doesNotMatch(await shown(page, "search"), /Authorization/);
  await page.fill(".key input", "third");
  await page.click(".key button");
  await page.fill(".key input", "");
  await page.click(".key button");
  assert.deepEqual(await page.evaluate(() => [localStorage.getItem("key"), sessionStorage.getItem("key")]), [null, null]);
  assert.deepEqual(faults, []);
  await context.close();
});

/** Operations whose calls run unchanged, and what their responses contain. @type {[string, RegExp][]} */
const CALLS = [
  ["quick-start", /"?final"?: ?true/i], ["listGames", /reversi/], ["describeGame", /tic-tac-toe/], ["describePosition", /legal_moves/], ["search", /stop_reason/],
  ["batch", /index/], ["review", /plies/], ["getSearch", /stop_reason/], ["followSearch", /^data: |^id: /m], ["version", /tesuji/], ["live", /ok/], ["metrics", /^# TYPE/m],
  ["contract", /openapi: 3/], ["describeProblem", /title/],
];

/** A selection of those with each form of a call: with or without a body, and each kind of response. */
const KINDS = ["quick-start", "listGames", "search", "getSearch", "followSearch", "live", "metrics"];

/**
 * How each language's calls are run; `job` is the id of a search.
 * @type {[string, string, (code: string, job: string) => Promise<string>][]}
 */
const RUNNERS = [
  ["curl", "curl", async (code, job) => (await run("bash", ["-c", code], { env: { ...process.env, JOB_ID: job }, maxBuffer: 2 ** 25 })).stdout],
  ["javascript", "node", async (code, job) => {
    // The answer whole, which a console would shorten.
    const whole = `import { inspect } from "node:util"; inspect.defaultOptions.depth = null; inspect.defaultOptions.maxArrayLength = null; const jobId = "${job}";\n`;
    return (await run(process.execPath, ["--input-type=module", "-e", whole + code], { maxBuffer: 2 ** 25 })).stdout;
  }],
  ["python", "python3", async (code, job) => (await run("python3", ["-c", `job_id = "${job}"\n${code}`], { maxBuffer: 2 ** 25 })).stdout],
];

for (const [language, program, execute] of RUNNERS) {
  test(`the calls in ${language} run as they stand`, { skip: hasProgram(program) ? false : `there is no ${program}` }, async () => {
    const { page, context, faults } = await open();
    await choose(page, language);
    const answer = await fetch(`${service.url}/v1/searches`, {
      method: "POST", headers: { Prefer: "respond-async" }, body: JSON.stringify({ game: "tic-tac-toe", budget: { nodes: 500 } }),
    });
    const { id } = await answer.json();
    for (const [operation, expected] of language === "curl" ? CALLS : CALLS.filter(([one]) => KINDS.includes(one))) {
      const output = await execute(await shown(page, operation), id);
      if (operation === "quick-start") assert.match(output, /stop_reason/, operation);
      else assert.match(output, expected, operation);
      assert.doesNotMatch(output, /about:blank|\/problems\/(not_found|malformed)/, operation);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("the calls for the engine without a server run beside its package", { skip: built ? false : "the engine for web pages has not been built" }, async () => {
  const { page, context } = await open();
  await choose(page, "wasm");
  const folder = await mkdtemp(join(tmpdir(), "tesuji-docs-"));
  try {
    await symlink(PACKAGE, join(folder, "engine"));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    for (const [operation, expected] of /** @type {[string, RegExp][]} */ ([["quick-start", /stop_reason/], ["listGames", /reversi/], ["describeGame", /tic-tac-toe/], ["describePosition", /legal_moves/], ["review", /accuracy/]])) {
      const file = join(folder, `${operation}.js`);
      await writeFile(file, await shown(page, operation));
      assert.match((await run(process.execPath, [file], { maxBuffer: 2 ** 25 })).stdout, expected, operation);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  await context.close();
});

test("the engine runs in the reader's browser", { skip: carried ? false : "the program was built without the engine for browsers" }, async () => {
  const { page, context, faults } = await open();
  await page.click('button[name="run-wasm"]');
  await page.waitForSelector("#webassembly .answer tbody tr:nth-child(7)");
  assert.deepEqual(faults, []);
  await context.close();
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`the reference fits a phone, ${colorScheme}`, async () => {
    const { page, context, faults } = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme }, "#webassembly");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
    assert.ok(await page.locator(".contents nav").isHidden(), "the contents are folded");
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
    await context.close();
  });
}
