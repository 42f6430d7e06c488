"""From answers to verdicts, to an estimate, and back to the benchmark."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from clonetruth.audit import audit_benchmark
from clonetruth.errors import InputError
from clonetruth.model import JudgeKind
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark, build_manifest
from clonetruth.store.study import Study, StudyPlan, StudyStratum, write_study
from clonetruth.store.study_estimate import read_estimates, write_estimate
from clonetruth.store.study_judgements import read_study_judgements
from clonetruth.store.study_protocol import Protocol
from clonetruth.studies import estimate_labels, export_judgements, measure_agreement, resolve_subjects
from clonetruth.verdicts.judged_labels import judged_labels
from tests.studies.example_studies import add_answers, labelled_benchmark, sample_study


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return labelled_benchmark(tmp_path / "benchmark")


def judged(benchmark: Benchmark, path: Path) -> Study:
    """Twelve pairs: two people agree on ten of them, and an adjudicator settles one of the two others."""
    study = sample_study(benchmark, path, stratify=("functionality",), size=12, cover=True, methods=True)
    add_answers(study, "ann", {number: "clone" if number < 4 else "not-clone" for number in range(12)})
    add_answers(study, "bob", {number: "clone" if number < 2 else "not-clone" for number in range(12)})
    add_answers(study, "eve", {2: "clone"}, role="adjudicator")
    return study


def test_subjects_are_resolved_and_the_open_ones_are_listed(benchmark: Benchmark, tmp_path: Path) -> None:
    study = judged(benchmark, tmp_path / "study")
    found = resolve_subjects(study)
    count = study.subjects.num_rows
    assert found.policy == "adjudicated"
    assert found.pairs.verdicts["subject"].to_pylist() == list(range(count))
    assert found.pairs.verdicts["verdict"].to_pylist()[:4] == ["clone", "clone", "clone", "unknown"]
    assert found.pairs.judged == 12
    (left,) = found.pairs.open
    assert (left.subject, dict(left.answers)) == (3, {"ann": "clone", "bob": "not-clone"})
    assert found.methods is not None
    assert found.methods.judged == 0
    for judge in ("ann", "bob"):
        add_answers(study, judge, {0: "major", 1: "minor", 2: "wrong"}, on="method")
    share = estimate_labels(study, resolve_subjects(study)).methods
    assert share is not None
    assert (share.successes, share.n) == (1, 3)
    majority = resolve_subjects(study, "majority")
    assert [one.subject for one in majority.pairs.open] == [2, 3]


def test_a_changed_mind_counts_once(benchmark: Benchmark, tmp_path: Path) -> None:
    study = sample_study(benchmark, tmp_path / "study", size=2)
    for value in ("clone", "not-clone"):
        add_answers(study, "ann", {0: value})
    add_answers(study, "bob", {0: "not-clone"})
    assert resolve_subjects(study).pairs.verdicts["verdict"][0].as_py() == "not-clone"


def test_votes_of_the_vote_store_count_too(benchmark: Benchmark, tmp_path: Path) -> None:
    study, other = (sample_study(benchmark, tmp_path / name, size=2) for name in ("study", "other"))
    add_answers(study, "ann", {0: "clone"})
    add_answers(other, "bob", {0: "clone"})
    assert resolve_subjects(study).pairs.counts["clone"] == 0
    assert resolve_subjects(study, votes=read_study_judgements(other.path)).pairs.counts["clone"] == 1


def krinke(path: Path) -> Study:
    """The plan of Krinke and Ragkhitwetsagul: 386 in proportion, and 20 alone in their functionality."""
    strata = (StudyStratum("large", 8_498_000, 386, 0), *(StudyStratum(f"small {n:02}", 40, 1, 1) for n in range(20)))
    names = [one.name for one in strata for _ in range(one.drawn)]
    weights = {one.name: one.population / one.drawn for one in strata}
    subjects = pa.table(
        {
            "subject": range(406),
            "stratum": names,
            "weight": [weights[name] for name in names],
            "extra": [name != "large" for name in names],
            "label": ["clone"] * 406,
        }
    )
    plan = StudyPlan(
        title="Krinke",
        criterion="same-main-purpose",
        protocol=Protocol("krinke", "Same main purpose?"),
        population="weak clones",
        population_size=8_498_800,
        confidence=0.95,
        margin=0.05,
        allocation="round",
        seed=0,
        strata=strata,
        manifest=build_manifest({}, {}, 0),
    )
    return write_study(path, plan, subjects)


def test_with_and_without_the_pairs_that_cover_functionalities(tmp_path: Path) -> None:
    """The paper: 379 of 406 are not clones (93.3 %), and 365 of 386 without the 20 (94.6 %)."""
    study = krinke(tmp_path / "study")
    add_answers(study, "both", {n: "not-clone" if n < 365 or n >= 392 else "clone" for n in range(406)}, role="owner")
    found = estimate_labels(study, resolve_subjects(study))
    assert (found.labels.wrong, found.labels.judged) == (379, 406)
    assert found.labels.simple.value == pytest.approx(0.933, abs=5e-4)
    assert found.without_extra is not None
    assert found.without_extra.simple.value == pytest.approx(0.9456, abs=5e-5)
    # The 20 stand for 800 of 8,498,800 pairs, and hardly count in the population.
    assert found.labels.weighted.value == pytest.approx(365 / 386, abs=1e-4)
    assert found.without_extra.weighted.note is not None
    assert "800 pairs" in found.without_extra.weighted.note
    assert found.labels.weighted.low is not None
    assert found.labels.weighted.high is not None
    assert found.labels.weighted.low < 365 / 386 < found.labels.weighted.high
    assert (found.more, found.unknown) == (0, 0)
    assert found.margin == pytest.approx(0.023, abs=2e-3)


def test_both_kinds_of_labels_are_counted_separately(benchmark: Benchmark, tmp_path: Path) -> None:
    study = sample_study(benchmark, tmp_path / "study", size=60)
    labels = study.subjects["label"].to_pylist()
    # Every non-clone label is right; of the clone labels every other one is wrong.
    clones = [number for number, label in enumerate(labels) if label == "clone"]
    answers = dict.fromkeys(range(60), "not-clone") | dict.fromkeys(clones[::2], "clone")
    for judge in ("ann", "bob"):
        add_answers(study, judge, answers)
    found = estimate_labels(study, resolve_subjects(study))
    assert {one.group: (one.wrong, one.judged) for one in found.by_label} == {"clone": (28, 56), "not-clone": (0, 4)}
    # Everything was judged: the population is known without an interval's width.
    assert found.by_label[0].weighted.value == found.by_label[0].weighted.high == 0.5
    assert {one.group: one.judged for one in found.by_functionality} == {"Copy": 45, "Hash": 10, "Sort": 1}
    assert found.clones.value == pytest.approx(28 / 60)


def test_nothing_judged_is_nothing_known(benchmark: Benchmark, tmp_path: Path) -> None:
    study = sample_study(benchmark, tmp_path / "study", margin=0.2)
    found = estimate_labels(study, resolve_subjects(study))
    assert found.labels.simple.value is None
    assert found.labels.weighted.value is None
    assert found.clones.value is None
    assert (found.margin, found.more) == (None, None)
    assert found.unknown == found.labelled > 0


def test_the_interval_covers_the_truth(tmp_path: Path) -> None:
    """Drawn and judged again and again, the interval of the population holds the true share in 95 % of the cases."""
    study = krinke(tmp_path / "study")
    add_answers(study, "x", {0: "clone"})
    resolution = resolve_subjects(study)
    random = np.random.default_rng(3)
    hits = 0
    for _ in range(60):
        verdicts = pa.array(np.where(random.random(406) < 0.9, "not-clone", "clone").tolist())
        table = resolution.pairs.verdicts.set_column(1, "verdict", verdicts)
        changed = dataclasses.replace(resolution, pairs=dataclasses.replace(resolution.pairs, verdicts=table))
        share = estimate_labels(study, changed).labels.weighted
        assert share.low is not None
        assert share.high is not None
        hits += share.low <= 0.9 <= share.high
    assert hits >= 52


def test_an_export_brings_judgements_and_estimate_and_nothing_twice(benchmark: Benchmark, tmp_path: Path) -> None:
    study = judged(benchmark, tmp_path / "study")
    add_answers(study, "ann", {0: "major", 1: "minor"}, on="method")
    add_answers(study, "llm:x", {0: "clone"}, kind=JudgeKind.LLM, model="x")
    estimated = estimate_labels(study, resolve_subjects(study))
    before = benchmark.counts["judgements"]
    first = export_judgements(study, benchmark, estimate=estimated)
    assert (first.added, first.known, first.judges, first.left_out) == (28, 0, 4, 0)
    second = export_judgements(study, Benchmark.open(benchmark.path), estimate=estimated)
    assert (second.added, second.known) == (0, 28)
    add_answers(study, "ann", {0: "not-clone"})
    assert export_judgements(study, Benchmark.open(benchmark.path)).added == 1
    opened = Benchmark.open(benchmark.path)
    assert opened.counts["judgements"] == before + 29
    names = dict(zip(*(opened.table("judges")[name].to_pylist() for name in ("judge", "name")), strict=True))
    assert (names["ann"], names["llm:x"]) == ("ann", "Llm:X")
    assert read_estimates(benchmark.path) == (estimated,)
    agreed = measure_agreement(opened, criterion="same-main-purpose")
    assert agreed.pairs is not None
    assert agreed.pairs.subjects == 12


def test_names_are_kept_only_when_asked_for(benchmark: Benchmark, tmp_path: Path) -> None:
    export_judgements(judged(benchmark, tmp_path / "study"), benchmark, names=True)
    assert "Ann" in Benchmark.open(benchmark.path).table("judges")["name"].to_pylist()


def test_a_study_goes_back_to_its_own_benchmark_only(benchmark: Benchmark, tmp_path: Path) -> None:
    other = labelled_benchmark(tmp_path / "other", card=dataclasses.replace(benchmark.card, version="2"))
    with pytest.raises(InputError, match="drawn from small 1"):
        export_judgements(judged(benchmark, tmp_path / "study"), other)
    assert other.counts["judges"] == 1


def test_corrections_and_audits_use_the_estimate(benchmark: Benchmark, tmp_path: Path) -> None:
    study = judged(benchmark, tmp_path / "study")
    estimated = estimate_labels(study, resolve_subjects(study))
    export_judgements(study, benchmark, estimate=estimated)
    found = judged_labels(Benchmark.open(benchmark.path))
    assert not isinstance(found, str)
    assert found.error(True).value == estimated.by_label[0].weighted.value
    assert "Labels of small" in found.judges
    (finding,) = audit_benchmark(Benchmark.open(benchmark.path), select=("CT606",)).findings
    assert (finding.count, finding.of) == (estimated.labels.wrong, estimated.labels.judged)
    assert not audit_benchmark(labelled_benchmark(tmp_path / "other"), select=("CT606",)).findings


def test_a_later_estimate_of_the_same_policy_takes_the_place(benchmark: Benchmark, tmp_path: Path) -> None:
    study = judged(benchmark, tmp_path / "study")
    first, other = (estimate_labels(study, resolve_subjects(study, policy)) for policy in ("adjudicated", "majority"))
    for one in (first, other, dataclasses.replace(first, title="Again")):
        write_estimate(one, benchmark.path)
    assert {one.title for one in read_estimates(benchmark.path)} == {"Labels of small", "Again"}
    (benchmark.path / "results" / "study-damaged.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="Not a study estimate"):
        read_estimates(benchmark.path)


def test_the_experts_of_bcb406_through_a_study(shared_data: Path, tmp_path: Path) -> None:
    """Their votes put into a study of the 271 pairs give their numbers: 18 finally true, 253 wrong labels."""
    source = import_dataset("bcb406", [shared_data / "bcb406"], output=tmp_path / "bcb406")
    benchmark = Benchmark.open(source.path)
    study = sample_study(benchmark, tmp_path / "study", stratify=("functionality",), size=271)
    subjects = {pair: subject for subject, pair in enumerate(study.subjects["pair"].to_pylist())}
    answers = benchmark.sql("SELECT judge, pair, value FROM judgements WHERE pair IS NOT NULL").to_pylist()
    for judge, role in (("person:bcb406-1", "judge"), ("person:bcb406-2", "judge"), ("person:bcb406-agreed", "owner")):
        add_answers(
            study, judge, {subjects[row["pair"]]: row["value"] for row in answers if row["judge"] == judge}, role=role
        )
    found = estimate_labels(study, resolve_subjects(study))
    assert (found.labels.wrong, found.labels.judged) == (253, 271)
    assert {one.group: one.wrong for one in found.by_functionality}["Copy File"] == 126
