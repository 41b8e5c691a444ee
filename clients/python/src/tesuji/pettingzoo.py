"""An environment for PettingZoo (`pip install tesuji[pettingzoo]`): two agents against each other."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from tesuji.envs.rules import Rules, State
from tesuji.envs.spaces import Mask, Planes
from tesuji.envs.table import GRADE, ILLEGAL, OUTCOMES, Reward, beginning, line
from tesuji.envs.wire import Wire
from tesuji.requests import RequestedVariant, SearchOptions

Observation: TypeAlias = dict[str, Planes | Mask]

#: The agents, by the side that they play.
AGENTS = {"first": "player_0", "second": "player_1"}


class BoardEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """`player_0` moves first, `player_1` second; in some games a side moves twice in a row (`agent_selection`).

    Actions and `observation` are those of `tesuji.gym.BoardEnv`, the same planes for both agents; `action_mask` has the legal
    moves, none for the agent that waits. With `reward="loss"`, an agent gets the negative loss of its move against the best;
    else 1 and -1 at the end, or 0. An illegal move loses the game. At the end, `infos` has each agent's `outcome`.
    """

    metadata = {"name": "tesuji_board_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        game: str,
        variant: RequestedVariant = None,
        reward: Reward = "outcome",
        grade: SearchOptions = GRADE,
        api_key: str | None = None,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        super().__init__()
        self._rules = Rules(Wire(url, api_key), game, variant)
        self._reward: Reward = reward
        self._grade = grade
        self.render_mode = render_mode
        space = self._rules.space
        self.possible_agents = list(AGENTS.values())
        self.action_spaces = {agent: Discrete(len(space.moves)) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0.0, 1.0, space.shape, np.float32),
                    "action_mask": Box(0, 1, (len(space.moves),), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    @property
    def moves(self) -> list[str]:
        """The move of each action."""
        return self._rules.space.moves

    def observation_space(self, agent: str) -> Dict:
        """The space of `observe`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game, with `options={"position": …, "moves": …}` at another position. It is deterministic."""
        self._begin = beginning(options)
        self._moves: list[str] = []
        self._state: State = self._rules.start(self._begin)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self._state.over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = AGENTS[self._state.to_move]

    def observe(self, agent: str) -> Observation:
        """The board, and the agent's legal actions."""
        moves_now = agent == AGENTS[self._state.to_move] and not any(self.terminations.values())
        mask = self._state.mask.copy() if moves_now else np.zeros_like(self._state.mask)
        return {"observation": self._state.planes.copy(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays a move for `agent_selection`; None once it is terminated."""
        mover = self.agent_selection
        if self.terminations[mover]:
            self._was_dead_step(action)
            return
        assert action is not None, "a move is due"
        self._rules.space.require([action])
        waiting = next(agent for agent in self.agents if agent != mover)
        self._cumulative_rewards[mover] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if not self._state.mask[action]:
            self.rewards = {mover: ILLEGAL[self._reward], waiting: 1.0 if self._reward == "outcome" else 0.0}
            self._end({mover: "illegal", waiting: "win"})
        else:
            self._play(mover, int(action))
        self.agent_selection = waiting if self.terminations[mover] else AGENTS[self._state.to_move]
        self._accumulate_rewards()

    def _play(self, mover: str, action: int) -> None:
        move = self.moves[action]
        if self._reward == "loss":
            before = line(self._begin, self._moves)
            self.rewards[mover] = 0.0 - self._rules.losses([before], [move], self._grade)[0]
        [self._state] = self._rules.advance([self._state], [action])
        self._moves.append(move)
        if self._state.over:
            winner = self._state.winner and AGENTS[self._state.winner]
            outcomes = {
                agent: "draw" if winner is None else "win" if agent == winner else "loss" for agent in self.agents
            }
            if self._reward == "outcome":
                self.rewards = {agent: OUTCOMES[outcome] for agent, outcome in outcomes.items()}
            self._end(outcomes)

    def _end(self, outcomes: dict[str, str]) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"outcome": outcome} for agent, outcome in outcomes.items()}

    def render(self) -> str | None:
        """The board as text."""
        return "\n".join(self._state.cells) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Closes the connections."""
        self._rules.wire.close()
