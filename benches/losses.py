#!/usr/bin/env python3
"""Mean loss of each level's moves, by reviews of games that it plays against itself: what the page compares a reader's moves with.

    losses.py BINARY [GAME ...] [--seed 1] [--cpu-ms 30] >>LINES    plays and reviews two games per level: a line per side
    losses.py --table LINES                                         the mean losses of all lines, as web/games/*.js have them

Random openings are not counted, nor, except in the games of EXACT, moves in decided positions (web/panels/level-estimate.js). CPU time, not
the clock, limits the review: a busy machine finds the same. Levels whose means rise are pooled.

web/games/*.js: seeds 1 to 3 (Hex 1 and 2, Xiangqi 1 and 21), 4 to 6 games a level, 2026-11-30; the mean's error is 0.01 to 0.04 in most,
up to 0.11 at the lowest levels. At 200 ms Hex's losses are about a fifth lower. In tic-tac-toe they do not separate the levels."""

import argparse
import collections
import json
import subprocess
import tempfile

GAMES = ["tic-tac-toe", "connect-four", "reversi", "dots-and-boxes", "gomoku", "xiangqi", "hex"]
LEVELS = range(1, 10)
# Games in which most results are proven early.
EXACT = {"tic-tac-toe", "connect-four", "dots-and-boxes"}
DECIDED = 0.9


def played(binary, game, level, seed):
    """Two games of a level against itself, each as its opening and its moves."""
    player = f"auto:level={level}"
    with tempfile.NamedTemporaryFile("r") as lines:
        options = ["--games", "2", "--seed", str(seed), "--concurrency", "1", "--json", lines.name]
        subprocess.run([binary, "match", game, player, player, *options], check=True, stdout=subprocess.DEVNULL)
        found = [json.loads(line) for line in lines]
    return [(one["opening"]["moves"], one["moves"]) for one in found if one["type"] == "game"]


def reviewed(binary, game, opening, moves, cpu_ms):
    """Value before and loss of each side's moves after the opening."""
    command = [binary, "review", game, *opening, *moves, "--cpu-ms", str(cpu_ms), "--json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["moves"][len(opening):]
    known = [one for one in found if one["loss"] is not None and one["value_before"] is not None]
    return [[(round(one["value_before"], 3), round(one["loss"], 3)) for one in known if one["side"] == side] for side in ("first", "second")]


def falling(means, weights):
    """The nearest means that do not rise (pool adjacent violators)."""
    pools = []
    for mean, weight in zip(means, weights):
        pools.append((mean, weight, 1))
        while len(pools) > 1 and pools[-2][0] < pools[-1][0]:
            (a, m, i), (b, n, j) = pools.pop(-2), pools.pop()
            pools.append(((a * m + b * n) / (m + n), m + n, i + j))
    return [mean for mean, _, count in pools for _ in range(count)]


def table(lines):
    sides = collections.defaultdict(list)
    for line in map(json.loads, lines):
        counted = [loss for value, loss in line["moves"] if line["game"] in EXACT or abs(value) < DECIDED]
        if counted:
            sides[line["game"], line["level"]].append(counted)
    for game in GAMES:
        if any(len(sides[game, level]) < 2 for level in LEVELS):
            continue
        means, weights, shown = [], [], []
        for level in LEVELS:
            of = sides[game, level]
            moves = sum(map(len, of))
            mean = sum(map(sum, of)) / moves
            # Moves of one side belong together.
            error = (sum((sum(side) - mean * len(side)) ** 2 for side in of) * len(of) / (len(of) - 1)) ** 0.5 / moves
            means.append(mean)
            weights.append(moves)
            shown.append(f"{level}: {mean:.3f} ± {error:.3f} ({len(of)} sides, {moves} moves)")
        print(game, *shown, "losses: " + str([round(mean, 3) for mean in falling(means, weights)]), sep="\n  ")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary", help="the program, or the file of lines with --table")
    arguments.add_argument("games", nargs="*", default=GAMES)
    arguments.add_argument("--table", action="store_true")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--cpu-ms", type=int, default=30, help="for each position of a review")
    asked = arguments.parse_args()
    if asked.table:
        with open(asked.binary) as lines:
            return table(lines)
    for game in asked.games:
        for level in LEVELS:
            for opening, moves in played(asked.binary, game, level, asked.seed):
                for side in reviewed(asked.binary, game, opening, moves, asked.cpu_ms):
                    print(json.dumps({"game": game, "level": level, "seed": asked.seed, "moves": side}), flush=True)


if __name__ == "__main__":
    main()
