"""Vote stores to test: one in SQLite and one in a real PostgreSQL server."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from clonetruth.store.study import write_study
from clonetruth.store.votes import VoteStore, open_vote_store
from tests.postgresql import Cluster
from tests.store.test_study import PLAN, subjects


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """The folder of a study with three pairs. Its title is its own, and so is its schema in PostgreSQL."""
    write_study(tmp_path / "study", replace(PLAN, title=f"Study {secrets.token_hex(8)}"), subjects())
    return tmp_path / "study"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str | None:
    """Where votes are kept: each of the two databases in turn."""
    if request.param == "sqlite":
        return None
    server: Cluster = request.getfixturevalue("postgresql")
    return server.url


@pytest.fixture
def store(study: Path, url: str | None) -> Iterator[VoteStore]:
    """An empty vote store."""
    with open_vote_store(study, url) as opened:
        yield opened
