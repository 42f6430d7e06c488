"""Judged samples: whose labels they are about, and which evaluated pairs they speak for."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, Dataset, Judgement, Recipe
from clonetruth.sources import SOURCES, import_dataset
from clonetruth.stats.intervals import clopper_pearson
from clonetruth.store import Benchmark
from clonetruth.store.study_estimate import read_estimates
from clonetruth.studies import estimate_labels, export_judgements, resolve_subjects
from clonetruth.verdicts.judged_labels import (
    LABEL_FAMILIES,
    JudgedLabels,
    LabelCell,
    judged_labels,
    label_types,
    match_labels,
)
from clonetruth.verdicts.published_samples import PUBLISHED_SAMPLES, published_samples
from tests.evaluate.sample_benchmark import CARD, FRAGMENTS, sample_benchmark
from tests.studies.example_studies import add_answers, labelled_benchmark, sample_study


def found(benchmark: Benchmark, criterion: str | None = None) -> JudgedLabels:
    judged = judged_labels(benchmark, criterion)
    assert not isinstance(judged, str), judged
    return judged


def test_a_label_is_the_rules_claim_and_wrong_where_the_evidence_denies_it(tmp_path: Path) -> None:
    judged = found(sample_benchmark(tmp_path))
    error = judged.error(True)
    assert (error.name, error.successes, error.n) == ("label-error", 1, 4)
    interval = clopper_pearson(1, 4)
    assert interval is not None
    assert (error.low, error.high) == (interval.low, interval.high)
    assert judged.types == ("MT3", "T1", "T2", "WT3/T4")
    assert judged.drawn.startswith("This assumes that the judged pairs are a random sample of")


def test_without_a_rule_a_claimed_type_is_the_label(shared_data: Path, tmp_path: Path) -> None:
    """bcb406 has no judgement of a rule: its pairs were drawn because BigCloneBench calls them weak clones."""
    imported = import_dataset("bcb406", [shared_data / "bcb406"], output=tmp_path / "bcb406")
    judged = found(Benchmark.open(imported.path))
    error = judged.error(True)
    assert (error.successes, error.n) == (253, 271)
    assert judged.types == ("WT3/T4",)
    assert "BigCloneBench" in judged.sample


def test_reports_of_tools_are_not_labels(shared_data: Path, tmp_path: Path) -> None:
    imported = import_dataset("oreo-precision", [shared_data / "oreo_precision"], output=tmp_path / "oreo")
    assert judged_labels(Benchmark.open(imported.path)) == "no judged pair of oreo-precision has a label of the dataset"


def test_a_study_brings_its_probabilities(tmp_path: Path) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    study = sample_study(benchmark, tmp_path / "study", stratify=("functionality",), size=12, cover=True)
    for judge in ("ann", "bob"):
        add_answers(study, judge, {row: "clone" if row % 3 else "not-clone" for row in range(12)})
    estimate = estimate_labels(study, resolve_subjects(study))
    export_judgements(study, benchmark, estimate=estimate)
    judged = found(Benchmark.open(benchmark.path))
    assert judged.drawn == "The judged pairs were drawn at random with recorded probabilities."
    error, share = judged.error(True), estimate.by_label[0].weighted
    assert (error.value, error.low, error.high) == (share.value, share.low, share.high)


def test_an_estimate_of_an_earlier_version_is_readable_and_claims_no_probabilities(tmp_path: Path) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    study = sample_study(benchmark, tmp_path / "study", size=12)
    for judge in ("ann", "bob"):
        add_answers(study, judge, dict.fromkeys(range(12), "clone"))
    written = export_judgements(study, benchmark, estimate=estimate_labels(study, resolve_subjects(study))).estimate
    assert written is not None
    content = json.loads(written.read_text(encoding="utf-8"))
    assert content.pop("drawn")["pair"]
    written.write_text(json.dumps({**content, "schema_version": 1}), encoding="utf-8")
    (read,) = read_estimates(benchmark.path)
    assert read.drawn is None
    assert found(Benchmark.open(benchmark.path)).drawn.startswith("This assumes")


def test_a_damaged_estimate_is_refused(tmp_path: Path) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    study = sample_study(benchmark, tmp_path / "study", size=12)
    add_answers(study, "ann", {0: "clone"}, role="owner")
    written = export_judgements(study, benchmark, estimate=estimate_labels(study, resolve_subjects(study))).estimate
    assert written is not None
    content = json.loads(written.read_text(encoding="utf-8"))
    content["drawn"]["stratum"] = []
    written.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match="damaged"):
        judged_labels(Benchmark.open(benchmark.path))


@pytest.mark.parametrize(
    ("claimed", "asked", "fits"),
    [
        ("shares-functionality", "same-main-purpose", True),
        ("same-main-purpose", "functionally-similar", True),
        ("textual", "textual", True),
        ("shares-functionality", "textual", False),
        ("shares-functionality", "equivalent-behaviour", False),
        ("semantic-not-syntactic", "same-main-purpose", False),
    ],
)
def test_criteria_fit_or_are_refused(tmp_path: Path, claimed: str, asked: str, fits: bool) -> None:
    judgements = [
        Judgement(judge, criterion, "clone", pair=row)
        for judge, criterion in (("rule", claimed), ("ada", asked))
        for row in range(3)
    ]
    benchmark = sample_benchmark(tmp_path, card=replace(CARD, criterion=claimed), judgements=judgements)
    assert isinstance(judged_labels(benchmark), JudgedLabels) is fits
    if fits:
        assert found(benchmark, asked).criterion == asked
    else:
        with pytest.raises(InputError, match="cannot show whether a label"):
            judged_labels(benchmark, asked)


def test_derived_benchmarks_have_the_labels_of_their_parents(tmp_path: Path) -> None:
    judged = sample_benchmark(tmp_path)
    child = sample_benchmark(tmp_path / "child", card=replace(CARD, name="child"))
    with pytest.raises(InputError, match="not about the labels of child"):
        judged_labels(judged, of=child)
    derived = Benchmark.create(
        tmp_path / "derived",
        Dataset(replace(CARD, name="derived"), FRAGMENTS, recipe=Recipe("copy", parents=(judged.content_hash,))),
        parents=[judged],
    )
    assert isinstance(judged_labels(judged, of=derived), JudgedLabels)


def test_groups_follow_label_and_type(tmp_path: Path) -> None:
    (sample,) = published_samples("codexglue-bcb")
    typed = match_labels(
        sample, [LabelCell(True, "T1", 5, 5), LabelCell(True, "WT3/T4", 8, 2), LabelCell(False, "", 1, 9)]
    )
    by_kind = dict(zip(typed.kinds, typed.groups, strict=True))
    assert by_kind[True, "T1"].clones.value == 1.0
    assert not by_kind[True, "T1"].judged
    assert by_kind[True, "WT3/T4"].clones.value == pytest.approx(27 / 406)
    assert by_kind[False, None].clones.value == 0.0
    pooled = match_labels(sample, [LabelCell(True, "", 8, 2), LabelCell(False, "", 1, 9)])
    assert any("taken to be of the judged kind (WT3/T4)" in one for one in pooled.assumptions)


def test_label_types_are_counted(tmp_path: Path) -> None:
    assert label_types(sample_benchmark(tmp_path)) == {"MT3": 3, "T1": 3, "T2": 3, "WT3/T4": 9}
    judged = [Judgement("ada", CARD.criterion, "clone", pair=0)]
    assert label_types(sample_benchmark(tmp_path / "unlabelled", judgements=judged)) is None


def test_published_samples_name_known_sets_and_criteria_and_a_source() -> None:
    for one in PUBLISHED_SAMPLES:
        assert one.sets <= set(SOURCES)
        assert one.criterion in CRITERIA
        assert 0 <= one.wrong <= one.judged
        assert one.source
        labels = one.labels("x")
        assert (int(np.count_nonzero(~labels.clone)), len(labels.clone)) == (one.wrong, one.judged)
    assert set().union(*LABEL_FAMILIES.values()) <= set(SOURCES)
    assert published_samples("sesame") == ()


def test_the_sample_that_is_at_hand_has_the_published_share(shared_data: Path) -> None:
    verdicts = (shared_data / "bcb406" / "finaltruth.csv").read_text(encoding="utf-8").splitlines()[1:]
    wrong = sum(line.startswith("F,") for line in verdicts)
    error = published_samples("bigclonebench")[0].error(True)
    assert error.low is not None
    assert error.high is not None
    assert error.low < wrong / len(verdicts) < error.high
