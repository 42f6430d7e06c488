"""A served study for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.studies.web.sample import without_checks, write_sample
from tests.studies.web.visiting import House, served


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Four pairs and a method, each for two judges."""
    write_sample(tmp_path / "study", without_checks())
    with served(tmp_path / "study") as house:
        yield house


@pytest.fixture
def school(tmp_path: Path) -> Iterator[House]:
    """The same with a training and an attention check."""
    write_sample(tmp_path / "study")
    with served(tmp_path / "study") as house:
        yield house
