"""The matrix: cells are files, computed once, and a failure does not stop the others."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from clonetruth.code.worker_pool import FinishedTask, LostWorker
from clonetruth.detectors.trivial import Length
from clonetruth.errors import CloneTruthError, InputError, UnknownNameError
from clonetruth.evaluate.matrix.cell import CellWorkspace, FinishedCell
from clonetruth.evaluate.matrix.plan import MatrixPlan
from clonetruth.evaluate.matrix.runner import MatrixClock, MatrixStep, compute_matrix
from clonetruth.model import Manifest
from clonetruth.progress import Progress
from clonetruth.sources import embedded
from clonetruth.splits import Sampling, SplitSpec, create_split, read_split
from clonetruth.store import Benchmark
from clonetruth.store.matrix import CellFailure, MatrixCell, read_influence, read_summary
from clonetruth.store.results import Result, read_result
from clonetruth.training import LEARNERS, Epoch, TrainingSpec
from tests.sources.importer import imported

VIEWS = ("random", "cross-functionality")
SMALL = MatrixPlan(("identifiers", "token-similarity"), VIEWS, (0, 3), seeds=1)


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return embedded.build(tmp_path_factory.mktemp("matrix") / "embedded")


@pytest.fixture(scope="module")
def folder(benchmark: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished matrix with one seed."""
    folder = tmp_path_factory.mktemp("matrix") / "finished"
    compute_matrix(benchmark, folder, SMALL, processes=2)
    return folder


def cells(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "cells").iterdir()}


def test_every_cell_is_a_result_with_its_setting(folder: Path) -> None:
    assert cells(folder).keys() == {f"{cell.name}.json" for cell in SMALL.cells()}
    result = read_result(folder / "cells" / "identifiers-cross-functionality-3-0.json")
    assert (result.detector, result.view, result.part) == ("identifiers", "cross-functionality-0", "test")
    assert result.setting["level"] == 3
    assert result.setting["seed"] == 0
    assert result.setting["perspective"] == "cross-functionality"
    assert not (folder / "training").exists()


def test_the_summary_is_of_the_cells(folder: Path) -> None:
    summary = read_summary(folder / "summary.json")
    for detector in SMALL.detectors:
        for level in SMALL.levels:
            found = {}
            for view in VIEWS:
                f1 = read_result(folder / "cells" / f"{detector}-{view}-{level}-0.json").measurement("f1")
                row = summary.row(detector, view, level)
                assert f1 is not None
                assert row is not None
                assert row.values["f1"] == [f1.value]
                found[view] = f1.value
            drop = summary.row(detector, VIEWS[1], level)
            assert drop is not None
            assert drop.drops[0].value == found[VIEWS[0]] - found[VIEWS[1]]  # type: ignore[operator]  # both are known
    # Names are ignored by this detector, so hiding them changes nothing.
    assert summary.row("token-similarity", "random", 0).values == summary.row("token-similarity", "random", 3).values  # type: ignore[union-attr]


@pytest.mark.slow
def test_a_larger_matrix_computes_only_what_is_missing(benchmark: Benchmark, folder: Path) -> None:
    before, steps = cells(folder), list[MatrixStep]()
    larger = dataclasses.replace(SMALL, detectors=("token-similarity", "length"), levels=(0,), seeds=2)
    (folder / "cells" / "token-similarity-random-0-0.json").write_text('{"half": ')
    summary = compute_matrix(benchmark, folder, larger, processes=2, on_step=steps.append)
    old = {MatrixCell("token-similarity", view, 0, 0) for view in VIEWS}
    damaged = MatrixCell("token-similarity", "random", 0, 0)
    assert {step.cell for step in steps} == set(larger.cells()) - old | {damaged}
    assert [step.done for step in steps] == list(range(len(old), len(larger.cells()) + 1))
    assert steps[-1].remaining == 0
    after = cells(folder)
    assert all(after[name] == content for name, content in before.items() if name != f"{damaged.name}.json")
    again, once = (read_result_text(one[f"{damaged.name}.json"]) for one in (after, before))
    assert again["headline"] == once["headline"]
    assert summary.seeds == (0, 1)
    assert not summary.failures


def read_result_text(content: bytes) -> dict[str, object]:
    found = json.loads(content)
    assert isinstance(found, dict)
    return found


def test_a_view_that_the_benchmark_does_not_permit_fails_alone(benchmark: Benchmark, tmp_path: Path) -> None:
    asked = MatrixPlan(("length",), ("cross-language", "random"), (0,), seeds=1)
    summary = compute_matrix(benchmark, tmp_path / "m", asked)
    (failure,) = summary.failures
    assert failure.cell == MatrixCell("length", "cross-language", 0, 0)
    assert "at least 3 languages" in failure.error
    recorded = json.loads((tmp_path / "m" / "cells" / "length-cross-language-0-0.failed.json").read_text())
    assert recorded["error"] == failure.error
    assert summary.row("length", "random", 0).seeds == (0,)  # type: ignore[union-attr]
    assert read_summary(tmp_path / "m" / "summary.json") == summary


def test_where_no_view_is_possible_nothing_is_written(benchmark: Benchmark, tmp_path: Path) -> None:
    asked = MatrixPlan(("length",), ("cross-language",), (0,), seeds=1)
    with pytest.raises(InputError, match=r"No view can be split.*at least 3 languages"):
        compute_matrix(benchmark, tmp_path / "m", asked)
    assert not (tmp_path / "m").exists()


def test_where_every_cell_fails_the_error_says_why(
    benchmark: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(work: object, tasks: Sequence[MatrixCell], processes: int) -> Iterator[FinishedTask[MatrixCell, Result]]:
        yield from (FinishedTask(task, LostWorker(-9), 1.0) for task in tasks)

    monkeypatch.setattr("clonetruth.evaluate.matrix.runner.run_in_processes", lose)
    asked = MatrixPlan(("length",), ("random",), (0,), seeds=1)
    with pytest.raises(InputError, match=r"No cell has a result.*signal 9"):
        compute_matrix(benchmark, tmp_path / "m", asked)
    assert list(cells(tmp_path / "m")) == ["length-random-0-0.failed.json"]
    assert not (tmp_path / "m" / "summary.json").exists()


def test_the_folder_of_another_matrix_is_refused(benchmark: Benchmark, folder: Path) -> None:
    before = cells(folder)
    with pytest.raises(InputError, match="another benchmark"):
        compute_matrix(benchmark, folder, dataclasses.replace(SMALL, epochs=3))
    assert cells(folder) == before


def test_a_folder_of_something_else_is_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ada")
    with pytest.raises(InputError, match="has no matrix"):
        compute_matrix(benchmark, tmp_path, SMALL)
    (tmp_path / "matrix.json").write_text("no JSON")
    with pytest.raises(InputError, match="cannot be used"):
        compute_matrix(benchmark, tmp_path, SMALL)
    with pytest.raises(InputError, match="cannot be used"):
        compute_matrix(benchmark, tmp_path / "letter.txt", SMALL)
    with pytest.raises(InputError, match="cannot be created"):
        compute_matrix(benchmark, tmp_path / "letter.txt" / "m", SMALL)
    assert {path.name for path in tmp_path.iterdir()} == {"letter.txt", "matrix.json"}


def test_a_split_of_that_name_that_was_made_otherwise_stays(tmp_path: Path) -> None:
    benchmark = embedded.build(tmp_path / "embedded")
    made = create_split(benchmark, SplitSpec("random", ratio=(2, 1, 1)))
    asked = MatrixPlan(("length",), ("random",), (0,), seeds=1)
    compute_matrix(benchmark, tmp_path / "m", asked)
    assert read_split(benchmark, "random-0").digest == made.digest
    (other,) = set(benchmark.names("splits")) - {"random-0"}
    assert read_split(benchmark, other).options.ratio == (3, 1, 1)
    assert read_result(tmp_path / "m" / "cells" / "length-random-0-0.json").view == other


@dataclass(frozen=True)
class TrainedParrot(Length):
    """A detector of lengths, whose training improved to the end."""

    name: str = "parrot"
    options: TrainingSpec = field(default_factory=TrainingSpec)
    manifest: Manifest | None = None

    def with_manifest(self, manifest: Manifest) -> TrainedParrot:
        return dataclasses.replace(self, manifest=manifest)

    def save(self, folder: str | os.PathLike[str], manifest: Manifest | None = None) -> None:
        raise NotImplementedError

    @property
    def history(self) -> list[Epoch]:
        return [Epoch(0.0, epoch / self.options.epochs, 0.5) for epoch in range(self.options.epochs)]


@dataclass
class Parrot:
    """A learner that remembers what it was shown, and makes a detector of lengths."""

    name: str = "parrot"
    description: str = "Remembers."
    error: type[Exception] | None = None
    fragments: pa.Table | None = None
    options: TrainingSpec | None = None

    def train(
        self,
        fragments: pa.Table,
        train: pa.Table,
        valid: pa.Table,
        options: TrainingSpec,
        *,
        progress: Progress | None = None,
    ) -> TrainedParrot:
        if self.error is not None:
            raise self.error("The parrot is dead.")
        self.fragments, self.options = fragments, options
        assert set(np.unique(train["clone"].to_numpy())) == set(np.unique(valid["clone"].to_numpy())) == {False, True}
        return TrainedParrot(options=options)


@pytest.fixture
def parrot(monkeypatch: pytest.MonkeyPatch) -> Parrot:
    parrot = Parrot()
    monkeypatch.setitem(LEARNERS._entries, "parrot", "nowhere:PARROT")
    monkeypatch.setitem(LEARNERS._loaded, "parrot", parrot)
    return parrot


def workplace(benchmark: Benchmark, folder: Path, views: Sequence[str] = VIEWS) -> CellWorkspace:
    folder.mkdir()
    options = MatrixPlan(("parrot",), tuple(views))
    for view in views:
        if f"{view}-0" not in benchmark.names("splits"):
            create_split(benchmark, SplitSpec(view))
    return CellWorkspace(benchmark.path, folder, options, {(view, (0, None)): f"{view}-0" for view in views})


@pytest.mark.parametrize("view", VIEWS)
def test_a_learner_never_sees_the_test_part(benchmark: Benchmark, tmp_path: Path, parrot: Parrot, view: str) -> None:
    result = workplace(benchmark, tmp_path / "m").perform(MatrixCell("parrot", view, 2, 0))
    assert isinstance(result, FinishedCell)
    texts = benchmark.table("fragments").select(["fragment", "text"]).to_pylist()
    text_of = {row["fragment"]: row["text"] for row in texts}
    parts = benchmark.table(f"splits/{view}-0").to_pylist()
    test = {text_of[row["fragment"]] for row in parts if row["part"] == "test"}
    assert parrot.fragments is not None
    assert test
    assert not test & set(parrot.fragments["text"].to_pylist())
    assert "The training of 'parrot' was still improving when it ended" in result.result.warnings[0]
    assert parrot.options is not None
    assert (parrot.options.level, parrot.options.seed, parrot.options.threads) == (2, 0, 1)


@pytest.mark.parametrize(("kind", "traced"), [(CloneTruthError, False), (ValueError, True)], ids=["user error", "bug"])
def test_a_failure_is_recorded_and_forgotten_after_success(
    benchmark: Benchmark, tmp_path: Path, parrot: Parrot, kind: type[Exception], traced: bool
) -> None:
    place, cell = workplace(benchmark, tmp_path / "m"), MatrixCell("parrot", "random", 0, 0)
    parrot.error = kind
    failure = place.perform(cell)
    assert isinstance(failure, CellFailure)
    assert "The parrot is dead." in failure.error
    assert (failure.trace is not None) is traced
    assert place.finished(cell) is None
    assert list(cells(tmp_path / "m")) == ["parrot-random-0-0.failed.json"]
    assert [path.name for path in place.trainings.iterdir()] == [cell.name], "a training that was begun can go on"
    parrot.error = None
    assert place.perform(cell) == place.finished(cell)
    assert list(cells(tmp_path / "m")) == ["parrot-random-0-0.json"]
    assert parrot.options is not None
    assert parrot.options.folder == place.trainings / cell.name
    assert not list(place.trainings.iterdir())


def test_the_estimate_goes_by_detector() -> None:
    clock = MatrixClock()
    assert clock.remaining(SMALL.cells(), 2) == 0
    clock.record(MatrixCell("slow", "random", 0, 0), 60)
    clock.record(MatrixCell("fast", "random", 0, 0), 1)
    clock.record(MatrixCell("fast", "random", 0, 1), 3)
    left = [MatrixCell("slow", "random", 1, 0), MatrixCell("fast", "random", 1, 0), MatrixCell("new", "random", 1, 0)]
    assert clock.remaining(left, 2) == (60 + 2 + 31) / 2


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"detectors": ()}, InputError, "There is no detector."),
        ({"detectors": ("mpl",)}, UnknownNameError, "no detector 'mpl'"),
        ({"detectors": ("length", "length")}, InputError, "twice"),
        ({"views": ("sideways",)}, UnknownNameError, "no view 'sideways'"),
        ({"views": ("random:li2023",)}, InputError, "no variant 'li2023'"),
        ({"views": ("unseen-fragments",)}, InputError, "only has a test part"),
        ({"levels": (0, 4)}, InputError, "no level 4"),
        ({"ratio": (4, 0, 1)}, InputError, "no valid part"),
        ({"seeds": 0}, InputError, "number of seeds is 0"),
        ({"folds": 2}, InputError, "2 folds are not possible"),
        ({"tolerance": 0.0}, InputError, "tolerance is 0"),
        ({"train_functionalities": 4, "folds": 5}, InputError, "without folds"),
        ({"epochs": 0}, InputError, "epochs"),
        ({"confidence": 1.0}, InputError, "confidence"),
    ],
)
def test_invalid_plans_are_refused(changes: dict[str, object], error: type[CloneTruthError], message: str) -> None:
    with pytest.raises(error) as raised:
        dataclasses.replace(SMALL, **changes)  # type: ignore[arg-type]
    assert message in str(raised.value)


def test_no_processes_are_refused(benchmark: Benchmark, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="number of processes is 0"):
        compute_matrix(benchmark, tmp_path / "m", SMALL, processes=0)
    assert not (tmp_path / "m").exists()


def test_every_fold_is_a_cell_and_tests_each_functionality_once(benchmark: Benchmark, tmp_path: Path) -> None:
    asked = MatrixPlan(("length",), ("cross-functionality",), (0,), seeds=1, folds=4)
    assert [cell.name for cell in asked.cells()] == [f"length-cross-functionality-0-0-fold-{at}" for at in range(1, 5)]
    summary = compute_matrix(benchmark, tmp_path / "m", asked)
    assert not summary.failures
    (row,), (test,) = summary.rows, summary.tests
    assert (row.folds, len(set(row.divisions)), test.runs, test.divisions) == ((1, 2, 3, 4), 4, 4, 4)
    tables = [read_influence(path) for path in (tmp_path / "m" / "influence").iterdir()]
    tested = [sorted({*table.first, *table.second}) for table in tables]
    assert sorted(at for one in tested for at in one) == list(range(benchmark.counts["functionalities"]))
    assert read_summary(tmp_path / "m" / "summary.json") == summary


def test_a_cell_without_its_table_of_influences_is_computed_again(benchmark: Benchmark, folder: Path) -> None:
    steps = list[MatrixStep]()
    (folder / "influence" / "token-similarity-random-0-0.json").unlink()
    compute_matrix(benchmark, folder, SMALL, on_step=steps.append)
    assert [step.cell.name for step in steps] == ["token-similarity-random-0-0"]


def test_options_of_the_division_reach_the_splits() -> None:
    asked = MatrixPlan(
        ("length",), ("random", "cross-all:li2023"), train_functionalities=14, max_functionality_fragments=500
    )
    random, across = (asked.split_spec(view, 3) for view in asked.views)
    assert (random.train_functionalities, random.max_functionality_fragments) == (None, 500)
    assert (across.train_functionalities, across.variant, across.seed) == (14, "li2023", 3)
    assert asked.setting()["train_functionalities"] == 14


def test_the_first_seeds_come_first_and_variants_are_views() -> None:
    asked = MatrixPlan(("length",), ("random", "cross-functionality:li2023"), (0, 1), seeds=2)
    assert [cell.seed for cell in asked.cells()] == [0] * 4 + [1] * 4
    assert asked.cells()[2].name == "length-cross-functionality-li2023-0-0"
    assert asked.split_spec("cross-functionality:li2023", 1).name == "cross-functionality-li2023-1"


@pytest.mark.slow
def test_what_a_network_learned_on_code_jam_is_lost_on_new_problems(shared_data: Path, tmp_path: Path) -> None:
    """With the same share of clones everywhere."""
    pytest.importorskip("torch", reason="PyTorch (the extra 'neural') is not installed")
    benchmark = imported("gcj", [shared_data / "gcj"], tmp_path).benchmark
    sampling = Sampling(train_pairs=5000, valid_pairs=2000, test_pairs=2000, clone_share=0.25)
    asked = MatrixPlan(("mlp",), VIEWS, (0,), seeds=1, policy="members", sampling=sampling, epochs=8)
    summary = compute_matrix(benchmark, tmp_path / "m", asked)
    assert not summary.failures
    for test in summary.tests:
        assert test.clone_share.value == pytest.approx(0.25, abs=0.01)
    row = summary.row("mlp", "cross-functionality", 0)
    assert row is not None
    for metric in ("f1", "roc-auc"):
        drop = row.drop(metric)
        assert drop is not None
        assert drop.value is not None
        assert drop.value > 0.2
