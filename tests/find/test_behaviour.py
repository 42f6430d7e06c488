"""`find --run`: copies that behave differently and functions that behave alike are shown with their evidence."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clonetruth
from clonetruth.errors import InputError
from clonetruth.execution import BehaviourComparison, BehaviourVerdict, CallInput, Observation, Reason
from clonetruth.execution.output_digests import OutputFingerprint
from clonetruth.execution.results import ExecutedSide
from clonetruth.execution.values import Value
from clonetruth.find import CloneReport, SearchedFile, behaviour, failed_gates, read_report, report_text
from clonetruth.find.behaviour import agreeing, edited_copies, only_passes_on
from clonetruth.find.behaviour_files import RunnableFiles, declared_lines
from clonetruth.find.behaviour_findings import (
    BehaviourFindings,
    FunctionPlace,
    InconsistentCopy,
    SemanticClass,
    SemanticClone,
)
from clonetruth.find.clone_class import CloneClass, CloneMember
from clonetruth.find.output import compact, gitlab, markdown, sarif
from clonetruth.html.page import render
from clonetruth.options.find import FindOptions
from clonetruth.report.clones import clones_page
from tests.cli.running import run
from tests.execution.sandboxed import needs_sandbox
from tests.find.clone_trees import plant

CLAMP = """def clamp_all(values, low, high):
    out = []
    for value in values:
        if value < low:
            out.append(low)
        elif value > high:
            out.append(high)
        else:
            out.append(value)
    return out
"""
MISSED = (
    CLAMP.replace("clamp_all", "limited")
    .replace("value > high", "value >= high")
    .replace("out.append(high)", "out.append(high - 1)")
)
SORTED_PAIRS = """def by_second(pairs):
    found = list(pairs)
    found.sort(key=lambda pair: (pair[1], pair[0]))
    return [first for first, _ in found]
"""
CLAMP_ALIKE = """def bounded(numbers, smallest, largest):
    def one(number):
        if number < smallest:
            return smallest
        return largest if number > largest else number
    return list(map(one, numbers))
"""

PLACE = FunctionPlace("a.py", 1, 9, "f", "python")
OTHER = FunctionPlace("b.py", 3, 12, "g", "python")
FOUND = BehaviourFindings(
    copies=2,
    inconsistent=(InconsistentCopy(PLACE, OTHER, "f([0])", "returns <1>", "returns |2|", 50, 3, "abc"),),
    consistent=1,
    functions=4,
    ran=3,
    not_run={"needs a file": 1},
    candidates=1,
    semantic=(SemanticClass(PLACE, (SemanticClone(OTHER, 40, 12, "f([1])", "returns 7"),)),),
)


def report_of(found: BehaviourFindings | None) -> CloneReport:
    return CloneReport((), 0, {}, 0, 0, {}, 2, 21, 4, behaviour=found)


def test_findings_are_in_every_format_that_describes_clones(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text(report_text(report_of(FOUND)), encoding="utf-8")
    assert read_report(tmp_path / "report.json").behaviour == FOUND
    page = render(clones_page(report_of(FOUND)))
    assert "returns &lt;1&gt;" in page
    assert "needs a file (1)" in page
    assert "returns |2|" not in markdown(report_of(FOUND))
    assert "f(\\[0\\])" in markdown(report_of(FOUND))
    assert compact(report_of(FOUND)).splitlines() == [
        "differ: a.py:1-9 | b.py:3-12: f([0]) returns <1> / returns |2|",
        "alike: a.py:1-9 f = b.py:3-12 g",
    ]


def test_copies_that_behave_differently_are_results_for_code_scanning() -> None:
    (result,) = json.loads(sarif(report_of(FOUND)))["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("CLONE-DIFFERS", "warning")
    assert "f([0]): f returns <1>, g returns |2|; they differ on 3 of 50 inputs" in result["message"]["text"]
    places = [*result["locations"], *result["relatedLocations"]]
    assert [one["physicalLocation"]["artifactLocation"]["uri"] for one in places] == ["b.py", "a.py"]
    assert result["partialFingerprints"] == {"inconsistentCloneHash/v1": "abc"}
    rules = json.loads(sarif(report_of(None)))["runs"][0]["tool"]["driver"]["rules"]
    assert [one["id"] for one in rules] == ["CLONE-T1", "CLONE-T2", "CLONE-T3"]
    (issue,) = json.loads(gitlab(report_of(FOUND)))
    assert (issue["check_name"], issue["severity"], issue["location"]["path"]) == ("CLONE-DIFFERS", "major", "b.py")
    # Those that hardly ever agree were written to be different.
    often = replace(FOUND, inconsistent=(replace(FOUND.inconsistent[0], differing=26),))
    assert json.loads(sarif(report_of(often)))["runs"][0]["results"][0]["level"] == "note"
    assert json.loads(gitlab(report_of(often)))[0]["severity"] == "info"


@pytest.mark.parametrize(("limit", "fails"), [(None, False), (0, True), (1, False)])
def test_a_gate_counts_copies_that_behave_differently(limit: int | None, fails: bool) -> None:
    options = FindOptions(run=True, max_inconsistent=limit)
    gates = list(failed_gates(options, report_of(FOUND)))
    assert bool(gates) is fails
    if fails:
        assert gates == ["Gate --max-inconsistent 0: 1 of 2 edited or renamed copies behave differently; undecided: 0."]


def test_copies_are_run_that_are_new_and_edited() -> None:
    def member(key: str, *, new: bool = False, kind: str = "function", name: str | None = "f") -> CloneMember:
        return CloneMember("a.py", 1, 9, name, "python", 30, key, "", 1.0, "", "T3", new, kind=kind)

    def ran(*members: CloneMember) -> list[str]:
        one = CloneClass("k", "T2", "T3", 1.0, ("nearmiss",), members)
        return [other.key for _, other in edited_copies([one])]

    others = member("equal", new=True), member("b", new=True), member("c"), member("d", new=True, kind="block")
    assert ran(member("equal"), *others, member("e", new=True, name=None)) == ["b"]
    # If the representative was edited, old copies may have missed that.
    assert ran(member("equal", new=True), *others) == ["b", "c"]


def test_the_gate_of_behaviour_needs_behaviour() -> None:
    with pytest.raises(InputError, match="only if they are run"):
        FindOptions(max_inconsistent=0)


def test_a_report_of_an_earlier_version_has_no_findings(tmp_path: Path) -> None:
    earlier = json.loads(report_text(report_of(None))) | {"schema_version": 4}
    del earlier["behaviour"]
    (tmp_path / "report.json").write_text(json.dumps(earlier), encoding="utf-8")
    assert read_report(tmp_path / "report.json").behaviour is None


@given(st.lists(st.lists(st.none() | st.sampled_from("abcdefgh"), min_size=8, max_size=8), max_size=6))
def test_only_functions_that_agree_on_several_results_are_compared(outputs: list[list[str | None]]) -> None:
    prints = [OutputFingerprint("function of 1", tuple(one)) for one in outputs]
    pairs = agreeing(prints)
    expected = []
    for left in range(len(outputs)):
        for right in range(left + 1, len(outputs)):
            both = [(a, b) for a, b in zip(outputs[left], outputs[right], strict=True) if a and b]
            same = [a for a, b in both if a == b]
            if len(set(same)) >= 3 and len(same) >= 0.8 * len(both):
                expected.append((left, right))
    assert pairs == expected


def test_what_many_functions_give_says_nothing() -> None:
    alike = [OutputFingerprint("function of 1", ("a", "b", "c")) for _ in range(13)]
    assert agreeing(alike) == []
    assert agreeing([*alike[:2], OutputFingerprint("function of 2", ("a", "b", "c"))]) == [(0, 1)]


def test_agreement_on_what_is_merely_passed_on_says_nothing() -> None:
    def compared(*results: tuple[Value, Value]) -> BehaviourComparison:
        side = ExecutedSide("python")
        seen = [(CallInput((given,)), Observation(returned), Observation(returned)) for given, returned in results]
        return BehaviourComparison(side, side, examples=tuple(seen))

    numbers: Value = {"list": [{"int": "1"}, {"int": "2"}]}
    passed: list[tuple[Value, Value]] = [("ab", {"iterator": ["a", "b"]}), (numbers, numbers), (True, {"list": [True]})]
    assert only_passes_on(compared(*passed))
    assert not only_passes_on(compared(*passed, (numbers, {"int": "3"})))
    # A constructor keeps what it is given; it does something if a field has another value.
    kept: Value = {"object": ["Box", [["values", numbers], ["more", {"map": []}], ["none", None]]]}
    assert only_passes_on(compared((numbers, kept)))
    assert not only_passes_on(compared((numbers, {"object": ["Box", [["values", numbers], ["size", {"int": "2"}]]]})))


def test_overloads_of_a_python_function_are_only_declared() -> None:
    text = (
        "import typing as t\n@t.overload\ndef f(a: int) -> int: ...\n@overload\n@final\nasync def f(a: str): ...\n"
        "@overloaded\ndef f(a):\n    return a\n"
    )
    assert declared_lines(text) == {2, 3, 4, 5, 6}


@pytest.mark.slow
@needs_sandbox
def test_a_copy_that_missed_a_fix_and_a_function_written_again_are_found(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "raise_at_import = 1 / 1\n",
        "shop/a.py": CLAMP,
        "shop/b.py": f"from shop.a import clamp_all as known\n\n{MISSED}\n{CLAMP_ALIKE}",
        "shop/exits.py": f"import sys\nsys.exit(3)\n{SORTED_PAIRS}",
        "shop/needs.py": f"from no_such_package import key\n{SORTED_PAIRS.replace('pair[1]', 'key(pair)')}",
        "shop/hidden.py": f"import shop.secret\n{SORTED_PAIRS}",
        "shop/secret.py": "KEY = 'x'\n",
        ".gitignore": "secret.py\n",
    }
    root = plant(tmp_path / "project", files)
    subprocess.run(["git", "init", "-q", root], check=True)
    gate = ("--max-inconsistent", "0")
    done = run("find", root, "--run", "--min-tokens", "25", "--with", "nearmiss", "--no-index", "--json", *gate)
    assert done.code == 1, done.err
    assert "Gate --max-inconsistent 0: 1 of 2 edited or renamed copies behave differently; undecided: 1." in done.err
    found = done.json["behaviour"]
    (copy,) = found["inconsistent"]
    assert {copy["first"]["name"], copy["other"]["name"]} == {"clamp_all", "limited"}
    assert len(copy["key"]) == 32
    assert 0 < copy["differing"] < copy["runs"]
    assert copy["first_did"] != copy["other_did"]
    (alike,) = found["semantic"]
    assert (alike["first"]["name"], [one["function"]["name"] for one in alike["others"]]) == ("clamp_all", ["bounded"])
    assert alike["others"][0]["outputs"] >= 3
    # Functions that cannot run are counted with the reason; what git ignores is not there to be imported.
    assert found["functions"] == found["ran"] + sum(found["not_run"].values()) == 6
    assert found["not_run"] == {"needs a package": 2, "fails while loading": 1}


def test_generated_files_can_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/a.py": f"from shop.made import LIMIT\n{CLAMP}",
        "shop/made.py": "# Generated by a tool. DO NOT EDIT.\nLIMIT = 3\n",
        "shop/secret.py": "# Generated by a tool. DO NOT EDIT.\nKEY = 'x'\n",
    }
    root = plant(tmp_path / "project", files)
    seen: list[RunnableFiles] = []

    def kept(
        report: CloneReport, files: Sequence[SearchedFile], options: FindOptions, _: object, *, generated: object
    ) -> CloneReport:
        assert isinstance(generated, list)
        seen.append(RunnableFiles(tuple(files), options, tuple(generated)))
        return report

    monkeypatch.setattr(behaviour, "with_behaviour", kept)
    clonetruth.find_clones(root, run=True, with_=["exact"], min_tokens=25, exclude=["secret.py"])
    (project,) = seen
    (file,) = (one for one in project.files if one.name.endswith("a.py"))
    path, around = project.around(file, file.path.read_text(encoding="utf-8"))
    assert (path, set(around)) == ("shop/a.py", {"shop/__init__.py", "shop/made.py"})
    assert all("made" not in one.name for one in project.files), "its own functions are not run"


def test_nothing_runs_without_being_asked(tmp_path: Path) -> None:
    root = plant(tmp_path / "project", {"a.py": f"open('ran', 'w')\n{CLAMP}", "b.py": MISSED})
    report = clonetruth.find_clones(root, with_=["nearmiss"], min_tokens=25)
    assert report.classes_found == 1
    assert report.behaviour is None
    assert not list(tmp_path.rglob("ran"))


def test_what_is_not_a_virtual_environment_is_refused(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": CLAMP, "b.py": MISSED})
    with pytest.raises(InputError, match="Not a virtual environment"):
        clonetruth.find_clones(tmp_path, run=True, python=tmp_path / "none")


@pytest.mark.slow
@needs_sandbox
def test_packages_of_an_environment_can_be_imported_and_replace_nothing() -> None:
    # Not in a folder of pytest, which other users cannot enter.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        Path(place).chmod(0o755)
        packages = {"helper.py": "def top(high): return high\n", "json.py": "raise SystemExit\n"}
        venv = {f"venv/lib/python3.11/site-packages/{name}": text for name, text in packages.items()}
        uses = f"import json\nfrom helper import top\n\n{CLAMP.replace('append(high)', 'append(top(high))')}"
        root = plant(Path(place), {**venv, "venv/pyvenv.cfg": "", "code/a.py": uses, "code/b.py": MISSED})
        assert clonetruth.run_code(f"{root}/code/a.py", f"{root}/code/b.py").reason is Reason.PACKAGE
        found = clonetruth.run_code(f"{root}/code/a.py", f"{root}/code/b.py", python=root / "venv")
        assert found.verdict is BehaviourVerdict.DIFFERENT
