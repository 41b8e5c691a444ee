"""Steps of the environments per second of one core: the CPU time of this process and of the service together. Random moves.

BINARY=target/release/tesuji python clients/python/tests/steps.py
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from conftest import running_service

import tesuji.pettingzoo
from tesuji.envs import Opponent
from tesuji.gym import BoardEnv, BoardVectorEnv

SECONDS = 4.0
GAMES = ("tic-tac-toe", "connect-four", "reversi", "dots-and-boxes", "gomoku", "hex", "xiangqi")
SMALL = GAMES[:4]
#: A time at which to stop; the number of steps.
Run = Callable[[float], int]


def random_action(mask: Any) -> Any:
    """A legal action."""
    return random.choice(mask.nonzero()[0].tolist())


def two_agents(env: tesuji.pettingzoo.BoardEnv) -> Run:
    """Two agents."""

    def run(end: float) -> int:
        steps = 0
        while time.perf_counter() < end:
            env.reset()
            while env.agents:
                observation, _, terminated, _, _ = env.last()
                env.step(None if terminated else random_action(observation["action_mask"]))
                steps += not terminated
        return steps

    return run


def one_agent(env: BoardEnv) -> Run:
    """One agent."""

    def run(end: float) -> int:
        steps = 0
        while time.perf_counter() < end:
            _, info = env.reset(seed=steps)
            done = False
            while not done:
                _, _, done, _, info = env.step(random_action(info["action_mask"]))
                steps += 1
        return steps

    return run


def many_games(env: BoardVectorEnv) -> Run:
    """Many games at once."""

    def run(end: float) -> int:
        steps, (_, info) = 0, env.reset(seed=1)
        while time.perf_counter() < end:
            masks = info["action_mask"]
            *_, info = env.step(np.array([random_action(mask) if mask.any() else 0 for mask in masks]))
            steps += len(masks)
        return steps

    return run


def cpu_time(process: int) -> float:
    """Seconds of CPU time of another process."""
    with open(f"/proc/{process}/stat") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Prints a line for each environment."""
    random.seed(1)
    with running_service() as (url, service):
        weak: Opponent = {"level": 1}
        cases: list[tuple[str, Run]] = []
        for game in GAMES:
            cases.append((f"{game}, two agents", two_agents(tesuji.pettingzoo.BoardEnv(url, game=game))))
        for game in SMALL:
            cases.append((f"{game}, random opponent", one_agent(BoardEnv(url, game=game, opponent="random"))))
            many = BoardVectorEnv(url, game=game, opponent="random", num_envs=64)
            cases.append((f"{game}, random opponent, 64 games", many_games(many)))
        for game in SMALL[:2]:
            cases.append((f"{game}, level 1", one_agent(BoardEnv(url, game=game, opponent=weak))))
            cases.append(
                (f"{game}, level 1, 64 games", many_games(BoardVectorEnv(url, game=game, opponent=weak, num_envs=64)))
            )
        for name, run in cases:
            begin, ours, theirs = time.perf_counter(), time.process_time(), cpu_time(service.pid)
            steps = run(begin + SECONDS)
            wall = time.perf_counter() - begin
            ours, theirs = time.process_time() - ours, cpu_time(service.pid) - theirs
            print(
                f"{name:45} {steps / (ours + theirs):6.0f} a second of one core; a step takes {ours / steps * 1e6:3.0f} µs"
                f" of the client and {theirs / steps * 1e6:3.0f} µs of the service; now {steps / wall:5.0f} a second",
                flush=True,
            )


if __name__ == "__main__":
    main()
