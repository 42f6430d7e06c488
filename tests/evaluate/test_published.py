"""Published reports as results, and results as reports."""

from __future__ import annotations

import dataclasses
import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.evaluate.locations.matchers import (
    CoverageMatcher,
    ExactMatcher,
    Matcher,
    NearMatcher,
    SubsumeMatcher,
    Tolerance,
)
from clonetruth.evaluate.locations.published import matcher_line, published_result, published_text, read_matcher_line
from clonetruth.evaluate.locations.selection import Behaviour
from clonetruth.formats.bigcloneeval_layout import PublishedReport, write_report
from clonetruth.formats.bigcloneeval_report import read_report
from clonetruth.stats.clusters import clustered, clustered_within
from clonetruth.stats.intervals import wilson
from clonetruth.store.results import Measurement, Result, read_result, write_result
from tests.formats.bigcloneeval_samples import HEADER, SMALL, report, section

RECALLS = {
    "oreo": (0.9999, 0.9934, 0.9959, 0.8909, 0.2978, 0.0073),
    "scc": (0.9999, 0.9749, 0.9314, 0.6053, 0.0523, 0.0003),
    "nicad": (0.9991, 0.9921, 0.9844, 0.9254, 0.0084, 0.0000015),
}


def result_of(folder: Path, made: PublishedReport = SMALL) -> Result:
    path = folder / "report.txt"
    path.write_text(write_report(made), encoding="utf-8")
    return published_result(path)


def number(result: Result, name: str) -> Measurement:
    found = result.measurement(name)
    assert found is not None
    return found


def test_the_result_says_under_what_it_was_measured(tmp_path: Path) -> None:
    result = result_of(tmp_path)
    assert (result.benchmark.name, result.benchmark.version) == ("bigclonebench", "Version 2.0")
    assert result.policy.name == "origin"
    assert result.policy.counted == 40 + 4 + 8 + 3 + 1007
    assert result.setting == {
        "matcher": "coverage:0.7",
        "behaviour": "as-shipped",
        "similarity": "both",
        "min_similarity": 0,
        "min_lines": 6,
        "min_tokens": 50,
    }
    assert result.recall["as-shipped"]["overall"] == SMALL.overall
    assert list(result.manifest.inputs) == ["report.txt"]


def test_intervals_take_functionalities_as_clusters(tmp_path: Path) -> None:
    counts = [(9, 10), (5, 10), (20, 20), (8, 10), (6, 10), (4, 12)]
    many = report({str(at): section({"T1": each}) for at, each in enumerate(counts, 2)})
    found = number(result_of(tmp_path, many), "recall-T1")
    interval = clustered([hits for hits, _ in counts], [pairs for _, pairs in counts])
    assert interval is not None
    assert (found.low, found.high, found.scope) == (interval.low, interval.high, None)
    assert (found.successes, found.n) == (52, 72)
    assert found.method == "functionalities as clusters (6)"


def test_few_functionalities_have_an_interval_for_these(tmp_path: Path) -> None:
    found = number(result_of(tmp_path), "recall-T1")
    interval = clustered_within([9, 5, 20], [10, 10, 20])
    assert interval is not None
    assert (found.value, found.low, found.high) == (0.85, interval.low, interval.high)
    assert found.scope == "these 3 functionalities"
    assert found.note == "for these 3 functionalities only: 2.7 effective functionalities say nothing about others"


def test_without_functionalities_the_interval_says_that_it_is_naive(tmp_path: Path) -> None:
    result = result_of(tmp_path, dataclasses.replace(SMALL, functionalities=(), by_functionality={}))
    found, interval = number(result, "recall-T1"), wilson(34, 40)
    assert interval is not None
    assert (found.low, found.high) == (interval.low, interval.high)
    assert found.method == "Wilson, pairs taken as independent"
    assert any("too narrow" in note for note in result.notes)
    assert "functionality" not in {stratum.by for stratum in result.strata}


def test_a_type_of_one_functionality_says_so_and_an_empty_one_has_no_value(tmp_path: Path) -> None:
    result = result_of(tmp_path)
    alone, empty = number(result, "recall-MT3"), number(result, "recall-ST3")
    assert alone.value == pytest.approx(1 / 3)
    assert alone.low is not None
    assert alone.scope == "this functionality"
    assert empty.value is None
    assert empty.n == 0


def test_more_found_than_there_is_gives_no_interval(tmp_path: Path) -> None:
    result = result_of(tmp_path, report({"2": section({"T1": (5, 3)}), "3": section({"T1": (1, 4), "T2": (2, 0)})}))
    most, infinite = number(result, "recall-T1"), number(result, "recall-T2")
    assert most.value == pytest.approx(6 / 7)
    assert most.low is None
    assert infinite.value is None
    assert result.recall["as-shipped"]["overall"]["types"]["all"]["T2"][2] == "Infinity"


def test_what_was_not_printed_is_left_out(tmp_path: Path) -> None:
    result = result_of(tmp_path, report({one: section({"T1": (1, 2), "ST3": (1, 2)}, least=70) for one in "23"}))
    assert result.setting["min_similarity"] == 70
    assert [one.name for one in result.headline] == ["recall-T1", "recall-T2", "recall-VST3", "recall-ST3"]


def test_strata_hold_every_row(tmp_path: Path) -> None:
    strata = {stratum.by: stratum for stratum in result_of(tmp_path).strata}
    assert [len(strata[by].groups) for by in ("clone type", "similarity", "project relation")] == [8, 20, 2]
    assert {one.name: one.measurements[0].n for one in strata["functionality"].groups} == {
        "name of 2": 17,
        "name of 3": 1018,
        "name of 17": 27,
    }


def test_a_published_result_is_a_result_like_any_other(tmp_path: Path) -> None:
    result = result_of(tmp_path)
    assert read_result(write_result(result, tmp_path / "result.json")) == result


def test_a_result_is_printed_as_the_report_that_it_came_from(tmp_path: Path) -> None:
    text = published_text(
        result_of(tmp_path),
        Behaviour.AS_SHIPPED,
        functionalities=SMALL.functionalities,
        description=HEADER.description,
        tool_id=HEADER.tool_id,
    )
    assert text == write_report(SMALL)


def test_a_behaviour_that_was_not_measured_cannot_be_printed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no numbers of BigCloneEval, repaired"):
        published_text(result_of(tmp_path), Behaviour.REPAIRED)


@given(
    st.one_of(
        st.builds(CoverageMatcher, st.floats(0, 2)),
        st.builds(CoverageMatcher, st.floats(0, 2), st.builds(Tolerance, st.just("ratio"), st.floats(0, 2))),
        st.builds(ExactMatcher),
        st.builds(NearMatcher, st.integers(0, 99)),
        st.builds(SubsumeMatcher, st.builds(Tolerance, st.just("line"), st.integers(0, 99))),
        st.builds(SubsumeMatcher, st.builds(Tolerance, st.just("ratio"), st.floats(0, 2))),
    )
)
def test_a_matchers_line_reads_back(matcher: Matcher) -> None:
    assert read_matcher_line(matcher_line(matcher)) == matcher


@pytest.mark.parametrize("line", ["Fuzzy Matcher. 3", "", "Coverage Matcher.  Coverage Ratio = x, minimum raito is of"])
def test_a_matcher_of_others_is_kept_as_it_was_printed(tmp_path: Path, line: str) -> None:
    assert read_matcher_line(line) is None
    header = dataclasses.replace(HEADER, matcher=line)
    assert result_of(tmp_path, dataclasses.replace(SMALL, header=header)).setting["matcher"] == line


@pytest.mark.parametrize("tool", RECALLS)
def test_the_published_recalls_of_three_tools(shared_data: Path, tool: str) -> None:
    path = shared_data / "bigcloneeval_reports" / f"{tool}_recall_report.txt.gz"
    result = published_result(path)
    found = [number(result, f"recall-{name}") for name in ("T1", "T2", "VST3", "ST3", "MT3", "WT3_T4")]
    for one, published in zip(found, RECALLS[tool], strict=True):
        assert one.value == pytest.approx(published, abs=5e-5 if published > 1e-5 else 5e-8)
        assert one.low is not None
        assert one.high is not None
        assert one.low <= (one.value or 0) <= one.high
    assert result.policy.counted == 7944457
    original = read_report(path)
    text = published_text(
        result,
        Behaviour.AS_SHIPPED,
        functionalities=original.functionalities,
        description=original.header.description,
        tool_id=original.header.tool_id,
    )
    assert text == gzip.decompress(path.read_bytes()).decode()
