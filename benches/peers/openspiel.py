"""OpenSpiel's Monte-Carlo tree search, on Connect Four if nothing else is asked: simulations per second of its C++ bot.

    python3 -m venv /tmp/openspiel
    /tmp/openspiel/bin/pip install open_spiel
    /tmp/openspiel/bin/python openspiel.py

The game, the bot and the rollouts are C++; Python makes one call per search. The wheel is compiled for any x86-64, and it is
another process: see README.md for what that means beside the table of `peers`.
"""

import argparse
import math
import statistics
import sys
import time

import pyspiel

if not (hasattr(pyspiel, "MCTSBot") and hasattr(pyspiel, "RandomRolloutEvaluator")):
    sys.exit("this build of pyspiel has no C++ MCTSBot: nothing was measured (its Python bot is another, far slower program)")

# Its bonus is c * sqrt(ln N / n) on values in [-1, 1]; twice the square root of 2 makes it tesuji's, sqrt(2 ln N / n) on [0, 1].
EXPLORATION = 2 * math.sqrt(2)
UNLIMITED_MEMORY = 0


def search(game, simulations, solve, seed):
    """Makes one search of the start position and returns its CPU seconds, the freeing of the tree included."""
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    bot = pyspiel.MCTSBot(
        game, evaluator, EXPLORATION, simulations, UNLIMITED_MEMORY, solve=solve, seed=seed, verbose=False
    )
    state = game.new_initial_state()
    start = time.process_time()
    root = bot.mcts_search(state)
    made = root.explore_count
    del root
    seconds = time.process_time() - start
    assert made == simulations, f"made {made} simulations"
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="searches of each kind, taking turns")
    parser.add_argument("--game", default="connect_four", help="as OpenSpiel names it: othello, mnk(m=15,n=15,k=5), ...")
    parser.add_argument("--simulations", type=int, default=1_000_000, help="simulations per search")
    options = parser.parse_args()

    game = pyspiel.load_game(options.game)
    seconds = {False: [], True: []}
    for round_number in range(options.rounds):
        for solve, taken in seconds.items():
            taken.append(search(game, options.simulations, solve, seed=round_number))

    print("| program | simulations | CPU seconds, median (least to most) | simulations/s |")
    print("|---|--:|--:|--:|")
    for solve, taken in seconds.items():
        median = statistics.median(taken)
        print(
            f"| OpenSpiel C++ MCTSBot, solve={str(solve).lower()} | {options.simulations} "
            f"| {median:.3f} ({min(taken):.3f} to {max(taken):.3f}) | {options.simulations / median:.0f} |"
        )


if __name__ == "__main__":
    main()
