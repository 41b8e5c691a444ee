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
def running_service(*settings: str, port: int = 0) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A service with some settings, and its process; its first line has the address."""
    command = [BINARY, "serve", "--listen", f"127.0.0.1:{port}", "--log", "error", *settings]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = re.search(r"http://[\d.:]+", process.stdout.readline())
            assert address is not None
            yield address[0], process
        finally:
            process.kill()


@contextmanager
def service(*settings: str, port: int = 0) -> Iterator[str]:
    """The same, where only the address is needed."""
    with running_service(*settings, port=port) as (address, _):
        yield address


def api_key() -> tuple[str, str]:
    """A key, and the setting by which a service knows it."""
    printed = subprocess.run([BINARY, "key", "test"], capture_output=True, text=True, check=True).stdout
    key, setting = re.search(r"tesuji_\w+", printed), re.search(r"test:\w+", printed)
    assert key is not None and setting is not None
    return key[0], setting[0]


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    with service() as address:
        yield address


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts services with settings of a test's own."""
    with ExitStack() as stack:
        yield lambda *settings, port=0: stack.enter_context(service(*settings, port=port))


@pytest.fixture
def tesuji(url: str) -> Iterator[Client]:
    with Client(url) as client:
        yield client
