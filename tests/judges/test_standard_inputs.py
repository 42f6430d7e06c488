"""Standard inputs that a source or a user brings for programs: they test them, and a difference on them counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.execution import CallInput
from clonetruth.execution.literal_calls import read_calls
from clonetruth.judges import PairEvidence, judge_by_execution, read_evidence
from clonetruth.judges.execution_tasks import select_pairs
from clonetruth.store import Benchmark
from tests.execution.sandboxed import needs_sandbox
from tests.judges.executed import SUM, executed_judgements, make_benchmark, values

ADD = "n = int(input())\nprint(sum(int(one) for one in input().split()[:n]))\n"
LOOP = "n = int(input())\nt = 0\nfor one in input().split()[:n]:\n    t += int(one)\nprint(t)\n"
POSITIVE = "n = int(input())\nprint(sum(int(one) for one in input().split()[:n] if int(one) > 0))\n"
TESTS = [{"stdin": "2\n3 4\n", "stdout": "7\n"}, {"stdin": "3\n1 -5 2\n", "stdout": " -2"}, {"stdin": "1\n9\n"}]


@needs_sandbox
def test_programs_are_tested_by_what_they_print(tmp_path: Path) -> None:
    pairs = [(ADD, LOOP, "clone"), (ADD, POSITIVE, "not-clone"), (LOOP, SUM, "not-clone")]
    make_benchmark(tmp_path / "b", [*pairs], calls=json.dumps(TESTS))
    judge_by_execution(tmp_path / "b", jobs=1, runs=30)
    # On an input that the source brings, another output counts; without one, its form would be a guess.
    assert values(tmp_path / "b") == {0: "clone", 1: "not-clone", 2: "undecided"}
    rows = executed_judgements(tmp_path / "b")
    tested = {row["fragment"]: row["value"] for row in rows if row["fragment"] is not None}
    assert tested == {0: "major", 1: "major", 2: "wrong", 3: "undecided"}
    (found,) = (read_evidence(row["evidence"]) for row in rows if row["pair"] == 1)
    assert isinstance(found, PairEvidence)
    assert found.settings["given_inputs"] == 3
    assert found.comparison.witness is not None
    assert "-" in found.comparison.witness.call.stdin


@needs_sandbox
def test_inputs_of_the_user_count_like_those_of_a_source(tmp_path: Path) -> None:
    for name in ("without", "with"):
        make_benchmark(tmp_path / name, [(ADD, POSITIVE, "not-clone")])
    judge_by_execution(tmp_path / "without", jobs=1, runs=30)
    # That numbers may be negative is in neither program.
    assert values(tmp_path / "without") == {0: "clone"}
    lines = tmp_path / "inputs.jsonl"
    lines.write_text('{"stdin": "2\\n3 4\\n"}\n\n{"stdin": "3\\n1 -5 2\\n"}\n')
    judge_by_execution(tmp_path / "with", jobs=1, runs=30, inputs=lines)
    assert values(tmp_path / "with") == {0: "not-clone"}


def test_inputs_can_be_for_one_functionality(tmp_path: Path) -> None:
    make_benchmark(tmp_path / "b", [(ADD, LOOP, "clone")], calls=json.dumps(TESTS[:1]))
    lines = tmp_path / "inputs.jsonl"
    lines.write_text('{"functionality": "sum", "stdin": "0\\n\\n"}\n[[1, 2]]\n')
    (pair,) = select_pairs(Benchmark.open(tmp_path / "b"), None, None, 0, None, lines)
    assert [one.stdin for one in pair.inputs] == ["0\n\n", "", "2\n3 4\n"]
    assert pair.inputs[1].arguments == ({"list": [{"int": "1"}, {"int": "2"}]},)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"functionality": "other", "stdin": ""}', "no functionality 'other'"),
        ('{"functionality": "sum", "input": "1"}', "neither a list nor an object"),
        ('{"stdin": 3}', "'stdin' a text"),
        ("[1", "Not an input"),
        ("\n \n", "has no inputs"),
    ],
)
def test_bad_files_are_refused_with_their_line(tmp_path: Path, text: str, said: str) -> None:
    make_benchmark(tmp_path / "b", [(ADD, LOOP, "clone")], calls=json.dumps(TESTS))
    lines = tmp_path / "inputs.jsonl"
    lines.write_text(text)
    with pytest.raises(InputError, match=said) as caught:
        judge_by_execution(tmp_path / "b", jobs=1, inputs=lines)
    assert "inputs.jsonl" in str(caught.value.where)
    assert not (tmp_path / "b" / "execution").exists()


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    make_benchmark(tmp_path / "b", [(ADD, LOOP, "clone")])
    with pytest.raises(InputError, match="Cannot read the inputs"):
        judge_by_execution(tmp_path / "b", jobs=1, inputs=tmp_path / "none.jsonl")


def test_the_table_of_tests_holds_calls_and_runs() -> None:
    found = read_calls('[[[{"int": "1"}], true], {"stdin": "1", "stdout": "2"}, {"stdin": "x"}]')
    assert found == [(CallInput(({"int": "1"},)), True), (CallInput(stdin="1"), "2"), (CallInput(stdin="x"), None)]
    for wrong in (
        '{"stdin": "1"}',
        '[{"stdin": 1}]',
        '[{"stdin": "", "more": 1}]',
        "[[1, 2]]",
        "[1]",
        '[{"stdout": ""}]',
    ):
        with pytest.raises(ValueError, match="not a "):
            read_calls(wrong)
