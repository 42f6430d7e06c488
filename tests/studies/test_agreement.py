"""The agreement of the judges of benchmarks and studies."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.model import Judge, JudgeKind, Judgement
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark
from clonetruth.store.study import Study
from clonetruth.studies import measure_agreement
from tests.studies.example_studies import add_answers, labelled_benchmark, sample_study


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Two people, of whom one is undecided once, an adjudicator, and an LLM."""
    folder = tmp_path_factory.mktemp("drawn")
    study = sample_study(labelled_benchmark(folder / "benchmark"), folder / "study", size=10, methods=True)
    add_answers(study, "ann", {0: "clone", 1: "clone", 2: "not-clone", 3: "not-clone", 4: "undecided"})
    add_answers(study, "bob", {0: "clone", 1: "not-clone", 2: "not-clone", 3: "not-clone", 4: "clone"})
    add_answers(study, "eve", {1: "clone", 4: "not-clone"}, role="adjudicator")
    add_answers(study, "llm:x", {0: "clone", 1: "clone", 2: "clone", 4: "not-clone"}, kind=JudgeKind.LLM)
    add_answers(study, "ann", {0: "major", 1: "minor", 2: "wrong"}, on="method")
    add_answers(study, "bob", {0: "major", 1: "wrong", 2: "major"}, on="method")
    return study


def test_people_are_compared_without_adjudicators(study: Study) -> None:
    found = measure_agreement(study)
    assert found.pairs is not None
    assert found.pairs.judges == ("ann", "bob")
    assert found.pairs.table == ((1, 1), (0, 2))
    assert found.undecided == 1
    assert found.methods is not None
    assert (found.methods.categories, found.methods.table) == (("major", "other"), ((1, 0), (1, 1)))
    assert found.method_labels is not None
    assert found.method_labels.categories == ("major", "incomplete", "minor", "test", "wrong")
    assert found.method_labels.differ == 2


def test_undecided_can_count_as_an_answer(study: Study) -> None:
    found = measure_agreement(study, undecided=True)
    assert found.undecided == 0
    assert found.pairs is not None
    assert found.pairs.categories == ("clone", "undecided", "not-clone")
    assert (found.pairs.subjects, found.pairs.differ) == (5, 2)


def test_an_llm_is_compared_with_the_final_verdicts(study: Study) -> None:
    found = measure_agreement(study, against="final")
    assert found.pairs is not None
    assert found.pairs.judges == ("llm:x", "final")
    # Agreed: clone (0), not (2); adjudicated: clone (1), not (4). The LLM differs on 2.
    assert found.pairs.table == ((2, 1), (0, 1))
    assert found.methods is None


def test_conflicts_are_listed_by_functionality(study: Study) -> None:
    found = measure_agreement(study, against="final")
    assert found.pairs is not None
    own = study.subjects["functionality"].to_pylist()
    listed = [(one.pair, one.verdict, one.answers) for group in found.by_functionality for one in group.conflicts]
    assert listed == [(2, "not-clone", {"llm:x": "clone"})]
    assert found.by_functionality[0].functionality == own[2]
    assert sum(group.pairs for group in found.by_functionality) == found.pairs.subjects == 4
    assert sum(group.clones for group in found.by_functionality) == 2
    assert measure_agreement(study).by_functionality == ()


def test_people_are_compared_with_a_policy_on_methods(study: Study) -> None:
    found = measure_agreement(study, against="majority", judges=("ann", "bob"))
    assert found.methods is not None
    assert found.methods.judges == ("ann", "bob", "majority")
    # Both call 0 major and 1 something else; on 2 they differ, and there is no majority.
    tables = {two.judges: two.table for two in found.methods.between}
    assert tables["ann", "majority"] == tables["bob", "majority"] == ((1, 0), (0, 1))


def test_judges_are_chosen_by_pattern(study: Study) -> None:
    found = measure_agreement(study, judges=("llm:*", "Bob"))
    assert found.pairs is not None
    assert found.pairs.judges == ("llm:x", "bob")
    with pytest.raises(InputError, match="Unknown judge 'zoe'"):
        measure_agreement(study, judges=("zoe",))


def test_invalid_comparisons_are_refused(study: Study, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not 'textual'"):
        measure_agreement(study, criterion="textual")
    with pytest.raises(UnknownNameError, match="majority"):
        measure_agreement(study, against="majorty")
    with pytest.raises(InputError, match="cannot conclude"):
        measure_agreement(study, against="members")
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    with pytest.raises(InputError, match="at least two judges"):
        measure_agreement(benchmark)
    with pytest.raises(InputError, match="not a criterion on pairs"):
        measure_agreement(benchmark, criterion="implements-functionality")


def test_a_benchmark_with_several_criteria_needs_a_choice(tmp_path: Path) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    people = [Judge(name, JudgeKind.PERSON, name) for name in ("ann", "bob")]
    judgements = [
        Judgement(judge.id, criterion, value, pair=pair)
        for judge in people
        for criterion, values in {"textual": ("clone", "clone"), "equivalent-behaviour": ("not-clone", "clone")}.items()
        for pair, value in enumerate(values)
    ]
    benchmark.append_judgements(people, judgements)
    with pytest.raises(InputError, match="several criteria"):
        measure_agreement(benchmark)
    found = measure_agreement(benchmark, criterion="equivalent-behaviour")
    assert found.pairs is not None
    assert found.pairs.table == ((1, 0), (0, 1))
    assert found.methods is None


def test_the_experts_of_bcb406(shared_data: Path, tmp_path: Path) -> None:
    report = import_dataset("bcb406", [shared_data / "bcb406"], output=tmp_path / "bcb406")
    found = measure_agreement(Benchmark.open(report.path))
    assert found.pairs is not None
    assert (found.pairs.subjects, found.pairs.table) == (271, ((15, 1), (29, 226)))
    assert found.pairs.agreement == pytest.approx(0.8893, abs=5e-5)
    assert found.pairs.cohen_kappa == pytest.approx(0.4526, abs=5e-5)
    assert found.methods is not None
    assert (found.methods.subjects, found.methods.table) == (528, ((120, 10), (93, 305)))
    assert found.methods.cohen_kappa == pytest.approx(0.5674, abs=5e-5)


@pytest.mark.slow
def test_gpt_4o_against_the_experts_of_bcb406(shared_data: Path, tmp_path: Path) -> None:
    """Against the final verdict on 271 pairs: 8 conflicts, kappa 0.749."""
    folder = shared_data / "bcb406"
    benchmark = Benchmark.open(import_dataset("bcb406", [folder], output=tmp_path / "bcb406").path)
    files = [folder / "openai.1-gpt-4o.log.xz", folder / "snippets.zip"]
    log = Benchmark.open(import_dataset("openai-log", files, output=tmp_path / "log").path)
    ids = "SELECT p.pair AS pair, l.id AS a, r.id AS b FROM pairs p JOIN fragments l ON p.left = l.fragment "
    ids += "JOIN fragments r ON p.right = r.fragment"
    keys = {(row["a"], row["b"]): row["pair"] for row in benchmark.sql(ids).to_pylist()}
    pair_keys = {row["pair"]: keys[row["a"], row["b"]] for row in log.sql(ids).to_pylist()}
    judgements = log.table("judgements").select(["judge", "value", "pair"]).to_pylist()
    model = Judge("llm:gpt-4o", JudgeKind.LLM, "GPT-4o")
    votes = [Judgement(model.id, "same-main-purpose", row["value"], pair=pair_keys[row["pair"]]) for row in judgements]
    benchmark.append_judgements([model], votes)
    found = measure_agreement(benchmark, against="final").pairs
    assert found is not None
    assert (found.subjects, found.differ) == (271, 8)
    assert found.cohen_kappa == pytest.approx(0.749, abs=5e-4)


def test_the_judges_of_each_tool_of_oreos_precision(shared_data: Path, tmp_path: Path) -> None:
    """One benchmark holds the reports of four tools; each has its own published agreement."""
    report = import_dataset("oreo-precision", [shared_data / "oreo_precision"], output=tmp_path / "oreo")
    benchmark = Benchmark.open(report.path)
    for tool, kappa in {"oreo": 0.464, "cloneworks": 0.454, "nicad": 0.129, "scc": 0.0}.items():
        found = measure_agreement(benchmark, of=f"tool:{tool}").pairs
        assert found is not None
        assert found.subjects == 400
        assert found.cohen_kappa == pytest.approx(kappa, abs=5e-4)
    with pytest.raises(InputError, match="Unknown judge 'tool:x'"):
        measure_agreement(benchmark, of="tool:x")


def test_the_raters_of_sesame(shared_data: Path, tmp_path: Path) -> None:
    """Eight raters, three of whom rated each pair: agreement with gaps, on an ordered scale."""
    files = [shared_data / "sesame" / name for name in ("dataset.json.gz", "method_sources.zip")]
    report = import_dataset("sesame", files, output=tmp_path / "sesame")
    found = measure_agreement(Benchmark.open(report.path), criterion="same-goals")
    assert found.pairs is not None
    assert (len(found.pairs.judges), found.pairs.categories) == (8, ("agree", "conditionally", "disagree"))
    assert found.pairs.subjects == 586
    assert found.pairs.krippendorff_alpha == pytest.approx(0.7132, abs=5e-5)
    assert found.pairs.krippendorff_alpha_ordinal == pytest.approx(0.8780, abs=5e-5)
    against = measure_agreement(
        report.path, criterion="same-goals", against="majority", judges=found.pairs.judges[:1]
    ).pairs
    assert against is not None
    # The majority is of three, and the judge is one of them.
    assert against.categories == ("clone", "not-clone")
    assert against.cohen_kappa is not None
    assert against.cohen_kappa > 0.5
