"""The package goes with the contract."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import metadata, version
from pathlib import Path

import yaml

import tesuji

PACKAGE = Path(__file__).parent.parent


def test_its_version_is_the_contracts() -> None:
    contract = yaml.safe_load((PACKAGE.parent.parent / "openapi.yaml").read_text())
    assert version("tesuji") == tesuji.__version__ == contract["info"]["version"]
    assert metadata("tesuji")["License-Expression"] == "MIT OR Apache-2.0"


def test_what_is_generated_is_up_to_date() -> None:
    subprocess.run([sys.executable, PACKAGE / "generate", "--check"], check=True)
