"""What the environments of `tesuji.gym`, `tesuji.pettingzoo` and `tesuji.openenv` share. The rules stay in the service."""

from tesuji.envs.spaces import Space
from tesuji.envs.table import Opponent, Reward, Seat

__all__ = ["Opponent", "Reward", "Seat", "Space"]
