"""The real program, started for the tests on a free port."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tesuji import Client

BINARY = os.environ["BINARY"]
Start = Callable[..., str]


@contextmanager
def service(*settings: str) -> Iterator[str]:
    """A service with some settings; its first line says where it listens."""
    command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--log", "error", *settings]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = re.search(r"http://[\d.:]+", process.stdout.readline())
        assert address is not None
        try:
            yield address[0]
        finally:
            process.kill()


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    with service() as address:
        yield address


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts services with settings of a test's own."""
    with ExitStack() as stack:
        yield lambda *settings: stack.enter_context(service(*settings))


@pytest.fixture
def tesuji(url: str) -> Iterator[Client]:
    with Client(url) as client:
        yield client
