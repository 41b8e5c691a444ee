"""Episodes with refused actions, failed calls, and unusual begins and ends."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

import tesuji.pettingzoo
from tesuji import Client
from tesuji.envs.rules import Rules
from tesuji.envs.wire import Wire
from tesuji.gym import BoardEnv, BoardVectorEnv
from tesuji.requests import BuiltInGame


def failing_once(call: Callable[..., Any]) -> Callable[..., Any]:
    """The same call, but the first one fails."""
    calls = 0

    def failing(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise TimeoutError("failing")
        return call(*arguments)

    return failing


@pytest.mark.parametrize("action", [-1, 7, -8])
def test_a_number_that_is_no_action_is_refused(url: str, action: int) -> None:
    single = BoardEnv(url, game="connect-four")
    single.reset()
    two = tesuji.pettingzoo.BoardEnv(url, game="connect-four")
    two.reset()
    many = BoardVectorEnv(url, game="connect-four", num_envs=2)
    many.reset()
    with pytest.raises(ValueError, match="expected 0 to 6"):
        single.step(np.int64(action))
    with pytest.raises(ValueError, match="expected 0 to 6"):
        two.step(action)
    with pytest.raises(ValueError, match="expected 0 to 6"):
        many.step(np.array([0, action]))
    assert [episode.moves for episode in (single._current_episode(), *many._games)] == [[], [], []]
    assert two._moves == [] and two.agent_selection == "player_0"


@pytest.mark.parametrize(
    ("game", "moves", "move"),
    [("xiangqi", [], "h2h9"), ("xiangqi", [], "e3e4"), ("gomoku", ["h8", "h9"], "a1"), ("gomoku", ["h8", "h9"], "g8")],
)
def test_a_refuted_move_has_a_large_loss(url: str, game: BuiltInGame, moves: list[str], move: str) -> None:
    env = BoardEnv(url, game=game, reward="loss", opponent="random")
    env.reset(options={"moves": moves})
    reward = env.step(np.int64(env.moves.index(move)))[1]
    assert -2 <= reward < -0.05


def test_the_loss_is_the_services(url: str, tesuji: Client) -> None:
    found = tesuji.search(game="gomoku", moves=["h8", "h9"], grade=["a1"], budget={"nodes": 20_000}, seed=0)
    assert found.grades is not None and found.grades[0].loss is not None
    rules = Rules(Wire(url), "gomoku")
    losses = rules.losses([{"moves": ["h8", "h9"]}] * 2, ["a1", found.move or ""], {"budget": {"nodes": 20_000}})
    assert losses == [pytest.approx(found.grades[0].loss), 0.0]


@pytest.mark.parametrize("game", ["gomoku", "xiangqi"])
def test_the_cache_is_bounded_by_its_bytes(url: str, game: BuiltInGame) -> None:
    rules = Rules(Wire(url), game, memory=1 << 20)
    chance = np.random.default_rng(1)
    start = state = rules.start({})
    tracemalloc.start()
    try:
        for _ in range(500):
            state = start if state.over else state
            [state] = rules.advance([state], [int(chance.choice(state.legal))])
        used = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert len(rules._states) > 30 and 0.5 * (1 << 20) < used < 1.5 * (1 << 20)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_step_that_fails_can_be_taken_again(url: str, monkeypatch: pytest.MonkeyPatch, mode: AutoresetMode) -> None:
    env = BoardVectorEnv(url, game="tic-tac-toe", num_envs=2, opponent={"level": 10, "seed": 1}, autoreset_mode=mode)
    env.reset(seed=1)
    wire = env._table.rules.wire
    for call in ("searches", "positions"):
        monkeypatch.setattr(wire, call, failing_once(getattr(wire, call)))
        before = [(game.state, list(game.moves), game.outcome) for game in env._games]
        actions = np.array([state.legal[0] for state, _, _ in before])
        with pytest.raises(TimeoutError):
            env.step(actions)
        assert [(game.state, game.moves, game.outcome) for game in env._games] == before
        env.step(actions)
        assert [len(game.moves) - len(moves) for game, (_, moves, _) in zip(env._games, before, strict=True)] == [2, 2]


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_new_game_that_fails_takes_the_step_back(
    url: str, monkeypatch: pytest.MonkeyPatch, mode: AutoresetMode
) -> None:
    env = BoardVectorEnv(url, game="gomoku", num_envs=2, opponent="random", autoreset_mode=mode)
    env.reset(seed=1)
    env.step(np.array([env._games[0].state.legal[0], env._games[1].state.legal[0]]))
    illegal = np.array([env.moves.index(env._games[0].moves[0]), env._games[1].state.legal[0]])
    if mode == AutoresetMode.NEXT_STEP:
        env.step(illegal)
    monkeypatch.setattr(env._table, "begin", failing_once(env._table.begin))
    before = [(game.state, list(game.moves), game.outcome) for game in env._games]
    actions = np.array([illegal[0], env._games[1].state.legal[0]])
    with pytest.raises(TimeoutError):
        env.step(actions)
    assert [(game.state, game.moves, game.outcome) for game in env._games] == before
    env.step(actions)
    assert env._games[0].moves == [] and len(env._games[1].moves) == len(before[1][1]) + 2


def test_an_opening_that_ends_the_game_is_drawn_again(url: str) -> None:
    options: dict[str, Any] = {"moves": ["b2", "a1", "b1", "a2"]}  # one of five random moves wins
    env = BoardVectorEnv(url, game="tic-tac-toe", num_envs=64, side="second", opponent="random")
    env.reset(seed=1, options=options)
    assert [len(game.moves) for game in env._games] == [1] * 64 and not any(game.state.over for game in env._games)
    with pytest.raises(ValueError, match="game 0 is over before the agent's first move"):
        env.reset(options={"moves": [*options["moves"], "b3"]})


def test_the_mask_is_empty_after_the_end(url: str) -> None:
    env = BoardEnv(url, game="tic-tac-toe", opponent="random")
    env.reset(options={"moves": ["b2", "a1"]})
    info = env.step(np.int64(env.moves.index("b2")))[4]
    assert info["outcome"] == "illegal" and not info["action_mask"].any() and not env.action_masks().any()
    many = BoardVectorEnv(url, game="tic-tac-toe", num_envs=2, opponent="random")
    many.reset(options={"moves": ["b2", "a1"]})
    masks = many.step(np.array([many.moves.index("b2"), many.moves.index("c3")]))[4]["action_mask"]
    assert not masks[0].any() and masks[1].sum() == 5


def test_a_reset_is_needed(url: str) -> None:
    with pytest.raises(ResetNeeded):
        BoardVectorEnv(url, game="tic-tac-toe", num_envs=2).step(np.array([0, 0]))
    env = BoardEnv(url, game="tic-tac-toe", opponent="random")
    for moves, last in ((["b2", "a1"], "b2"), (["b2", "a1", "b1", "a2"], "b3")):
        env.reset(options={"moves": moves})
        outcome = env.step(np.int64(env.moves.index(last)))[4]["outcome"]
        with pytest.raises(ResetNeeded):
            env.step(np.int64(0))
        assert env._current_episode().outcome == outcome


def test_seeds_of_many_games(url: str) -> None:
    def begun(**options: Any) -> list[list[str]]:
        env.reset(**options)
        return [game.moves for game in env._games]

    env = BoardVectorEnv(url, game="gomoku", num_envs=3, side="second", opponent="random")
    first = begun(seed=5)
    assert begun(seed=np.int64(5)) == begun(seed=[5, 6, 7]) == begun(seed=np.array([5, 6, 7])) == first
    further = begun()
    assert further != first
    env.reset(seed=5)
    assert begun(seed=[5, None, None]) == [first[0], *further[1:]]
    for seeds in ([1, 2], [1, 2, 3, 4]):
        with pytest.raises(ValueError, match="expected one for each of 3 games"):
            env.reset(seed=seeds)
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": np.ones(3, np.bool_)})
