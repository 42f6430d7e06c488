"""`clonetruth find` as a user runs it."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
from pathlib import Path

import pytest

from tests.cli.running import Ran, run
from tests.code.test_git import commit, git
from tests.conftest import ROOT
from tests.find.clone_trees import EDITED, FAMILY, OTHER, PYTHON, SUM, java, plant

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a class of four Java functions and one of two Python functions."""
    root = plant(tmp_path_factory.mktemp("find") / "tree", {**FAMILY, "a.py": PYTHON, "sub/b.py": PYTHON})
    plant(root, {"node_modules/c.py": PYTHON, "gen_pb2.py": PYTHON, "left.py": PYTHON, ".gitignore": "left.py\n"})
    return root


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index of a test is its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def find(*arguments: object, cwd: Path) -> Ran:
    return run("find", *arguments, "--processes", "1", cwd=cwd)


def test_classes_are_lines_for_a_person(tree: Path) -> None:
    ran = find(cwd=tree)
    assert ran.code == 0, ran.err
    assert ran.err == ""
    blocks = ran.out.split("\n\n")
    assert blocks[0].splitlines()[0].startswith("T1–T3 4 × 54 tokens, ")
    assert "src/One.java:2" in blocks[0]
    assert "only layout and comments" in blocks[0]
    assert "renamed 2 names, 1 literal changed" in blocks[0]
    assert blocks[1].splitlines() == [
        "T1 2 × 62 tokens, 100 % alike (found by exact, renamed, tokens)",
        "    a.py:1      mean_of_known",
        "    sub/b.py:1  mean_of_known  identical",
    ]
    assert blocks[2].splitlines() == [
        "2 clone classes: 2 T1; 6 members, 39 copied lines (52 %).",
        "Looked at 7 functions in 6 files, 75 lines.",
        "Left out: generated files (1); files and folders that .gitignore names (1); vendored folders (1).",
    ]


def test_everything_can_be_looked_at(tree: Path) -> None:
    everything = ("--include-generated", "--include-vendored", "--no-gitignore")
    ran = find(*everything, cwd=tree)
    assert "T1 5 × 62 tokens" in ran.out
    assert "Left out" not in ran.out
    ran = find(*everything, "--language", "python", cwd=tree)
    assert "T1 5 × 62 tokens" in ran.out
    assert ran.out.splitlines()[-1] == "Left out: files in other languages (4)."


def test_the_first_classes_are_told_unless_all_are_asked_for(tree: Path) -> None:
    ran = find("--top", 1, cwd=tree)
    assert "… and 1 more class; --top all shows all." in ran.out
    assert "mean_of_known" not in ran.out
    assert "more class" not in find("--top", "all", cwd=tree).out
    assert find("--top", "few", cwd=tree).code == 2


def test_single_files_are_compared(tree: Path) -> None:
    ran = find("src/One.java", "src/Renamed.java", cwd=tree)
    assert ran.out.startswith("T2 2 × 54 tokens, 100 % alike (found by renamed")


def test_finders_and_their_parameters(tree: Path) -> None:
    def pairs(*arguments: object) -> dict[str, int]:
        content = find("src", *arguments, "--format", "json", cwd=tree).json
        assert content["options"]["finders"] == [arguments[1]]
        found: dict[str, int] = content["pairs"]
        return found

    assert pairs("--with", "nearmiss:renaming=none,exact", "--threshold", 0.95) == {"exact": 1, "nearmiss": 1}
    assert pairs("--with", "nearmiss", "--threshold", 0.95) == {"nearmiss": 3}


def test_an_engine_finds_the_same(tree: Path) -> None:
    asked = ("--with", "tokens", "--format", "csv", "--no-index")
    assert find(*asked, "--engine", "duckdb", cwd=tree).out == find(*asked, cwd=tree).out
    wrong = find("--engine", "duck", cwd=tree)
    assert wrong.code != 0
    assert wrong.err.startswith("error:")


# --- files


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("html", "<!doctype html>"),
        ("sarif", "{"),
        ("csv", "left_path,left_first,"),
        ("markdown", "### 2 clone classes ("),
        ("gitlab", "["),
        ("compact", "T1–T3 "),
    ],
)
def test_a_result_goes_to_a_file_or_to_standard_output(form: str, begins: str, tree: Path, tmp_path: Path) -> None:
    path = tmp_path / f"clones.{form}"
    ran = find("--format", form, "-o", path, cwd=tree)
    assert ran.code == 0, ran.err
    assert ran.out.startswith(f"Written: {path}\n2 clone classes")
    text = path.read_text(encoding="utf-8")
    assert text.startswith(begins)
    assert find("--format", form, cwd=tree).out == text


def test_text_can_be_written_too(tree: Path, tmp_path: Path) -> None:
    assert find("-o", tmp_path / "clones.txt", cwd=tree).code == 0
    assert (tmp_path / "clones.txt").read_text(encoding="utf-8") == find(cwd=tree).out


def test_the_json_is_versioned(tree: Path) -> None:
    content = find("--format", "json", cwd=tree).json
    assert (content["schema"], content["schema_version"]) == ("clonetruth-clones", 5)
    assert [(one["strongest"], one["weakest"]) for one in content["classes"]] == [("T1", "T3"), ("T1", "T1")]
    assert sorted(member["strongest"] for member in content["classes"][0]["members"]) == ["T1", "T1", "T2", "T3"]
    assert not any("clone_type" in one for one in content["classes"]), "the key of version 1"


def test_bigcloneeval_takes_the_pairs(tree: Path) -> None:
    lines = find("src", "--format", "bigcloneeval", cwd=tree).out.splitlines()
    assert "src,Layout.java,2,12,src,One.java,2,11" in lines


def test_a_file_that_cannot_be_written_is_told(tree: Path, tmp_path: Path) -> None:
    ran = find("--format", "json", "-o", tmp_path / "no" / "such" / "folder.json", cwd=tree)
    assert ran.code == 3
    assert "cannot be written" in ran.err


def test_block_files_of_sourcerercc_give_pairs(shared_sourcerercc: Path, tmp_path: Path) -> None:
    blocks = shared_sourcerercc / "ant_blocks.file.gz"
    ran = find(blocks, "--with", "tokens", "--threshold", 0.7, "--format", "csv", cwd=tmp_path)
    header, *rows = ran.out.splitlines()
    assert header == "left,right,score"
    with gzip.open(shared_sourcerercc / "ant_pairs_70.csv.gz", "rt") as file:
        published = {frozenset(line.strip().split(",")) for line in file}
    assert len(rows) == len(published) == 616
    assert {frozenset(row.split(",")[:2]) for row in rows} == published
    assert find(blocks, cwd=tmp_path).out == ran.out


def test_blocks_have_no_more_than_pairs(tmp_path: Path) -> None:
    (tmp_path / "b.file").write_text("1,1,2,1,h@#@a@@::@@2\n1,2,2,1,h@#@a@@::@@2\n", encoding="utf-8")
    assert find("b.file", cwd=tmp_path).out == "left,right,score\n1,2,1.0\n"
    assert find("b.file", "--with", "exact", cwd=tmp_path).code == 2
    assert find("b.file", "--format", "sarif", cwd=tmp_path).code == 2
    assert find("b.file", ".", cwd=tmp_path).code == 3
    (tmp_path / "b.file").write_text("no block\n", encoding="utf-8")
    assert "not a SourcererCC block" in find("b.file", cwd=tmp_path).err


# --- in CI


@pytest.mark.parametrize(
    ("files", "fail_on", "code"),
    [
        ((SUM, SUM), None, 0),
        ((SUM, SUM), "T2", 1),
        ((SUM, EDITED), "T2", 0),
        ((SUM, EDITED), "T3", 1),
        ((SUM, OTHER), "T3", 0),
    ],
)
def test_failing_is_asked_for(files: tuple[str, str], fail_on: str | None, code: int, tmp_path: Path) -> None:
    plant(tmp_path / "tree", {f"C{at}.java": java(f"C{at}", method) for at, method in enumerate(files)})
    options = ["--fail-on", fail_on] if fail_on else []
    assert find(*options, cwd=tmp_path / "tree").code == code


def test_a_baseline_lets_old_clones_pass(tree: Path, tmp_path: Path) -> None:
    copy = tmp_path / "tree"
    shutil.copytree(tree, copy)
    assert find("--format", "json", "-o", tmp_path / "old.json", cwd=copy).code == 0
    ran = find("--baseline", tmp_path / "old.json", "--fail-on", "T3", cwd=copy)
    assert ran.code == 0
    assert ran.out.startswith("No clones not in the baseline.")
    plant(copy, {"c.py": PYTHON})
    ran = find("--baseline", tmp_path / "old.json", "--fail-on", "T3", cwd=copy)
    assert ran.code == 1
    assert "  + c.py:1" in ran.out
    assert "1 clone class not in the baseline: 1 T1" in ran.out


@needs_git
def test_what_is_new_since_a_revision(tree: Path, tmp_path: Path) -> None:
    copy = tmp_path / "tree"
    shutil.copytree(tree, copy)
    git(copy, "init", "--quiet", "--initial-branch=main")
    commit(copy, {})
    assert find("--since", "main", "--fail-on", "T3", cwd=copy).code == 0
    commit(copy, {"d.py": PYTHON, "e.py": PYTHON})
    ran = find("--since", "HEAD~1", "--fail-on", "T3", cwd=copy)
    assert ran.code == 1
    assert "1 clone class changed since HEAD~1: 1 T1" in ran.out
    assert find("HEAD~1..HEAD", cwd=copy).out.startswith("T1 2 × 62 tokens")
    wrong = find("--since", "nothing", cwd=copy)
    assert wrong.code == 3
    assert "does not know the revision 'nothing'" in wrong.err


@needs_git
def test_the_pre_commit_hook_stops_a_new_clone(tree: Path, tmp_path: Path) -> None:
    (entry,) = re.findall(r"entry: clonetruth (find .*)", (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    copy = tmp_path / "tree"
    shutil.copytree(tree, copy)
    git(copy, "init", "--quiet", "--initial-branch=main")
    commit(copy, {})
    assert run(*entry.split(), cwd=copy).code == 0
    plant(copy, {"f.py": PYTHON})
    git(copy, "add", "f.py")
    assert run(*entry.split(), cwd=copy).code == 1


def test_settings_are_read_from_the_project(tree: Path, tmp_path: Path) -> None:
    copy = tmp_path / "tree"
    shutil.copytree(tree, copy)
    (copy / ".git").mkdir()
    settings = copy / "pyproject.toml"
    settings.write_text('[tool.clonetruth.find]\nwith = ["exact"]\nlanguage = ["python"]\nfail-on = "T1"\ntop = 1\n')
    ran = find("sub", ".", cwd=copy)
    assert ran.code == 1
    assert "1 clone class: 1 T1" in ran.out
    assert find("--language", "java", "--with", "tokens", cwd=copy / "sub").code == 3, "nothing in Java there"
    settings.write_text('[tool.clonetruth.find]\nwith = "renamed"\nexclude = "*.py"\ngitignore = false\n')
    assert "T2 3 × 54 tokens" in find(cwd=copy / "src").out
    assert "files and folders that were excluded (4)" in find(cwd=copy).out
    for text, said in (
        ("[tool.clonetruth.find]\nwiht = ['exact']\n", "no setting 'wiht'"),
        ("[tool.clonetruth.find]\nmin-tokens = 'many'\n", "'min-tokens' cannot be used"),
        ("[tool.clonetruth.find\n", "cannot be read"),
    ):
        settings.write_text(text)
        ran = find(cwd=copy)
        assert ran.code == 3
        assert said in ran.err
        assert "pyproject.toml" in ran.err


# --- bad input


def test_bad_files_are_counted_or_refused(tmp_path: Path) -> None:
    root = plant(tmp_path / "tree", {"a.py": PYTHON, "b.py": PYTHON, "broken.py": "def f(:\n" + PYTHON, "empty.py": ""})
    (root / "binary.py").write_bytes(b"\x7fELF\0")
    (root / os.fsdecode(b"caf\xe9.py")).write_text(PYTHON, encoding="utf-8")
    (root / "loop").symlink_to(root)
    ran = find(cwd=root)
    assert ran.code == 0, ran.err
    assert "caf\\xe9.py:1" in ran.out
    assert "1 file was skipped, so its clones are missing:" in ran.err
    assert "binary.py: This is a binary file, not source text." in ran.err
    names = [member["path"] for member in find("--format", "json", cwd=root).json["classes"][0]["members"]]
    assert "caf\\xe9.py" in names
    strict = find("--strict", cwd=root)
    assert strict.code == 3
    assert "binary.py" in strict.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nothing"], 3, "There is no such file or folder."),
        (["empty"], 3, "There is no source file to search."),
        (["--with", "tokns", "."], 5, "no finder and no external tool 'tokns'"),
        (["--threshold", "1.5", "."], 3, "not a similarity"),
        (["--min-tokens", "-1", "."], 3, "cannot have -1 tokens"),
        (["--language", "cobol", "."], 5, "no language 'cobol'"),
        (["--baseline", "nothing.json", "."], 3, "cannot be read"),
        (["--baseline", "a.py", "."], 3, "Not valid JSON"),
        (["--since", "HEAD", "."], 3, "not a git repository"),
        (["--format", "xml", "."], 2, "Invalid value"),
    ],
)
def test_mistakes_are_told(arguments: list[str], code: int, said: str, tmp_path: Path) -> None:
    root = plant(tmp_path / "tree", {"a.py": PYTHON})
    (root / "empty").mkdir()
    ran = find(*arguments, cwd=root)
    assert ran.code == code
    assert said in ran.err
    assert ran.out == ""


def test_a_damaged_baseline_is_told_with_its_place(tree: Path, tmp_path: Path) -> None:
    damaged = find("--format", "json", cwd=tree).json
    damaged["classes"][0]["members"][0]["first_line"] = "one"
    (tmp_path / "old.json").write_text(json.dumps(damaged), encoding="utf-8")
    ran = find("--baseline", tmp_path / "old.json", cwd=tree)
    assert ran.code == 3
    assert "clone.classes[0].members[0].first_line" in ran.err
