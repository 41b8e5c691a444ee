"""A match of tesuji's `mcts` against OpenSpiel's C++ MCTSBot, on Connect Four or Reversi ("othello" there).

    python3 -m venv .venv
    .venv/bin/pip install open_spiel
    .venv/bin/python open_spiel_match.py ../../target/release/tesuji connect_four --games 200 --simulations 1000

The script starts `tesuji serve` on a free port and asks it over HTTP; the bot runs in this process, or in one per job. Games come in
pairs: one random opening, played with both colours. Both programs are asked for the legal moves at every ply, and for who has
won; the script ends with an error where they differ. A forced move is played without asking anybody. With simulations as the limit,
equal options give an equal result, whatever the number of jobs; with time as the limit, use one job on an idle machine.
"""

import argparse
import concurrent.futures
import contextlib
import http.client
import json
import math
import multiprocessing
import random
import re
import subprocess
import sys
import time

import pyspiel

if not (hasattr(pyspiel, "MCTSBot") and hasattr(pyspiel, "RandomRolloutEvaluator")):
    sys.exit("this build of pyspiel has no C++ MCTSBot: nothing was played (its Python bot is another, far slower program)")

# Standard deviations to either side that hold 95 % of a normal distribution.
Z = 1.959964
# Where time is the limit, no other must be reached first.
UNLIMITED_SIMULATIONS = 2**31 - 1
UNLIMITED_MEMORY = 0


def column(action):
    """Connect Four: OpenSpiel counts columns from 0, tesuji from 1."""
    return str(action + 1)


def square(action):
    """Reversi: both count rows from the top; OpenSpiel's actions go row by row, and the last one is a pass."""
    return "pass" if action == 64 else "abcdefgh"[action % 8] + str(action // 8 + 1)


# OpenSpiel's name: tesuji's, and how a move is written there.
GAMES = {"connect_four": ("connect-four", column), "othello": ("reversi", square)}


class Tesuji:
    """The server's side: one connection, kept open."""

    def __init__(self, port, options):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.game, self.move_text = GAMES[options.game]
        self.engine = {"name": "mcts"}
        if options.playout:
            self.engine["playout"] = options.playout
        if options.exploration is not None:
            self.engine["exploration"] = options.exploration
        if options.time_ms is None:
            self.budget = {"simulations": options.simulations}
        else:
            self.budget = {"time_ms": options.time_ms}

    def ask(self, path, history, **more):
        body = {"game": self.game, "moves": [self.move_text(action) for action in history], **more}
        self.connection.request("POST", path, json.dumps(body))
        response = self.connection.getresponse()
        answer = json.loads(response.read())
        if response.status != 200:
            raise RuntimeError(f"{path} {body}: {response.status} {answer}")
        return answer

    def check(self, state):
        """Both programs must mean the same position."""
        told = self.ask("/v1/positions", state.history())
        ours, theirs = set(told["legal_moves"]), set()
        outcome = None
        if state.is_terminal():
            outcome = {1: "first", 0: None, -1: "second"}[round(state.returns()[0])]
        else:
            theirs = {self.move_text(action) for action in state.legal_actions()}
        same_end = (told["outcome"] is not None) == state.is_terminal()
        if ours != theirs or not same_end or (told["outcome"] or {}).get("winner") != outcome:
            raise RuntimeError(f"the rules differ after {told['position']}: {told['outcome']} {ours}; {outcome} {theirs}\n{state}")

    def choose(self, state, seed):
        """The move, the simulations made, and the playouts in use."""
        found = self.ask("/v1/searches", state.history(), engine=self.engine, budget=self.budget, seed=seed)
        action = next(action for action in state.legal_actions() if self.move_text(action) == found["move"])
        return action, found["budget"]["used"]["simulations"], found["engine"]["options"]


class Bot:
    """OpenSpiel's side, new for each game."""

    def __init__(self, game, options, seed):
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
        timed = options.time_ms is not None
        self.bot = pyspiel.MCTSBot(
            game,
            evaluator,
            options.uct_c,
            UNLIMITED_SIMULATIONS if timed else options.simulations,
            UNLIMITED_MEMORY,
            solve=True,
            seed=seed,
            verbose=False,
            max_wall_clock_time=options.time_ms / 1000 if timed else -1.0,
        )

    def choose(self, state):
        return self.bot.step(state)


def opening(game, plies, generator):
    """A position after some random moves, in which the game goes on."""
    while True:
        state = game.new_initial_state()
        for _ in range(plies):
            if state.is_terminal():
                break
            state.apply_action(generator.choice(state.legal_actions()))
        if not state.is_terminal():
            return state


def play_pair(task):
    """Plays one opening with both colours; tesuji's half points in each, and what was spent."""
    number, port, options = task
    generator = random.Random(f"{options.seed} {number}")
    game = pyspiel.load_game(options.game)
    start = opening(game, options.plies, generator)
    tesuji = Tesuji(port, options)
    points, seconds, simulations, engine = [], {"tesuji": [], "bot": []}, [], None
    for tesuji_player in (0, 1):
        bot = Bot(game, options, generator.randrange(2**31))
        state = start.clone()
        while not state.is_terminal():
            tesuji.check(state)
            actions = state.legal_actions()
            if len(actions) == 1:
                state.apply_action(actions[0])
                continue
            begin = time.perf_counter()
            if state.current_player() == tesuji_player:
                action, made, engine = tesuji.choose(state, generator.randrange(2**31))
                seconds["tesuji"].append(time.perf_counter() - begin)
                simulations.append(made)
            else:
                action = bot.choose(state)
                seconds["bot"].append(time.perf_counter() - begin)
            state.apply_action(action)
        tesuji.check(state)
        points.append(round(state.returns()[tesuji_player]) + 1)
    tesuji.connection.close()
    return points, seconds, simulations, engine


def elo_of(score):
    return -400 * math.log10(1 / score - 1)


def elo(pairs):
    """Elo with its 95 % limits, from the half points of pairs, as `tesuji match` tells it (Wilson's limits, the pair as unit)."""
    scores = [sum(pair) / 4 for pair in pairs]
    mean = sum(scores) / len(scores)
    if mean in (0, 1):
        limit = elo_of(0.05 ** (0.5 / len(scores)))
        return f"at least {limit:+.0f}" if mean == 1 else f"at most {-limit:+.0f}"
    variance = sum((score - mean) ** 2 for score in scores) / len(scores)
    error = max(math.sqrt(variance / len(scores)), 0.25 / len(scores))
    games = mean * (1 - mean) / error**2
    centre = (mean + Z * Z / (2 * games)) / (1 + Z * Z / games)
    reach = Z / (1 + Z * Z / games) * math.sqrt(error**2 + (Z / (2 * games)) ** 2)
    low, high = elo_of(centre - reach), elo_of(centre + reach)
    return f"{elo_of(mean):+.0f} ± {(high - low) / 2:.0f} (95 %: {low:+.0f} to {high:+.0f})"


@contextlib.contextmanager
def served(binary):
    """The server's port, while it runs."""
    # It logs each request; nobody reads that here, and a full pipe would stop it.
    command = [binary, "serve", "--listen", "127.0.0.1:0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        for line in server.stdout:
            if listening := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                yield int(listening[1])
                return
        raise RuntimeError("the server did not start")
    finally:
        server.terminate()
        server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", help="the program tesuji")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--games", type=int, default=200, help="an even number")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--simulations", type=int, default=1000, help="a move, of either program")
    limit.add_argument("--time-ms", type=int, help="a move, of either program")
    parser.add_argument("--playout", help="tesuji's; without it, its default for the game")
    parser.add_argument("--exploration", type=float, help="tesuji's; without it, its default")
    parser.add_argument("--uct-c", type=float, default=2.0, help="the bot's; 2 is the default of OpenSpiel's own example")
    parser.add_argument("--plies", type=int, default=4, help="random plies of an opening")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="pairs played at the same time")
    options = parser.parse_args()
    if options.games < 2 or options.games % 2:
        parser.error("--games must be even, and at least 2")

    begin = time.perf_counter()
    pairs, simulations, engine = [], [], {}
    seconds = {"tesuji": [], "bot": []}
    # OpenSpiel ends its process where it finds fault with itself: this kind of pool says so, instead of waiting.
    pool = concurrent.futures.ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn"))
    with served(options.binary) as port, pool:
        tasks = [(number, port, options) for number in range(options.games // 2)]
        for points, spent, made, used in pool.map(play_pair, tasks):
            pairs.append(points)
            simulations += made
            engine = used or engine
            for name, values in spent.items():
                seconds[name] += values

    games = [points for pair in pairs for points in pair]
    wins, draws, losses = (games.count(points) for points in (2, 1, 0))
    limit = f"{options.simulations} simulations" if options.time_ms is None else f"{options.time_ms} ms"
    print(f"{options.game}, {limit} a move, openings of {options.plies} random plies, seed {options.seed}")
    print("tesuji: mcts " + ", ".join(f"{name}={value}" for name, value in engine.items()))
    print(f"bot: OpenSpiel's C++ MCTSBot, uct_c={options.uct_c:g}, solve=true, 1 random rollout")
    print(f"tesuji won {wins}, drew {draws}, lost {losses} of {len(games)}: Elo {elo(pairs)}")
    first, second = ([pair[colour] for pair in pairs] for colour in (0, 1))
    print(f"of these it won {first.count(2)} and lost {first.count(0)} moving first, {second.count(2)} and {second.count(0)} second")
    for name, values in seconds.items():
        print(f"{name}: {1000 * sum(values) / len(values):.2f} ms a move (slowest {1000 * max(values):.1f}), {len(values)} moves")
    print(f"tesuji made {sum(simulations) / len(simulations):.0f} simulations a move; {time.perf_counter() - begin:.0f} s in all")


if __name__ == "__main__":
    main()
