"""A program that speaks UCI and moves a horse out and back in Xiangqi, as long as it is told to behave.

Arguments: the number of the back rank as it counts, and a misdeed (`none`, `crash`, `illegal`, `silent`) from its third move on.
"""

import sys
import time

first_rank, misdeed = int(sys.argv[1]), sys.argv[2]
moves = []
option = None


def square(file, rank):
    return f"{file}{rank + first_rank}"


for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name horse\noption name Side Step type check default false\nuciok", flush=True)
    elif words[0] == "setoption":
        assert words[1:4] == ["name", "Side", "Step"], words
        option = words[5]
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        end = 2 if words[1] == "startpos" else 8
        assert words[1] in ("startpos", "fen") and words[end : end + 1] in ([], ["moves"]), words
        assert words[1] == "startpos" or words[2].startswith("rnbakabnr/") and words[7] == "1", words
        moves = words[end + 1 :]
    elif words[0] == "go":
        assert words[1:] == ["movetime", "50", "nodes", "7"], words
        home, out = (("h", 0), ("g", 2)) if len(moves) % 2 == 0 else (("h", 9), ("g", 7))
        file = "h" if option is None else "b"
        home = (file, home[1])
        out = ("g" if file == "h" else "c", out[1])
        own = len(moves) // 2
        way = (home, out) if own % 2 == 0 else (out, home)
        if own >= 2 and misdeed == "crash":
            sys.exit(3)
        if own >= 2 and misdeed == "silent":
            time.sleep(60)
        answer = square(*way[0]) + square(*way[1])
        if own >= 2 and misdeed == "illegal":
            answer = square("a", 0) + square("i", 9)
        print(f"info depth 1 nodes 7 pv {answer}\nbestmove {answer} ponder a0a1", flush=True)
    elif words[0] == "quit":
        break
