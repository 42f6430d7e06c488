"""A benchmark's identity: nothing is stamped with a hash that its tables do not have, and checking twice is free."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import clonetruth
from clonetruth.errors import BenchmarkError
from clonetruth.model import Judgement
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark, hash_cache, seals
from clonetruth.store.croissant import HEADER_KEY
from clonetruth.store.hash_cache import HashCache
from clonetruth.store.hashing import digest_parquet
from clonetruth.user_cache import CACHE_VARIABLE, cache_folder
from clonetruth.verdicts import judge_verdicts
from tests.store.samples import ADA, small
from tests.store.test_damaged import change_column, change_header

GOLDEN = Path(__file__).parent.parent / "golden/benchmark-v1"
VOTE = Judgement("ada", "same-main-purpose", "clone", pair=0)


def change_cell(path: Path, column: str, row: int, value: Any) -> None:
    """Change one cell of a Parquet file."""
    table = pq.read_table(path)
    values = table[column].to_pylist()
    values[row] = value
    change_column(path, column, pa.array(values, table.schema.field(column).type))


def edit(benchmark: Path) -> None:
    """Another text in one fragment."""
    text = pq.read_table(benchmark / "fragments.parquet")["text"][0].as_py()
    change_cell(benchmark / "fragments.parquet", "text", 0, text.replace("a", "b", 1) + " ")


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are hashed from now on."""
    names: list[str] = []

    def counted(paths: Any, columns: Any) -> Any:
        names.extend(path.name for path in paths)
        return digest_parquet(paths, columns)

    monkeypatch.setattr(hash_cache, "digest_parquet", counted)
    return names


# Verbs.

STAMPS: dict[str, Callable[[Path, Path], object]] = {
    "verdicts": lambda b, out: clonetruth.judge_verdicts(b),
    "evaluate": lambda b, out: clonetruth.evaluate_detector(["length"], on=b),
    "split": lambda b, out: clonetruth.split_benchmark(b, view="random", seed=1),
    "classify": lambda b, out: clonetruth.classify_pairs(b),
    "audit": lambda b, out: clonetruth.audit_benchmark(b, select="CT110"),
    "study sample": lambda b, out: clonetruth.sample_study(b, output=out / "study", n=5),
    "export": lambda b, out: clonetruth.export_benchmark(b, "codexglue", output=out / "export"),
    "matrix": lambda b, out: clonetruth.run_matrix(
        b, detectors=["length"], views=["random"], seeds=1, output=out / "m"
    ),
    "train": lambda b, out: clonetruth.train_detector("linear", on=b, output=out / "model"),
}


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return import_dataset("embedded", output=tmp_path_factory.mktemp("identity") / "embedded").path


@pytest.mark.parametrize("verb", STAMPS)
def test_no_verb_stamps_a_changed_benchmark(verb: str, embedded: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(embedded, changed)
    edit(changed)
    before = {path for path in tmp_path.rglob("*") if "results" not in path.parts}
    (tmp_path / "out").mkdir()
    with pytest.raises(BenchmarkError, match="The content of the table 'fragments' is not what was recorded"):
        STAMPS[verb](changed, tmp_path / "out")
    written = {path for path in tmp_path.rglob("*") if path.is_file()} - before
    assert not written


def test_every_stamp_goes_through_the_check() -> None:
    """The recorded hash is only shown: other packages read `content_hash`, which is checked."""
    package = Path(clonetruth.__file__).parent
    users = [
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "recorded_hash" in path.read_text(encoding="utf-8")
        or "_header.content_hash" in path.read_text(encoding="utf-8")
    ]
    assert sorted(users) == ["store/benchmark.py", "store/overview.py"]


def test_the_command_line_refuses_a_changed_benchmark_and_ranks_nothing(embedded: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(embedded, changed)
    edit(changed)
    run = [sys.executable, "-m", "clonetruth", "evaluate", "--detector", "length", "--on", str(changed), "-o", "r.json"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == BenchmarkError.exit_code, done.stderr
    assert "not what was recorded at creation" in " ".join(done.stderr.split())
    assert not (tmp_path / "r.json").exists()


# The cache.


def settled(folder: Path) -> Path:
    """The folder, once its files are older than a tick of the clock."""
    newest = max(path.stat().st_ctime_ns for path in folder.rglob("*.parquet"))
    while time.time_ns() < newest + 2 * hash_cache._TICK:
        time.sleep(0.02)
    return folder


def test_the_second_check_hashes_nothing_in_this_process_and_in_the_next(tmp_path: Path, hashed: list[str]) -> None:
    folder = settled(small(tmp_path / "b").path)
    first = Benchmark.open(folder)
    content, judgements = first.content_hash, first.judgements_hash
    assert sorted(set(hashed)) == sorted(
        ["fragments.parquet", "functionalities.parquet", "memberships.parquet", "pairs.parquet", "part-0.parquet"]
    )
    hashed.clear()
    assert (first.content_hash, first.judgements_hash) == (content, judgements)
    other = Benchmark.open(folder)
    assert (other.content_hash, other.judgements_hash) == (content, judgements)
    assert hashed == []


def test_a_file_that_just_changed_is_not_remembered(
    tmp_path: Path, hashed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could change again within one tick of the clock, at the same size."""
    benchmark = small(tmp_path / "b")
    changed = (benchmark.path / "pairs.parquet").stat().st_ctime_ns
    monkeypatch.setattr(time, "time_ns", lambda: changed + 1)
    _ = benchmark.content_hash
    hashed.clear()
    _ = benchmark.content_hash
    assert "pairs.parquet" in hashed


def test_coarse_clocks_need_more_time() -> None:
    fine, coarse = 1_700_000_000_000_000_123, 1_700_000_000_000_000_000
    for changed, remembered in ((fine, True), (coarse, False)):
        stamp = (1, changed, changed, 1, 1)
        assert hash_cache._settled(stamp, changed + 10**9) is remembered
        assert hash_cache._settled(stamp, changed + 3 * 10**9)
        assert not hash_cache._settled(stamp, changed)


def test_restoring_size_and_time_does_not_hide_an_edit(tmp_path: Path) -> None:
    folder = settled(small(tmp_path / "b").path)
    _ = Benchmark.open(folder).content_hash
    path = folder / "pairs.parquet"
    times = path.stat()
    # The same number of bytes: one letter of a text that Parquet stores as it is.
    table = pq.read_table(path)
    pq.write_table(table, path, compression="none", use_dictionary=False, write_statistics=False)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    settled(folder)
    assert Benchmark.open(folder).content_hash
    stamp = path.stat()
    path.write_bytes(path.read_bytes().replace(b"train", b"valid"))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (stamp.st_size, stamp.st_mtime_ns)
    with pytest.raises(BenchmarkError, match="table 'pairs'"):
        _ = Benchmark.open(folder).content_hash


def test_an_open_benchmark_notices_a_change(tmp_path: Path) -> None:
    benchmark = Benchmark.open(settled(small(tmp_path / "b").path))
    _ = benchmark.content_hash
    edit(benchmark.path)
    with pytest.raises(BenchmarkError, match="table 'fragments'"):
        _ = benchmark.content_hash


def test_a_copy_is_checked_anew_and_a_folder_put_in_its_place_too(tmp_path: Path) -> None:
    folder = settled(small(tmp_path / "b").path)
    _ = Benchmark.open(folder).content_hash
    shutil.copytree(folder, tmp_path / "copy", copy_function=shutil.copy2)
    edit(tmp_path / "copy")
    with pytest.raises(BenchmarkError):
        _ = Benchmark.open(tmp_path / "copy").content_hash
    folder.rename(tmp_path / "old")
    (tmp_path / "copy").rename(folder)
    with pytest.raises(BenchmarkError):
        _ = Benchmark.open(folder).content_hash


def forbidden(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("a file where a folder should be")


def broken(folder: Path) -> None:
    for file in (folder / "hashes").glob("*.json"):
        file.write_text('{"tables": {"x": 1}}')


@pytest.mark.parametrize("harm", [forbidden, broken])
def test_without_a_usable_cache_the_check_works_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: Callable[[Path], None], hashed: list[str]
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    folder = settled(small(tmp_path / "b").path)
    if harm is broken:
        _ = Benchmark.open(folder).content_hash
        assert list((tmp_path / "cache/hashes").glob("*.json"))
    harm(tmp_path / "cache")
    benchmark = Benchmark.open(folder)
    hashed.clear()
    assert benchmark.content_hash
    assert hashed
    hashed.clear()
    assert benchmark.content_hash
    assert not hashed, "a process checks once"
    edit(folder)
    with pytest.raises(BenchmarkError):
        _ = Benchmark.open(folder).content_hash


def test_the_cache_is_the_users_and_forgets_folders_that_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(CACHE_VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    if sys.platform == "linux":
        assert cache_folder() == tmp_path / "xdg/clonetruth"
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    for name in ("one", "two"):
        folder = settled(small(tmp_path / name).path)
        before = {path.relative_to(folder) for path in folder.rglob("*")}
        _ = Benchmark.open(folder).content_hash
        assert {path.relative_to(folder) for path in folder.rglob("*")} == before, "nothing is written into the folder"
        if name == "one":
            shutil.rmtree(folder)
    (only,) = (tmp_path / "cache/hashes").glob("*.json")
    assert json.loads(only.read_text())["folder"] == str((tmp_path / "two").resolve())


def test_a_relative_folder_is_the_same_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hashed: list[str]
) -> None:
    folder = settled(small(tmp_path / "b").path)
    assert Benchmark.open(folder).content_hash
    hashed.clear()
    monkeypatch.chdir(folder)
    assert Benchmark.open(".").content_hash
    assert not hashed
    assert HashCache(Path())._folder == folder.resolve()


# Seals.


def grown(folder: Path) -> Benchmark:
    """A benchmark with an appended part."""
    benchmark = small(folder)
    benchmark.append_judgements([ADA], [VOTE])
    return benchmark


def later_part(folder: Path, kind: str = "judgements") -> Path:
    return max((folder / kind).glob("*.parquet"))


HARMS: dict[str, Callable[[Path], object]] = {
    "an answer of the source": lambda b: change_cell(b / "judgements/part-0.parquet", "value", 0, "not-clone"),
    "a later answer": lambda b: change_cell(later_part(b), "value", 0, "not-clone"),
    "the order of arrival": lambda b: change_cell(later_part(b), "sequence", 0, 0),
    "a later judge": lambda b: change_cell(later_part(b, "judges"), "kind", 0, "llm"),
    "a missing part": lambda b: later_part(b).unlink(),
    "a missing judge": lambda b: later_part(b, "judges").unlink(),
    "a broken seal": lambda b: next((b / "seals").glob("*.json")).write_text("{}"),
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_changed_or_missing_part_is_noticed(harm: str, tmp_path: Path) -> None:
    folder = settled(grown(tmp_path / "b").path)
    _ = Benchmark.open(folder).judgements_hash
    HARMS[harm](folder)
    for use in (
        lambda: Benchmark.open(folder).judgements_hash,
        lambda: judge_verdicts(folder),
        lambda: clonetruth.describe_benchmark(folder, verify=True),
    ):
        with pytest.raises(BenchmarkError, match=r"seal|missing|not what was sealed|things are wrong|not among the"):
            use()


def test_claims_are_sealed_too(tmp_path: Path) -> None:
    claims = [pa.RecordBatch.from_pydict({"clone": [True, False, True], "min_lines": pa.array([1, 2, 3], pa.int32())})]
    folder = small(tmp_path / "b", claims=claims).path
    assert Benchmark.open(folder).content_hash
    change_cell(folder / "claims/small.parquet", "clone", 1, True)
    with pytest.raises(BenchmarkError, match="not what was sealed"):
        _ = Benchmark.open(folder).content_hash


def test_folders_without_seals_stay_readable_and_are_called_so() -> None:
    benchmark = Benchmark.open(GOLDEN)
    assert benchmark.content_hash == benchmark.recorded_hash
    assert benchmark.judgements_hash
    found = clonetruth.describe_benchmark(GOLDEN, verify=True)
    assert set(found.unsealed) >= {"judges/part-0.parquet", "judgements/part-0.parquet"}


def test_a_part_whose_process_was_killed_before_it_was_sealed_counts_and_is_listed(tmp_path: Path) -> None:
    benchmark = grown(tmp_path / "b")
    sealed = judge_verdicts(benchmark, "default", "same-main-purpose").counts
    for file in (benchmark.path / seals.FOLDER).iterdir():
        file.unlink()
    found = clonetruth.describe_benchmark(benchmark.path, verify=True)
    part = later_part(benchmark.path).name
    assert found.unsealed == (f"judges/{part}", f"judgements/{part}")
    assert judge_verdicts(benchmark.path, "default", "same-main-purpose").counts == sealed


def test_appending_seals_and_changes_no_seal(tmp_path: Path) -> None:
    benchmark = grown(tmp_path / "b")
    before = {path: path.read_bytes() for path in (benchmark.path / seals.FOLDER).iterdir()}
    benchmark.append_judgements([], [dataclasses.replace(VOTE, value="not-clone")])
    after = {path: path.read_bytes() for path in (benchmark.path / seals.FOLDER).iterdir()}
    assert {path: after[path] for path in before} == before
    assert len(after) == len(before) + 1
    assert clonetruth.describe_benchmark(benchmark.path).unsealed == ()


# Everything that is wrong, at once.

WRONG: dict[str, tuple[Callable[[Path], object], str]] = {
    "kind of a fragment": (
        lambda b: change_cell(b / "fragments.parquet", "kind", 0, "novel"),
        r"fragments\.parquet: 'novel' is not a valid kind \(1 rows\)",
    ),
    "role": (
        lambda b: change_cell(b / "memberships.parquet", "role", 0, "star"),
        r"memberships\.parquet: 'star' is not a valid role",
    ),
    "part": (
        lambda b: change_cell(b / "pairs.parquet", "claimed_part", 0, "training"),
        r"pairs\.parquet: 'training' is not a valid claimed_part",
    ),
    "fragment of a pair": (
        lambda b: change_cell(b / "pairs.parquet", "left", 1, 77),
        r"pairs\.parquet: The left '77' is not among the fragments",
    ),
    "keys": (
        lambda b: change_cell(b / "functionalities.parquet", "functionality", 1, 5),
        r"functionalities\.parquet: The keys of 'functionality' are not 0 to 1",
    ),
    "id": (
        lambda b: change_cell(b / "fragments.parquet", "id", 1, "sum/1"),
        r"fragments\.parquet: The id 'sum/1' occurs 2 times",
    ),
    "pair key": (
        lambda b: change_cell(b / "pairs.parquet", "pair_key", 2, 1),
        "The pair_key of [12] rows is not that of their fragments",
    ),
    "criterion": (
        lambda b: change_cell(b / "judgements/part-0.parquet", "criterion", 0, "beauty"),
        "'beauty' is not a valid criterion",
    ),
    "answer": (
        lambda b: change_cell(b / "judgements/part-0.parquet", "value", 1, "maybe"),
        r"does not permit the answer 'maybe' \(1 rows\)",
    ),
    "confidence": (
        lambda b: change_cell(b / "judgements/part-0.parquet", "confidence", 2, 7.0),
        "The confidence of 1 answers under 'implements-functionality' is not between 0 and 1",
    ),
    "kind of a judge": (
        lambda b: change_cell(b / "judges/part-0.parquet", "kind", 0, "oracle"),
        "'oracle' is not a valid kind",
    ),
    "settings": (
        lambda b: change_cell(b / "judges/part-0.parquet", "settings", 0, "[]"),
        "The settings of the judge 'small-rule' are not a JSON object",
    ),
    "split": (
        lambda b: change_cell(b / "splits/mine-1.parquet", "part", 0, "exam"),
        r"mine-1\.parquet: 'exam' is not a valid part",
    ),
    "pair of a measure": (
        lambda b: change_cell(b / "measures/min.parquet", "pair", 0, 99),
        r"min\.parquet: 1 rows name a pair that does not exist",
    ),
    "seal": (lambda b: None, "The content of the part is not what was sealed"),
    "card": (
        lambda b: change_header(
            b, card={**json.loads((b / "benchmark.json").read_text())[HEADER_KEY]["card"], "criterion": "taste"}
        ),
        "The card's criterion 'taste' is unknown",
    ),
    "missing table": (lambda b: later_part(b).unlink(), "The file is missing"),
}


def complete(folder: Path) -> Path:
    benchmark = grown(folder)
    benchmark.write_table("splits", "mine-1", pa.table({"fragment": [0, 1], "part": ["train", "test"]}))
    benchmark.write_measures("min", pa.table({"pair": [0, 1], "similarity_token": [0.5, None]}))
    return benchmark.path


def test_verify_lists_everything_that_is_wrong_at_once(tmp_path: Path) -> None:
    folder = complete(tmp_path / "b")
    Benchmark.open(folder).verify()
    for harm, _ in WRONG.values():
        harm(folder)
    run = [sys.executable, "-m", "clonetruth", "info", str(folder), "--verify"]
    done = subprocess.run(run, capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "400"})
    assert done.returncode == BenchmarkError.exit_code
    with pytest.raises(BenchmarkError) as caught:
        clonetruth.describe_benchmark(folder, verify=True)
    missing = [name for name, (_, message) in WRONG.items() if not re.search(message, str(caught.value))]
    assert not missing, str(caught.value)
    shown = " ".join(done.stderr.split())
    assert "things are wrong with the benchmark" in shown
    assert "'oracle' is not a valid kind" in shown


@pytest.mark.parametrize("name", WRONG)
def test_verify_finds_each_of_them_alone(name: str, tmp_path: Path) -> None:
    harm, message = WRONG[name]
    if name == "seal":
        harm = HARMS["a later answer"]
    folder = complete(tmp_path / "b")
    harm(folder)
    with pytest.raises(BenchmarkError, match=message):
        clonetruth.describe_benchmark(folder, verify=True)


def test_a_table_of_another_benchmark_is_named(tmp_path: Path) -> None:
    folder = complete(tmp_path / "b")
    other = complete(tmp_path / "other")
    edited = Benchmark.open(other)
    table = edited.measures("min")
    pq.write_table(
        table.replace_schema_metadata({"clonetruth.content_hash": "0" * 64}), folder / "measures/min.parquet"
    )
    with pytest.raises(BenchmarkError, match=r"min\.parquet: It was made of another benchmark \(000000000000…\)"):
        clonetruth.describe_benchmark(folder, verify=True)
