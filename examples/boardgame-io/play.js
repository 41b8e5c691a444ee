// @ts-check
/**
 * Plays a game against the bot, which is o; x moves at random.
 *
 *     node play.js http://127.0.0.1:8080
 */

import boardgame from "boardgame.io/dist/cjs/client.js";
import multiplayer from "boardgame.io/dist/cjs/multiplayer.js";
import { Client } from "tesuji-client";
import { connectFour, notation, request, show } from "./connect-four.js";
import { tesujiBot } from "./tesuji-bot.js";

const bot = tesujiBot({ tesuji: new Client(process.argv[2]), request, notation, search: { level: 10 } });
const client = boardgame.Client({
  game: connectFour,
  numPlayers: 2,
  playerID: "0",
  multiplayer: multiplayer.Local({ bots: { 1: bot } }),
});
client.start();
const leave = client.subscribe((state) => {
  if (state?.ctx.gameover) {
    leave();
    client.stop();
    console.log(show(state.G));
    console.log(state.ctx.gameover);
  } else if (state?.ctx.currentPlayer === "0") {
    const free = connectFour.ai.enumerate(state.G);
    const { args } = free[Math.floor(Math.random() * free.length)];
    setTimeout(() => client.moves.drop(...args));
  }
});
