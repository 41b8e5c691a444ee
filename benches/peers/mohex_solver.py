#!/usr/bin/env python3
"""Random Hex positions solved by Tesuji's solver and by MoHex's (depth-first proof-number search), each with the CPU time of one core.

    mohex_solver.py --url http://127.0.0.1:8080 --mohex build/src/mohex/mohex --stones 10 --positions 20

Prints a line per position, with the winner that each names, and the totals. A solver that does not finish counts with its limit.
"""

import argparse
import json
import random

from mohex_match import MoHex, Tesuji


def tesuji_solves(tesuji, moves, limit_s):
    body = dict(tesuji.body, moves=moves, engine="solver", report={"children": "best"}, reuse=False, threads=1)
    found = tesuji.post("/v1/searches", dict(body, budget={"cpu_ms": round(1000 * limit_s), "memory_mb": 1000}))
    proven = found["root"]["proven"]
    mover = len(moves) % 2
    winner = {"win": mover, "loss": 1 - mover}.get(proven)
    return winner, found["budget"]["used"]["cpu_ms"] / 1000, found["root"]["nodes"]


def mohex_solves(mohex, moves, limit_s):
    mohex.new_game()
    mohex.send("dfpn-clear-tt")
    mohex.send("param_dfpn timelimit %g" % limit_s)
    for ply, move in enumerate(moves):
        mohex.play(ply % 2, move)
    begin = mohex.cpu()
    verdict = mohex.send("dfpn-solve-state " + "bw"[len(moves) % 2])
    return {"black": 0, "white": 1}.get(verdict), mohex.cpu() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True, help="a Tesuji server that allows 1000 MB and the limit")
    parser.add_argument("--mohex", required=True, help="the program")
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--stones", type=int, default=10, help="random stones, by turns")
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--limit-s", type=float, default=60)
    # What the two classes read.
    parser.set_defaults(by_cpu=True, mohex_s=1.0, mohex_param=[])
    args = parser.parse_args()

    rng = random.Random(args.seed)
    cells = [chr(97 + column) + str(row + 1) for row in range(args.size) for column in range(args.size)]
    mohex = MoHex(args)
    tesuji = Tesuji(args)
    totals, faster, differ = [0.0, 0.0], 0, 0
    for _ in range(args.positions):
        moves = rng.sample(cells, args.stones)
        if tesuji.post("/v1/positions", dict(tesuji.body, moves=moves))["outcome"]:
            continue
        winner, seconds, nodes = tesuji_solves(tesuji, moves, args.limit_s)
        theirs, their_seconds = mohex_solves(mohex, moves, args.limit_s)
        totals[0] += seconds
        totals[1] += their_seconds
        # The clock of processes counts hundredths.
        faster += winner is not None and seconds <= their_seconds + 0.01
        differ += None not in (winner, theirs) and winner != theirs
        line = {"moves": moves, "tesuji": winner, "tesuji_s": round(seconds, 3), "nodes": nodes}
        print(json.dumps(dict(line, mohex=theirs, mohex_s=round(their_seconds, 2))), flush=True)
    print("Tesuji %.1f s, MoHex %.1f s; Tesuji as fast in %d; verdicts differ in %d" % (*totals, faster, differ))


if __name__ == "__main__":
    main()
