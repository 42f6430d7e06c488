"""A search on workers finds what a search in this process finds, or fails with a reason."""

from __future__ import annotations

import pickle
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clonetruth
from clonetruth.code import Bags, overlap, overlap_parts, remote_join
from clonetruth.code.remote_join import join_remotely
from clonetruth.code.remote_workers import RemoteError, program_digest, run_remotely
from clonetruth.errors import InputError, OutOfMemoryError, UnexpectedError
from clonetruth.find.reading import ReadingPlan
from clonetruth.find.remote_reading import read_remotely
from clonetruth.find.search_result import SearchedFile
from clonetruth.progress import no_progress
from clonetruth.store import spark_workers
from clonetruth.store.spark import APPLICATION, SparkEngine
from clonetruth.store.spark_workers import _explained, watched
from tests.find.search_trees import SMALL
from tests.find.test_search import SUM, in_class


class WorkersHere:
    """Workers in this process, with the same ways of sending work and results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calls = 0

    def map_batches(
        self,
        function: Callable[[Any, Any], pa.Table],
        shared: Any,
        batches: Sequence[Any],
        report: Callable[[int, int], None],
    ) -> list[pa.Table]:
        task = pickle.dumps((function, shared))
        tables = []
        for number, batch in enumerate(batches):
            _, name = run_remotely(program_digest(), task, number, pickle.dumps(batch), str(self.folder))
            tables.append(pa.ipc.open_file(pa.memory_map(str(self.folder / name))).read_all())
            report(1, len(batches))
        self.calls += len(batches)
        return tables


sets = st.lists(st.sets(st.integers(0, 12), min_size=1), max_size=12)


@settings(max_examples=25)
@given(sets=sets, threshold=st.sampled_from([0.1, 0.5, 0.7, 1.0]), lookups=st.integers(1, 20))
def test_a_join_by_ranges_of_rows(
    sets: list[set[int]], threshold: float, lookups: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bags = Bags.of([sorted(one) for one in sets])
    workers = WorkersHere(tmp_path_factory.mktemp("results"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remote_join, "_LOOKUPS", lookups)
        patch.setattr(overlap, "_PAIRS_IN_MEMORY", 3)
        there = overlap_parts(bags, threshold, join=partial(join_remotely, workers, no_progress))[1]
        here = overlap_parts(bags, threshold)[1]
        for one, other in zip(here, there, strict=True):
            for name in ("left", "right", "overlap"):
                assert np.array_equal(getattr(one, name), getattr(other, name))


def test_ranges_of_rows_are_shared_among_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_join, "_LOOKUPS", 10)
    workers = WorkersHere(tmp_path)
    bags = Bags.of([[0, *range(1, 9), 10 + number] for number in range(30)])
    _, found = overlap_parts(bags, 0.7, join=partial(join_remotely, workers, no_progress))
    assert sum(map(len, found)) == 30 * 29 // 2
    assert workers.calls > 5


def test_another_program_on_a_worker_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RemoteError, match="not the same as here"):
        run_remotely("another", b"", 0, b"", str(tmp_path))


def test_a_folder_that_a_worker_does_not_see(tmp_path: Path) -> None:
    task = pickle.dumps((_empty, None))
    with pytest.raises(RemoteError, match="cannot write to the shared temporary folder"):
        run_remotely(program_digest(), task, 0, pickle.dumps(None), str(tmp_path / "elsewhere"))


def _empty(shared: None, batch: None) -> pa.Table:
    return pa.table({"x": [1]})


def test_a_file_that_only_this_process_sees(tmp_path: Path) -> None:
    path = tmp_path / "a.java"
    path.write_text(in_class(SUM))
    plan = ReadingPlan(SMALL, ())

    class BlindWorkers(WorkersHere):
        def map_batches(self, function: Any, shared: Any, batches: Any, report: Any) -> list[pa.Table]:
            path.rename(tmp_path / "hidden")
            try:
                return super().map_batches(function, shared, batches, report)
            finally:
                (tmp_path / "hidden").rename(path)

    workers = BlindWorkers(tmp_path)
    with pytest.raises(InputError, match="A worker does not see this file"):
        read_remotely([(0, SearchedFile(path, "a.java", "java"))], plan, workers, no_progress)
    missing = SearchedFile(tmp_path / "b.java", "b.java", "java")
    (table,) = read_remotely([(0, missing)], plan, WorkersHere(tmp_path), no_progress)
    assert table["why"][0].as_py().startswith("Cannot read the file")


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        (
            "x\nRuntimeError: RemoteError: python on a worker has no such clonetruth: No module.\n",
            InputError,
            "no such",
        ),
        ("[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.9\n", InputError, "different version"),
        ('x\njava.io.IOException: Cannot run program "python9": error=2', InputError, "Cannot run program"),
        ("SparkException: Python worker exited unexpectedly (crashed)", OutOfMemoryError, "memory"),
        ("x\n  File y\nValueError: bad\n", UnexpectedError, "ValueError: bad"),
    ],
)
def test_what_workers_say_in_plain_words(text: str, kind: type[Exception], words: str) -> None:
    error = _explained(text)
    assert type(error) is kind
    assert words in str(error)


@pytest.fixture(scope="module")
def engine() -> Iterator[SparkEngine]:
    pytest.importorskip("pyspark", reason="the extra 'spark' is not installed")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    yield SparkEngine("local[2]")
    APPLICATION.stop()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_report_is_the_same_on_spark(tmp_path: Path, engine: SparkEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    edited = SUM.replace("s = 0", "s = 1")
    for name, functions in {"a": [SUM], "b": [SUM, edited], "c": [edited.replace("s", "t")]}.items():
        (tmp_path / f"{name}.java").write_text(in_class(*functions))
    (tmp_path / "d.py").write_text(
        "def total(xs):\n    s = 0\n    for x in xs:\n        s += x * x\n    return s\n" * 2
    )
    monkeypatch.chdir(tmp_path)
    options: dict[str, Any] = {"min_tokens": 10, "index": False}
    here = clonetruth.find_clones(".", **options)
    there = clonetruth.find_clones(".", **options, engine="spark=local[2]")
    assert here.classes
    assert there == here


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_stalled_cluster_and_ctrl_c(engine: SparkEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    context = APPLICATION.session(engine.settings).sparkContext
    spark_workers.use_own_python(context)
    monkeypatch.setattr(spark_workers, "STALL_SECONDS", 2.0)

    def sleep() -> list[None]:
        return context.parallelize([600.0], 1).map(lambda seconds: time.sleep(seconds)).collect()

    with pytest.raises(InputError, match=r"no task ended within 2 seconds \(0 of 1 are done\)"):
        watched(context, sleep, 1, lambda done, total: None)
    monkeypatch.setattr(spark_workers, "STALL_SECONDS", 600.0)
    import _thread

    threading.Timer(2.0, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        watched(context, sleep, 1, lambda done, total: None)
    deadline = time.monotonic() + 30
    while context.statusTracker().getActiveJobsIds() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not context.statusTracker().getActiveJobsIds()
