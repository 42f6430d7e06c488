"""Texts are compared in the same way, however many processes read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.splits import near_duplicates
from clonetruth.splits.near_duplicates import read_near_duplicates
from tests.splits.sample_benchmarks import grid


def test_several_processes_read_the_same_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = grid(6, 4).create(tmp_path / "grid")
    here = read_near_duplicates(benchmark, lambda *_: None)
    monkeypatch.setattr(near_duplicates, "_PARALLEL_FROM", 0)
    monkeypatch.setattr(near_duplicates, "_BATCH", 5)
    monkeypatch.setattr(near_duplicates, "available_cores", lambda: 2)
    there = read_near_duplicates(benchmark, lambda *_: None)
    assert there.digests.tolist() == here.digests.tolist()
    assert there.bags.tokens.tolist() == here.bags.tokens.tolist()
    assert there.components.tolist() == here.components.tolist()
    assert len(set(here.digests.tolist())) > 1
