// @ts-check
/**
 * The page has words, in both languages, for everything that the contract and the games can report. (Options without words keep
 * their names.)
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { ApiError } from "../../web/backend/error.js";
import en from "../../web/lang/en.js";
import reasons from "../../web/lang/reasons.js";
import zh from "../../web/lang/zh.js";
import { Service } from "./service.js";

const GAMES = new URL("../../web/games/", import.meta.url);
/** @type {Map<string, import("../../web/games.js").GameModule>} */
const modules = new Map();
for (const file of readdirSync(GAMES)) modules.set(file.replace(/\.js$/, ""), (await import(new URL(file, GAMES).href)).default);

const CONTRACT = readFileSync(new URL("../../openapi.yaml", import.meta.url), "utf8");

/** @type {Service} */
let service;
before(async () => {
  service = await Service.start();
});
after(() => service?.kill());

/** The words of a schema's `enum`. @param {string} schema */
function enumWords(schema) {
  const block = CONTRACT.split(`\n    ${schema}:\n`)[1]?.split(/\n {4}\w/)[0] ?? "";
  const inline = /\n {6,10}enum: \[([^\]]*)\]/.exec(block)?.[1].split(",");
  const words = inline ?? [...block.matchAll(/\n {8}- (\w+)/g)].map((match) => match[1]);
  assert.ok(words.length > 1, `${schema} lists its words`);
  return words.map((word) => word.trim());
}

test("one is not many", () => {
  assert.deepEqual([["1", "boxes"], ["1", "discs"], ["2", "boxes"]].map(([margin, unit]) => en.status.by(margin, unit)), ["by 1 box", "by 1 disc", "by 2 boxes"]);
});

test("zh: a busy server has one name", () => {
  for (const text of [zh.backend.full, zh.run.states.full("5"), zh.problems.overloaded]) assert.match(text, /^服务器繁忙/);
});

for (const [language, words] of /** @type {const} */ ([["en", en], ["zh", zh]])) {
  /** @param {string} table @param {string} name */
  const hasWord = (table, name) =>
    [/** @type {any} */ (words)[table], ...[...modules.values()].map(({ words: own }) => own[language][table])].some((one) => one?.[name]);

  test(`${language}: errors, ends of games, ends of searches, units`, () => {
    for (const code of enumWords("ProblemCode")) assert.ok(words.problems[code], code);
    for (const reason of enumWords("EndReason")) assert.ok(hasWord("reasons", reason), reason);
    for (const reason of enumWords("StopReason")) assert.ok(words.stop_reasons[reason], reason);
    for (const unit of enumWords("Unit")) assert.ok(words.units[unit], unit);
    for (const engine of enumWords("EngineName")) assert.ok(words.engines[engine], engine);
    for (const kind of enumWords("ReasonKind")) assert.ok(Object.hasOwn(reasons[language].reasons, kind), kind);
  });

  test(`${language}: games and variants`, async () => {
    /** @type {{ games: import("../../web/types.js").Game[] }} */
    const { games } = await (await fetch(`${service.url}/v1/games`)).json();
    assert.ok(games.length >= 6);
    for (const game of games) {
      for (const { name } of game.variants) assert.ok(modules.get(game.name)?.words[language].variants?.[name] ?? words.variants[name], name);
    }
  });
}

test("zh: details of common refusals, and the texts that the service has in English only", async () => {
  const cases = /** @type {[string, object, string | null][]} */ ([
    ["positions", { game: "gomoku", moves: ["h8", "h8"] }, "有误的着法：第 2 手 h8。"],
    ["positions", { game: "gomoku", text: "h8 h8" }, "有误的着法：h8。"],
    ["positions", { game: "connect-four", variant: { name: "standard", columns: 99 } }, "列数：应为 4 到 12。"],
    ["searches", { game: "hex", engine: { name: "mcts", exploration: 99 } }, "探索系数 c：应为 0 到 10。"],
    ["searches", { game: "gomoku", budget: { time_ms: 999_999_999 } }, "时间：应为 1 到 60000 毫秒。"],
    ["positions", { game: "xiangqi", position: "9/9/9/9/9/9/9/9/9/9 w" }, null],
  ]);
  for (const [path, body, details] of cases) {
    const response = await fetch(`${service.url}/v1/${path}`, { method: "POST", body: JSON.stringify(body) });
    const { code, detail, errors } = await response.json();
    assert.equal(zh.details(new ApiError(code, detail, { errors })), details);
  }
  assert.equal(zh.details(new ApiError("quota_exceeded", "", { retryAfter: 5 })), "请在 5 秒后重试。");
  assert.equal(zh.details(new ApiError("internal", "")), "");
  const texts = JSON.parse(readFileSync(new URL("../../web/lang/games-zh.json", import.meta.url), "utf8"));
  const { games } = await (await fetch(`${service.url}/v1/games`)).json();
  for (const { name } of games) {
    const { rules, moves, position } = texts[name];
    assert.ok(rules && moves && position, name);
  }
});

test("each game says the same in both languages", () => {
  for (const [game, { words: { en: english, zh: chinese } }] of modules) {
    const names = (/** @type {import("../../web/games.js").GameWords} */ words) =>
      Object.entries(words).map(([table, entries]) => [table, Object.keys(entries).sort()]).sort();
    assert.deepEqual(names(english), names(chinese), game);
  }
});
