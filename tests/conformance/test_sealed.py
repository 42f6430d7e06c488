"""No detector and no learner can tell clones from non-clones by anything but the texts."""

from __future__ import annotations

import ast
import gc
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clonetruth
from clonetruth.detectors import DETECTORS, Detector, SealedFragments, as_detector, score_sealed
from clonetruth.detectors.detector import FRAGMENTS, PAIRS
from clonetruth.detectors.search import query_scores
from clonetruth.errors import CloneTruthWarning, InputError, PluginError
from clonetruth.evaluate.matrix.cell import CellWorkspace
from clonetruth.evaluate.matrix.plan import MatrixPlan
from clonetruth.evaluate.pairs import PairSubjects
from clonetruth.evaluate.pairs.detector_scores import read_fragments, score_pairs
from clonetruth.evaluate.pairs.pair_set import PairSet
from clonetruth.evaluate.pairs.training import TrainingData
from clonetruth.splits import SplitSpec, create_split
from clonetruth.store import Benchmark
from clonetruth.store.matrix import CellFailure, MatrixCell
from clonetruth.training import LABELLED_PAIRS, LEARNERS, TrainingSpec
from clonetruth.verdicts import judge_verdicts
from tests.conformance.label_reader import (
    POLICY,
    VIEWS,
    LabelReader,
    ReadingLearner,
    RememberingReader,
    area,
    clues,
    leaky_benchmark,
)
from tests.conformance.test_detectors import TEXTS
from tests.conftest import ROOT
from tests.execution.sandboxed import LACKING

RUNNABLE = [name for name in sorted(DETECTORS) if name != "execution" or not LACKING]


CHANCE = 0.08
"""How far from 0.5 the area under the curve may be by chance, with hundreds of pairs of each class."""


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return leaky_benchmark(tmp_path_factory.mktemp("leaky"))


def pair_set(benchmark: Benchmark, view: str) -> PairSet:
    return PairSet(benchmark, judge_verdicts(benchmark, POLICY, None), view)


def seen_before(benchmark: Benchmark, subjects: PairSubjects) -> tuple[pa.Table, pa.Table]:
    """What a detector would be shown without a seal: the rows and keys of the benchmark, and the functionality."""
    fragments = benchmark.table("fragments").select(["fragment", "language", "text"])
    columns = {"pair": subjects.pair, "left": subjects.left, "right": subjects.right}
    return fragments, pa.table({**columns, "functionality": subjects.cluster})


@pytest.mark.parametrize("view", VIEWS)
def test_the_labels_of_the_benchmark_are_easy_to_read_without_a_seal(benchmark: Benchmark, view: str) -> None:
    subjects = pair_set(benchmark, view).subjects("test")
    areas = {
        name: abs(area(values, subjects.truth) - 0.5)
        for name, values in clues(*seen_before(benchmark, subjects)).items()
    }
    telling = {"pairs.pair", "row", "side", "multiplicity", "same topic", "distance.fragment"}
    assert all(areas[name] > 0.4 for name in telling), areas
    assert areas["common neighbours"] > 0.2


@pytest.mark.parametrize("view", VIEWS)
def test_a_detector_that_reads_labels_stays_at_chance(benchmark: Benchmark, view: str) -> None:
    """Every column, key, order, count and null, and the graph of the pairs, one after the other."""
    subjects = pair_set(benchmark, view).subjects("test")
    _, distinct = np.unique(subjects.pair_key, return_index=True)
    warned = set()
    for clue in clues(*seen_before(benchmark, subjects)):
        said: list[str] = []
        scored = score_pairs(benchmark, LabelReader(clue), subjects, warn=said.append).select(distinct)
        assert abs(area(scored.score, scored.truth) - 0.5) < CHANCE, clue
        warned |= {clue for _ in said}
    assert warned >= {"common neighbours", "degrees", "least degree"}, "the graph is not read in silence"


@pytest.mark.parametrize("view", VIEWS)
def test_a_learner_that_reads_labels_stays_at_chance(benchmark: Benchmark, view: str) -> None:
    """It knows the labels of train and valid, but nothing else that it learns there holds for the test part."""
    learner, pairs = ReadingLearner(), pair_set(benchmark, view)
    detector = TrainingData.of(pairs).train_with(learner, TrainingSpec())
    subjects = pairs.subjects("test")
    _, distinct = np.unique(subjects.pair_key, return_index=True)
    scored = score_pairs(benchmark, detector, subjects).select(distinct)
    assert abs(area(scored.score, scored.truth) - 0.5) < CHANCE
    for fragments, labelled in learner.shown:
        assert labelled.schema.equals(LABELLED_PAIRS, check_metadata=True)
        assert fragments.equals(SealedFragments.of(fragments, fragments["fragment"].to_numpy()).table)


def test_a_detector_that_remembers_earlier_calls_is_refused(benchmark: Benchmark) -> None:
    subjects = pair_set(benchmark, VIEWS[0]).subjects("test")
    with pytest.raises(InputError, match="scores the same pairs differently when it is asked again"):
        score_pairs(benchmark, RememberingReader("memory"), subjects)


def test_a_function_that_remembers_earlier_pairs_is_refused(benchmark: Benchmark) -> None:
    """A function of two texts is shown one pair at a time, and can still collect the graph of the pairs."""
    neighbours: dict[str, set[str]] = {}

    def remembering(left: str, right: str) -> float:
        one, other = neighbours.setdefault(left, set()), neighbours.setdefault(right, set())
        one.add(right)
        other.add(left)
        return float(len(one & other))

    subjects = pair_set(benchmark, VIEWS[1]).subjects("test")
    with pytest.raises(InputError, match="scores the same pairs differently when it is asked again"):
        score_pairs(benchmark, as_detector(remembering), subjects)


def test_one_extreme_score_does_not_hide_that_pairs_depend_on_each_other(benchmark: Benchmark) -> None:
    subjects = pair_set(benchmark, VIEWS[1]).subjects("test")
    extreme = read_fragments(benchmark, subjects.left[:1])["text"][0].as_py()

    def common_neighbours(fragments: pa.Table, sides: pa.Table) -> Any:
        texts = fragments["text"].to_pylist()
        pairs = sides.rename_columns(["left", "right"])
        fragments = fragments.rename_columns(FRAGMENTS.names)
        scores = clues(fragments, pairs)["common neighbours"]
        return np.where([texts[left] == extreme for left in sides["left"].to_pylist()], -1e9, scores)

    said: list[str] = []
    scored = score_pairs(benchmark, as_detector(common_neighbours, batch=True), subjects, warn=said.append)
    others = scored.select(np.flatnonzero(scored.score > -1e8))
    assert len(others) > 0.9 * len(scored)
    assert abs(area(others.score, others.truth) - 0.5) < CHANCE
    assert said


CORPORA = st.lists(st.tuples(st.sampled_from(["java", "c"]), st.sampled_from("abcd")), min_size=2, max_size=6)


@settings(deadline=None, max_examples=40)
@given(CORPORA, st.data())
def test_what_is_shown_is_a_function_of_the_texts_and_the_set_of_pairs(texts: list[tuple[str, str]], data: Any) -> None:
    """Other keys, orders, sides and repetitions show the same, and every row gets the score of its texts."""
    row = st.tuples(*[st.integers(0, len(texts) - 1)] * 2)
    rows = data.draw(st.lists(row, min_size=1, max_size=12))
    shown = []
    for again in (False, True):
        keys = list(range(len(texts)))
        given_rows = rows
        if again:
            keys = sorted(
                data.draw(st.lists(st.integers(0, 999), min_size=len(texts), max_size=len(texts), unique=True))
            )
            place = data.draw(st.permutations(range(len(texts))))
            more = rows + data.draw(st.lists(st.sampled_from(rows), max_size=5))
            given_rows = [pair[::-1] if data.draw(st.booleans()) else pair for pair in data.draw(st.permutations(more))]
        else:
            place = list(range(len(texts)))
        content = dict(zip((keys[at] for at in place), texts, strict=True))
        ordered = sorted(content)
        columns = {"fragment": ordered, "language": [content[key][0] for key in ordered]}
        fragments = pa.table({**columns, "text": [content[key][1] for key in ordered]})
        left, right = (np.array([keys[place[pair[side]]] for pair in given_rows]) for side in (0, 1))
        reader = LabelReader("distance.text")
        scores = score_sealed(reader, fragments, left, right)
        shown.append([(one.to_pydict(), other.to_pydict()) for one, other, _ in reader.shown])
        for one, other in [tables[:2] for tables in reader.shown]:
            assert_sealed(one, other)
        reference = as_detector(lambda one, other: float(ord(one) * ord(other)))
        found = score_sealed(reference, fragments, left, right).values.to_pylist()
        assert found == [float(ord(texts[a][1]) * ord(texts[b][1])) for a, b in given_rows]
        assert len(scores.values) == len(given_rows)
    assert shown[0] == shown[1]


def assert_sealed(fragments: pa.Table, pairs: pa.Table) -> None:
    """A table holds texts, languages and distinct pairs in an order that follows from the texts, and nothing else."""
    assert fragments.schema.equals(FRAGMENTS, check_metadata=True)
    assert pairs.schema.equals(PAIRS, check_metadata=True)
    assert fragments.schema.metadata is None
    assert pairs.schema.metadata is None
    again = SealedFragments.of(fragments, fragments["fragment"].to_numpy()).table
    assert again.equals(fragments)
    sides = list(zip(pairs["left"].to_pylist(), pairs["right"].to_pylist(), strict=True))
    assert sides == sorted(set(sides))
    assert all(left <= right for left, right in sides)
    assert pairs["pair"].to_pylist() == list(range(len(sides)))
    assert {key for pair in sides for key in pair} <= set(range(fragments.num_rows))
    for chunk in (chunk for table in (fragments, pairs) for column in table.columns for chunk in column.chunks):
        assert chunk.offset == 0, "a slice shows what surrounds it"
    texts = sum(len(text.encode()) for text in fragments["text"].to_pylist())
    assert sum(chunk.buffers()[2].size for chunk in fragments["text"].chunks if len(chunk) and texts) in (texts, 0)


def reachable(start: object, wanted: tuple[type, ...]) -> bool:
    """Whether an object leads to one of the wanted types: by closures, bound objects, attributes and containers."""
    seen: set[int] = set()
    waiting: list[object] = [start]
    while waiting:
        one = waiting.pop()
        if isinstance(one, wanted):
            return True
        if id(one) in seen or isinstance(one, type) or type(one).__name__ == "module":
            continue
        seen.add(id(one))
        if isinstance(one, FunctionType):
            waiting += [cell.cell_contents for cell in one.__closure__ or ()] + list(one.__defaults__ or ())
        elif isinstance(one, MethodType):
            waiting += [one.__self__, one.__func__]
        else:
            waiting += gc.get_referents(one)
    return False


READER, LEARNER = LabelReader("common neighbours"), ReadingLearner()
"""As another package would register them, by name."""


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DETECTORS._entries, "label-reader", f"{__name__}:READER")
    monkeypatch.setitem(LEARNERS._entries, "reading-learner", f"{__name__}:LEARNER")
    READER.shown.clear()
    LEARNER.shown.clear()


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    "entry", ["evaluate", "by name", "batch function", "predict", "search", "matrix", "train and matrix"]
)
def test_every_way_to_a_detector_is_sealed(benchmark: Benchmark, tmp_path: Path, entry: str) -> None:
    reader: LabelReader = READER
    options: dict[str, Any] = {"on": benchmark, "policy": POLICY, "view": VIEWS[0], "part": "test"}

    def progress(what: str, done: int, total: int) -> None: ...

    if entry == "evaluate":
        clonetruth.evaluate_detector(reader, **options, progress=progress)
    elif entry == "by name":
        clonetruth.evaluate_detector("label-reader", **options, progress=progress)
    elif entry == "batch function":
        seen: list[tuple[pa.Table, pa.Table]] = []

        def function(texts: pa.Table, sides: pa.Table) -> list[float]:
            seen.append((texts, sides))
            return [0.0] * sides.num_rows

        clonetruth.evaluate_detector(function, **options, batch=True)
        for texts, sides in seen:
            pairs = sides.add_column(0, PAIRS.field("pair"), pa.array(range(sides.num_rows), pa.int64()))
            reader.shown.append((texts.rename_columns(FRAGMENTS.names), pairs, None))
    elif entry == "search":
        fragments = benchmark.table("fragments").select(["fragment", "language", "text"])
        scores = query_scores(reader, fragments, progress=progress)
        assert scores(np.arange(3)).shape == scores(np.arange(5, 8)).shape == (3, fragments.num_rows)
    elif entry == "predict":
        with pytest.warns(CloneTruthWarning, match="scores pairs differently when it is asked for other pairs"):
            clonetruth.predict_pairs(reader, on=benchmark, view=VIEWS[0], part="test", progress=progress)
    else:
        name = "label-reader" if entry == "matrix" else "reading-learner"
        cell = MatrixCell(name, "random", 0, 0)
        if "random-9" not in benchmark.names("splits"):
            create_split(benchmark, SplitSpec("random", seed=9, near_duplicates=False, policy=POLICY))
        plan = MatrixPlan(detectors=(name,), views=("random",), levels=(0,), seeds=1, policy=POLICY)
        work = CellWorkspace(benchmark.path, tmp_path, plan, {("random", cell.run): "random-9"})
        (tmp_path / "cells").mkdir()
        finished = work.perform(cell)
        assert not isinstance(finished, CellFailure), finished
        if entry == "train and matrix":
            assert LEARNER.detector is not None
            reader = LEARNER.detector
        assert "scores pairs differently when it is asked for other pairs" in " ".join(finished.result.warnings)
    assert len(reader.shown) >= 2
    for fragments, pairs, given_progress in reader.shown:
        assert_sealed(fragments, pairs)
        assert not reachable(given_progress, (Benchmark, PairSubjects, PairSet))
        assert not reachable(fragments, (Benchmark, PairSubjects))


@pytest.mark.parametrize("name", RUNNABLE)
def test_no_registered_detector_depends_on_the_other_pairs(benchmark: Benchmark, name: str) -> None:
    """Those of other packages included: what one call shows of the graph of pairs is not used."""
    subjects = pair_set(benchmark, VIEWS[0]).subjects("valid")
    warned: list[str] = []
    score_pairs(benchmark, DETECTORS[name], subjects, warn=warned.append)
    assert not warned


@pytest.mark.parametrize("name", RUNNABLE)
def test_the_seal_changes_no_score(name: str) -> None:
    """Copies of a text, empty texts and unsupported languages included."""
    fragments = pa.table(
        {
            "fragment": range(3, 3 + len(TEXTS) + 2),
            "language": [language for language, _ in TEXTS] + ["java", "cobol"],
            "text": [text for _, text in TEXTS] + [TEXTS[0][1], TEXTS[0][1]],
        },
        schema=FRAGMENTS,
    )
    left, right = (side.ravel() + 3 for side in np.indices((fragments.num_rows, fragments.num_rows)))
    direct = DETECTORS[name].score(fragments, pa.table([np.arange(len(left)), left, right], schema=PAIRS))
    assert score_sealed(DETECTORS[name], fragments, left, right).values.equals(direct)


def test_a_detector_that_reads_functionalities_is_told_why_it_fails(benchmark: Benchmark) -> None:
    class Old(LabelReader):
        def score(self, fragments: pa.Table, pairs: pa.Table, **options: Any) -> pa.DoubleArray:
            return pairs["functionality"].cast(pa.float64())

    class Wrong(LabelReader):
        def score(self, fragments: pa.Table, pairs: pa.Table, **options: Any) -> pa.DoubleArray:
            return pa.array([0.5])

    class Broken(LabelReader):
        def score(self, fragments: pa.Table, pairs: pa.Table, **options: Any) -> pa.DoubleArray:
            raise ZeroDivisionError("its own fault")

    subjects = pair_set(benchmark, VIEWS[0]).subjects("test")
    with pytest.raises(InputError, match="'old' reads the functionality of a pair, which reveals its label"):
        score_pairs(benchmark, Old("", name="old"), subjects)
    with pytest.raises(InputError, match=r"returned 1 scores for \d+ pairs"):
        score_pairs(benchmark, Wrong(""), subjects)
    with pytest.raises(PluginError, match="failed: ZeroDivisionError: its own fault") as failure:
        score_pairs(benchmark, Broken(""), subjects)
    assert isinstance(failure.value.__cause__, ZeroDivisionError), "its author sees where"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda count: [0.5] * count, "returned list instead of scores"),
        (lambda count: np.full(count, 0.5), "returned ndarray instead of scores"),
        (lambda count: None, "returned NoneType instead of scores"),
        (lambda count: pa.array(["high"] * count), "of string instead of scores"),
        (lambda count: pa.array([True] * count), "of bool instead of scores"),
        (lambda count: pa.array([np.inf] + [0.5] * (count - 1)), "returned 1 scores that are not finite numbers"),
        (lambda count: pa.array([None, np.nan] + [0.5] * (count - 2)), "returned 1 scores that are not finite"),
        (lambda count: pa.array([1 // 0]), "failed: ZeroDivisionError"),
        (lambda count: exit(3), "failed: SystemExit: 3"),
        (lambda count: pa.array([0.5] * (count + 1)), "scores for"),
    ],
)
def test_rubbish_of_another_packages_detector_is_no_score(answer: Any, said: str) -> None:
    class Foreign:
        name, description, default_threshold = "foreign", "Returns rubbish.", 0.5

        def score(self, fragments: pa.Table, pairs: pa.Table, **more: Any) -> Any:
            return answer(pairs.num_rows)

    with pytest.raises((PluginError, InputError), match=f"The detector 'foreign' .*{said}"):
        score_sealed(Foreign(), *example_pairs())


def test_whole_numbers_and_nulls_are_scores() -> None:
    class Whole:
        name, description, default_threshold = "whole", "Returns 1.", 0.5

        def score(self, fragments: pa.Table, pairs: pa.Table, **more: Any) -> Any:
            return pa.array([1] * pairs.num_rows, pa.int8())

    assert set(score_sealed(Whole(), *example_pairs()).values.to_pylist()) == {1.0}


def example_pairs() -> tuple[pa.Table, Any, Any]:
    fragments = pa.table([range(4), ["java"] * 4, ["int a;", "int b;", "f();", "g();"]], schema=FRAGMENTS)
    return fragments, np.array([0, 0, 1]), np.array([1, 2, 3])


def test_a_score_may_depend_on_the_other_texts(benchmark: Benchmark) -> None:
    """As with weights of words by their rarity: the texts of all fragments reveal nothing."""

    class Rarity(LabelReader):
        def score(self, fragments: pa.Table, pairs: pa.Table, **options: Any) -> pa.DoubleArray:
            self.shown.append((fragments, pairs, None))
            return pa.array(np.full(pairs.num_rows, float(fragments.num_rows)))

    subjects = pair_set(benchmark, VIEWS[0]).subjects("test")
    reader, warned = Rarity(""), list[str]()
    scored = score_pairs(benchmark, reader, subjects, warn=warned.append)
    assert set(scored.score) == {float(len(np.union1d(subjects.left, subjects.right)))}
    assert not warned
    assert len(reader.shown) == 4


PASSES_ON = "train_with_functionalities"
"""A function that trains a learner: its callers must pass only sealed data."""


def calls(path: Path) -> set[str]:
    """The methods `score` and `train`, and functions that call them, that a module calls with two or more positional
    arguments."""
    text = path.read_text(encoding="utf-8")
    if not any(one in text for one in (".score(", ".train(", f"{PASSES_ON}(")):
        return set()
    called = [node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and len(node.args) > 1]
    return {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in called}


def test_nothing_calls_a_detector_or_a_learner_but_through_the_seal() -> None:
    package = ROOT / "src" / "clonetruth"
    modules = {path.relative_to(package).as_posix(): calls(path) for path in package.rglob("*.py")}
    assert {name for name, called in modules.items() if "score" in called} == {
        "detectors/abstracted.py",  # passes on what it was given
        "detectors/sealed.py",
        "detectors/semantic/detector.py",  # passes on what it was given
        "training/semantic.py",  # passes on what it was given
        "training/calibration.py",  # passes on what it was given
        "training/bag_detector.py",  # the scores of weights, not of a detector
    }
    assert {name for name, called in modules.items() if "train" in called} == {
        "training/learner.py",  # passes on what it was given
        "training/transformer/__init__.py",  # passes on what it was given
    }
    assert {name for name, called in modules.items() if PASSES_ON in called} == {
        "evaluate/pairs/training.py",
        "training/calibration.py",  # passes on parts of what it was given
    }


def test_detectors_conform(benchmark: Benchmark) -> None:
    reader: Detector = LabelReader("row")
    assert len(score_sealed(reader, FRAGMENTS.empty_table(), *[np.zeros(0, np.int64)] * 2).values) == 0
    with pytest.raises(InputError, match="refers to fragment 5, which is missing"):
        score_sealed(reader, FRAGMENTS.empty_table(), np.array([5]), np.array([5]))
