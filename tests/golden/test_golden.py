"""Folders of every schema version stay readable, with the hash that they were made with."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from clonetruth.judges.stated_domains import stated_domains
from clonetruth.store import SCHEMA_VERSION, Benchmark
from clonetruth.verdicts import judge_verdicts

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "recorded.json").read_text(encoding="utf-8"))


def test_there_is_a_folder_of_every_version() -> None:
    assert sorted(RECORDED) == [f"benchmark-v{version}" for version in range(1, SCHEMA_VERSION + 1)]


@pytest.mark.parametrize("name", RECORDED)
def test_it_opens_with_the_recorded_content(name: str) -> None:
    benchmark = Benchmark.open(HERE / name)
    benchmark.verify()
    recorded = RECORDED[name]
    assert benchmark.schema_version == recorded["schema_version"]
    assert benchmark.content_hash == recorded["content_hash"]
    assert benchmark.judgements_hash == recorded["judgements_hash"]
    assert benchmark.counts == recorded["counts"]
    assert benchmark.measures("golden")["clone_type"].to_pylist() == recorded["clone_types"]


@pytest.mark.parametrize("name", RECORDED)
def test_its_verdicts_are_still_the_recorded_ones(name: str, tmp_path: Path) -> None:
    shutil.copytree(HERE / name, tmp_path / "b")
    benchmark = Benchmark.open(tmp_path / "b")
    for policy, verdicts in RECORDED[name]["verdicts"].items():
        assert judge_verdicts(benchmark, policy).table["verdict"].to_pylist() == verdicts, policy


@pytest.mark.parametrize("name", RECORDED)
def test_what_its_source_brings_is_still_there(name: str) -> None:
    benchmark = Benchmark.open(HERE / name)
    for kind in ("tests", "domains"):
        rows = [row for part in benchmark.names(kind) for row in benchmark.table(f"{kind}/{part}").to_pylist()]
        assert rows == RECORDED[name].get(kind, []), kind
    assert list(stated_domains(benchmark)) == [row["id"] for row in _functionalities_with_domain(benchmark, name)]


def _functionalities_with_domain(benchmark: Benchmark, name: str) -> list[dict[str, object]]:
    stated = {row["functionality"] for row in RECORDED[name].get("domains", [])}
    return [row for row in benchmark.table("functionalities").to_pylist() if row["functionality"] in stated]
