"""The errors of this package. Errors of the connection are httpx's (`httpx.TransportError`), in environments `OSError`s."""

from __future__ import annotations

from tesuji.models import Problem, Review, SearchResponse


class TesujiError(Exception):
    """Any error of this package."""


class ProblemError(TesujiError):
    """The service refused a request, or failed. `problem` is its response, an RFC 9457 problem document."""

    def __init__(self, problem: Problem, retry_after: int | None = None) -> None:
        super().__init__(f"{problem.status} {problem.code}: {problem.detail}")
        self.problem = problem
        #: The seconds in `Retry-After`, if the service sent them.
        self.retry_after = retry_after

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.problem.status

    @property
    def code(self) -> str:
        """The stable code of this kind of problem, like `illegal_move`."""
        return self.problem.code


class Unauthorized(ProblemError):
    """401: the service requires an API key; the request has none, or an unknown one."""


class NotFound(ProblemError):
    """404: there is no such game, search, batch or review, or it has expired."""


class Conflict(ProblemError):
    """409: the request conflicts with the server's state, such as an idempotency key sent with a different request."""


class Refused(ProblemError):
    """422: a field, game, variant, position, move, engine or budget is refused; `problem.errors` points to it."""


class QuotaExceeded(ProblemError):
    """429: the client's quota of search time is used up, or its stored results fill its share of the memory."""


class Unavailable(ProblemError):
    """503: the service is full, is shutting down, or cannot store asynchronous searches."""


KINDS: dict[int, type[ProblemError]] = {
    401: Unauthorized,
    404: NotFound,
    409: Conflict,
    422: Refused,
    429: QuotaExceeded,
    503: Unavailable,
}


class SearchFailed(TesujiError):
    """A search or a review failed on the server after it had begun. `message` is its final message."""

    def __init__(self, message: SearchResponse | Review) -> None:
        super().__init__(f"{message.id} failed on the server")
        self.message = message


class StreamInterrupted(TesujiError):
    """A stream ended before its final message."""


class UnexpectedAnswer(TesujiError):
    """A response that is not from the service, but from a proxy, for instance."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"HTTP status {status}: {text[:200]}")
        self.status = status
        self.text = text
