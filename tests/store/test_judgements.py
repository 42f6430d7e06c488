"""Judgements that arrive after creation."""

from __future__ import annotations

import dataclasses
import multiprocessing
from pathlib import Path

import pyarrow as pa
import pytest

from clonetruth.errors import BenchmarkError, InputError
from clonetruth.model import Judge, JudgeKind, Judgement
from clonetruth.store import Benchmark
from clonetruth.store.schemas import FIRST_APPENDED

from .samples import ADA, RULE, files_of, small

VOTE = Judgement("ada", "same-main-purpose", "clone", pair=0, reason="They sum.")


def test_appending_adds_files_and_changes_none(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    before, content, snapshot = files_of(benchmark.path), benchmark.content_hash, benchmark.judgements_hash
    assert benchmark.append_judgements([ADA], [VOTE, VOTE]) == 2
    after = files_of(benchmark.path)
    assert {name: after[name] for name in before} == before
    assert len(after) == len(before) + 3, "judges, judgements and their seal"
    assert benchmark.counts["judges"] == 2
    assert benchmark.counts["judgements"] == 5
    assert benchmark.content_hash == content
    assert benchmark.judgements_hash != snapshot


def test_later_parts_have_later_sequences_even_if_the_clock_goes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark = small(tmp_path / "b")
    times = (5 * 10**18, 3 * 10**18, 4 * 10**18)
    for now in times:
        monkeypatch.setattr("time.time_ns", lambda now=now: now)
        benchmark.append_judgements([ADA], [dataclasses.replace(VOTE, reason=str(now))])
    table = benchmark.table("judgements").slice(3)
    assert table["reason"].to_pylist() == [str(now) for now in times]
    assert table["sequence"].to_pylist() == [5 * 10**15, 5 * 10**15 + 1, 5 * 10**15 + 2]


def test_judgements_that_arrive_together_share_a_number_that_is_never_one_of_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark = small(tmp_path / "b")
    monkeypatch.setattr("time.time_ns", lambda: 0)
    benchmark.append_judgements([ADA], [VOTE, dataclasses.replace(VOTE, value="not-clone")])
    assert benchmark.table("judgements")["sequence"].to_pylist() == [0, 0, 0, FIRST_APPENDED, FIRST_APPENDED]


def test_a_known_judge_may_be_left_out_or_repeated_but_not_redefined(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    benchmark.append_judgements([ADA], [VOTE])
    benchmark.append_judgements([], [VOTE])
    benchmark.append_judgements([ADA, RULE], [VOTE])
    assert benchmark.table("judges")["judge"].to_pylist() == ["small-rule", "ada"]
    before = files_of(benchmark.path)
    with pytest.raises(InputError, match=r"judge 'ada' is already defined differently\..*another id"):
        benchmark.append_judgements([Judge("ada", JudgeKind.LLM, "Ada")], [VOTE])
    assert files_of(benchmark.path) == before


@pytest.mark.parametrize(
    ("judgement", "message"),
    [
        (Judgement("bob", "textual", "clone", pair=0), "row 0: There is no judge 'bob'"),
        (Judgement("ada", "textual", "clone", pair=99), "row 0: There is no pair 99"),
        (
            Judgement("ada", "implements-functionality", "major", fragment="x", functionality="4"),
            "fragment 'x'",
        ),
        (Judgement("ada", "textual", "perhaps", pair=0), "does not permit the answer 'perhaps'"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_changed(
    tmp_path: Path, judgement: Judgement, message: str
) -> None:
    benchmark = small(tmp_path / "b")
    before = files_of(benchmark.path)
    with pytest.raises(InputError, match=message):
        benchmark.append_judgements([ADA], [judgement])
    assert files_of(benchmark.path) == before


def test_judgements_may_come_as_arrow_with_times_as_text(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    votes = pa.table(
        {
            "judge": ["ada", "ada"],
            "criterion": ["implements-functionality", "textual"],
            "value": ["minor", "clone"],
            "fragment": ["copy", None],
            "functionality": ["9", None],
            "pair": [None, 2],
            "time": ["2026-01-01T00:00:00Z", None],
        }
    )
    benchmark.append_judgements([ADA], votes)
    rows = benchmark.table("judgements").slice(3).to_pylist()
    assert [(row["fragment"], row["functionality"], row["pair"]) for row in rows] == [
        (3, 1, None),
        (None, None, 2),
    ]
    assert rows[0]["time"].year == 2026
    with pytest.raises(InputError, match="not an ISO 8601"):
        benchmark.append_judgements([], votes.set_column(6, "time", pa.array(["noon", None])))


def test_nothing_to_append_writes_nothing(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    before = files_of(benchmark.path)
    assert benchmark.append_judgements([RULE], []) == 0
    assert files_of(benchmark.path) == before


def test_two_parts_that_define_a_judge_differently_are_named(tmp_path: Path) -> None:
    one, other = small(tmp_path / "one"), small(tmp_path / "other")
    one.append_judgements([ADA], [VOTE])
    other.append_judgements([dataclasses.replace(ADA, name="Another Ada")], [VOTE])
    for path in (other.path / "judges").glob("part-0?*.parquet"):
        (one.path / "judges" / path.name).write_bytes(path.read_bytes())
    with pytest.raises(BenchmarkError, match=r"judges.part-.*'ada' is defined differently"):
        Benchmark.open(one.path).table("judges")


def _append_often(path: Path, name: str, times: int) -> None:
    benchmark = Benchmark.open(path)
    for number in range(times):
        benchmark.append_judgements([ADA], [dataclasses.replace(VOTE, reason=f"{name} {number}")])


@pytest.mark.slow
def test_concurrent_appenders_lose_nothing(tmp_path: Path) -> None:
    benchmark = small(tmp_path / "b")
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_append_often, args=(benchmark.path, name, 4)) for name in ("x", "y", "z")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    reasons = benchmark.table("judgements")["reason"].to_pylist()[3:]
    assert sorted(reasons) == sorted(f"{name} {number}" for name in ("x", "y", "z") for number in range(4))
    assert benchmark.counts["judges"] == 2
    benchmark.verify()
