"""Texts are compared alike, however many processes read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.splits import near_duplicates as twins
from clonetruth.splits.near_duplicates import read_twins
from tests.splits.towns import grid


def test_several_processes_read_what_one_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = grid(6, 4).create(tmp_path / "grid")
    here = read_twins(benchmark, lambda *_: None)
    monkeypatch.setattr(twins, "_PARALLEL_FROM", 0)
    monkeypatch.setattr(twins, "_BATCH", 5)
    monkeypatch.setattr(twins, "available_cores", lambda: 2)
    there = read_twins(benchmark, lambda *_: None)
    assert there.digests.tolist() == here.digests.tolist()
    assert there.bags.tokens.tolist() == here.bags.tokens.tolist()
    assert there.components.tolist() == here.components.tolist()
    assert len(set(here.digests.tolist())) > 1
