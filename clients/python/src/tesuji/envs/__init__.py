"""The common part of `tesuji.gym`, `tesuji.pettingzoo` and `tesuji.openenv`. The rules stay in the service."""

from tesuji.envs.spaces import Space
from tesuji.envs.table import Opponent, Reward, Seat

__all__ = ["Opponent", "Reward", "Seat", "Space"]
