"""The examples of the documentation work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clonetruth.judges import PROTOCOLS, find_protocol, read_price
from clonetruth.judges.protocols import STUDY_PROTOCOLS
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "llm-judge.md").read_text(encoding="utf-8")
PROTOCOL, PRICES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_the_protocol_can_be_followed(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(PROTOCOL)
    assert find_protocol(str(path), tmp_path).criterion == "same-main-purpose"


def test_the_prices_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(PRICES)
    assert read_price(path, "gpt-4o-2024-08-06").of(1_000_000, 0) == 2.5


@pytest.mark.parametrize("name", [*PROTOCOLS, *STUDY_PROTOCOLS])
def test_every_protocol_is_documented(name: str) -> None:
    assert f"| `{name}` |" in PAGE
