// @ts-check
/** Games against the bot, run by boardgame.io, with a real service. */

import { strict as assert } from "node:assert";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import ai from "boardgame.io/dist/cjs/ai.js";
import boardgame from "boardgame.io/dist/cjs/client.js";
import internal from "boardgame.io/dist/cjs/internal.js";
import multiplayer from "boardgame.io/dist/cjs/multiplayer.js";
import { Client } from "tesuji-client";
import { startService } from "../service.js";
import { connectFour, notation, request } from "./connect-four.js";
import { tesujiBot } from "./tesuji-bot.js";

/** @type {import("../service.js").Service} */
let service;
/** @type {ReturnType<typeof tesujiBot>} */
let Perfect;

before(async () => {
  service = await startService();
  Perfect = tesujiBot({ tesuji: new Client(service.url), request, notation });
});
after(() => service.stop());

test("the bot, who moves first, beats boardgame.io's own", async () => {
  const options = { game: connectFour, enumerate: connectFour.ai.enumerate, seed: "seed" };
  const bots = { 0: new Perfect(options), 1: new ai.MCTSBot({ ...options, iterations: 200 }) };
  const state = internal.InitializeGame({ game: connectFour, numPlayers: 2 });
  const played = await ai.Simulate({ game: connectFour, bots, state });
  assert.deepEqual(played.state.ctx.gameover, { winner: "0" });
});

test("a step plays the only first move that wins", async () => {
  const client = boardgame.Client({ game: connectFour, numPlayers: 2, debug: false });
  client.start();
  await ai.Step(client, new Perfect({ enumerate: connectFour.ai.enumerate }));
  assert.deepEqual(client.getState()?.G.columns, [3]);
  client.stop();
});

test("a local game against the bot ends", async () => {
  const client = boardgame.Client({
    game: connectFour,
    numPlayers: 2,
    playerID: "0",
    multiplayer: multiplayer.Local({ bots: { 1: Perfect } }),
  });
  client.start();
  const gameover = await new Promise((resolve) => {
    client.subscribe((state) => {
      if (state?.ctx.gameover) return resolve(state.ctx.gameover);
      // Column by column from the left: a weak player, and always the same one.
      if (state?.ctx.currentPlayer === "0") setTimeout(() => client.moves.drop(...connectFour.ai.enumerate(state.G)[0].args));
    });
  });
  client.stop();
  assert.deepEqual(gameover, { winner: "1" });
});

test("the program plays a whole game", async () => {
  const path = new URL("play.js", import.meta.url).pathname;
  const said = await new Promise((resolve, reject) => {
    execFile(process.execPath, [path, service.url], (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
  assert.match(said, /^([xo.] ){6}[xo.]\n/);
  assert.match(said, /\n\{ (winner: '[01]'|draw: true) \}\n$/);
});

test("a weak level loses to the best play", async () => {
  const Beginner = tesujiBot({ tesuji: new Client(service.url), request, notation, search: { level: 1, seed: 1 } });
  const options = { game: connectFour, enumerate: connectFour.ai.enumerate };
  const bots = { 0: new Perfect(options), 1: new Beginner(options) };
  const state = internal.InitializeGame({ game: connectFour, numPlayers: 2 });
  assert.deepEqual((await ai.Simulate({ game: connectFour, bots, state })).state.ctx.gameover, { winner: "0" });
});
