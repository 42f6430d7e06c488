"""Objects of the store as a person meets them: subscripts, Arrow, `__repr__`, and the view in a notebook."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pytest

from clonetruth.errors import UnknownNameError
from clonetruth.store import Benchmark, describe_benchmark
from clonetruth.store.matrix import CellFailure, MatrixCell
from clonetruth.store.results import BenchmarkIdentity, Measurement, PolicyUse, Result, ResultKind, write_result
from clonetruth.store.study import read_study
from clonetruth.store.study_estimate import LabelShare, StudyEstimate
from tests.report.sample_results import MANIFEST
from tests.report.test_matrix import SUMMARY
from tests.store.samples import CARD, dataset

GOLDEN = Path(__file__).parents[1] / "golden"
RESULT = Result(
    kind=ResultKind.PAIRS,
    detector="<b>TwinNet</b>",
    benchmark=BenchmarkIdentity("street-code", "2.1"),
    policy=PolicyUse("default", "same-main-purpose", 3000, 450, ("A tie is unknown.",)),
    setting={},
    headline=(
        Measurement("f1", 0.7823, 0.752, 0.812, n=1790, method="clustered"),
        Measurement("roc-auc", 0.931, 0.91, 0.95, n=3000),
        Measurement("ece", 0.0621, n=3000),
        Measurement("mcc", None),
    ),
    manifest=MANIFEST,
    view="cross-functionality-1",
    part="test",
    warnings=("Few functionalities.",),
)


class Viewable(Protocol):
    def _repr_html_(self) -> str: ...


WRONG = Measurement("wrong labels", 0.132, 0.101, 0.17, 13, 100)


def estimate() -> StudyEstimate:
    labels = LabelShare("all labels", 100, 13, WRONG, dataclasses.replace(WRONG, value=None, low=None, high=None))
    return StudyEstimate(
        title="Are they clones?",
        study="ab",
        criterion="same-main-purpose",
        policy="majority",
        population="all pairs",
        population_size=8000,
        subjects=386,
        labelled=380,
        unknown=3,
        labels=dataclasses.replace(labels, weighted=WRONG),
        without_extra=None,
        by_label=(dataclasses.replace(labels, group="clone"),),
        by_functionality=(),
        clones=Measurement("clones", 0.8, 0.75, 0.84, 300, 380),
        methods=None,
        confidence=0.95,
        margin=0.03,
        wanted_margin=0.05,
        more=None,
        time="2026-01-01",
    )


def test_a_metric_is_a_subscript() -> None:
    assert RESULT["f1"] is RESULT.headline[0]
    assert RESULT["roc-auc"] is RESULT["roc_auc"] is RESULT.headline[1]


def test_an_unknown_metric_gets_a_suggestion_and_is_a_key_error() -> None:
    with pytest.raises(KeyError) as caught:
        RESULT["roc-auk"]
    assert isinstance(caught.value, UnknownNameError)
    assert str(caught.value) == ("There is no metric 'roc-auk'. Did you mean 'roc-auc'? Known: ece, f1, mcc, roc-auc.")


def test_the_headline_as_arrow() -> None:
    table = RESULT.to_arrow()
    assert table.schema.names == ["metric", "value", "low", "high", "n", "method"]
    assert table.to_pylist()[0] == {
        "metric": "f1",
        "value": 0.7823,
        "low": 0.752,
        "high": 0.812,
        "n": 1790,
        "method": "clustered",
    }
    assert table["value"].to_pylist()[-1] is None
    assert dataclasses.replace(RESULT, headline=()).to_arrow().schema == table.schema
    assert isinstance(table, pa.Table)


def test_a_dictionary_holds_what_the_file_holds(tmp_path: Path) -> None:
    assert RESULT.to_dict() == json.loads(write_result(RESULT, tmp_path / "result.json").read_text(encoding="utf-8"))


def test_a_result_is_shown_with_its_intervals() -> None:
    assert repr(RESULT) == (
        "<Result of <b>TwinNet</b> on street-code 2.1 (cross-functionality-1, test), policy default:\n"
        "  f1 0.782 [0.752, 0.812], roc-auc 0.931 [0.910, 0.950], ece 0.062, mcc undefined>"
    )
    many = dataclasses.replace(RESULT, headline=RESULT.headline * 3, view=None, part=None)
    assert "on street-code 2.1, policy default:" in repr(many)
    assert "… and 6 more>" in repr(many).replace("\n ", "")
    assert max(map(len, repr(many).splitlines())) <= 110


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return Benchmark.create(tmp_path / "b", dataset())


def test_a_benchmark_is_shown_with_its_size(benchmark: Benchmark) -> None:
    name = f"{CARD.name} {CARD.version}"
    assert re.fullmatch(rf"<Benchmark {name}: 4 fragments, \d functionalities, 3 pairs, at .*/b>", repr(benchmark))
    assert repr(describe_benchmark(benchmark)).startswith(f"<BenchmarkOverview of {name}: 4 fragments, ")


def test_a_study_is_shown_with_its_sample() -> None:
    study = read_study(GOLDEN / "study-v2")
    assert repr(study) == (
        f"<Study 'Are they clones?': 3 of 110 pairs, 1 method, criterion textual, at {GOLDEN / 'study-v2'}>"
    )


def test_an_estimate_is_shown_with_its_share() -> None:
    assert repr(estimate()) == (
        "<StudyEstimate of 'Are they clones?': 13.2 % [10.1, 17.0] of the labels are wrong, by 100 judged pairs "
        "(criterion same-main-purpose, policy majority)>"
    )


def test_a_matrix_is_shown_with_its_size_and_failures() -> None:
    assert repr(SUMMARY) == (
        "<MatrixSummary on street-code: 2 detectors × 3 views × 2 levels × 3 seeds, policy members>"
    )
    failed = dataclasses.replace(SUMMARY, failures=(CellFailure(MatrixCell("mlp", "random", 0, 1), "It fell."),))
    assert repr(failed).endswith(", policy members, 1 cell failed>")
    assert "mlp, random, level 0, seed 1 failed: It fell." in failed._repr_html_()


@pytest.mark.parametrize(
    ("shown", "texts"),
    [
        (
            lambda _: RESULT,
            ["0.782", "0.752 to 0.812", "A tie is unknown.", "Few functional", "&lt;b&gt;TwinNet"],
        ),
        (lambda benchmark: benchmark, [CARD.description, "fragments", "content hash"]),
        (lambda benchmark: describe_benchmark(benchmark), [CARD.description, "small-rule"]),
        (lambda _: read_study(GOLDEN / "study-v2"), ["Are these two fragments clones", "large", "3 of 110"]),
        (lambda _: estimate(), ["13.2 % [10.1, 17.0]", "unknown", "75.0", "all labels"]),
        (lambda _: SUMMARY, ["0.90\N{NO-BREAK SPACE}[0.88,\N{NO-BREAK SPACE}0.92]", "&lt;b&gt;odd", "–"]),
    ],
    ids=["result", "benchmark", "overview", "study", "estimate", "matrix"],
)
def test_the_view_in_a_notebook_is_small_and_escaped(
    shown: Callable[[Benchmark], Viewable], texts: list[str], benchmark: Benchmark
) -> None:
    html = shown(benchmark)._repr_html_()
    for text in texts:
        assert text in html
    assert "<table" in html
    assert "<b>TwinNet" not in html
    assert "<script" not in html
    assert "http" not in html.replace("http://www.w3.org", "")
    assert len(html) < 10_000
