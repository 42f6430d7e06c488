"""Rules that compare: with a linear model, with another benchmark, with real code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.audit import Severity, audit_benchmark
from clonetruth.audit.balance import effective_count, gini_index
from clonetruth.audit.contradictions import components
from clonetruth.audit.representativeness import MEASURES, QUANTILES, REFERENCES, distance
from clonetruth.audit.shortcuts import FOLDS, area_under_curve, cross_validate
from clonetruth.store import Benchmark
from tests.audit.drafts import Draft, findings, function


def _labelled_pairs(*, names: bool, lengths: bool, seed: int = 1) -> Draft:
    """Pairs whose label correlates with shared names, with lengths, or with neither."""
    random = np.random.default_rng(seed)
    draft = Draft()
    for number in range(240):
        is_clone = number % 2 == 0
        size = int(random.integers(3, 12))
        left = function(10 * number, size)
        other = function(10 * number + 5, size + (9 if lengths and not is_clone else int(random.integers(0, 3))))
        if names and is_clone:
            left, other = (
                text.replace("{", f"{{ int common{number} = shared{number}(1);", 1) for text in (left, other)
            )
        draft.fragment(f"{number}l", left).fragment(f"{number}r", other)
        draft.pair(f"{number}l", f"{number}r", "clone" if is_clone else "not-clone")
    return draft


@pytest.fixture(scope="module")
def shortcut_benchmarks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Benchmark]:
    drafts = {
        "names": _labelled_pairs(names=True, lengths=False),
        "lengths": _labelled_pairs(names=False, lengths=True),
        "nothing": _labelled_pairs(names=False, lengths=False),
    }
    folder = tmp_path_factory.mktemp("shortcuts")
    return {name: draft.create(folder / name) for name, draft in drafts.items()}


@pytest.mark.parametrize(("code", "what"), [("CT401", "lengths"), ("CT402", "names")])
def test_a_shortcut_is_found(code: str, what: str, shortcut_benchmarks: dict[str, Benchmark]) -> None:
    (finding,) = findings(shortcut_benchmarks[what], code, shortcut_cases=10)
    assert finding.severity is Severity.WARNING
    assert "a detector must beat this" in finding.message


@pytest.mark.parametrize(("code", "what"), [("CT401", "nothing"), ("CT402", "nothing"), ("CT402", "lengths")])
def test_no_shortcut_is_a_note(code: str, what: str, shortcut_benchmarks: dict[str, Benchmark]) -> None:
    for finding in findings(shortcut_benchmarks[what], code, shortcut_cases=10):
        assert finding.severity is Severity.INFO, finding.message


@pytest.mark.parametrize("predictive", [True, False])
def test_a_vocabulary_is_found(predictive: bool, tmp_path: Path) -> None:
    draft = Draft()
    for number in range(300):
        is_clone = number % 2 == 0
        for side in "lr":
            text = function(7 * number + (side == "r"))
            word = "ftp" if is_clone and predictive else "web" if (number + (side == "r")) % 3 else "ftp"
            draft.fragment(f"{number}{side}", text.replace("{", f"{{ {word}();", 1))
        draft.pair(f"{number}l", f"{number}r", "clone" if is_clone else "not-clone")
    found = findings(draft.create(tmp_path / "benchmark"), "CT403", shortcut_cases=10)
    assert [one.severity for one in found] == [Severity.WARNING if predictive else Severity.INFO]


def test_few_pairs_are_not_scored(tmp_path: Path) -> None:
    draft = Draft().pair("a", "b", "clone").pair("c", "d", "not-clone")
    assert not findings(draft.create(tmp_path / "benchmark"), "CT401")


def test_folds_keep_groups_apart() -> None:
    """A feature that only memorises its group is worthless to a model that has not seen the group."""
    random = np.random.default_rng(0)
    fold = random.integers(0, FOLDS, 600)
    labels = random.random(600) < 0.5
    remembered = np.zeros((600, 600))
    remembered[np.arange(600), np.arange(600)] = labels
    score = cross_validate(remembered, labels, fold, fold)
    assert score is not None
    assert score.auc == pytest.approx(0.5, abs=0.01)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=30))
def test_area_is_the_share_of_ordered_pairs(rows: list[tuple[int, bool]]) -> None:
    scores, labels = np.array([row[0] for row in rows], float), np.array([row[1] for row in rows])
    pairs = [(a > b) + 0.5 * (a == b) for a in scores[labels] for b in scores[~labels]]
    if pairs:
        assert area_under_curve(scores, labels) == pytest.approx(np.mean(pairs))


@given(st.integers(1, 30), st.floats(0.5, 100))
def test_equal_shares_are_all_effective(count: int, value: float) -> None:
    assert effective_count(np.full(count, value)) == pytest.approx(count)
    assert gini_index(np.full(count, value)) == pytest.approx(0)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), max_size=40))
def test_components_are_those_of_a_walk(edges: list[tuple[int, int]]) -> None:
    left, right = (np.array([edge[side] for edge in edges], dtype=np.int64) for side in (0, 1))
    found = components(20, left, right)
    reach = {node: {node} for node in range(20)}
    for _ in range(20):
        for a, b in edges:
            both = reach[a] | reach[b]
            reach[a] = reach[b] = both
            for node in both:
                reach[node] = both
    assert found.tolist() == [min(reach[node]) for node in range(20)]


def _judged(folder: Path, *ids: str, text: str | None = None) -> Benchmark:
    draft = Draft(card={"criterion": "same-main-purpose", "name": "experts"})
    for number, identity in enumerate(ids):
        draft.fragment(identity, None if text is None else function(50 + number).replace("{", "{\n/* laid out anew */"))
    return draft.pair(ids[0], ids[1], None, "ada not-clone", "bob not-clone").create(folder)


def _claimed(folder: Path) -> Benchmark:
    draft = Draft().fragment("7", function(50)).fragment("8", function(51)).fragment("9", function(52))
    return draft.pair("7", "8", "clone", claimed_type="ST3").pair("8", "9", "clone", claimed_type="ST3").create(folder)


@pytest.mark.parametrize(("ids", "text"), [(("8", "7"), None), (("seven", "eight"), "the same words")])
def test_claims_are_refuted_elsewhere(ids: tuple[str, str], text: str | None, tmp_path: Path) -> None:
    other = _judged(tmp_path / "other", *ids, text=text)
    report = audit_benchmark(_claimed(tmp_path / "claimed"), select=("CT605",), against=[other])
    (finding,) = report.findings
    assert (finding.count, finding.of) == (1, 1)
    assert set(finding.examples[0].ids) == {"7", "8"}
    assert "experts" in finding.examples[0].note


def test_nothing_is_refuted_without_a_common_pair(tmp_path: Path) -> None:
    other = _judged(tmp_path / "other", "7", "9")
    assert not audit_benchmark(_claimed(tmp_path / "claimed"), select=("CT605",), against=[other]).findings


def test_types_differ_in_another_list(tmp_path: Path) -> None:
    other = Draft().pair("8", "7", "clone", claimed_type="MT3").create(tmp_path / "other")
    report = audit_benchmark(_claimed(tmp_path / "claimed"), select=("CT112",), against=[other])
    (finding,) = report.findings
    assert (finding.count, finding.of) == (1, 1)
    assert finding.details[0].rows == (("ST3", "MT3", 1),)


def test_fragments_unlike_real_code(tmp_path: Path) -> None:
    contest = Draft(language="python")
    for number in range(40):
        contest.fragment(f"f{number}", f"a, b = {number}, 2\n" + "print(a + b)\n" * (30 + number))
    benchmark = contest.create(tmp_path / "contest")
    (finding,) = findings(benchmark, "CT801")
    assert "tokens" in finding.message
    assert not audit_benchmark(benchmark, select=("CT801",), reference=benchmark).findings


@pytest.mark.parametrize("name", sorted(REFERENCES))
def test_reference_code_is_complete(name: str) -> None:
    for measure in MEASURES:
        values = REFERENCES[name].quantiles[measure]
        assert len(values) == len(QUANTILES)
        assert list(values) == sorted(values)
        # A sample drawn from the quantiles themselves is near to them, ties or not.
        drawn = np.interp(np.linspace(0, 1, 500), QUANTILES, values)
        assert (
            distance(np.round(drawn) if all(float(v).is_integer() for v in values) else drawn, np.array(values)) < 0.1
        )
