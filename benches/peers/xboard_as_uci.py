#!/usr/bin/env python3
"""Lets a program that speaks only the Chess Engine Communication Protocol (xboard) be an opponent over UCI.

    tesuji match xiangqi negamax:time_ms=250 'uci[time_ms=250]:benches/peers/xboard_as_uci.py /usr/games/hoixiangqi'

`go movetime T` becomes a clock of 40 moves in 40 T, since many such programs take whole seconds only for a fixed time a move.
Games must begin at the start position. Moves pass as they are.
"""

import subprocess
import sys
import time

MOVES = 40


class Program:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.played = []
        self.clock = None  # seconds left of this period, and moves made in it
        self.made = 0
        self.say("xboard", "protover 2")

    def say(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self, wanted):
        """The rest of the first line that begins so."""
        for line in self.process.stdout:
            line = line.strip()
            if line.startswith(("Illegal", "Error", "tellusererror")):
                sys.exit(f"the program said: {line}")
            if line.startswith(wanted):
                return line[len(wanted):].strip()
        sys.exit("the program has ended")

    def begin(self):
        self.say("new", "force")
        self.played, self.clock, self.made = [], None, 0
        self.ping()

    def ping(self):
        self.say("ping 1")
        self.hear("pong 1")

    def go(self, moves, seconds):
        if moves[:len(self.played)] != self.played:
            self.begin()
        if self.clock is None:
            period = round(MOVES * seconds)
            self.say(f"level {MOVES} {period // 60}:{period % 60:02} 0")
        if self.clock is None or self.made == MOVES:
            self.clock, self.made = (self.clock or 0) + MOVES * seconds, 0
        self.say("force", *moves[len(self.played):])
        left = max(1, round(self.clock * 100))
        self.say(f"time {left}", f"otim {left}")
        begin = time.monotonic()
        self.say("go")
        move = self.hear("move ")
        self.clock -= time.monotonic() - begin
        self.made += 1
        self.played = [*moves, move]
        return move


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = Program(sys.argv[1:])
    moves = []
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                print("id name", sys.argv[1], "\nuciok", flush=True)
            case ["isready"]:
                program.ping()
                print("readyok", flush=True)
            case ["ucinewgame"]:
                program.begin()
            case ["position", "startpos", *rest]:
                moves = rest[1:]
            case ["position", *_]:
                sys.exit("only games from the start position can be told")
            case ["go", "movetime", milliseconds]:
                print("bestmove", program.go(moves, int(milliseconds) / 1000), flush=True)
            case ["go", *_]:
                sys.exit("only `go movetime` can be told")
            case ["quit"]:
                break
    program.say("quit")


main()
