"""Environments, by the checkers of Gymnasium and PettingZoo, and against each other."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pettingzoo.test import api_test

import tesuji.pettingzoo
from tesuji.envs.rules import Rules
from tesuji.envs.spaces import xiangqi_moves
from tesuji.envs.table import Opponent
from tesuji.envs.wire import Wire
from tesuji.gym import BoardEnv, BoardVectorEnv
from tesuji.requests import BuiltInGame

#: Games and variants, with the number of their moves and the shape of their planes.
GAMES: list[tuple[BuiltInGame, Any, int, tuple[int, int, int]]] = [
    ("tic-tac-toe", None, 9, (3, 3, 3)),
    ("tic-tac-toe", {"columns": 19, "rows": 2, "k": 4}, 38, (3, 2, 19)),
    ("connect-four", None, 7, (4, 6, 7)),
    ("connect-four", {"columns": 12, "blocked": "c1"}, 12, (4, 6, 12)),
    ("reversi", None, 65, (3, 8, 8)),
    ("reversi", {"size": 6}, 37, (3, 6, 6)),
    ("dots-and-boxes", None, 24, (6, 7, 7)),
    ("dots-and-boxes", {"columns": 6, "rows": 2}, 32, (6, 5, 13)),
    ("gomoku", None, 225, (3, 15, 15)),
    ("gomoku", {"name": "renju", "size": 9}, 81, (3, 9, 9)),
    ("gomoku", {"size": 7, "opening": "swap2"}, 52, (4, 7, 7)),
    ("xiangqi", None, 2086, (17, 10, 9)),
    ("xiangqi", {"ranks": "from_one", "no_capture_plies": 30}, 2086, (17, 10, 9)),
    ("hex", {"size": 5}, 26, (3, 5, 5)),
    ("hex", {"size": 5, "swap": False}, 25, (3, 5, 5)),
]
DEFAULTS: list[BuiltInGame] = [game for game, variant, _, _ in GAMES if variant is None] + ["hex"]


@pytest.fixture
def wire(url: str) -> Iterator[Wire]:
    connection = Wire(url)
    yield connection
    connection.close()


def played(env: BoardEnv, seed: int) -> list[Any]:
    """All that a game with random moves gives."""
    chance, done = np.random.default_rng(seed), False
    observation, info = env.reset(seed=seed)
    made = [observation.tolist(), info["action_mask"].tolist()]
    while not done:
        observation, reward, done, _, info = env.step(chance.choice(np.flatnonzero(info["action_mask"])))
        made += [observation.tolist(), reward, info["action_mask"].tolist(), info.get("outcome")]
    return made


@pytest.mark.parametrize(("game", "variant", "actions", "shape"), GAMES)
def test_every_move_has_an_index(
    wire: Wire, tesuji: Any, game: BuiltInGame, variant: Any, actions: int, shape: tuple[int, int, int]
) -> None:
    rules = Rules(wire, game, variant)
    assert len(rules.space.moves) == len(set(rules.space.moves)) == actions and rules.space.shape == shape
    for seed in range(2):
        chance, state = np.random.default_rng(seed), rules.start({})
        moves: list[str] = []
        while not state.over:
            position = tesuji.position(game=game, variant=variant, moves=moves) if len(moves) % 7 == 0 else None
            if position is not None:
                assert {rules.space.moves[index] for index in np.flatnonzero(state.mask)} == set(position.legal_moves)
                assert state.to_move == position.to_move and list(state.cells) == position.cells
            action = int(chance.choice(np.flatnonzero(state.mask)))
            [state] = rules.advance([state], [action])
            moves.append(rules.space.moves[action])
        end = tesuji.position(game=game, variant=variant, moves=moves)
        assert end.outcome is not None and end.outcome.winner == state.winner


def test_indices_are_in_the_services_order(tesuji: Any, wire: Wire) -> None:
    for game in ("tic-tac-toe", "connect-four", "dots-and-boxes", "gomoku"):
        assert Rules(wire, game).space.moves == tesuji.position(game=game).legal_moves
    assert Rules(wire, "hex").space.moves[:121] == tesuji.position(game="hex").legal_moves
    assert xiangqi_moves(1)[:2] == ["a1b1", "a1c1"] and "e2f3" in xiangqi_moves(1) and "d2e3" not in xiangqi_moves(1)
    with pytest.raises(ValueError, match="not built in"):
        type(Rules(wire, "hex").space)({"game": "breakthrough"})


def test_planes(wire: Wire) -> None:
    four = Rules(wire, "connect-four", {"blocked": "a1"}).start({"moves": "44"}).planes
    assert four[0, 5, 3] == four[1, 4, 3] == four[2, 5, 0] == 1 and four[:3].sum() == 3 and (four[3] == 1).all()
    boxes = Rules(wire, "dots-and-boxes", {"columns": 2, "rows": 1})
    state = boxes.start({"moves": ["h0,0", "v0,0", "h1,0", "v0,1"]}).planes
    assert state[0, 0, 1] == state[0, 2, 1] == state[1, 1, 0] == state[1, 1, 2] == state[2, 1, 1] == 1
    assert state[:3].sum() == 5 and (state[3] == 0).all() and (state[4] == 0.5).all() and (state[5] == 0).all()
    xiangqi = Rules(wire, "xiangqi").start({"moves": ["b0c2", "b9c7", "c2b0", "c7b9"]}).planes
    assert xiangqi[0, 9, 4] == xiangqi[7, 0, 4] == 1
    assert np.allclose(xiangqi[14], 4 / 120) and np.allclose(xiangqi[15], 2 / 3)
    swap2 = Rules(wire, "gomoku", {"opening": "swap2"})
    assert [swap2.start({"moves": ["a1", "b1", "c2", *more]}).planes[2, 0, 0] for more in ([], ["white"])] == [0.5, 1]


def test_repetition_counts_in_xiangqi(wire: Wire) -> None:
    rules = Rules(wire, "xiangqi")
    state = rules.start({})
    for move in ["h0g2", "h9g7", "g2h0", "g7h9"] * 2:
        assert not state.over
        [state] = rules.advance([state], [rules.space.index[move]])
    assert state.over and state.winner is None


@pytest.mark.parametrize("game", DEFAULTS)
def test_gymnasiums_checker(url: str, game: BuiltInGame) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*using the `ansi`.*|.*render.*")
        env = gymnasium.make("tesuji/Board-v0", url=url, game=game, opponent="random")
        check_env(env.unwrapped)
        env.close()


@pytest.mark.parametrize("game", DEFAULTS)
def test_pettingzoos_checkers(url: str, game: BuiltInGame) -> None:
    api_test(tesuji.pettingzoo.BoardEnv(url, game=game), num_cycles=150)


@pytest.mark.parametrize(
    ("game", "opponent"),
    [
        ("tic-tac-toe", "random"),
        ("connect-four", {"level": 3}),
        ("dots-and-boxes", {"budget": {"simulations": 50}, "engine": "mcts"}),
    ],
)
def test_equal_seeds_give_equal_episodes(url: str, game: BuiltInGame, opponent: Opponent) -> None:
    games = [played(BoardEnv(url, game=game, opponent=opponent, side="random"), seed) for seed in (3, 3, 4, 5, 6)]
    assert games[0] == games[1] and games[0] not in games[2:]


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("reward", ["outcome", "loss"])
def test_the_vector_is_as_many_single_ones(url: str, mode: AutoresetMode, reward: Any) -> None:
    options: Any = {"game": "tic-tac-toe", "side": "random", "reward": reward, "opponent": {"level": 1}}
    single = SyncVectorEnv([lambda: BoardEnv(url, **options)] * 5, autoreset_mode=mode)
    vector = BoardVectorEnv(url, num_envs=5, autoreset_mode=mode, **options)
    assert single.observation_space == vector.observation_space and single.action_space == vector.action_space
    assert data_equivalence(single.reset(seed=9), begun := vector.reset(seed=9))
    chance, masks = np.random.default_rng(0), begun[1]["action_mask"]
    for _ in range(25):
        actions = np.array([chance.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
        (*one, expected), (*other, info) = single.step(actions), vector.step(actions)
        assert data_equivalence(one, other)
        masks = info["action_mask"]
        assert set(expected) == set(info) and np.array_equal(expected["action_mask"], masks)
        for name in ("outcome", "final_obs", "final_info"):
            assert data_equivalence(expected.get(name), info.get(name))


def test_a_step_of_many_games_is_one_batch(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    paths: list[str] = []
    exchange = Wire._exchange

    def noted(self: Wire, requests: list[bytes]) -> Any:
        paths.append(requests[0].split()[1].decode())
        return exchange(self, requests)

    monkeypatch.setattr(Wire, "_exchange", noted)
    env = gymnasium.make_vec("tesuji/Board-v0", num_envs=30, url=url, game="connect-four", opponent={"level": 1})
    env.reset(seed=1)
    paths.clear()
    env.step(np.arange(30) % 7)
    assert paths == ["/v1/positions", "/v1/batches", "/v1/positions"]


def test_a_graded_move(url: str) -> None:
    env = BoardEnv(url, game="tic-tac-toe", side="second", reward="loss")
    rewards = []
    for move in ("a1", "b1"):
        env.reset(options={"moves": ["b2"]})
        rewards.append(env.step(np.int64(env.moves.index(move)))[1])
    assert rewards == [0.0, -1.0]
    two = tesuji.pettingzoo.BoardEnv(url, game="tic-tac-toe", reward="loss")
    two.reset(options={"moves": ["b2"]})
    two.step(two.moves.index("b1"))
    assert two.rewards == {"player_0": 0.0, "player_1": -1.0}


def test_an_illegal_move_ends_the_game(url: str) -> None:
    env = BoardEnv(url, game="tic-tac-toe", opponent="random", render_mode="ansi")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))
    env.reset(options={"moves": ["b2", "a1"]})
    _, reward, terminated, _, info = env.step(np.int64(env.moves.index("b2")))
    assert (reward, terminated, info["outcome"]) == (-1.0, True, "illegal") and env.render() == "...\n.x.\no.."
    two = tesuji.pettingzoo.BoardEnv(url, game="tic-tac-toe")
    two.reset(options={"moves": ["b2"]})
    two.step(two.moves.index("b2"))
    assert two.rewards == {"player_0": 1.0, "player_1": -1.0} and all(two.terminations.values())
    assert two.infos == {"player_0": {"outcome": "win"}, "player_1": {"outcome": "illegal"}}
    two.reset(options={"moves": ["b2", "a1", "b1", "a2"]})
    two.step(two.moves.index("b3"))
    assert two.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert two.infos == {"player_0": {"outcome": "win"}, "player_1": {"outcome": "loss"}}


def test_a_side_that_moves_twice(url: str) -> None:
    env = tesuji.pettingzoo.BoardEnv(url, game="dots-and-boxes", variant={"columns": 2, "rows": 1})
    env.reset(options={"moves": ["h0,0", "v0,0", "h1,0"]})
    env.step(env.moves.index("v0,1"))
    assert env.agent_selection == "player_1" and not env.observe("player_0")["action_mask"].any()
