// @ts-check
/** A bot for boardgame.io that asks a Tesuji service for its moves. */

// Not "boardgame.io/ai", since Node.js cannot import folders.
import ai from "boardgame.io/dist/cjs/ai.js";

/**
 * The bot's class, for `Local({ bots })`: of the moves that the game's `ai.enumerate` lists, it chooses the service's move.
 * @template G
 * @param {object} options
 * @param {import("tesuji-client").Client} options.tesuji
 * @param {(G: G) => import("tesuji-client").SearchRequest} options.request the service's request for a position
 * @param {(move: { name: string, args: any[] }) => string} options.notation a move of the game in the service's notation
 * @param {Partial<import("tesuji-client").SearchRequest>} [options.search] a level, a budget, an engine
 */
export function tesujiBot({ tesuji, request, notation, search = {} }) {
  return class TesujiBot extends ai.Bot {
    /** @param {import("boardgame.io").State<G>} state @param {string} playerID */
    async play({ G, ctx }, playerID) {
      const found = await tesuji.search({ ...request(G), ...search });
      const actions = this.enumerate(G, ctx, playerID);
      const action = actions.find(({ payload }) => notation({ name: payload.type, args: payload.args }) === found.move);
      if (!action) throw new Error(`the service plays ${found.move}, which is no move of this game`);
      return { action, metadata: found.root };
    }
  };
}
