"""Evidence of functionalities: what agrees is recorded, and everything else is refused with the reason."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

import clonetruth
from clonetruth.errors import BenchmarkError, InputError
from clonetruth.execution import CallInput, Code, Harnesses, Observation
from clonetruth.execution.harness.harness import FragmentRun, Reason, SandboxedHarness
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.make.trueclones import EvidenceState, examine_folder, generated_inputs
from clonetruth.make.trueclones.evidence import folder_domain
from clonetruth.make.trueclones.fragment_runs import NotRunError, calls_of, run_fragment
from clonetruth.sources.functionality_folders import FolderFile, read_folder, read_folders
from clonetruth.sources.trueclones_evidence import difficulty_of, parse_evidence, read_evidence
from tests.cli.running import run
from tests.execution.sandboxed import needs_sandbox
from tests.make.functionality_samples import (
    DESCRIPTION,
    GUARD,
    INPUTS,
    LATE,
    NEAR_MISS,
    SHORT,
    SORTED,
    StatedHarnesses,
    write_sample,
)


def examined(folder: Path, stated: dict[str, Callable[..., Any]] | None = None, **more: Any) -> Any:
    harnesses = cast(Harnesses, StatedHarnesses(stated))
    return examine_folder(read_folder(folder), harnesses, generated=200, **more)


def test_what_agrees_is_recorded_and_a_near_miss_has_a_witness_and_a_rate(tmp_path: Path) -> None:
    folder = write_sample(tmp_path)
    found = examined(folder)
    assert not found.problems
    witness = found.evidence.fragments["clamped-sum/python/near-miss/guard_late"].witness
    assert witness.arguments == [60, 41]
    assert (witness.expected, witness.actual, witness.shared) == (100, 101, 10)
    inputs = generated_inputs(read_folder(folder), 200, 0)
    assert witness.generated == sum(100 < a + b <= 110 for a, b in inputs)
    assert found.evidence.expected == [min(a + b, 100) for a, b in INPUTS]
    (folder / "evidence.json").write_text(found.evidence.text, encoding="utf-8")
    assert read_evidence(read_folder(folder)) == found.evidence
    assert parse_evidence(found.evidence.text) == found.evidence


@pytest.mark.parametrize(("name", "entry"), [("python", "first"), ("cpp", "last"), ("csharp", "first")])
def test_the_entry_point_is_where_the_language_has_it(name: str, entry: str) -> None:
    text = {
        "python": "def first(a, b):\n    return last(a) + b\n\n\ndef last(a):\n    return a\n",
        "cpp": "struct S {\n    int of(int a) { return a; }\n};\n\nint last(int a, int b) { return S().of(a) + b; }\n",
        "csharp": "int first(int a, int b) { return last(a) + b; }\n\nstatic int last(int a) { return a; }\n",
    }[name]
    harnesses = cast(Harnesses, StatedHarnesses({text: lambda a, b: a + b}))
    found = run_fragment(FolderFile(f"sum/{name}/x", name, f"sum/{name}/x", text, None), [[1, 2], [3, 4]], harnesses)
    assert (found.entry, found.functions, found.results) == (entry, 2, [3, 7])


ENDED = FragmentRun(Reason.LOADING, "exited")
TOO_LATE = FragmentRun(observations=(Observation(ended="timed out"),))


@pytest.mark.parametrize(
    ("text", "reason"), [("def f(a, b:\n    return 1\n", "does not parse"), ("1 + 2\n", "no function with a name")]
)
def test_what_has_no_entry_point_is_refused_with_the_reason(text: str, reason: str) -> None:
    source = FolderFile("x/python/f", "python", "x/python/f", text, None)
    with pytest.raises(NotRunError, match=reason):
        run_fragment(source, [[1, 2]], cast(Harnesses, StatedHarnesses()))


@pytest.mark.parametrize(("times", "runs"), [(1, True), (2, True), (3, False)])
@pytest.mark.parametrize(
    ("failure", "message"), [(ENDED, "fails while loading exited"), (TOO_LATE, r"its end \(timed out\)")]
)
def test_a_sandbox_that_ends_and_a_call_that_is_late_are_tried_again(
    failure: FragmentRun, message: str, times: int, runs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    harnesses = StatedHarnesses()
    harness, failures = harnesses.get("python"), iter([failure] * times)
    usual = harness.run
    monkeypatch.setattr(harness, "run", lambda *given, **more: next(failures, None) or usual(*given, **more))
    source = FolderFile("sum/python/short", "python", "sum/python/short.py", SHORT, None)
    if runs:
        assert run_fragment(source, [[1, 2], [90, 60]], cast(Harnesses, harnesses)).results == [3, 100]
    else:
        with pytest.raises(NotRunError, match=message):
            run_fragment(source, [[1, 2]], cast(Harnesses, harnesses))


def test_only_the_call_that_is_late_runs_again_and_code_that_may_not_end_gets_few_calls_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    harnesses = StatedHarnesses()
    harness, seen = harnesses.get("python"), []
    usual = harness.run

    def run(code: Code, calls: Sequence[CallInput], **more: Any) -> FragmentRun:
        seen.append(len(calls))
        if calls_of([[40, 1]])[0] not in calls:
            return usual(code, calls, **more)
        return FragmentRun(observations=(Observation(ended="timed out"),))

    monkeypatch.setattr(harness, "run", run)
    source = FolderFile("sum/python/short", "python", "sum/python/short.py", SHORT, None)
    many = [[number, 1] for number in range(100)]
    with pytest.raises(NotRunError, match="timed out"):
        run_fragment(source, [many[40], *many[:40]], cast(Harnesses, harnesses))
    assert seen == [41, 1, 1]
    seen.clear()
    with pytest.raises(NotRunError, match="timed out"):
        run_fragment(source, [*many[:5], many[40], *many[5:40]], cast(Harnesses, harnesses), wary=True)
    assert seen == [1, 9, 31], "a call that is late by CPU time is late again"
    seen.clear()
    with pytest.raises(NotRunError, match="timed out"):
        run_fragment(source, [*many[:40], many[40]], cast(Harnesses, harnesses), wary=True)
    assert seen == [1], "the last inputs, which are rarely trivial, come first"
    found = run_fragment(source, many[:40], cast(Harnesses, harnesses), wary=True)
    assert found.results == run_fragment(source, many[:40], cast(Harnesses, harnesses)).results


def test_generated_inputs_are_permitted_different_and_the_same_for_a_seed(tmp_path: Path) -> None:
    folder = read_folder(write_sample(tmp_path))
    drawn = generated_inputs(folder, 300, 5)
    assert drawn == generated_inputs(folder, 300, 5) != generated_inputs(folder, 300, 6)
    assert len({tuple(one) for one in drawn}) == len(drawn) == 300
    assert all(folder_domain(folder).permits_plain(one) for one in drawn)


@pytest.mark.parametrize(
    ("rate", "difficulty"),
    [(1, "easy"), (0.2, "easy"), (0.19, "medium"), (0.02, "medium"), (0.019, "hard"), (0, "hard")],
)
def test_the_difficulty_is_measured(rate: float, difficulty: str) -> None:
    assert difficulty_of(rate) == difficulty


COUNTED = itertools.count()
REFUSED: dict[str, tuple[dict[str, Callable[..., Any]], str, str]] = {
    "disagrees": ({SHORT: lambda a, b: a + b}, "short", "disagrees with the others"),
    "raises": ({SHORT: lambda a, b: 1 // 0 if b == 60 else min(a + b, 100)}, "short", "disagrees with the others"),
    "overflows": (
        {GUARD: lambda a, b: 2**31, SHORT: lambda a, b: 2**31, SORTED: lambda a, b: 2**31},
        "short",
        "not of the type int",
    ),
    "flaky": ({SHORT: lambda a, b: min(a + b, 100) + next(COUNTED) % 2}, "short", "not stable"),
    "right": ({LATE: lambda a, b: min(a + b, 100)}, "near-miss/guard_late", "differs from the specification on none"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_agree_is_refused_with_the_reason(case: str, tmp_path: Path) -> None:
    stated, where, reason = REFUSED[case]
    found = examined(write_sample(tmp_path, {"python/sorted.py": SORTED}), stated)
    assert found.evidence is None
    assert reason in found.problems[f"clamped-sum/python/{where}"]


def test_the_odd_one_is_named_wherever_it_is(tmp_path: Path) -> None:
    """The first implementation is not taken for the truth."""
    found = examined(write_sample(tmp_path, {"python/sorted.py": SORTED}), {GUARD: lambda a, b: a + b})
    assert "clamped-sum/python/guard" in found.problems
    assert not {"clamped-sum/python/short", "clamped-sum/python/sorted"} & set(found.problems)


def test_fragments_that_fail_can_be_left_out(tmp_path: Path) -> None:
    folder = write_sample(tmp_path, {"python/sorted.py": SORTED})
    found = examined(folder, {SHORT: lambda a, b: a + b}, leave_out=True)
    assert set(found.problems) == {"clamped-sum/python/short"}
    assert set(found.evidence.fragments) == {
        "clamped-sum/python/guard",
        "clamped-sum/python/sorted",
        "clamped-sum/python/near-miss/guard_late",
    }
    # Without its origin a near miss is none.
    gone = examined(folder, {GUARD: lambda a, b: a + b}, leave_out=True)
    assert gone.evidence is None


def test_inputs_outside_the_domain_and_copies_are_refused(tmp_path: Path) -> None:
    outside = examined(write_sample(tmp_path / "outside", inputs=[*INPUTS, [61, 0]]))
    assert "does not permit the shared input [61,0]" in outside.problems["clamped-sum"]
    few = examined(write_sample(tmp_path / "few", inputs=INPUTS[:5]))
    assert "fewer than 25" in few.problems["clamped-sum"]
    renamed = GUARD.replace("total", "summed")
    copied = examined(write_sample(tmp_path / "copied", {"python/copy.py": GUARD.replace("clamped", "sum_of")}))
    assert "counts as the same one" in copied.problems["clamped-sum/python/guard"]
    other = examined(write_sample(tmp_path / "other", {"python/near-miss/guard_late.py": SORTED + renamed}))
    assert "not a small edit" in other.problems["clamped-sum/python/near-miss/guard_late"]


@pytest.mark.parametrize(
    ("description", "message"),
    [
        (DESCRIPTION, "has a file or an entry, and not both"),
        (DESCRIPTION + NEAR_MISS.replace('"guard"', '"other"'), "there is no implementation 'other'"),
        (DESCRIPTION + NEAR_MISS + 'difficulty = "extreme"\n', "the difficulty is none of"),
        (DESCRIPTION + "[near-miss.java.x]\n", "a language without a folder: java"),
        ("colour = 1\n" + DESCRIPTION + NEAR_MISS, "Unknown entry 'colour'"),
        (DESCRIPTION.replace('topic = "numbers"', "") + NEAR_MISS, "missing or wrong"),
        ("name = ", "not a functionality"),
        (DESCRIPTION.replace('topic = "numbers"', 'topic = "numbers"\nnear-miss = 3'), "missing or wrong"),
    ],
)
def test_folders_that_are_not_functionalities(description: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_folder(write_sample(tmp_path, description=description))


@pytest.mark.parametrize(
    "name", ["python/guard.py", "python/near-miss/guard_late.py", "functionality.toml", "inputs.json"]
)
def test_a_file_that_is_not_utf_8_is_refused_by_name(name: str, tmp_path: Path) -> None:
    folder = write_sample(tmp_path)
    (folder / name).write_bytes(b"# \xe9\n")
    with pytest.raises(InputError, match="utf-8"):
        read_folder(folder)
    with pytest.raises(InputError, match="utf-8"):
        list(read_folders(tmp_path))


def test_evidence_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    folder = write_sample(tmp_path)
    (folder / "evidence.json").write_bytes(b"\xff\xfe\xe9")
    with pytest.raises(BenchmarkError, match="not evidence"):
        read_evidence(read_folder(folder))


def test_an_unknown_functionality_is_named(tmp_path: Path) -> None:
    write_sample(tmp_path)
    with pytest.raises(InputError, match=r"no functionality 'clamped-sums'.*Known: clamped-sum"):
        list(read_folders(tmp_path, ["clamped-sums"]))


def test_evidence_does_not_survive_an_edit(tmp_path: Path) -> None:
    folder = write_sample(tmp_path)
    evidence = examined(folder).evidence
    file = folder / "evidence.json"
    with pytest.raises(BenchmarkError, match="no evidence"):
        read_evidence(read_folder(folder))
    file.write_text(evidence.text, encoding="utf-8")
    (folder / "python/short.py").write_text(SHORT + "\n", encoding="utf-8")
    with pytest.raises(BenchmarkError, match="other texts"):
        read_evidence(read_folder(folder))
    (folder / "python/short.py").write_text(SHORT, encoding="utf-8")
    near = evidence.fragments["clamped-sum/python/near-miss/guard_late"]
    same = dataclasses.replace(near, witness=dataclasses.replace(near.witness, actual=near.witness.expected))
    forged = dataclasses.replace(
        evidence, fragments={**evidence.fragments, "clamped-sum/python/near-miss/guard_late": same}
    )
    file.write_text(forged.text, encoding="utf-8")
    with pytest.raises(BenchmarkError, match="shows no difference"):
        read_evidence(read_folder(folder))
    for text in ("{}", "[1]", "{", evidence.text.replace('"format": 1', '"format": 9')):
        with pytest.raises(BenchmarkError, match=r"not evidence|format 9"):
            parse_evidence(text)


def test_results_of_functionalities_with_the_same_signature_are_recorded(tmp_path: Path) -> None:
    folder = read_folder(write_sample(tmp_path))
    other = dataclasses.replace(folder, id="difference", inputs=[[5, 3], [70, 0], [1, 1]])
    strange = dataclasses.replace(other, id="texts", returns="string")
    harnesses = cast(Harnesses, StatedHarnesses())
    evidence = examine_folder(folder, harnesses, others=[other, strange, folder], generated=50).evidence
    assert evidence is not None
    # [70, 0] is not permitted here.
    assert [(one.functionality, one.arguments, one.result) for one in evidence.foreign] == [
        ("difference", [5, 3], 8),
        ("difference", [1, 1], 2),
    ]


# With the sandbox.


@pytest.mark.slow
@needs_sandbox
def test_the_command_executes_writes_and_compares(tmp_path: Path) -> None:
    folder = write_sample(tmp_path)
    first = run("make", "evidence", tmp_path)
    assert first.code == 1
    assert "out of date" in first.out
    assert not (folder / "evidence.json").exists()
    assert run("make", "evidence", tmp_path, "--write").code == 0
    again = run("make", "evidence", tmp_path, "--json")
    assert again.code == 0
    (entry,) = again.json["functionalities"]
    assert (entry["state"], entry["coverage"]) == ("current", 1.0)
    flaky = "import random\n\n\ndef at_most(x, y):\n    return min(x + y, 100) + random.randint(0, 1)\n"
    (folder / "python/short.py").write_text(flaky, encoding="utf-8")
    report = clonetruth.make_evidence(tmp_path, write=True)
    assert report.functionalities[0].state is EvidenceState.REFUSED
    refused = run("make", "evidence", tmp_path, "--write")
    assert refused.code == 1
    assert "clamped-sum/python/short" in refused.out + refused.err


@pytest.mark.slow
@pytest.mark.jdk
@pytest.mark.timeout(1800)
@needs_sandbox
def test_all_evidence_of_trueclones_is_what_execution_gives() -> None:
    report = clonetruth.make_evidence()
    assert [(one.id, one.problems) for one in report.functionalities if one.state is not EvidenceState.CURRENT] == []


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("javascript", "function f(a) { while (a > 1) {} return a }"),
        ("csharp", "static int f(int a) { while (a > 1) {} return a; }"),
    ],
)
def test_nothing_runs_after_a_late_call_of_code_that_may_not_end(name: str, text: str) -> None:
    source = FolderFile(f"x/{name}/f", name, f"x/{name}/f", text, None)
    with Harnesses(Bubblewrap()) as harnesses:
        harness = cast(SandboxedHarness, harnesses.get(name))
        full, harness.stops_when_late = harness.seconds_per_call, True
        calls = calls_of([[1], [2], [3], [4]])
        seen = harness.run(Code(text, name, "f"), calls).observations
        assert [one.ended for one in seen] == [None, "timed out"]
        with pytest.raises(NotRunError, match="timed out"):
            run_fragment(source, [[1], [2], [1]], harnesses, wary=True, tries=1)
        assert (harness.seconds_per_call, harness.stops_when_late) == (full, False)
        assert run_fragment(source, [[1], [0]], harnesses).results == [1, 0]
