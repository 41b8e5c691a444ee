"""A typed client of Tesuji, the game-AI service: synchronous (`Client`) and asynchronous (`AsyncClient`)."""

from tesuji._async import AsyncClient, AsyncJob, AsyncStream
from tesuji._async_game import AsyncGame
from tesuji._sync import Client, Job, Stream
from tesuji._sync_game import Game
from tesuji._version import __version__
from tesuji.board import Board
from tesuji.errors import (
    Conflict,
    NotFound,
    ProblemError,
    QuotaExceeded,
    Refused,
    SearchFailed,
    StreamInterrupted,
    TesujiError,
    Unauthorized,
    Unavailable,
    UnexpectedAnswer,
)

__all__ = [
    "AsyncClient",
    "AsyncGame",
    "AsyncJob",
    "AsyncStream",
    "Board",
    "Client",
    "Conflict",
    "Game",
    "Job",
    "NotFound",
    "ProblemError",
    "QuotaExceeded",
    "Refused",
    "SearchFailed",
    "Stream",
    "StreamInterrupted",
    "TesujiError",
    "Unauthorized",
    "Unavailable",
    "UnexpectedAnswer",
    "__version__",
]
