#!/usr/bin/env python3
"""Solvers of Connect Four by turns: tesuji, the crate connect-four-ai, and BitBully (PyPI `bitbully`), which must be installed for
the Python that runs this. The same positions for all, one thread, no book, tables emptied before each position; CPU time of the
searches alone. Prints means and ratios, and counts scores that differ from the set's.

    cargo build --release --bin solvers
    /tmp/solvers/bin/python solvers.py L3_R1 L2_R1 L1_R1 L2_R2 L1_R2=100 L1_R3=100

SET=COUNT takes a random sample, the same in every run.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
PROGRAMS = ["tesuji", "connect-four-ai", "bitbully"]

parser = argparse.ArgumentParser()
parser.add_argument("sets", nargs="*", help="SET or SET=COUNT")
parser.add_argument("--folder", default=HERE / "../../../shared/data/connect-four", type=pathlib.Path)
parser.add_argument("--binary", default=HERE / "target/release/solvers")
parser.add_argument("--without", action="append", default=[], choices=PROGRAMS)
parser.add_argument("--piece", type=int, default=20, help="positions a program solves in one turn")
parser.add_argument("--bitbully", action="store_true", help="be one turn of BitBully (for the script's own use)")
arguments = parser.parse_args()


def bitbully():
    """Reads moves and scores from stdin; prints CPU seconds, nodes, and how many scores differ."""
    import bitbully.bitbully_core as core

    solver = core.BitBullyCore()
    seconds, nodes, wrong = 0.0, 0, 0
    for line in sys.stdin:
        moves, score = line.split()
        board = core.BoardCore()
        if not board.setBoard([int(column) - 1 for column in moves]):
            sys.exit(f"{moves}: refused")
        solver.resetTranspositionTable()
        solver.resetNodeCounter()
        begin = time.process_time()
        found = solver.mtdf(board, 0)
        seconds += time.process_time() - begin
        nodes += solver.getNodeCounter()
        wrong += found != int(score)
    print(seconds, nodes, wrong)


def turn(program, lines):
    command = [sys.executable, __file__, "--bitbully"] if program == "bitbully" else [arguments.binary, program]
    run = subprocess.run(command, input="\n".join(lines), text=True, capture_output=True, check=True)
    seconds, nodes, wrong = run.stdout.split()
    return float(seconds), int(nodes), int(wrong)


def main():
    programs = [program for program in PROGRAMS if program not in arguments.without]
    print(f"{'set':<6} {'n':>5}", *(f"{program + ', µs':>20} {'nodes':>12}" for program in programs), "  ratio", sep="")
    for asked in arguments.sets:
        name, _, count = asked.partition("=")
        lines = (arguments.folder / f"Test_{name}.txt").read_text().splitlines()
        if count:
            lines = random.Random(1).sample(lines, min(int(count), len(lines)))
        totals = {program: [0.0, 0, 0] for program in programs}
        for first in range(0, len(lines), arguments.piece):
            for program in programs:
                for index, value in enumerate(turn(program, lines[first : first + arguments.piece])):
                    totals[program][index] += value
        row = f"{name:<6} {len(lines):>5}"
        for seconds, nodes, wrong in totals.values():
            row += f"{1e6 * seconds / len(lines):>20.1f} {nodes / len(lines):>12.1f}" + (f" ({wrong} wrong)" if wrong else "")
        ours = totals[programs[0]][0]
        row += "  " + ", ".join(f"{ours / totals[program][0]:.2f}" for program in programs[1:])
        print(row, flush=True)


if arguments.bitbully:
    bitbully()
else:
    main()
