"""Duplication over history: chosen commits, the numbers of the gates, a cache that cannot lie, an untouched tree."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.find import find_clones, trend
from clonetruth.find.trend import CloneTrend, TrendNumbers, measure_trend
from clonetruth.html.page import render
from clonetruth.report.trend import trend_page
from clonetruth.user_cache import CACHE_VARIABLE
from tests.cli.running import run
from tests.code.test_git import commit, git
from tests.find.clone_trees import EDITED, OTHER, PYTHON, SUM, java

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose duplication rises and falls: nothing, none, one class, two, one."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    folder = tmp_path / "tree"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    versions: list[dict[str, str]] = [
        {"README": "words\n"},
        {"src/A.java": java("A", SUM, OTHER), "tool.py": PYTHON},
        {"src/B.java": java("B", SUM), "build/C.java": java("C", SUM), "pyproject.toml": ""},
        {"src/sub/copy.py": PYTHON},
        {"src/B.java": java("B", EDITED), "src/sub/copy.py": "x = 1\n"},
    ]
    for number, files in enumerate(versions):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2024-0{number + 1}-01T00:00:00Z")
        commit(folder, files, f"version {number}")
    return folder


def rows(found: CloneTrend) -> list[tuple[str, int, int, int] | None]:
    return [
        (point.date, point.numbers.lines, point.numbers.duplicated_lines, point.numbers.classes)
        if point.numbers is not None
        else None
        for point in found.points
    ]


def test_every_commit_has_the_numbers_of_the_gates(tree: Path) -> None:
    found = measure_trend(tree)
    assert rows(found) == [
        ("2024-01-01", 0, 0, 0),
        ("2024-02-01", 29, 0, 0),
        ("2024-03-01", 41, 10, 1),
        ("2024-04-01", 49, 18, 2),
        ("2024-05-01", 43, 11, 1),
    ]
    last = found.points[-1]
    report = find_clones([tree])
    assert last.numbers is not None
    assert last.commit == git(tree, "rev-parse", "HEAD")
    assert (last.numbers.files, last.numbers.lines, dict(last.numbers.classes_by_type)) == (
        report.files,
        report.lines,
        dict(report.classes_by_type),
    )
    assert last.numbers.percent == report.copies_in().percent
    assert found.points[0].numbers == TrendNumbers()
    assert found.points[0].numbers.percent is None


@pytest.mark.slow
def test_which_commits_are_measured(tree: Path) -> None:
    dates = [point.date for point in measure_trend(tree, commits=3).points]
    assert dates == ["2024-01-01", "2024-03-01", "2024-05-01"]
    assert [point.date for point in measure_trend(tree, commits=1).points] == ["2024-05-01"]
    assert [point.date for point in measure_trend(tree, since="2024-04-01").points] == ["2024-04-01", "2024-05-01"]
    assert [point.date for point in measure_trend(tree, since="HEAD~1").points] == ["2024-04-01", "2024-05-01"]
    git(tree, "tag", "v1", "HEAD~3")
    git(tree, "tag", "-a", "v2", "-m", "second", "HEAD~1")
    git(tree, "tag", "tree-tag", "HEAD^{tree}")
    found = measure_trend(tree, tags=True)
    assert [(point.tag, point.date) for point in found.points] == [("v1", "2024-02-01"), ("v2", "2024-04-01")]


@given(st.integers(1, 300), st.integers(1, 300))
def test_commits_are_evenly_spaced(length: int, wanted: int) -> None:
    every = [trend._ListedCommit(str(number), number) for number in range(length)]
    chosen = [one.seconds for one in trend._spaced(every, wanted)]
    assert len(chosen) == min(length, wanted)
    assert chosen == sorted(set(chosen))
    assert chosen[-1] == length - 1
    steps = {b - a for a, b in pairwise(chosen)}
    assert not steps or max(steps) - min(steps) <= 1
    assert wanted == 1 or chosen[0] == 0


@pytest.mark.slow
def test_a_folder_of_a_repository_and_options(tree: Path) -> None:
    found = measure_trend(tree / "src")
    assert found.folder == "src"
    assert [row and row[1:] for row in rows(found)] == [(0, 0, 0), (21, 0, 0), (33, 10, 1), (41, 10, 1), (35, 11, 1)]
    assert [row and row[3] for row in rows(measure_trend(tree, language="python"))] == [0, 0, 0, 1, 0]
    assert [row and row[3] for row in rows(measure_trend(tree, exclude="B.java"))] == [0, 0, 0, 1, 0]
    assert [row and row[3] for row in rows(measure_trend(tree, include_vendored=True))] == [0, 0, 1, 2, 1]
    assert [row and row[3] for row in rows(measure_trend(tree, min_tokens=5_000))] == [0] * 5


@pytest.mark.slow
def test_the_cache_is_used_by_tree_and_a_damaged_one_is_not(tree: Path, tmp_path: Path) -> None:
    expected = measure_trend(tree)
    files = sorted((tmp_path / "cache" / "trend").iterdir())
    assert len(files) == 5
    content = json.loads(files[0].read_text())
    files[0].write_text(json.dumps({**content, "classes": 77}))
    assert 77 in [point.numbers.classes for point in measure_trend(tree).points if point.numbers], "it is read"
    assert 77 not in [point.numbers.classes for point in measure_trend(tree, index=False).points if point.numbers]
    for damaged in (
        "",
        "{",
        "[]",
        '{"files": 1}',
        json.dumps({**content, "lines": -1}),
        json.dumps({**content, "x": 1}),
    ):
        files[0].write_text(damaged)
        assert measure_trend(tree) == expected
    git(tree, "commit", "--quiet", "--allow-empty", "-m", "nothing")
    assert measure_trend(tree, commits=1).points[0].numbers == expected.points[-1].numbers
    assert len(list((tmp_path / "cache" / "trend").iterdir())) == 5, "the same tree"


@pytest.mark.slow
def test_nothing_is_touched_and_no_program_runs(tree: Path, tmp_path: Path) -> None:
    proof, program = tmp_path / "ran", tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {proof}\ncat\n", encoding="utf-8")
    program.chmod(0o755)
    (tree / "src/A.java").write_text("not committed", encoding="utf-8")
    (tree / ".gitattributes").write_text("* filter=evil diff=evil\n", encoding="utf-8")
    for key in ("filter.evil.smudge", "diff.evil.textconv", "core.fsmonitor", "gpg.program", "core.pager"):
        git(tree, "config", key, str(program))
    git(tree, "config", "log.showSignature", "true")
    before = {path: (path.stat().st_mtime_ns, path.is_dir() or path.read_bytes()) for path in tree.rglob("*")}
    proof.unlink(missing_ok=True)
    assert [row and row[3] for row in rows(measure_trend(tree))] == [0, 0, 1, 2, 1]
    assert not proof.exists()
    assert {path: (path.stat().st_mtime_ns, path.is_dir() or path.read_bytes()) for path in tree.rglob("*")} == before


@pytest.mark.slow
def test_a_commit_that_cannot_be_read_is_named(tree: Path) -> None:
    blob = git(tree, "hash-object", "-w", "README")
    request = f"100644 blob {blob}\t../escaped.py\n"
    made = subprocess.run(["git", "mktree"], cwd=tree, input=request, capture_output=True, text=True, check=False)
    if made.returncode:
        request = f"100644 blob {'1' * 40}\tgone.py\n"
        made = subprocess.run(
            ["git", "mktree", "--missing"], cwd=tree, input=request, capture_output=True, text=True, check=True
        )
    bad = git(tree, "commit-tree", made.stdout.strip(), "-p", "HEAD", "-m", "bad")
    git(tree, "update-ref", "HEAD", bad)
    found = measure_trend(tree)
    assert [row is None for row in rows(found)] == [False] * 5 + [True]
    assert found.points[-1].problem
    assert not list(tree.parent.glob("**/escaped.py"))
    done = run("trend", tree)
    assert (done.code, f"{bad[:10]} could not be read" in done.err) == (0, True)
    assert "All commits" in render(trend_page(found))


@pytest.mark.slow
def test_a_shallow_clone_is_noted(tree: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--depth", "2", f"file://{tree}", "shallow")
    found = measure_trend(tmp_path / "shallow")
    assert len(found.points) == 2
    assert "shallow" in found.notes[0]


@pytest.mark.parametrize(
    ("seconds", "axis"),
    [(0, "seconds"), (90, "seconds"), (1_200, "minutes"), (9_000, "hours"), (172_800, "days"), (10**8, "days")],
)
def test_the_plots_have_a_unit_that_tells_the_commits_apart(seconds: int, axis: str, tree: Path) -> None:
    found = measure_trend(tree)
    first, *_, last = found.points
    page = render(trend_page(replace(found, points=(first, replace(last, seconds=first.seconds + seconds)))))
    assert f"{axis} since the first commit, 2024-01-01" in page


@pytest.mark.slow
def test_the_command_prints_a_table_json_and_a_page(tree: Path, tmp_path: Path) -> None:
    git(tree, "tag", "v1<b>")
    done = run("trend", tree, "--tags", "--html", tmp_path / "trend.html")
    assert done.code == 0, done.err
    assert done.out.split()[:4] == ["1", "of", "1", "tags"]
    assert "25.6 %" in done.out
    page = (tmp_path / "trend.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "v1&lt;b&gt;" in page
    assert "v1<b>" not in page
    answer = run("trend", tree, "--commits", "2", "--json").json
    assert [(point["classes"], point["percent"]) for point in answer["points"]] == [(0, None), (1, 100 * 11 / 43)]
    assert (answer["history"], answer["options"]["min_tokens"]) == (5, 50)


def test_bad_input(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    git(tmp_path, "init", "--quiet", "empty")
    for folder, words, message in (
        (tmp_path / "nowhere", {}, "no such folder"),
        (tmp_path / "plain", {}, "not a git repository"),
        (tmp_path / "empty", {}, "does not know the revision 'HEAD'"),
        (tree, {"since": "nothing"}, "does not know the revision 'nothing'"),
        (tree, {"since": "2024-13-01"}, "not a date"),
        (tree, {"since": "2030-01-01"}, "no commit since"),
        (tree, {"tags": True}, "no tag"),
    ):
        with pytest.raises(InputError, match=message):
            measure_trend(folder, **words)
    done = run("trend", tree, "--commits", "0")
    assert done.code == 2
