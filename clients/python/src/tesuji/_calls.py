"""Requests and responses without a connection, shared by both clients."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import urlencode

import httpx
from pydantic import TypeAdapter, ValidationError

from tesuji.errors import KINDS, ProblemError, SearchFailed, UnexpectedAnswer
from tesuji.models import BatchItem, Problem, Review, SearchResponse
from tesuji.requests import BatchSearch

T = TypeVar("T")
EVENTS = "text/event-stream"
RETRIED = (429, 503)

#: The maximum number of searches in a batch, by the contract.
MOST_SEARCHES = 256

#: A read may take as long as the longest search (60 s), and its wait for a core. Streams send a sign of life every 15 s.
TIMEOUT = httpx.Timeout(10, read=120)


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and the type of its response."""

    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    answer: Any
    #: A value to send as JSON, or the bytes of a file.
    body: Mapping[str, Any] | bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    #: Seconds for which the service may hold back its response, in addition to the client's timeout.
    wait: int = 0

    def with_headers(self, **headers: str | None) -> Call[T]:
        """The same request with more headers; None values are omitted."""
        more = {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
        return replace(self, headers={**self.headers, **more})

    def request(self, http: httpx.Client | httpx.AsyncClient) -> httpx.Request:
        """The request for httpx."""
        limits = http.timeout.as_dict()
        if limits["read"] is not None:
            limits["read"] += self.wait
        timeout = httpx.Timeout(**limits)
        if isinstance(self.body, bytes):
            headers = {**self.headers, "Content-Type": "application/octet-stream"}
            return http.build_request(self.method, self.path, content=self.body, headers=headers, timeout=timeout)
        return http.build_request(self.method, self.path, json=self.body, headers=self.headers, timeout=timeout)

    def read(self, text: bytes | str, status: int = 200) -> T:
        """Parses the response as a model."""
        try:
            value: T = adapter(self.answer).validate_json(text)
        except ValidationError as error:
            raise UnexpectedAnswer(status, str(error)) from error
        return value

    def message(self, text: str) -> tuple[T, bool]:
        """A message of a stream, and whether it is the final one."""
        message = self.read(text)
        return message, getattr(message, "final", False)


@cache
def adapter(answer: Any) -> TypeAdapter[Any]:
    """The reader of a type from JSON, created once per type."""
    return TypeAdapter(answer)


def query(**parameters: str | None) -> str:
    """A query string; parameters that are None or empty are omitted."""
    given = {name: value for name, value in parameters.items() if value}
    return f"?{urlencode(given)}" if given else ""


def settings(base_url: str, api_key: str | None, timeout: httpx.Timeout | float | None) -> dict[str, Any]:
    """The arguments of an httpx client."""
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    return {"base_url": base_url, "headers": headers, "timeout": timeout}


def succeeded(message: T) -> T:
    """Returns a final message; raises `SearchFailed` if the search failed."""
    if isinstance(message, (SearchResponse, Review)) and message.status == "failed":
        raise SearchFailed(message)
    return message


def retry_after(response: httpx.Response) -> int | None:
    """The seconds in `Retry-After`, if any."""
    value = response.headers.get("Retry-After", "")
    return int(value) if value.isdecimal() else None


def wait_before(response: httpx.Response, longest: float) -> float | None:
    """Seconds to wait before the request is retried; None if it should not be."""
    wait = retry_after(response)
    return wait if response.status_code in RETRIED and wait is not None and wait <= longest else None


def pauses(longest: float) -> Iterator[float]:
    """Seconds between attempts to reach an unreachable service: 1, 2, 4… up to the longest."""
    pause = 1.0
    while pause <= longest:
        yield pause
        pause *= 2


def error(response: httpx.Response) -> ProblemError | UnexpectedAnswer:
    """The exception for an error response."""
    try:
        problem = Problem.model_validate_json(response.content)
    except ValidationError:
        return UnexpectedAnswer(response.status_code, response.text)
    return problem_error(problem, retry_after(response))


def problem_error(problem: Problem, retry_after: int | None = None) -> ProblemError:
    """The exception for a problem."""
    return KINDS.get(problem.status, ProblemError)(problem, retry_after)


def parts(searches: Iterable[BatchSearch]) -> Iterator[dict[int, BatchSearch]]:
    """Searches by their numbers, in parts of at most the size of a batch."""
    numbered = enumerate(searches)
    while part := dict(islice(numbered, MOST_SEARCHES)):
        yield part


def cut_off(item: BatchItem) -> bool:
    """Whether a shutdown of the service cut off a search of a batch."""
    if item.search is not None:
        return item.search.stop_reason == "shutdown"
    return item.problem is not None and item.problem.code == "shutting_down"
