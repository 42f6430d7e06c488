"""The agreement of the judges of benchmarks and studies."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.model import Judge, JudgeKind, Judgement
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark
from clonetruth.store.study import Study
from clonetruth.studies.agreement import AgreementOptions, agreement_of_benchmark, agreement_of_study
from tests.studies.workshop import answer, labelled, sampled


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Two people, of whom one is undecided once, an adjudicator, and an LLM."""
    folder = tmp_path_factory.mktemp("drawn")
    study = sampled(labelled(folder / "benchmark"), folder / "study", size=10, methods=True)
    answer(study, "ann", {0: "clone", 1: "clone", 2: "not-clone", 3: "not-clone", 4: "undecided"})
    answer(study, "bob", {0: "clone", 1: "not-clone", 2: "not-clone", 3: "not-clone", 4: "clone"})
    answer(study, "eve", {1: "clone", 4: "not-clone"}, role="adjudicator")
    answer(study, "llm:x", {0: "clone", 1: "clone", 2: "clone", 4: "not-clone"}, kind=JudgeKind.LLM)
    answer(study, "ann", {0: "major", 1: "minor", 2: "wrong"}, on="method")
    answer(study, "bob", {0: "major", 1: "wrong", 2: "major"}, on="method")
    return study


def test_people_who_judged_for_themselves_are_compared(drawn: Study) -> None:
    found = agreement_of_study(drawn)
    assert found.pairs is not None
    assert found.pairs.judges == ("ann", "bob")
    assert found.pairs.table == ((1, 1), (0, 2))
    assert found.undecided == 1
    assert found.methods is not None
    assert (found.methods.categories, found.methods.table) == (("major", "other"), ((1, 0), (1, 1)))
    assert found.method_labels is not None
    assert found.method_labels.categories == ("major", "incomplete", "minor", "test", "wrong")
    assert found.method_labels.differ == 2


def test_undecided_can_count_as_an_answer(drawn: Study) -> None:
    found = agreement_of_study(drawn, AgreementOptions(undecided=True))
    assert found.undecided == 0
    assert found.pairs is not None
    assert found.pairs.categories == ("clone", "undecided", "not-clone")
    assert (found.pairs.subjects, found.pairs.differ) == (5, 2)


def test_an_llm_is_compared_with_what_was_settled(drawn: Study) -> None:
    found = agreement_of_study(drawn, AgreementOptions(against="final"))
    assert found.pairs is not None
    assert found.pairs.judges == ("llm:x", "final")
    # Agreed: clone (0), not (2); settled: clone (1), not (4). The LLM differs on 2.
    assert found.pairs.table == ((2, 1), (0, 1))
    assert found.methods is None


def test_people_are_compared_with_what_was_settled_on_methods(drawn: Study) -> None:
    found = agreement_of_study(drawn, AgreementOptions(against="majority", judges=("ann", "bob")))
    assert found.methods is not None
    assert found.methods.judges == ("ann", "bob", "majority")
    # Both call 0 major and 1 another; on 2 they differ, and there is no majority.
    tables = {two.judges: two.table for two in found.methods.between}
    assert tables["ann", "majority"] == tables["bob", "majority"] == ((1, 0), (0, 1))


def test_judges_are_chosen_by_pattern(drawn: Study) -> None:
    found = agreement_of_study(drawn, AgreementOptions(judges=("llm:*", "Bob")))
    assert found.pairs is not None
    assert found.pairs.judges == ("llm:x", "bob")
    with pytest.raises(InputError, match="no judge 'zoe'"):
        agreement_of_study(drawn, AgreementOptions(judges=("zoe",)))


def test_what_cannot_be_compared_is_refused(drawn: Study, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not 'textual'"):
        agreement_of_study(drawn, AgreementOptions(criterion="textual"))
    with pytest.raises(UnknownNameError, match="majority"):
        agreement_of_study(drawn, AgreementOptions(against="majorty"))
    with pytest.raises(InputError, match="cannot conclude"):
        agreement_of_study(drawn, AgreementOptions(against="members"))
    benchmark = labelled(tmp_path / "benchmark")
    with pytest.raises(InputError, match="Fewer than two judges"):
        agreement_of_benchmark(benchmark)
    with pytest.raises(InputError, match="nothing that is asked of a pair"):
        agreement_of_benchmark(benchmark, AgreementOptions(criterion="implements-functionality"))


def test_a_benchmark_that_was_asked_several_things_needs_a_choice(tmp_path: Path) -> None:
    benchmark = labelled(tmp_path / "benchmark")
    people = [Judge(name, JudgeKind.PERSON, name) for name in ("ann", "bob")]
    said = [
        Judgement(judge.id, criterion, value, pair=pair)
        for judge in people
        for criterion, values in {"textual": ("clone", "clone"), "equivalent-behaviour": ("not-clone", "clone")}.items()
        for pair, value in enumerate(values)
    ]
    benchmark.append_judgements(people, said)
    with pytest.raises(InputError, match="several things"):
        agreement_of_benchmark(benchmark)
    found = agreement_of_benchmark(benchmark, AgreementOptions(criterion="equivalent-behaviour"))
    assert found.pairs is not None
    assert found.pairs.table == ((1, 0), (0, 1))
    assert found.methods is None


def test_the_experts_of_bcb406(shared_data: Path, tmp_path: Path) -> None:
    report = import_dataset("bcb406", [shared_data / "bcb406"], tmp_path / "bcb406")
    found = agreement_of_benchmark(Benchmark.open(report.path))
    assert found.pairs is not None
    assert (found.pairs.subjects, found.pairs.table) == (271, ((15, 1), (29, 226)))
    assert found.pairs.agreement == pytest.approx(0.8893, abs=5e-5)
    assert found.pairs.cohen_kappa == pytest.approx(0.4526, abs=5e-5)
    assert found.methods is not None
    assert (found.methods.subjects, found.methods.table) == (528, ((120, 10), (93, 305)))
    assert found.methods.cohen_kappa == pytest.approx(0.5674, abs=5e-5)


def test_gpt_4o_against_the_experts_of_bcb406(shared_data: Path, tmp_path: Path) -> None:
    """Against the final verdict on 271 pairs: 8 conflicts, kappa 0.749."""
    folder = shared_data / "bcb406"
    benchmark = Benchmark.open(import_dataset("bcb406", [folder], tmp_path / "bcb406").path)
    files = [folder / "openai.1-gpt-4o.log.xz", folder / "snippets.zip"]
    log = Benchmark.open(import_dataset("openai-log", files, tmp_path / "log").path)
    ids = "SELECT p.pair AS pair, l.id AS a, r.id AS b FROM pairs p JOIN fragments l ON p.left = l.fragment "
    ids += "JOIN fragments r ON p.right = r.fragment"
    keys = {(row["a"], row["b"]): row["pair"] for row in benchmark.sql(ids).to_pylist()}
    places = {row["pair"]: keys[row["a"], row["b"]] for row in log.sql(ids).to_pylist()}
    said = log.table("judgements").select(["judge", "value", "pair"]).to_pylist()
    model = Judge("llm:gpt-4o", JudgeKind.LLM, "GPT-4o")
    votes = [Judgement(model.id, "same-main-purpose", row["value"], pair=places[row["pair"]]) for row in said]
    benchmark.append_judgements([model], votes)
    found = agreement_of_benchmark(benchmark, AgreementOptions(against="final")).pairs
    assert found is not None
    assert (found.subjects, found.differ) == (271, 8)
    assert found.cohen_kappa == pytest.approx(0.749, abs=5e-4)


def test_the_judges_of_each_tool_of_oreos_precision(shared_data: Path, tmp_path: Path) -> None:
    """One benchmark holds the reports of four tools; each has an agreement of its own, as published."""
    report = import_dataset("oreo-precision", [shared_data / "oreo_precision"], tmp_path / "oreo")
    benchmark = Benchmark.open(report.path)
    for tool, kappa in {"oreo": 0.464, "cloneworks": 0.454, "nicad": 0.129, "scc": 0.0}.items():
        found = agreement_of_benchmark(benchmark, AgreementOptions(of=f"tool:{tool}")).pairs
        assert found is not None
        assert found.subjects == 400
        assert found.cohen_kappa == pytest.approx(kappa, abs=5e-4)
    with pytest.raises(InputError, match="no judge 'tool:x'"):
        agreement_of_benchmark(benchmark, AgreementOptions(of="tool:x"))


def test_the_raters_of_sesame(shared_data: Path, tmp_path: Path) -> None:
    """Eight raters, three of whom rated each pair: agreement with gaps, on an ordered scale."""
    files = [shared_data / "sesame" / name for name in ("dataset.json.gz", "method_sources.zip")]
    report = import_dataset("sesame", files, tmp_path / "sesame")
    found = agreement_of_benchmark(Benchmark.open(report.path), AgreementOptions(criterion="same-goals"))
    assert found.pairs is not None
    assert (len(found.pairs.judges), found.pairs.categories) == (8, ("agree", "conditionally", "disagree"))
    assert found.pairs.subjects == 586
    assert found.pairs.krippendorff_alpha == pytest.approx(0.7132, abs=5e-5)
    assert found.pairs.krippendorff_alpha_ordinal == pytest.approx(0.8780, abs=5e-5)
    options = AgreementOptions(criterion="same-goals", against="majority", judges=found.pairs.judges[:1])
    against = agreement_of_benchmark(Benchmark.open(report.path), options).pairs
    assert against is not None
    # The majority is of three, and the judge is one of them.
    assert against.categories == ("clone", "not-clone")
    assert against.cohen_kappa is not None
    assert against.cohen_kappa > 0.5
