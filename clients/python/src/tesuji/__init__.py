"""A typed client of Tesuji, the game-AI service: synchronous (`Client`) and asynchronous (`AsyncClient`)."""

from tesuji._async import AsyncClient, AsyncJob, AsyncStream
from tesuji._async_game import AsyncGame
from tesuji._sync import Client, Job, Stream
from tesuji._sync_game import Game
from tesuji._version import __version__
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
from tesuji.pictures import Png, Svg

__all__ = [
    "AsyncClient",
    "AsyncGame",
    "AsyncJob",
    "AsyncStream",
    "Client",
    "Conflict",
    "Game",
    "Job",
    "NotFound",
    "Png",
    "ProblemError",
    "QuotaExceeded",
    "Refused",
    "SearchFailed",
    "Stream",
    "StreamInterrupted",
    "Svg",
    "TesujiError",
    "Unauthorized",
    "Unavailable",
    "UnexpectedAnswer",
    "__version__",
]
