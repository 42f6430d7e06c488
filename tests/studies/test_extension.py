"""An extended sample is the sample that would have been drawn at once, and its votes stay."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.model import Judge, JudgeKind, Judgement
from clonetruth.stats.sample_size import Allocation, plan_sample
from clonetruth.store import Benchmark
from clonetruth.store.study import HEADER, Study, read_study
from clonetruth.store.study_protocol import JudgeGroup
from clonetruth.store.votes import ItemKey, ItemKind, Vote, open_vote_store
from clonetruth.studies import estimate_labels, extend_sample, extend_study, resolve_subjects
from clonetruth.studies.rounds import RoundPlan, plan_rounds
from clonetruth.studies.study_folder import open_votes
from tests.studies.simulated_study import pairs

from .example_studies import add_answers, labelled_benchmark, sample_study


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return labelled_benchmark(tmp_path / "benchmark")


def sample(study: Study) -> dict[int, tuple[str, float, bool, str | None]]:
    """The sample by pair: stratum, weight, extra, label."""
    return {
        row["pair"]: (row["stratum"], row["weight"], row["extra"], row["label"]) for row in study.subjects.to_pylist()
    }


def methods(study: Study) -> dict[tuple[str, str], tuple[str, float, bool]]:
    return {
        (row["fragment_id"], row["functionality"]): (row["stratum"], row["weight"], row["extra"])
        for row in study.methods.to_pylist()
    }


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return labelled_benchmark(tmp_path_factory.mktemp("shared") / "benchmark")


@pytest.mark.slow
@settings(max_examples=12, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    first=st.integers(1, 30),
    more=st.lists(st.integers(1, 12), min_size=1, max_size=2),
    seed=st.integers(0, 9),
    allocation=st.sampled_from([Allocation.LARGEST_REMAINDER, Allocation.ROUND]),
    cover=st.booleans(),
)
def test_extended_is_as_drawn_at_once(
    shared: Benchmark, first: int, more: list[int], seed: int, allocation: Allocation, cover: bool
) -> None:
    design: dict[str, Any] = {
        "stratify": ("functionality",),
        "seed": seed,
        "allocation": allocation,
        "cover": cover,
        "methods": True,
    }
    with tempfile.TemporaryDirectory() as folder:
        study = sample_study(shared, Path(folder) / "study", size=first, **design)
        at_once = sample_study(shared, Path(folder) / "at-once", size=first + sum(more), **design)
        before = study
        for number in more:
            study = extend_sample(study, shared, number)
        drawn, wanted = sample(study), sample(at_once)
        assert wanted.keys() <= drawn.keys()
        if len(drawn) == len(wanted):
            # Otherwise largest remainders would have taken a pair away from a stratum, which keeps it.
            assert drawn == wanted
            assert methods(study) == methods(at_once)
            assert study.plan.strata == at_once.plan.strata
        else:
            assert allocation is Allocation.LARGEST_REMAINDER
            assert len(drawn) - len(wanted) < len(study.plan.strata)
        old = before.subjects.num_rows
        assert study.subjects["pair"].to_pylist()[:old] == before.subjects["pair"].to_pylist()
        old = before.methods.num_rows
        assert study.methods["fragment_id"].to_pylist()[:old] == before.methods["fragment_id"].to_pylist()


@given(sizes=st.lists(st.integers(1, 60), min_size=1, max_size=6), n=st.integers(0, 40), more=st.integers(0, 30))
def test_a_larger_allocation_takes_at_most_one_pair_from_a_stratum(sizes: list[int], n: int, more: int) -> None:
    """So that keeping it adds fewer pairs than there are strata."""
    strata = {str(number): size for number, size in enumerate(sizes)}
    small, large = min(n, sum(sizes)), min(n + more, sum(sizes))
    before, after = plan_sample(strata, small), plan_sample(strata, large)
    assert all(one.size - other.size <= 1 for one, other in zip(before, after, strict=True))


def test_votes_stay_and_the_estimate_uses_the_new_weights(benchmark: Benchmark, tmp_path: Path) -> None:
    study = sample_study(benchmark, tmp_path / "study", size=10, stratify=("functionality",), cover=True)
    with open_vote_store(study.path) as store:
        judge = store.add_judge("Ada")[0].id
        for number in range(10):
            store.cast(Vote(f"k{number}", judge, ItemKey(ItemKind.PAIR, number), "clone"))
    given = open_votes(study, None)[1]
    extended = extend_study(study, benchmark, n=12)
    assert extended.subjects.num_rows == 22 + 1
    assert read_study(study.path).plan == extended.plan
    assert open_votes(extended, None)[1].equals(given)
    with open_vote_store(extended.path) as store:
        store.cast(Vote("new", judge, ItemKey(ItemKind.PAIR, 21), "not-clone"))
    # All that is judged of a stratum represents it as a whole.
    for name in ("ann", "bob"):
        add_answers(extended, name, dict.fromkeys(range(23), "not-clone"))
    found = estimate_labels(extended, resolve_subjects(extended, "majority"))
    assert found.clones.value == 0.0
    weights = extended.subjects["weight"].to_pylist()
    assert sum(weights) == pytest.approx(60)
    files = {file.name for file in extended.path.glob("*.parquet")}
    assert files == {"subjects-1.parquet", "methods-1.parquet", "functionalities-1.parquet", "checks-1.parquet"}
    assert "`subjects-1.parquet`" in (extended.path / "README.md").read_text(encoding="utf-8")
    assert extend_study(extended.path, benchmark.path, n=1).plan.extensions[1].subjects == 23


@pytest.mark.slow
def test_estimates_of_extended_samples_are_unbiased(benchmark: Benchmark, tmp_path: Path) -> None:
    """Over many seeds, the weighted share of an extended sample is the share in the population."""
    truth = {pair: pair % 3 == 0 for pair in range(60)}
    wanted = sum(truth.values()) / 60
    shares = []
    for seed in range(40):
        study = sample_study(benchmark, tmp_path / str(seed), size=6, stratify=("label",), cover=True, seed=seed)
        rows = extend_sample(study, benchmark, 9).subjects.to_pylist()
        weights = np.array([row["weight"] for row in rows])
        shares.append(weights[[truth[row["pair"]] for row in rows]].sum() / weights.sum())
    error = np.std(shares, ddof=1) / np.sqrt(len(shares))
    assert abs(np.mean(shares) - wanted) < 3 * error


def test_what_a_group_has_begun_stays_with_it() -> None:
    groups = (JudgeGroup("a", 0.5), JudgeGroup("b", 0.5))
    before = RoundPlan(3, pairs(20), groups=groups).rotations
    after = RoundPlan(3, pairs(35), groups=groups, extended={ItemKind.PAIR: (20,)}).rotations
    assert {item: after[item] for item in before} == before
    first = [rotation[0] for item, rotation in after.items() if item not in before]
    assert abs(first.count("a") - first.count("b")) <= 1


def test_the_plan_of_an_extended_study_knows_its_extensions(benchmark: Benchmark, tmp_path: Path) -> None:
    study = sample_study(benchmark, tmp_path / "study", size=10)
    extended = extend_sample(study, benchmark, 5)
    assert plan_rounds(extended).extended[ItemKind.PAIR] == (10,)
    assert len(plan_rounds(extended).subjects) == 15


def refused(study: Study, benchmark: Benchmark, more: int, match: str) -> None:
    files = {file: file.read_bytes() for file in study.path.rglob("*") if file.is_file()}
    with pytest.raises(InputError, match=match):
        extend_sample(study, benchmark, more)
    assert files == {file: file.read_bytes() for file in study.path.rglob("*") if file.is_file()}


def test_what_cannot_be_extended_is_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    study = sample_study(benchmark, tmp_path / "study", size=10)
    refused(study, benchmark, 51, "61 pairs cannot be drawn from 60")
    other = labelled_benchmark(tmp_path / "other", card=replace(benchmark.card, version="2"))
    refused(study, other, 1, "this benchmark has changed")
    manifest = replace(study.plan.manifest, configuration={})
    refused(replace(study, plan=replace(study.plan, manifest=manifest)), benchmark, 1, "does not record how")
    refused(replace(study, plan=replace(study.plan, allocation="neyman")), benchmark, 1, "Neyman allocation cannot")


def test_a_population_that_changed_is_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    criterion = benchmark.card.criterion
    study = sample_study(
        benchmark, tmp_path / "study", size=10, where="verdict = 'unknown'", policy="default", criterion=criterion
    )
    assert extend_sample(study, benchmark, 2).subjects.num_rows == 12
    judged = study.subjects["pair"][0].as_py()
    benchmark.append_judgements(
        [Judge("ada", JudgeKind.PERSON, "ada")], [Judgement("ada", criterion, "clone", pair=judged)]
    )
    refused(read_study(study.path), Benchmark.open(benchmark.path), 1, "population of the study has changed")


def test_a_killed_extension_leaves_the_study_as_it_was(
    benchmark: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables are written before `study.json` names them: without it, they do not count."""
    study = sample_study(benchmark, tmp_path / "study", size=10)
    header = (study.path / HEADER).read_bytes()

    def killed(*_: object) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("clonetruth.store.study.study_readme", killed)
        with pytest.raises(KeyboardInterrupt):
            extend_sample(study, benchmark, 5)
    assert (study.path / HEADER).read_bytes() == header
    assert read_study(study.path).subjects.equals(study.subjects)
    assert extend_sample(read_study(study.path), benchmark, 5).subjects.num_rows == 15
