"""A program that speaks the Gomocup protocol, checks what it is told, and takes the first empty point from the top left.

Argument: a misdeed (`none`, `crash`, `taken`, `outside`, `error`) from its third move on; or `hasty`, as a program that would lose
a command within 100 ms of its own move, and complains of one; or `clock`, which needs 20 ms for a move, and complains unless its
clock of 20 s says so.
"""

import sys
import time

misdeed = sys.argv[1]
size, stones, info, own, moved = 0, {}, {}, 0, 0.0


def play():
    global own, moved
    own += 1
    counts = [list(stones.values()).count(owner) for owner in (1, 2)]
    if counts[1] - counts[0] not in (0, 1) or info.get("rule") != "1" or info.get("timeout_turn") != "50":
        print("ERROR told", counts, info, flush=True)
        return
    if misdeed == "hasty" and (info.get("max_node"), info.get("max_depth")) != ("300", "9"):
        print("ERROR told", info, flush=True)
        return
    if misdeed == "clock":
        left = int(info["time_left"])
        if info["timeout_match"] != "20000" or not 0 <= left <= 20000 - 20 * (own - 1):
            print("ERROR told", info, flush=True)
            return
        time.sleep(0.02)
    if own >= 3 and misdeed not in ("none", "hasty", "clock"):
        if misdeed == "crash":
            sys.exit(3)
        print({"taken": "0,0", "outside": f"{size},0", "error": "ERROR no idea"}[misdeed], flush=True)
        return
    y, x = next((y, x) for y in range(size) for x in range(size) if (x, y) not in stones)
    stones[x, y] = 1
    print(f"MESSAGE nothing better\n{x},{y}", flush=True)
    moved = time.monotonic()


lines = iter(sys.stdin)
for line in lines:
    if misdeed == "hasty" and time.monotonic() < moved + 0.1:
        print("ERROR too soon", flush=True)
        break
    words = line.split()
    if words[0] == "START":
        size = int(words[1])
        print("OK" if size == 15 else "ERROR size", flush=True)
    elif words[0] == "INFO":
        info[words[1]] = words[2]
    elif words[0] == "BEGIN":
        play()
    elif words[0] == "TURN":
        x, y = map(int, words[1].split(","))
        stones[x, y] = 2
        play()
    elif words[0] == "BOARD":
        stones = {}
        for line in lines:
            if line.strip() == "DONE":
                break
            x, y, owner = map(int, line.split(","))
            stones[x, y] = owner
        play()
    elif words[0] == "END":
        break
