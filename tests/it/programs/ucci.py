"""A program that speaks UCCI and moves a horse out and back in Xiangqi, as long as it is told to behave.

Arguments: the limit that `go` is to have (`nodes`, `time`), and a misdeed: `none`; `forgetful`, who answers `nobestmove` where
more than three moves are given; `stubborn`, who always does.
"""

import sys

limit, misdeed = sys.argv[1], sys.argv[2]
line_of_moves = []
placed = ""
told = set()

for line in sys.stdin:
    words = line.split()
    if words[0] == "ucci":
        print("id name horse")
        print("option usemillisec type check default false")
        print("option usebook type check default true")
        print("option hashsize type spin min 16 max 1024 default 16")
        print("option newgame type button\nucciok", flush=True)
    elif words[0] == "setoption":
        assert len(words) == 2 if words[1] == "newgame" else len(words) == 3, words
        told.add(" ".join(words[1:]))
    elif words[0] == "isready":
        assert {"usemillisec true", "newgame"} <= told, told
        assert ("hashsize 16" if limit == "nodes" else "usebook false") in told, told
        print("readyok", flush=True)
    elif words[0] == "position":
        placed = "" if words[1] == "startpos" else words[2]
        end = 2 if words[1] == "startpos" else 8
        assert words[1] in ("startpos", "fen") and words[end : end + 1] in ([], ["moves"]), words
        assert not placed or words[4:8] == ["-", "-", "0", "1"], words
        if not placed:
            line_of_moves = words[end + 1 :]
    elif words[0] == "go":
        assert words[1:] == {"nodes": ["nodes", "7"], "time": ["time", "50", "movestogo", "1"]}[limit], words
        if misdeed == "stubborn" or misdeed == "forgetful" and not placed and len(line_of_moves) > 3:
            print("info depth 0\nnobestmove", flush=True)
            continue
        home, out = ("h0", "g2") if len(line_of_moves) % 2 == 0 else ("h9", "g7")
        answer = home + out if len(line_of_moves) // 2 % 2 == 0 else out + home
        print(f"info depth 1 nodes 7 pv {answer}\nbestmove {answer} ponder a0a1", flush=True)
    elif words[0] == "quit":
        print("bye", flush=True)
        break
