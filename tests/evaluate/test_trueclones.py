"""The card of a detector on TrueClones, and the site that collects cards."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.bench_trueclones import DETECTORS, LEFT_OUT, TRAINED
from hypothesis import given
from hypothesis import strategies as st

import clonetruth
from clonetruth.cli.trueclones import show_card
from clonetruth.errors import InputError
from clonetruth.evaluate.pairs.pair_set import PairSubjects
from clonetruth.evaluate.trueclones import matched_accuracy
from clonetruth.report import write_leaderboard_site
from clonetruth.sources import embedded, trueclones
from clonetruth.store.results import Result, read_result, write_result
from tests.cli.running import run


@cache
def truth() -> dict[frozenset[str], bool]:
    data = trueclones.dataset()
    text = {one.id: one.text for one in data.fragments}
    pairs = list(data.pairs)
    return {
        frozenset((text[pairs[one.pair].left], text[pairs[one.pair].right])): one.value == "clone"
        for one in data.judgements
        if one.pair is not None
    }


def oracle(left: str, right: str) -> float:
    return float(truth()[frozenset((left, right))])


def group(result: Result, by: str, name: str) -> dict[str, float | None]:
    (stratum,) = (one for one in result.strata if one.by == by)
    (found,) = (one for one in stratum.groups if one.name == name)
    return {one.name: one.value for one in found.measurements}


@cache
def card_of_oracle() -> Result:
    return clonetruth.benchmark_detector(oracle, threshold=0.5, name="oracle")


@pytest.mark.slow
def test_who_knows_the_truth_gets_full_marks_everywhere() -> None:
    card = card_of_oracle()
    assert [card[name].value for name in ("f1", "roc-auc", "matched-accuracy")] == [1, 1, 1]
    for by, names in {
        "language": ("cpp", "csharp", "java", "javascript", "python"),
        "language pair": ("cpp – csharp", "cpp – python", "java – javascript", "java – python", "javascript – python"),
        "difficulty": ("easy", "medium", "hard"),
        "stratum": ("core", "cross-language"),
        "view": ("random", "cross-functionality"),
    }.items():
        for name in names:
            assert group(card, by, name)["roc-auc"] == 1, (by, name)
    assert group(card, "stratum", "near-copy") == {"specificity": 1.0}
    assert group(card, "stratum", "cross-functionality") == {"specificity": 1.0}
    assert card.setting["trueclones stratum"] == "core"


@pytest.mark.slow
@pytest.mark.slow
def test_the_card_fits_a_terminal_of_80_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No number is broken: a name, the pairs, and four numbers above their intervals are all that fits."""
    card = card_of_oracle()
    monkeypatch.setenv("COLUMNS", "80")
    show_card(card)
    narrow = capsys.readouterr().out
    tables = [line for line in narrow.splitlines() if line.startswith("  ") and line.strip()]
    assert max(map(len, tables)) <= 80
    cells = [cell for line in tables for cell in line.split()]
    (across,) = (
        one.pairs for by in card.strata for one in by.groups if (by.by, one.name) == ("stratum", "cross-language")
    )
    assert {"cross-functionality", "matched", f"{across:,}"} <= set(cells)
    numbers = [cell for cell in cells if cell[0].isdigit()]
    assert [one for one in numbers if not re.fullmatch(r"[\d,]+|\d\.\d\d(–\d\.\d\d)?", one)] == []
    monkeypatch.setenv("COLUMNS", "160")
    show_card(card)
    wide = capsys.readouterr().out
    assert "precision" in wide
    assert len(wide.splitlines()) < len(narrow.splitlines())


def test_a_constant_is_at_chance_and_no_threshold_means_no_decisions() -> None:
    card = clonetruth.benchmark_detector(lambda left, right: 0.3, name="constant")
    assert card["roc-auc"].value == card["matched-accuracy"].value == 0.5
    assert card.measurement("f1") is None
    assert card.detector == "constant"


def test_the_table_of_the_documentation_has_every_detector_or_the_reason_why_not() -> None:
    every = [one.name for one in clonetruth.list_detectors() if one.kind != "tool"]
    assert sorted([*DETECTORS, *TRAINED, *LEFT_OUT]) == sorted(every)


def test_other_benchmarks_are_refused(tmp_path: Path) -> None:
    benchmark = embedded.build(tmp_path / "embedded")
    with pytest.raises(InputError, match="not a draw of TrueClones"):
        clonetruth.benchmark_detector("length", on=benchmark)


def subjects(scores: list[float], clones: list[bool], clusters: list[int]) -> PairSubjects:
    count = len(scores)
    numbers = np.arange(count)
    return PairSubjects(
        numbers,
        numbers,
        numbers + count,
        numbers,
        np.array(clones),
        np.array(clusters),
        np.array(scores, dtype=np.float64),
        np.full(count, -1, np.int8),
    )


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=40))
def test_matched_accuracy_is_the_share_of_matches_won(rows: list[tuple[int, int, int]]) -> None:
    scores = [float(one) for clone, other, _ in rows for one in (clone, other)]
    clusters = [at for _, _, at in rows for _ in range(2)]
    match = np.repeat(np.arange(len(rows)), 2)
    found = matched_accuracy(subjects(scores, [True, False] * len(rows), clusters), match)
    won = sum((clone > other) + 0.5 * (clone == other) for clone, other, _ in rows)
    assert found.value == pytest.approx(won / len(rows))
    assert found.n == len(rows)
    if found.value is not None and found.low is not None and found.high is not None:
        assert found.low <= found.value <= found.high


def test_matches_without_both_pairs_are_left_out_and_missing_scores_lose() -> None:
    nan = float("nan")
    found = matched_accuracy(
        subjects([nan, 0.1, 0.7, nan, nan], [True, False, True, False, False], [0] * 5), np.array([0, 0, 1, 2, -1])
    )
    assert (found.value, found.n) == (0.0, 1)
    assert matched_accuracy(subjects([1.0], [True], [0]), np.array([-1])).value is None


# The site.


def edited(change: Callable[[dict[str, Any]], object]) -> Callable[[Path, Path], None]:
    def write(source: Path, target: Path) -> None:
        content = json.loads(source.read_text())
        change(content)
        target.write_text(json.dumps(content))

    return write


FORGED = {
    "seed": (edited(lambda one: one["manifest"]["configuration"].update(views_seed=9)), "it was edited"),
    "hash": (edited(lambda one: one["benchmark"].update(content_hash="0" * 64)), "it was edited"),
    "name": (edited(lambda one: one.update(detector="better")), "not the one that was measured"),
    "share": (edited(lambda one: one["headline"][-1].update(value=1.7)), "not a share"),
    "shape": (edited(lambda one: one.pop("headline")), "damaged"),
}


@pytest.mark.slow
def test_the_command_and_the_site(tmp_path: Path) -> None:
    results = tmp_path / "results"
    results.mkdir()
    printed = run("benchmark", "length", "-o", results / "length.json", "--badge", tmp_path / "badge.svg")
    assert printed.code == 0, printed.err
    for piece in ("core", "near-copy", "java – python", "hard", "cross-functionality", "matched"):
        assert piece in printed.out
    assert (tmp_path / "badge.svg").read_text().startswith("<svg ")
    assert run("benchmark", "length", "--json").json["detector"] == "length"
    write_result(card_of_oracle(), results / "oracle.json")
    better = dataclasses.replace(read_result(results / "length.json"), headline=card_of_oracle().headline)
    write_result(better, results / "zz-length-again.json")
    for name, (forge, _) in FORGED.items():
        forge(results / "length.json", results / f"forged-{name}.json")
    made = run("leaderboard", results, "--site", tmp_path / "site", "--json")
    assert made.code == 0, made.err
    assert made.json["results"] == {"length": "self-reported", "oracle": "self-reported"}
    left_out = {Path(path).name: reason for path, reason in made.json["left_out"].items()}
    for name, (_, reason) in FORGED.items():
        assert reason in left_out[f"forged-{name}.json"]
    assert "is of 'length' on the same data, with other numbers" in left_out["zz-length-again.json"]
    page = (tmp_path / "site" / "index.html").read_text()
    assert "self-reported" in page
    assert "forged-seed.json" in page
    assert len(list((tmp_path / "site" / "badges").iterdir())) == 2
    again = run("leaderboard", results, "--site", tmp_path / "site")
    assert again.code == 3
    assert "exists already" in again.err
    # What is registered here can be computed again; a forged score is found out.
    honest = write_leaderboard_site([results / "length.json"], tmp_path / "honest", recompute=True)
    assert [str(one.standing) for one in honest.entries] == ["recomputed here"]
    forged = write_leaderboard_site([results / "zz-length-again.json"], tmp_path / "forged", recompute=True)
    assert [str(one.standing) for one in forged.entries] == ["recomputed here, and different"]
    assert run("leaderboard", results, "--recompute").code == 2
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match="No result can be shown"):
        write_leaderboard_site([empty], tmp_path / "none")
