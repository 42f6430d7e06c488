"""A served study for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.studies.web.sample import without_checks, write_sample
from tests.studies.web.visitors import ServedStudy, serve_study


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServedStudy]:
    """Four pairs and a method, each for two judges."""
    write_sample(tmp_path / "study", without_checks())
    with serve_study(tmp_path / "study") as served:
        yield served


@pytest.fixture
def study_with_checks(tmp_path: Path) -> Iterator[ServedStudy]:
    """The same with a training and an attention check."""
    write_sample(tmp_path / "study")
    with serve_study(tmp_path / "study") as served:
        yield served
