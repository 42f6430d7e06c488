"""The published answers of Krinke and Ragkhitwetsagul under the protocol `krinke`: labels, agreement, verdicts."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import clonetruth
from clonetruth.store.study import Study

VALUES = {"T": "clone", "F": "not-clone"}
LABELS = ("major", "incomplete", "minor", "wrong", "test")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def judged(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, list[list[str]]]:
    """A study of the 271 pairs with both judges' labels, and the rows of their sheet."""
    folder, real = tmp_path_factory.mktemp("krinke"), shared_data / "bcb406"
    sheet = real / "Samples Investigation.csv"
    clonetruth.import_dataset("bcb406", [sheet, real / "snippets.zip"], output=folder / "benchmark")
    study = clonetruth.sample_study(folder / "benchmark", output=folder / "study", n=271, protocol="krinke")
    with sheet.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[2:]
    pairs = {(row["left_id"], row["right_id"]): row["subject"] for row in study.subjects.to_pylist()}
    methods = {name: number for number, name in enumerate(study.methods["fragment_id"].to_pylist())}
    for judge, first in (("person:one", 0), ("person:two", 5)):
        study.add_answers(judge, {pairs[row[45], row[46]]: VALUES[row[first]] for row in rows})
        # The first labelling of a method counts, as in the paper.
        labels: dict[int, str] = {}
        for row in rows:
            for side in (0, 1):
                labels.setdefault(methods[row[45 + side]], row[first + 3 + side].lower())
        study.add_answers(judge, {number: label for number, label in labels.items() if label in LABELS}, on="method")
    discussed = {pairs[row[45], row[46]]: VALUES[row[13]] for row in rows if row[10] == "#"}
    study.add_answers("joint", discussed, role="adjudicator", speaks_for=["person:one", "person:two"])
    return study, rows


def test_the_agreement_of_the_judges(judged: tuple[Study, list[list[str]]]) -> None:
    found = clonetruth.measure_agreement(judged[0])
    assert found.pairs is not None
    assert found.methods is not None
    assert (found.pairs.subjects, found.pairs.differ) == (271, 30)
    assert found.pairs.table == ((15, 1), (29, 226))
    assert found.pairs.cohen_kappa == pytest.approx(0.4526, abs=5e-5)
    assert found.methods.subjects == 528
    assert found.methods.table == ((120, 10), (93, 305))
    assert found.methods.cohen_kappa == pytest.approx(0.5674, abs=5e-5)


def test_the_final_verdicts_after_discussion(judged: tuple[Study, list[list[str]]]) -> None:
    study, rows = judged
    found = clonetruth.resolve_study(study)
    assert found.pairs.counts == {"clone": 18, "not-clone": 253, "unknown": 0}
    final = {(row[45], row[46]): VALUES[row[16]] for row in rows}
    verdicts = found.pairs.verdicts["verdict"].to_pylist()
    assert {(row["left_id"], row["right_id"]): verdicts[row["subject"]] for row in study.subjects.to_pylist()} == final


def test_the_clones_that_are_not_major_and_major(judged: tuple[Study, list[list[str]]]) -> None:
    study, rows = judged
    found = clonetruth.resolve_study(study).unusual
    sides = {row["subject"]: (row["left_id"], row["right_id"]) for row in study.subjects.to_pylist()}
    labels: dict[tuple[str, str], str] = {}
    for judge, first in (("person:one", 0), ("person:two", 5)):
        for row in rows:
            for side in (0, 1):
                labels.setdefault((judge, row[45 + side]), row[first + 3 + side].lower())
    expected = {
        (judge, (row[45], row[46]))
        for judge, first in (("person:one", 0), ("person:two", 5))
        for row in rows
        if row[first] == "T" and {labels[judge, row[45]], labels[judge, row[46]]} != {"major"}
    }
    assert {(one.judge, sides[one.subject]) for one in found} == expected
    assert clonetruth.estimate_study(study).unusual == len(found) == len(expected)
