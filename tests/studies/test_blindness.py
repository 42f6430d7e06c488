"""An adversary reads what judges see: it finds what tells labels and checks, and nothing where nothing does."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.model import Judgement, Pair
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark
from clonetruth.store.study import Study
from clonetruth.store.votes import ItemKey, ItemKind
from clonetruth.studies import check_blindness, find_leaks, sample_study
from clonetruth.studies.assignment import Assignment, ItemPurpose
from clonetruth.studies.blindness import read_report, try_sources
from clonetruth.studies.rounds import RoundPlan
from clonetruth.studies.web.subjects import SubjectQuestion, SubjectQuestions
from tests.cli.running import run
from tests.conftest import SHARED
from tests.studies.example_studies import CARD, RULE, labelled_benchmark
from tests.studies.simulated_study import SimulatedStudy, checks, pairs


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """Twenty pairs claimed to be clones name their functionality, and twenty others do not, as in many datasets."""
    within = [Pair(f"copy-{one}", f"copy-{other}", "copy") for one, other in list(combinations(range(10), 2))[:20]]
    across = [Pair(f"copy-{one}", f"hash-{other}") for one in range(4) for other in range(5)]
    return _labelled(tmp_path_factory.mktemp("half") / "benchmark", within, across)


def _labelled(path: Path, clones: list[Pair], others: list[Pair]) -> Benchmark:
    labels = ["clone"] * len(clones) + ["not-clone"] * len(others)
    judgements = [Judgement(RULE.id, CARD.criterion, value, pair=number) for number, value in enumerate(labels)]
    return labelled_benchmark(path, pairs=[*clones, *others], judgements=judgements)


@pytest.fixture
def study(benchmark: Benchmark, tmp_path: Path) -> Study:
    return sample_study(benchmark, output=tmp_path / "study", n=40)


def test_a_functionality_that_only_clones_name_is_not_shown(study: Study) -> None:
    report = find_leaks(study)
    assert [target.unknown for target in report.targets] == [None, None]
    assert report.leaks == ()
    assert report.is_blind
    assert "specification" not in report.tested


def _as_before(questions: SubjectQuestions, task: Any) -> Any:
    return task


def test_the_adversary_finds_a_specification_that_only_clones_have(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages that show what they know, as those of earlier versions did."""
    monkeypatch.setattr(SubjectQuestions, "_shown", _as_before)
    report = find_leaks(study)
    told = {leak.source: leak for leak in report.leaks if leak.target == "label"}
    assert {"specification", "tabs"} <= told.keys()
    assert told["specification"].auc == 1.0
    assert told["specification"].p_value < 0.05
    assert not report.is_blind
    assert "specification" in str(report.problem)


@pytest.mark.parametrize(
    ("field", "part"),
    [("text", "question"), ("definition", "protocol"), ("answers", "vote form")],
)
def test_whatever_a_page_shows_is_an_input(
    study: Study, monkeypatch: pytest.MonkeyPatch, field: str, part: str
) -> None:
    labels, ask = study.subjects["label"].to_pylist(), SubjectQuestions.ask

    def tell(questions: SubjectQuestions, item: ItemKey, swapped: bool, *more: Any) -> SubjectQuestion:
        question = ask(questions, item, swapped, *more)
        if labels[item.number] == "clone":
            return question
        value = getattr(question, field)
        told: Any = {field: value[:-1] if isinstance(value, tuple) else f"{value} Or not?"}
        return replace(question, **told)

    monkeypatch.setattr(SubjectQuestions, "ask", tell)
    leaks = {leak.source: leak.auc for leak in find_leaks(study).leaks}
    assert leaks[part] == 1.0


def test_checks_from_elsewhere_are_found(study: Study) -> None:
    """Checks as earlier versions drew them: of another origin, with other sizes and layout."""
    text = "// Sorts.\nint[] sort(int[] numbers) {\n    return sorted(numbers);\n}\n"
    rows = [
        {
            "check": number,
            "kind": "attention",
            **{f"{side}_language": "java" for side in ("left", "right")},
            **{f"{side}_text": f"{text}// {side} {number}\n" for side in ("left", "right")},
            "expected": "clone",
            "feedback": "Both sort.",
            "functionality": "Sort",
            "specification": "Sort them.",
        }
        for number in range(8)
    ]
    # Fragments that do not repeat: twenty subjects that share no fragment remain otherwise.
    texts = [f"void m{number}() {{ }}" for number in range(40)]
    changed = replace(
        _with_columns(study, left_text=texts, right_text=[f"{one} // twin" for one in texts]),
        checks=pa.Table.from_pylist(rows, schema=study.checks.schema),
    )
    leaks = {leak.source for leak in find_leaks(changed).leaks if leak.target == "check"}
    assert {"size of the code", "layout of the code"} <= leaks


def _with_columns(study: Study, **columns: list[str]) -> Study:
    """The study with other values in some columns of its subjects."""
    subjects = study.subjects
    for name, values in columns.items():
        at = subjects.schema.get_field_index(name)
        subjects = subjects.set_column(at, subjects.schema.field(name), pa.array(values))
    return replace(study, subjects=subjects)


def test_languages_and_sizes_tell_a_label_by_how_they_are_paired(study: Study) -> None:
    """Clones of two languages and others of one, as in QuixBugs; clones of equal size and others of unequal size."""
    labels = [label == "clone" for label in study.subjects["label"].to_pylist()]
    left = ["java" if number % 2 else "python" for number in range(40)]
    other = {"java": "python", "python": "java"}
    right = [other[one] if clone else one for one, clone in zip(left, labels, strict=True)]
    texts = [f"void m{number}() {{ {'x(); ' * (number % 10)}}}" for number in range(40)]
    sizes = [number % 10 if clone else 9 - number % 10 for number, clone in enumerate(labels)]
    twins = [f"void t{number}() {{ {'y(); ' * size}}}" for number, size in enumerate(sizes)]
    changed = _with_columns(study, left_language=left, right_language=right, left_text=texts, right_text=twins)
    notes = {note.source: note for note in find_leaks(changed).notes}
    assert {"language", "size of the code"} <= notes.keys()
    assert notes["language"].auc == 1.0


def test_few_items_allow_no_conclusion(benchmark: Benchmark, tmp_path: Path) -> None:
    small = sample_study(benchmark, output=tmp_path / "small", n=12)
    report = check_blindness(small)
    assert report.is_blind is None
    assert report.targets[0].unknown == "Only 12 items: at least 20 are needed."
    assert read_report(small.path) == report
    with pytest.raises(InputError, match="would not be blind: That is unknown for labels"):
        sample_study(benchmark, output=tmp_path / "refused", n=12, require_blind=True)
    assert not (tmp_path / "refused").exists()


def test_one_label_cannot_be_told(benchmark: Benchmark, tmp_path: Path) -> None:
    clones = sample_study(benchmark, output=tmp_path / "clones", n=20, where="label = 'clone'", require_blind=True)
    assert find_leaks(clones).is_blind


def test_pages_hide_a_functionality_that_tells_the_label(tmp_path: Path) -> None:
    """All pairs name a functionality, but those of one are clones, and those of the other are not."""
    clones = [Pair(f"copy-{one}", f"copy-{other}", "copy") for one, other in list(combinations(range(10), 2))[:20]]
    others = [Pair(f"copy-{one}", f"hash-{other}", "hash") for one in range(4) for other in range(5)]
    benchmark = _labelled(tmp_path / "benchmark", clones, others)
    study = sample_study(benchmark, output=tmp_path / "study", n=40)
    report = read_report(study.path)
    assert report is not None
    assert [leak.source for leak in report.neutralised] == ["specification"]
    assert report.leaks == ()
    assert not study.plan.protocol.show_functionality
    assert SubjectQuestions(study).ask(ItemKey(ItemKind.PAIR, 0), False).task is None


def test_the_command_line_says_what_leaks(benchmark: Benchmark, tmp_path: Path) -> None:
    drawn = run("study", "sample", benchmark.path, "-o", tmp_path / "study", "--n", "40")
    assert drawn.code == 0, drawn.err
    assert "Blind: nothing but the code tells the claimed label." in drawn.out
    again = run("study", "blindness", tmp_path / "study", "--json")
    assert (again.code, again.json["blind"], again.json["leaks"]) == (0, True, [])
    refused = run("study", "sample", benchmark.path, "-o", tmp_path / "small", "--n", "9", "--require-blind")
    assert refused.code == 3
    assert "Only 9 items" in refused.err
    assert not (tmp_path / "small").exists()


@given(seed=st.integers(0, 99), subjects=st.integers(1, 40), attention=st.integers(0, 4))
@settings(max_examples=30)
def test_the_planned_order_is_what_a_judge_sees(seed: int, subjects: int, attention: int) -> None:
    simulated = SimulatedStudy(RoundPlan(seed, pairs(subjects), overlap=1, attention=checks(*range(attention))))
    simulated.join("a")
    planned = Assignment(simulated.eligibility).planned_order(simulated.people["a"])
    assert planned == [item.key for item in simulated.work("a") if item.purpose is not ItemPurpose.TRAINING]


def test_chance_is_rarely_taken_for_a_leak() -> None:
    """Nothing tells anything, labels depend on fragments, and fragments repeat: 5 % of studies raise an alarm."""
    alarms = 0
    studies = 60
    for number in range(studies):
        generator = np.random.default_rng(number)
        items = [ItemKey(ItemKind.PAIR, one) for one in range(40)]
        sides = [tuple(map(str, generator.integers(0, 60, 2))) for _ in items]
        effects = generator.normal(size=60)
        facts = {
            "order": {item: {"place": float(generator.random())} for item in items},
            "sides": {item: {"longer": float(generator.random() < 0.5)} for item in items},
            "repeated fragments": {
                item: {"both": float(sum(map(int, own)) % 7)} for item, own in zip(items, sides, strict=True)
            },
            "size of the code": {
                item: {"lines": float(sum(map(int, own)))} for item, own in zip(items, sides, strict=True)
            },
        }
        labels = {item: bool(sum(effects[int(one)] for one in own) > 0) for item, own in zip(items, sides, strict=True)}
        chosen = set(generator.choice(40, 8, replace=False).tolist())
        targets = {"label": labels, "check": {item: item.number in chosen for item in items}}
        leaks, _, _ = try_sources(facts, dict(zip(items, sides, strict=True)), targets, number)
        alarms += bool(leaks)
    # Ten of sixty have a probability of 0.1 % if the rate is 5 %.
    assert alarms < 10


@pytest.mark.skipif(not (SHARED / "data/bigclonebench/db_extract").is_dir(), reason="the data is absent")
def test_on_real_data_the_label_was_told_and_is_not_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import_dataset("bcb-extract", [SHARED / "data/bigclonebench/db_extract"], output=tmp_path / "benchmark")
    study = sample_study(tmp_path / "benchmark", output=tmp_path / "study", n=40)
    known = [name is not None for name in study.subjects["functionality"].to_pylist()]
    assert known == [label == "clone" for label in study.subjects["label"].to_pylist()], "40 of 40"
    assert read_report(study.path) == find_leaks(study)
    assert not [leak for leak in find_leaks(study).leaks if leak.source in ("specification", "tabs")]
    monkeypatch.setattr(SubjectQuestions, "_shown", _as_before)
    assert {leak.source: leak.auc for leak in find_leaks(study).leaks}["specification"] == 1.0
