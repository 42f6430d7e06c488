"""Which files of a source tree are discovered, and why the others are left out."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from clonetruth.code.discovery import (
    EXCLUDED,
    GENERATED,
    GITIGNORED,
    HEAD_BYTES,
    LINKED,
    MARKED,
    OTHER_LANGUAGE,
    REPEATED,
    VENDORED,
    Discovery,
    DiscoveryOptions,
    discover,
    is_generated,
)
from clonetruth.errors import InputError, UnknownNameError

SOURCE = "int f() { return 1; }\n"


def plant(root: Path, *names: str, text: str = SOURCE) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def names_in(root: Path, options: DiscoveryOptions | None = None) -> list[str]:
    return [file.path.relative_to(root).as_posix() for file in discover([root], options).files]


def test_files_come_sorted_with_their_language(tmp_path: Path) -> None:
    plant(tmp_path, "b/Two.java", "b/one.py", "a.go", "readme.txt", ".hidden/x.c")
    found = discover([tmp_path])
    assert [(file.path.relative_to(tmp_path).as_posix(), file.language) for file in found.files] == [
        ("a.go", "go"),
        (".hidden/x.c", "c"),
        ("b/Two.java", "java"),
        ("b/one.py", "python"),
    ]
    assert not found.skipped
    assert not found.left_out


def test_names_are_relative_to_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, "here/src/A.java", "there/B.java")
    monkeypatch.chdir(tmp_path / "here")
    asked = [Path(), Path("src/A.java"), tmp_path / "here" / "src", Path("../there"), tmp_path / "there"]
    assert [[file.name for file in discover([path]).files] for path in asked] == [
        ["src/A.java"],
        ["src/A.java"],
        ["src/A.java"],
        ["../there/B.java"],
        [f"{tmp_path}/there/B.java"],
    ]


def test_only_wanted_languages(tmp_path: Path) -> None:
    plant(tmp_path, "A.java", "b.py", "c.weird")
    assert names_in(tmp_path, DiscoveryOptions(languages=("py",))) == ["b.py"]
    with pytest.raises(UnknownNameError):
        discover([tmp_path], DiscoveryOptions(languages=("cobol",)))
    given_by_name = discover([tmp_path / "A.java", tmp_path / "c.weird"], DiscoveryOptions(languages=("python",)))
    assert [(file.path.name, file.language) for file in given_by_name.files] == [
        ("A.java", "python"),
        ("c.weird", "python"),
    ], "the language overrides the names of given files"
    one_of_two = discover([tmp_path / "A.java", tmp_path / "b.py"], DiscoveryOptions(languages=("python", "go")))
    assert [(file.path.name, file.language) for file in one_of_two.files] == [("b.py", "python")]
    assert one_of_two.left_out == {OTHER_LANGUAGE: [f"{tmp_path}/A.java"]}


def test_a_path_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        discover([tmp_path, tmp_path / "nothing"])


def test_an_empty_tree_has_no_files(tmp_path: Path) -> None:
    assert discover([tmp_path]) == Discovery()


# --- .gitignore


def test_gitignore_applies_in_folders_without_a_repository(tmp_path: Path) -> None:
    plant(tmp_path, "a.py", "out.py", "sub/out.py", "sub/keep.py", "deep/er/c.py", "deep/d.py", "logs/l.py")
    (tmp_path / ".gitignore").write_text("/out.py\nlogs/\n# a comment\n\nsub/*\n!sub/keep.py\n", encoding="utf-8")
    (tmp_path / "deep" / ".gitignore").write_text("er\n", encoding="utf-8")
    found = discover([tmp_path])
    assert [file.path.relative_to(tmp_path).as_posix() for file in found.files] == ["a.py", "deep/d.py", "sub/keep.py"]
    left_out = [Path(name).relative_to(tmp_path).as_posix() for name in found.left_out[GITIGNORED]]
    assert left_out == ["logs", "out.py", "deep/er", "sub/out.py"]
    assert len(names_in(tmp_path, DiscoveryOptions(gitignore=False))) == 7


def test_the_rules_of_the_enclosing_repository_apply(tmp_path: Path) -> None:
    plant(tmp_path, "src/a.py", "src/gen/b.py", "src/c.py")
    (tmp_path / ".git" / "info").mkdir(parents=True)
    (tmp_path / ".git" / "info" / "exclude").write_text("c.py\n", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("src/gen/\n", encoding="utf-8")
    assert names_in(tmp_path / "src") == ["a.py"]


_WORDS = st.sampled_from(["a", "b", "*", "**", "?", "[ab]", "[!a]", "a*", "b.py", "*.py", "\\a", "?.py"])
_PATTERNS = st.builds(
    lambda sign, root, words, end: f"{sign}{root}{'/'.join(words)}{end}",
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(_WORDS, min_size=1, max_size=3),
    st.sampled_from(["", "", "/", " "]),
)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(outer=st.lists(_PATTERNS, max_size=4), inner=st.lists(_PATTERNS, max_size=3))
@example(outer=[], inner=["a", "/**", "!a"])
def test_patterns_mean_what_git_means(
    outer: list[str], inner: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("tree")
    plant(root, "a.py", "b.py", "a/b.py", "a/c.py", "a/a/b.py", "b/a/b.py", "b/b.py")
    for folder, patterns in ((root, outer), (root / "a", inner)):
        (folder / ".gitignore").write_text("\n".join(patterns), encoding="utf-8")
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    listed = subprocess.run(
        ["git", "-c", "core.excludesFile=", "ls-files", "--others", "--exclude-standard", "*.py"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert sorted(names_in(root)) == sorted(listed.split())


def test_patterns_can_be_given(tmp_path: Path) -> None:
    plant(tmp_path, "a.py", "tests/b.py", "sub/tests/c.py", "sub/d_test.py", "sub/e.py")
    found = discover([tmp_path], DiscoveryOptions(exclude=("/tests", "*_test.py")))
    assert [file.path.name for file in found.files] == ["a.py", "e.py", "c.py"]
    assert [Path(name).name for name in found.left_out[EXCLUDED]] == ["tests", "d_test.py"]
    assert len(discover([tmp_path / "tests" / "b.py"], DiscoveryOptions(exclude=("b.py",))).files) == 1


# --- generated and vendored code


def test_vendored_folders_and_build_output_are_left_out(tmp_path: Path) -> None:
    plant(tmp_path, "src/a.js", "node_modules/x/b.js", "third_party/c.c", "build/d.js", "src/build/e.js", "env/f.py")
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    (tmp_path / "env" / "pyvenv.cfg").write_text("", encoding="utf-8")
    found = discover([tmp_path])
    assert [file.path.name for file in found.files] == ["a.js", "e.js"]
    assert len(found.left_out[VENDORED]) == 4
    assert len(names_in(tmp_path, DiscoveryOptions(vendored=True))) == 6


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("api_pb2.py", ""),
        ("api.pb.go", ""),
        ("Form.Designer.cs", ""),
        ("jquery.min.js", ""),
        ("a.go", "// Code generated by stringer -type=Pill; DO NOT EDIT.\npackage a\n"),
        ("A.java", "/* Licence\n * of some kind */\n/* Generated By:JJTree: Do not edit this line. A.java */\n"),
        ("A.java", 'package a;\n\n@javax.annotation.processing.Generated("x")\nclass A {}\n'),
        ("a.py", "#!/usr/bin/env python\n# This file was automatically generated by swig\n"),
        ("a.js", "/**\n * @generated SignedSource<<1>>\n */\n"),
        ("a.cs", "// <auto-generated>\n"),
        ("a.c", "/* Automatically generated by generate-command-code.py, do not edit. */\n"),
        ("a.js", "var a=1;" * HEAD_BYTES),
        ("lexer.c", '#line 2 "lexer.c"\n\n/* A lexical scanner generated by flex */\n\n#define FLEX_SCANNER\n'),
        (
            "parser.c",
            "/* A Bison parser, made by GNU Bison 3.0.4.  */\n\n/* Bison implementation for parsers in C */\n",
        ),
        ("words.h", "/* ANSI-C code produced by gperf version 3.1 */\n"),
        ("words.h", "/* C++ code produced by gperf version 3.0.4 */\n"),
        ("Lexer.java", "/* The following code was generated by JFlex 1.4.1 on 1/2/07 */\n"),
    ],
)
def test_generated_files_are_seen(name: str, head: str, tmp_path: Path) -> None:
    plant(tmp_path, name, text=head)
    found = discover([tmp_path])
    assert not found.files
    assert list(found.left_out) == [GENERATED]
    assert names_in(tmp_path, DiscoveryOptions(generated=True)) == [name]
    assert [file.path.name for file in discover([tmp_path / name]).files] == [name], "given by its name"


@pytest.mark.parametrize(
    ("language", "head"),
    [
        ("python", 'MARK = "DO NOT EDIT"\n'),
        ("python", "# Numbers are generated by a seed, see below.\n"),
        ("java", "/** Values that are\n * generated by the server. Please do not edit the file while it runs. */\n"),
        ("java", "// Long lines of data\n" + "int[] a = {1, 2, 3};" * HEAD_BYTES),
        ("javascript", "f();"),
        ("c", "/* Reads what GNU Bison makes; the lexical scanner is generated by hand. */\n"),
        ("c", "/* Looks words up in tables by gperf. */\n"),
    ],
)
def test_people_may_write_about_generating(language: str, head: str) -> None:
    assert not is_generated("name", head.encode()[:HEAD_BYTES], language)


@pytest.mark.parametrize(
    "mark", ["# clonetruth: ignore-file", "// clonetruth:ignore-file", "/* clonetruth: ignore-file */"]
)
def test_a_file_can_ask_to_be_ignored(mark: str, tmp_path: Path) -> None:
    plant(tmp_path, "a.js", text=f"{mark}\n{SOURCE}")
    plant(tmp_path, "b.js", text=f'"clonetruth: ignore-file"\n{SOURCE}')
    found = discover([tmp_path])
    assert [file.path.name for file in found.files] == ["b.js"]
    assert list(found.left_out) == [MARKED]
    assert not discover([tmp_path / "a.js"]).files


# --- odd things in the file system


def test_links_neither_loop_nor_repeat(tmp_path: Path) -> None:
    plant(tmp_path, "a/One.java")
    (tmp_path / "a" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "a" / "Two.java").symlink_to(tmp_path / "a" / "One.java")
    (tmp_path / "b.java").hardlink_to(tmp_path / "a" / "One.java")
    (tmp_path / "Gone.java").symlink_to(tmp_path / "nowhere")
    found = discover([tmp_path, tmp_path / "a" / "One.java"])
    assert [file.path.name for file in found.files] == ["b.java"]
    assert len(found.left_out[LINKED]) == 1
    assert len(found.left_out[REPEATED]) == 3
    assert [why for _, why in found.skipped] == ["Cannot read the file: No such file or directory."]


def test_a_link_to_itself_is_reported_and_the_rest_searched(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1\n", encoding="utf-8")
    (tmp_path / "one.py").symlink_to("two.py")
    (tmp_path / "two.py").symlink_to("one.py")
    (tmp_path / "folder").symlink_to("folder")
    for within in (None, tmp_path.resolve()):
        found = discover([tmp_path], DiscoveryOptions(within=within))
        assert [file.path.name for file in found.files] == ["a.py"]
        assert [name.rpartition("/")[2] for name, _ in found.skipped] == ["one.py", "two.py"]


def test_a_link_to_a_folder_may_be_given(tmp_path: Path) -> None:
    plant(tmp_path, "real/.gitignore", text="b.py\n")
    plant(tmp_path, "real/a.py", "real/b.py")
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    assert names_in(tmp_path / "link") == ["a.py"]


def test_unreadable_files_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, "a.py", "closed/b.py")
    (tmp_path / "binary.py").write_bytes(b"\x7fELF\0\0\1")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "noise.py").mkdir()
    scandir = os.scandir

    def guarded(path: str) -> object:
        # Root may read everything, so the refusal is simulated.
        if path.endswith(f"closed{os.sep}"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    found = discover([tmp_path])
    assert [file.path.name for file in found.files] == ["a.py"]
    assert [(Path(name).name, why) for name, why in found.skipped] == [
        ("binary.py", "This is a binary file, not source text."),
        ("pipe.py", "Not a regular file."),
        ("closed", "Cannot read the folder: Permission denied."),
    ]
    assert [why for _, why in discover([tmp_path / "pipe.py"]).skipped] == ["Not a regular file."]


def test_any_name_can_be_printed(tmp_path: Path) -> None:
    plant(tmp_path, os.fsdecode(b"caf\xe9.java"), "naïve.java", "new\nline.java", "red\x1b[31m.java")
    found = discover([tmp_path])
    names = [Path(file.name).name for file in found.files]
    assert sorted(names) == ["caf\\xe9.java", "naïve.java", "new\\nline.java", "red\\x1b[31m.java"]
    assert all(file.name.encode("utf-8") and file.path.is_file() for file in found.files)
