"""Gates act on pairs: adding code never turns a failing gate into a passing one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code import fragment_forms, language
from clonetruth.find import CLONE_TYPES, CloneReport, clones_in, find_clones, read_report, report_text
from clonetruth.options.find import FindOptions
from tests.cli.running import run
from tests.code.test_git import commit, git
from tests.find.clone_trees import PYTHON, plant

EDITED = PYTHON.replace("    total = sum(known)\n", "    total = sum(known)\n    check(total, known, default)\n")
RENAMED = PYTHON.replace("known", "kept").replace("total", "whole")
RENAMED_EDITED = EDITED.replace("known", "some").replace("total", "all_of_them")
LAYOUT = PYTHON.replace("    total = sum(known)\n", "    # so far\n    total = sum( known )\n")
ANOTHER = """def tree_of(names, separator="/"):
    tree = {}
    for name in sorted(names):
        branch = tree
        while separator in name:
            first, _, name = name.partition(separator)
            branch = branch.setdefault(first, {})
        branch[name] = None
    return {key: branch for key, branch in tree.items() if key != ""}
"""
VARIANTS = (PYTHON, LAYOUT, RENAMED, EDITED, RENAMED_EDITED, ANOTHER)


def failing(report: CloneReport) -> set[str]:
    """The gates that fail."""
    return {kind for kind in CLONE_TYPES if report.has_clone(kind)}


@pytest.mark.parametrize("edited_too", [False, True], ids=["alone", "with an edited sibling"])
@pytest.mark.parametrize("gate", CLONE_TYPES)
def test_an_edited_sibling_does_not_hide_an_exact_copy(gate: str, edited_too: bool, tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": PYTHON, "c.py": PYTHON, **({"b.py": EDITED} if edited_too else {})})
    assert failing(find_clones([tmp_path])) == {"T1", "T2", "T3"}
    assert run("find", ".", "--fail-on", gate, cwd=tmp_path).code == 1


def test_an_edited_sibling_does_not_hide_a_new_exact_copy_from_a_baseline(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": PYTHON, "b.py": EDITED})
    baseline = tmp_path / "baseline.json"
    baseline.write_text(report_text(find_clones([tree])), encoding="utf-8")
    assert failing(find_clones([tree], baseline=baseline)) == set()

    plant(tree, {"c.py": PYTHON})
    report = find_clones([tree], baseline=baseline)
    assert failing(report) == {"T1", "T2", "T3"}
    (only,) = report.classes
    assert {Path(member.path).name: member.new for member in only.members} == {
        "a.py": False,
        "b.py": False,
        "c.py": True,
    }

    baseline.write_text(report_text(find_clones([tree])), encoding="utf-8")
    plant(tree, {"d.py": RENAMED_EDITED})
    report = find_clones([tree], baseline=baseline)
    assert failing(report) == {"T2", "T3"}, "the exact pair is old; the new member is a renamed copy of the edited one"
    (only,) = report.classes
    assert (only.strongest, only.weakest, only.strongest_new) == ("T1", "T3", "T2")


def test_a_baseline_of_other_options_is_noted(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": PYTHON, "b.py": PYTHON, "c.py": EDITED, "d.py": EDITED})
    baseline = tmp_path / "baseline.json"
    baseline.write_text(report_text(find_clones([tree], with_="exact")), encoding="utf-8")
    assert find_clones([tree], with_="exact", baseline=baseline).notes == ()
    (note,) = find_clones([tree], baseline=baseline).notes
    assert "other options (finders)" in note


def test_only_new_pairs_are_listed(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": PYTHON, "b.py": PYTHON})
    baseline = tmp_path / "baseline.json"
    baseline.write_text(report_text(find_clones([tree])), encoding="utf-8")
    plant(tree, {"c.py": EDITED})
    with clones_in(FindOptions(paths=(tree,), baseline=baseline)) as clones:
        pairs = {(Path(pair.left_path).name, Path(pair.right_path).name, pair.type) for pair in clones.pairs()}
    assert pairs == {("a.py", "c.py", "T3"), ("b.py", "c.py", "T3")}


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_every_new_member_is_marked(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    commit(tmp_path, {f"f{number:02}.py": PYTHON for number in range(3)})
    plant(tmp_path, {f"f{number:02}.py": PYTHON for number in range(3, 20)})
    plant(tmp_path, {"x.py": ANOTHER, "y.py": ANOTHER})
    shown = run("find", ".", "--since", "main", cwd=tmp_path).out
    marked = [line.split()[1] for line in shown.splitlines() if line.startswith("  + ")]
    new = {f"f{number:02}.py:1" for number in range(3, 20)}
    assert sorted(marked) == sorted({*new, "x.py:1", "y.py:1"}), "even if all members of a class are new"
    large, small = run("find", ".", "--since", "main", "--format", "sarif", cwd=tmp_path).json["runs"][0]["results"]
    for result, count in ((large, 17), (small, 2)):
        texts = [place["message"]["text"] for place in (*result["locations"], *result["relatedLocations"])]
        assert sum(text.startswith("new: ") for text in texts) == count


def test_a_report_of_the_first_version_gets_the_types_of_its_pairs(tmp_path: Path) -> None:
    recorded = read_report(Path(__file__).parents[1] / "golden" / "clone-report-v1.json")
    assert [(one.strongest, one.weakest) for one in recorded.classes] == [("T1", "T3")]
    assert {Path(member.path).stem: member.strongest for member in recorded.classes[0].members} == {
        "One": "T1",
        "Layout": "T1",
        "Renamed": "T2",
        "Edited": "T3",
    }
    assert recorded.classes_by_type == {"T1": 1, "T2": 0, "T3": 0}


def test_a_limit_in_percent_counts_copied_lines(tmp_path: Path) -> None:
    other = "\n".join(f"value_{number} = {number}" for number in range(60)) + "\n"
    plant(tmp_path, {"a.py": PYTHON, "sub/b.py": PYTHON, "sub/c.py": other, "rest/d.py": other})
    report = find_clones([tmp_path])
    lines = PYTHON.count("\n")
    total = report.copies_in()
    assert (total.copied_lines, total.lines) == (lines, 2 * lines + 120)
    sub = next(one for one in report.folders if one.path.endswith("/sub"))
    assert (sub.copied_lines, sub.lines) == (lines, lines + 60)
    for limit, code in (
        ("100", 0),
        (f"{total.percent + 0.1}", 0),
        (f"{total.percent - 0.1}", 1),
        ("0", 1),
        (f"sub={sub.percent - 0.1}", 1),
        (f"sub/={sub.percent + 0.1}", 0),
        ("rest=0", 0),
    ):
        assert run("find", ".", "--max-percent", limit, cwd=tmp_path).code == code, limit
    failed = run("find", ".", "--max-percent", "sub=1", "--max-percent", "rest=0", cwd=tmp_path)
    assert f"Gate --max-percent sub=1: {lines} of {lines + 60} lines" in failed.err
    assert "rest" not in failed.err


@pytest.mark.parametrize("limit", ["five", "-1", "101", "sub=", "nan"])
def test_a_limit_that_is_not_a_percentage_is_refused(limit: str, tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": PYTHON})
    refused = run("find", ".", "--max-percent", limit, cwd=tmp_path)
    assert refused.code not in (0, 1)
    assert "not a limit in percent" in refused.err


def test_a_limit_for_a_folder_that_was_not_searched_is_refused(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": PYTHON})
    refused = run("find", ".", "--max-percent", "srv=5", cwd=tmp_path)
    assert refused.code not in (0, 1)
    assert "No file of the folder was searched" in refused.err


def test_a_line_in_several_members_counts_once(tmp_path: Path) -> None:
    inner = "".join(f"    {line}\n" for line in PYTHON.splitlines())
    nested = f"def outer(a, b, c):\n{inner}    return a\n"
    plant(tmp_path, {"a.py": nested, "b.py": nested})
    copies = find_clones([tmp_path]).copies_in()
    assert copies.copied_lines <= copies.lines // 2


@pytest.mark.parametrize("copied_from", ["aaa", "zzz"])
@pytest.mark.parametrize("below", ["api", "api/deep"])
def test_names_do_not_decide_whether_a_folder_has_copies(below: str, copied_from: str, tmp_path: Path) -> None:
    plant(tmp_path, {f"{below}/one.py": PYTHON, f"{copied_from}/two.py": PYTHON, "rest/other.py": ANOTHER})
    for folder, code in ((below, 1), ("./api//", 1), (copied_from, 1), ("rest", 0)):
        assert run("find", ".", "--max-percent", f"{folder}=0", cwd=tmp_path).code == code, folder
    total = find_clones([tmp_path]).copies_in()
    assert total.copied_lines == PYTHON.count("\n"), "where all members are, one is the original"


def test_a_limit_in_percent_counts_old_clones_too(tmp_path: Path) -> None:
    """Otherwise the share of copies could grow with every change."""
    tree = plant(tmp_path / "tree", {"a.py": PYTHON, "b.py": PYTHON})
    (tmp_path / "clones.json").write_text(report_text(find_clones([tree])), encoding="utf-8")
    every = run("find", "tree", "--max-percent", "49", cwd=tmp_path)
    limited = run("find", "tree", "--max-percent", "49", "--baseline", "clones.json", cwd=tmp_path)
    assert (every.code, limited.code) == (1, 1)
    assert every.err == limited.err


def test_the_baseline_is_updated_after_the_comparison(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": PYTHON, "b.py": PYTHON})
    command = ("find", "tree", "--baseline", "clones.json", "--update-baseline", "--fail-on", "T3")
    assert run(*command, cwd=tmp_path).code == 1, "without an earlier baseline, everything is new"
    assert run(*command, cwd=tmp_path).code == 0
    plant(tree, {"c.py": PYTHON, "d.py": ANOTHER, "e.py": ANOTHER})
    assert run(*command, cwd=tmp_path).code == 1, "the exit code is that of the comparison"
    recorded = read_report(tmp_path / "clones.json")
    assert recorded.classes_found == 2
    assert recorded.members == 5, "old clones stay in the baseline"
    assert recorded.only_new is None
    assert run(*command, cwd=tmp_path).code == 0


def test_only_a_named_baseline_is_updated(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": PYTHON})
    refused = run("find", ".", "--update-baseline", cwd=tmp_path)
    assert refused.code == 3
    assert "--baseline FILE" in refused.err


CHAIN = "def chained(values):\n" + "".join(f"    step_{number}(values, {number})\n" for number in range(20))


def test_a_chain_of_edits_is_cut_and_nothing_is_lost(tmp_path: Path) -> None:
    """Each file differs from the one before in two statements; the last has nothing in common with the first."""
    lines = CHAIN.splitlines(keepends=True)
    for number in range(11):
        edited = [f"    other_{at}[values] = {at} - values\n" for at in range(2 * number)]
        plant(tmp_path, {f"f{number:02}.py": "".join([lines[0], *edited, *lines[1 + len(edited) :]])})
    report = find_clones([tmp_path], threshold=0.85)
    assert report.classes_found > 1
    assert {Path(one.path).name for group in report.classes for one in group.members} == {
        f"f{number:02}.py" for number in range(11)
    }
    with clones_in(FindOptions(paths=(tmp_path,), threshold=0.85)) as clones:
        pairs = {frozenset((pair.left_path, pair.right_path)) for pair in clones.pairs()}
    for group in report.classes:
        assert all(frozenset((group.representative.path, one.path)) in pairs for one in group.members[1:])
        assert group.related
    assert "related, but too far from the first: f" in run("find", ".", "--threshold", "0.85", cwd=tmp_path).out


# --- for all small trees

files = st.dictionaries(
    st.sampled_from([f"{name}.py" for name in "abcdefg"] + ["sub/h.py", "sub/i.py"]),
    st.lists(st.sampled_from(VARIANTS), min_size=1, max_size=2).map("\n\n".join),
    max_size=5,
)


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def gates(tree: Path, **words: object) -> set[str]:
    return failing(find_clones([tree], index=False, min_tokens=20, **words))


def functions(tree: dict[str, str]) -> list[str]:
    return [f"def {part}" for text in tree.values() for part in text.split("def ")[1:]]


@settings(max_examples=25, deadline=None)
@given(tree=files.filter(bool))
def test_the_gates_are_those_of_the_strongest_pair(tree: dict[str, str]) -> None:
    """Without classes: T1 if two functions have one Type-1 form, T2 if they are equal without names and values."""
    forms = [fragment_forms(text, language("python")) for text in functions(tree)]
    expected = set()
    if len({one.type1 for one in forms}) < len(forms):
        expected = {"T1", "T2", "T3"}
    elif len({one.tokens for one in forms}) < len(forms):
        expected = {"T2", "T3"}
    with folder() as root:
        assert gates(plant(root, tree)) - {"T3"} == expected - {"T3"}
        assert expected <= gates(root)


@settings(max_examples=25, deadline=None)
@given(tree=files.filter(bool), more=files)
def test_more_files_never_let_a_gate_pass(tree: dict[str, str], more: dict[str, str]) -> None:
    with folder() as root:
        before = gates(plant(root, tree))
        assert before <= gates(plant(root, {name: text for name, text in more.items() if name not in tree}))


@settings(max_examples=12, deadline=None)
@given(old=files.filter(bool), tree=files.filter(bool), more=files)
def test_nor_with_a_baseline(old: dict[str, str], tree: dict[str, str], more: dict[str, str]) -> None:
    with folder() as root:
        baseline = root / "baseline.json"
        recorded = find_clones([plant(root / "old", old)], index=False, min_tokens=20)
        baseline.write_text(report_text(recorded).replace("/old/", "/tree/"), encoding="utf-8")
        now = plant(root / "tree", tree)
        before = gates(now, baseline=baseline)
        assert before <= gates(now), "nothing is new that is not there"
        plant(now, {name: text for name, text in more.items() if name not in tree})
        assert before <= gates(now, baseline=baseline)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@settings(max_examples=4, deadline=None)
@given(old=files.filter(bool), tree=files.filter(bool), more=files)
def test_nor_since_a_revision(old: dict[str, str], tree: dict[str, str], more: dict[str, str]) -> None:
    with folder() as root:
        git(root, "init", "--quiet", "--initial-branch=main")
        commit(root, old)
        plant(root, tree)
        before = gates(root, since="main")
        plant(root, {name: text for name, text in more.items() if name not in {**old, **tree}})
        assert before <= gates(root, since="main")
