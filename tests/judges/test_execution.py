"""The judge that runs the code: judgements with their evidence, nothing run twice, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.errors import InputError, MissingExtraError
from clonetruth.execution import BehaviourVerdict, Difference, DifferencePolicy, Reason, SearchBudget
from clonetruth.execution.input_stream import STATED
from clonetruth.execution.inputs.domains import read_domain
from clonetruth.execution.sandbox import Layer, bubblewrap
from clonetruth.judges import PairEvidence, judge_by_execution, read_evidence
from clonetruth.judges.execution_tasks import select_pairs
from clonetruth.judges.execution_worker import run_task, undecided
from clonetruth.options.execution import SandboxOptions
from tests.execution.sandboxed import needs_sandbox
from tests.judges.executed import ABSOLUTE, LOOP, PERMITTED, SUM, executed_judgements, make_benchmark, values

JOURNAL = Path("execution") / "journal.jsonl"


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("judged") / "tiny"
    make_benchmark(path, tests=True)
    judge_by_execution(path, jobs=1, runs=40)
    return path


@needs_sandbox
def test_values_follow_from_what_was_observed(judged: Path) -> None:
    assert values(judged) == {
        0: "clone",
        1: "not-clone",
        2: "clone",
        3: "undecided",
        4: "not-clone",
        5: "not-clone",
        6: "undecided",
    }


@needs_sandbox
def test_evidence_holds_all_that_another_policy_needs(judged: Path) -> None:
    rows = {row["pair"]: row for row in executed_judgements(judged) if row["pair"] is not None}
    absolute, loud = (read_evidence(rows[pair]["evidence"]) for pair in (1, 4))
    assert isinstance(absolute, PairEvidence)
    assert isinstance(loud, PairEvidence)
    assert absolute.comparison.witness is not None
    assert "total([-1]) returns -1" in rows[1]["reason"]
    permitted = read_domain(PERMITTED).text
    assert absolute.settings == {"runs": 40, "seconds": 20.0, "seed": 0, "given_inputs": 3, "domain": permitted}
    assert absolute.comparison.precondition == STATED
    assert absolute.versions["python"].startswith("Python 3")
    assert len(absolute.comparison.inputs_digest) == 64
    # A debug print counts by default, and does not under a policy that counts values only; nothing runs again.
    only_values = DifferencePolicy(counted=frozenset({Difference.VALUE}))
    assert loud.value() == "not-clone"
    assert loud.value(only_values) == "clone"
    assert absolute.value(only_values) == "not-clone"
    assert loud.value(DifferencePolicy(counted=frozenset({Difference.VALUE}), runs=10_000)) == "undecided"
    assert rows[1]["time"] is not None
    assert rows[1]["criterion"] == "equivalent-behaviour"


@needs_sandbox
def test_tests_of_the_source_judge_its_fragments(judged: Path) -> None:
    rows = [row for row in executed_judgements(judged) if row["fragment"] is not None]
    assert {row["criterion"] for row in rows} == {"implements-functionality"}
    assert [row["value"] for row in rows] == ["major", "major", "wrong", "undecided", "major", "wrong", "wrong"]
    assert rows[2]["reason"] == "Fails 1 of 3 tests of the source: call 2: another value."
    assert "does not parse" in rows[3]["reason"]


@needs_sandbox
def test_the_report_counts_and_shows_the_clearest_first(judged: Path) -> None:
    report = judge_by_execution(judged, jobs=1, runs=40)
    assert (report.ran, report.added) == (0, 0)
    assert report.kept == 13
    assert (len(report.pairs), report.equal_texts, report.executed, report.decided) == (7, 1, 5, 4)
    assert report.verdicts[BehaviourVerdict.DIFFERENT] == 3
    assert report.reasons == {Reason.PARSE: 1, Reason.WEAK: 1}
    assert (report.labelled, report.agreeing) == (4, 2)
    assert [one.selected.pair for one in report.disagreements] == [4, 1]
    assert report.confusion["no label"] == {"clone": 0, "not-clone": 0, "undecided": 1}
    assert report.caution is None
    said = report.to_dict()
    json.dumps(said)
    assert said["disagreements"][0]["witness"].startswith("Left: total(")


@needs_sandbox
def test_other_settings_are_run_and_replace_the_judgement(tmp_path: Path) -> None:
    benchmark = make_benchmark(tmp_path / "b", [(SUM, LOOP, "clone")])
    first = judge_by_execution(benchmark, jobs=1, runs=5)
    assert first.pairs[0].evidence.value() == "undecided"
    again = judge_by_execution(benchmark, jobs=1, runs=40)
    assert (again.ran, again.added) == (1, 1)
    from clonetruth.verdicts import judge_verdicts

    verdicts = judge_verdicts(benchmark.path, "default", "equivalent-behaviour")
    assert verdicts.table["verdict"].to_pylist() == ["clone"]
    assert verdicts.table["judgements"].to_pylist() == [1]


@needs_sandbox
def test_equal_pairs_in_several_rows_run_once(tmp_path: Path) -> None:
    make_benchmark(tmp_path / "b", [(SUM, LOOP, "clone"), (SUM, LOOP, "clone"), (LOOP, SUM, None)])
    report = judge_by_execution(tmp_path / "b", jobs=1, runs=30)
    assert report.ran == 2
    assert values(tmp_path / "b") == {0: "clone", 1: "clone", 2: "clone"}
    assert len((tmp_path / "b" / JOURNAL).read_text().splitlines()) == 3


@needs_sandbox
def test_a_condition_and_a_limit_choose_pairs(tmp_path: Path) -> None:
    benchmark = make_benchmark(tmp_path / "b")
    assert [one.pair for one in select_pairs(benchmark, "label = 'not-clone'", None, 0)] == [3, 5]
    inside = "pair IN (SELECT g.pair FROM judgements g WHERE g.value = 'clone')"
    assert [one.pair for one in select_pairs(benchmark, inside, None, 0)] == [0, 1, 2, 4]
    drawn = [[one.pair for one in select_pairs(benchmark, None, 3, seed)] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert [len(one) for one in drawn] == [3, 3, 3]


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("", "empty"),
        ("label = ", "not valid SQL"),
        ("1=1) UNION SELECT * FROM pairs WHERE (1=1", "not valid SQL|more than a condition"),
        ("colour = 'red'", "cannot be evaluated"),
        ("pair IN (SELECT 1 FROM read_csv('/etc/passwd'))", "cannot be evaluated"),
        ("label = 'nothing'", "No pair fulfils"),
    ],
)
def test_bad_conditions_are_refused(tmp_path: Path, condition: str, message: str) -> None:
    benchmark = make_benchmark(tmp_path / "b")
    with pytest.raises(InputError, match=message):
        select_pairs(benchmark, condition, None, 0)


def test_nothing_runs_or_is_written_without_a_complete_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_benchmark(tmp_path / "b")
    layer = Layer("bubblewrap", missing="not installed", install="apt-get install bubblewrap")
    monkeypatch.setattr(bubblewrap, "_layers", lambda: (layer,))
    with pytest.raises(MissingExtraError, match="bubblewrap"):
        judge_by_execution(tmp_path / "b")
    assert not (tmp_path / "b" / "execution").exists()


@needs_sandbox
def test_an_incomplete_last_line_is_run_again_and_a_damaged_journal_is_refused(tmp_path: Path) -> None:
    benchmark = make_benchmark(tmp_path / "b", [(SUM, LOOP, "clone")])
    journal = benchmark.path / JOURNAL
    journal.parent.mkdir()
    journal.write_text('{"schema": "clonetruth-execution-journal", "schema_version": 1}\n{"schema": "clonetr')
    assert judge_by_execution(benchmark, jobs=1, runs=30).ran == 1
    assert len(journal.read_text().splitlines()) == 2
    journal.write_text(journal.read_text() + '{"no": "key"}\n')
    with pytest.raises(InputError, match="damaged"):
        judge_by_execution(benchmark, jobs=1, runs=31)
    journal.write_text('{"schema": "something-else"}\n')
    with pytest.raises(InputError, match="something else"):
        judge_by_execution(benchmark, jobs=1, runs=31)


@needs_sandbox
def test_a_link_in_the_folder_of_a_stranger_is_not_followed(tmp_path: Path) -> None:
    benchmark = make_benchmark(tmp_path / "b", [(SUM, LOOP, "clone")])
    target = tmp_path / "mine.txt"
    target.write_text("mine")
    (benchmark.path / "execution").mkdir()
    (benchmark.path / JOURNAL).symlink_to(target)
    with pytest.raises(InputError, match="cannot be written"):
        judge_by_execution(benchmark, jobs=1)
    assert target.read_text() == "mine"


@needs_sandbox
def test_two_processes_do_not_judge_at_once(tmp_path: Path) -> None:
    from clonetruth.judges.execution import _HEADER
    from clonetruth.judges.line_file import LineFile

    benchmark = make_benchmark(tmp_path / "b", [(SUM, LOOP, "clone")])
    with LineFile(benchmark.path / JOURNAL, _HEADER, "the journal"), pytest.raises(InputError, match="Another process"):
        judge_by_execution(benchmark, jobs=1)


@needs_sandbox
def test_hostile_code_makes_its_own_pair_undecided(tmp_path: Path) -> None:
    hostile = [
        "import os\ndef total(a):\n    os._exit(3)\n",
        "import time\ntime.sleep(1000)\ndef total(a):\n    return 1\n",
        "def total(a):\n    return total(a)\n",
        "class E:\n    def __eq__(s, o): raise ValueError\n    def __repr__(s): raise ValueError\n"
        "def total(a):\n    return E()\n",
        "import builtins\nbuiltins.len = None\ndef total(a):\n    b = []\n    b.append(b)\n    return b\n",
    ]
    pairs: list[tuple[str, str, str | None]] = [(SUM, text, None) for text in hostile]
    make_benchmark(tmp_path / "b", [*pairs, (SUM, LOOP, "clone")])
    report = judge_by_execution(tmp_path / "b", jobs=1, runs=12, seconds=2)
    found = values(tmp_path / "b")
    assert found[len(hostile)] == "clone"
    assert "clone" not in [found[number] for number in range(len(hostile))]
    assert Reason.FAILED not in report.reasons


def test_what_a_harness_did_not_expect_is_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = make_benchmark(tmp_path / "b", [(SUM, ABSOLUTE, None)])
    (pair,) = select_pairs(benchmark, None, None, 0)

    def fail(*arguments: object, **more: object) -> None:
        raise IndexError("nobody thought of it")

    monkeypatch.setattr("clonetruth.judges.execution_worker.compare_behaviour", fail)
    found = run_task(SearchBudget(), SandboxOptions(), ("key", pair))
    assert found == undecided(pair, Reason.FAILED, "IndexError: nobody thought of it")
