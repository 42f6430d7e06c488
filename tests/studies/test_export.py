"""An export makes the benchmark's judgements of a study those that the study has now."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.model import Judge, JudgeKind, Judgement
from clonetruth.store import Benchmark
from clonetruth.store.study import Study
from clonetruth.store.votes import ItemKey, ItemKind, Vote, VoteStore, open_vote_store
from clonetruth.studies import StudyExport, export_judgements, export_study
from clonetruth.studies.study_folder import open_votes

from .example_studies import add_answers, labelled_benchmark, sample_study

SUBJECTS = 6


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    return labelled_benchmark(tmp_path / "benchmark")


@pytest.fixture
def study(benchmark: Benchmark, tmp_path: Path) -> Study:
    return sample_study(benchmark, tmp_path / "study", size=SUBJECTS)


def cast(store: VoteStore, judge: str, subject: int, value: str = "clone", key: str | None = None, **more: Any) -> None:
    vote = Vote(key or f"{judge}-{subject}-{value}", judge, ItemKey(ItemKind.PAIR, subject), value, **more)
    store.cast(vote)


def export(study: Study, benchmark: Benchmark) -> StudyExport:
    return export_judgements(study, Benchmark.open(benchmark.path), votes=open_votes(study, None))


Rows = Counter[tuple[object, ...]]


def exported(benchmark: Benchmark) -> Rows:
    """What the benchmark says of pairs beyond its own rule."""
    rows = Benchmark.open(benchmark.path).table("judgements").to_pylist()
    columns = ("judge", "pair", "value", "reason", "time")
    return Counter(tuple(row[name] for name in columns) for row in rows if row["judge"] != "rule:small")


def current(study: Study) -> Rows:
    pairs = study.subjects["pair"].to_pylist()
    rows = open_votes(study, None)[1].to_pylist()
    return Counter(
        (row["judge"], pairs[row["subject"]], *(row[n] for n in ("value", "reason", "time"))) for row in rows
    )


def test_an_undone_vote_is_undone_in_the_benchmark(benchmark: Benchmark, study: Study) -> None:
    before = Benchmark.open(benchmark.path).judgements_hash
    with open_vote_store(study.path) as store:
        ada, _ = store.add_judge("Ada")
        cast(store, ada.id, 0, reason="copied word for word")
        cast(store, ada.id, 1)
        first = export(study, benchmark)
        assert (first.added, first.known, first.removed, first.outdated) == (2, 0, 0, 0)
        store.undo(ada.id, f"{ada.id}-0-clone")
        second = export(study, benchmark)
        assert (second.added, second.known, second.removed) == (0, 1, 1)
        assert exported(benchmark) == current(study)
        assert not any(b"word for word" in file.read_bytes() for file in benchmark.path.rglob("*") if file.is_file())
        Benchmark.open(benchmark.path).verify()
        store.undo(ada.id, f"{ada.id}-1-clone")
        assert export(study, benchmark).removed == 1
    opened = Benchmark.open(benchmark.path)
    opened.verify()
    assert opened.judgements_hash == before
    assert ada.id not in opened.table("judges")["judge"].to_pylist()


@pytest.mark.slow
@settings(max_examples=8, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("vote"), st.integers(0, 1), st.integers(0, 2), st.sampled_from(["clone", "not-clone"])),
            st.tuples(st.just("undo"), st.integers(0, 1)),
            st.tuples(st.just("export")),
        ),
        max_size=12,
    )
)
def test_after_every_export_the_benchmark_has_what_the_study_has(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        benchmark = labelled_benchmark(Path(folder) / "benchmark")
        study = sample_study(benchmark, Path(folder) / "study", size=SUBJECTS)
        with open_vote_store(study.path) as store:
            judges = [store.add_judge(name)[0].id for name in ("Ada", "Bob")]
            for number, step in enumerate([*steps, ("export",)]):
                if step[0] == "vote":
                    cast(store, judges[step[1]], step[2], step[3], key=f"vote-{number}")
                elif step[0] == "undo":
                    own = store.votes_of(judges[step[1]])
                    if own:
                        store.undo(judges[step[1]], own[-1].vote.key)
                else:
                    stored = exported(benchmark)
                    found = export(study, benchmark)
                    assert exported(benchmark) == current(study)
                    assert found.removed == (stored - current(study)).total()
                    assert found.known + found.added == current(study).total()
        again = export(study, benchmark)
        assert (again.added, again.removed) == (0, 0)
        Benchmark.open(benchmark.path).verify()


def test_two_studies_do_not_touch_each_other(benchmark: Benchmark, study: Study, tmp_path: Path) -> None:
    other = sample_study(benchmark, tmp_path / "other", size=SUBJECTS, seed=1)
    add_answers(study, "llm:x", {0: "clone", 1: "clone"}, kind=JudgeKind.LLM)
    add_answers(other, "llm:x", {2: "not-clone"}, kind=JudgeKind.LLM)
    export(study, benchmark)
    export(other, benchmark)
    for part in (study.path / "judgements").iterdir():
        part.unlink()
    assert export(study, benchmark).removed == 2
    opened = Benchmark.open(benchmark.path)
    opened.verify()
    assert [row[:3] for row in exported(opened)] == [("llm:x", other.subjects["pair"][2].as_py(), "not-clone")]


def test_a_judge_whom_other_parts_rely_on_stays_defined(benchmark: Benchmark, study: Study) -> None:
    add_answers(study, "ada", {0: "clone"})
    export(study, benchmark)
    criterion = study.plan.criterion
    Benchmark.open(benchmark.path).append_judgements([], [Judgement("ada", criterion, "clone", pair=3)])
    for part in (study.path / "judgements").iterdir():
        part.unlink()
    found = export(study, benchmark)
    assert (found.removed, found.outdated) == (1, 0)
    Benchmark.open(benchmark.path).verify()


def test_judgements_that_the_export_does_not_own_are_known_or_named(benchmark: Benchmark, study: Study) -> None:
    criterion, pairs = study.plan.criterion, study.subjects["pair"].to_pylist()
    ada = Judge("ada", JudgeKind.PERSON, "ada", settings={})
    rows = [Judgement("ada", criterion, "clone", pair=pairs[0]), Judgement("ada", criterion, "clone", pair=pairs[1])]
    benchmark.append_judgements([ada], rows)
    add_answers(study, "ada", {0: "clone"})
    found = export(study, benchmark)
    assert (found.added, found.known, found.removed, found.outdated) == (0, 1, 0, 1)


def test_names_go_when_they_are_no_longer_wanted(benchmark: Benchmark, study: Study) -> None:
    with open_vote_store(study.path) as store:
        cast(store, store.add_judge("Ada Lovelace")[0].id, 0)
    export_study(study, to=benchmark.path, names=True)
    assert "Ada Lovelace" in Benchmark.open(benchmark.path).table("judges")["name"].to_pylist()
    export_study(study, to=benchmark.path)
    assert "Ada Lovelace" not in Benchmark.open(benchmark.path).table("judges")["name"].to_pylist()
    assert not any(b"Lovelace" in file.read_bytes() for file in benchmark.path.rglob("*") if file.is_file())


def test_a_judge_with_another_definition_changes_nothing(benchmark: Benchmark, study: Study) -> None:
    benchmark.append_judgements([Judge("ada", JudgeKind.PERSON, "Somebody else")], [])
    files = {file: file.read_bytes() for file in benchmark.path.rglob("*") if file.is_file()}
    add_answers(study, "ada", {0: "clone"})
    with pytest.raises(InputError, match="already defined differently"):
        export(study, benchmark)
    assert files == {file: file.read_bytes() for file in benchmark.path.rglob("*") if file.is_file()}


SCRIPT = """
import os, shutil, signal, sys
from pathlib import Path
from clonetruth.store import Benchmark
from clonetruth.store.study import read_study
from clonetruth.studies import export_judgements
from clonetruth.studies.study_folder import open_votes

root, start, study = Path(sys.argv[1]), Path(sys.argv[2]), read_study(sys.argv[3])
votes = open_votes(study, None)

def kill_at(number):
    calls = 0
    def counted(real):
        def call(*arguments, **options):
            nonlocal calls
            calls += 1
            if calls == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **options)
        return call
    for name in ("fsync", "replace", "rename", "unlink"):
        setattr(os, name, counted(getattr(os, name)))

for number in range(1, 200):
    folder = root / str(number)
    shutil.copytree(start, folder)
    child = os.fork()
    if not child:
        kill_at(number)
        export_judgements(study, Benchmark.open(folder), votes=votes)
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        print(number)
        break
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_export_leaves_the_old_or_the_new_state(benchmark: Benchmark, study: Study, tmp_path: Path) -> None:
    with open_vote_store(study.path) as store:
        ada, bob = (store.add_judge(name)[0].id for name in ("Ada", "Bob"))
        for subject in range(3):
            cast(store, ada, subject, reason="erase me")
        export(study, benchmark)
        old = exported(benchmark)
        for vote in store.votes_of(ada):
            store.undo(ada, vote.vote.key)
        cast(store, bob, 4)
    root = tmp_path / "rounds"
    root.mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SCRIPT, str(root), str(benchmark.path), str(study.path)]
    rounds = int(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    assert rounds > 10
    states = []
    for number in range(1, rounds + 1):
        killed = Benchmark.open(root / str(number))
        killed.verify()
        assert exported(killed) in (old, current(study)), number
        states.append(exported(killed) == old)
        export(study, killed)
        assert exported(killed) == current(study)
        assert not any(b"erase me" in file.read_bytes() for file in killed.path.rglob("*") if file.is_file())
    assert states == sorted(states, reverse=True)
    assert True in states
    assert False in states
