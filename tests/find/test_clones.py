"""From paths to a clone report."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.find import CloneClass, CloneReport, clones_in, find_clones, read_report, report_text
from clonetruth.options.find import FindOptions
from tests.find.clone_trees import EDITED, FAMILY, LAYOUT, OTHER, PYTHON, RENAMED, SUM, java, plant


def classes_of(root: Path, **words: object) -> tuple[CloneClass, ...]:
    return find_clones([root], **words).classes


def the_class(root: Path, **words: object) -> CloneClass:
    (only,) = classes_of(root, **words)
    return only


@pytest.mark.parametrize(
    ("copy", "clone_type", "differences"),
    [
        (SUM, "T1", "identical"),
        (LAYOUT, "T1", "only layout and comments"),
        (RENAMED, "T2", "renamed 2 names, 1 literal changed"),
        (EDITED, "T3", "1 statement inserted"),
    ],
)
@pytest.mark.parametrize("finders", [("exact", "renamed", "tokens"), ("tokens:units=tokens", "nearmiss")])
def test_a_class_has_its_type(
    copy: str, clone_type: str, differences: str, finders: tuple[str, ...], tmp_path: Path
) -> None:
    plant(tmp_path, {"A.java": java("A", SUM, OTHER), "B.java": java("B", copy)})
    found = the_class(tmp_path, with_=finders)
    assert (found.strongest, found.weakest, found.types) == (clone_type, clone_type, clone_type)
    assert found.differences == differences
    assert [Path(member.path).name for member in found.members] == ["A.java", "B.java"]
    assert found.representative.name == "A.sumAbove"
    assert found.representative.text == SUM.strip()
    assert (found.representative.first_line, found.representative.lines) == (2, 10)
    assert found.similarity is not None
    assert (found.similarity == 1) == (clone_type != "T3")
    assert set(found.finders) <= {name.partition(":")[0] for name in finders}


def test_a_class_shows_its_strongest_and_its_weakest_pair(tmp_path: Path) -> None:
    found = the_class(plant(tmp_path, FAMILY))
    assert (found.strongest, found.weakest, found.types) == ("T1", "T3", "T1–T3")
    assert {Path(member.path).stem: member.strongest for member in found.members} == {
        "One": "T1",
        "Layout": "T1",
        "Renamed": "T2",
        "Edited": "T3",
    }
    assert len(found.members) == 4
    assert found.finders == ("exact", "renamed", "tokens")
    assert found.waste == 3 * found.representative.tokens
    report = find_clones([tmp_path])
    assert report.classes_by_type == {"T1": 1, "T2": 0, "T3": 0}
    assert (report.files, report.functions, report.members) == (4, 5, 4)
    assert report.lines == sum(text.count("\n") for text in FAMILY.values())
    assert report.copied_lines == sum(member.lines for member in found.members[1:])


def test_the_largest_waste_comes_first(tmp_path: Path) -> None:
    plant(tmp_path, {f"a{number}.java": java(f"A{number}", OTHER) for number in range(2)})
    plant(tmp_path, {f"b{number}.java": java(f"B{number}", SUM) for number in range(3)})
    first, second = classes_of(tmp_path)
    assert first.waste > second.waste
    assert first.representative.name == "B0.sumAbove"
    with clones_in(FindOptions(paths=(tmp_path,))) as clones:
        report = clones.report(top=1)
    assert report.classes == (first,)
    assert report.classes_found == 2


def test_small_functions_are_left_out(tmp_path: Path) -> None:
    plant(tmp_path, FAMILY)
    assert not classes_of(tmp_path, min_tokens=100)
    assert not classes_of(tmp_path, min_lines=20)


def test_languages_do_not_mix(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": PYTHON, "sub/b.py": PYTHON, **FAMILY})
    assert {member.language for one in classes_of(tmp_path) for member in one.members} == {"java", "python"}

    assert the_class(tmp_path, language="python").representative.name == "mean_of_known"


# --- keys


def keys(root: Path) -> tuple[str, set[str]]:
    found = the_class(root)
    return found.key, {member.key for member in found.members}


def test_keys_survive_moves_layout_and_more_copies(tmp_path: Path) -> None:
    before = keys(plant(tmp_path / "before", {"A.java": java("A", SUM), "B.java": java("B", EDITED)}))
    moved = {"x/Y.java": "\n\n" + java("Y", OTHER, LAYOUT), "Z.java": java("Z", EDITED), "C.java": java("C", SUM)}
    assert keys(plant(tmp_path / "moved", moved)) == before


def test_a_new_name_changes_the_member_and_not_the_class(tmp_path: Path) -> None:
    before = keys(plant(tmp_path / "before", {"A.java": java("A", SUM), "B.java": java("B", SUM)}))
    after = keys(plant(tmp_path / "after", {"A.java": java("A", SUM), "B.java": java("B", RENAMED)}))
    assert after[0] == before[0]
    assert after[1] > before[1]


def test_equal_tokens_of_two_languages_are_different_code(tmp_path: Path) -> None:
    text = "int f(int a, int b) { a = a + b; b = a * b; a = b - a; b = a + a; a = a * 2; b = b * 2; return a + b; }\n"
    plant(tmp_path, {"a.c": text, "b.c": text, "a.cpp": text, "b.cpp": text})
    assert len({found.key for found in classes_of(tmp_path)}) == 2


# --- reports as files


def test_a_report_is_read_as_it_was_written(tmp_path: Path) -> None:
    plant(tmp_path / "tree", {**FAMILY, "naïve.py": PYTHON, "b.py": PYTHON, "bad.py": "\0"})
    report = find_clones([tmp_path / "tree"])
    assert report.skipped
    path = tmp_path / "report.json"
    path.write_text(report_text(report), encoding="utf-8")
    assert read_report(path) == report


@pytest.mark.parametrize(
    "content", ["", "[]", '{"schema": "other"}', '{"schema": "clonetruth-clones", "schema_version": 99}']
)
def test_a_bad_baseline_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError):
        find_clones([plant(tmp_path / "tree", FAMILY)], baseline=path)


def written(report: CloneReport, path: Path) -> Path:
    path.write_text(report_text(report), encoding="utf-8")
    return path


def test_a_baseline_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": PYTHON, "b.py": PYTHON, **FAMILY})
    with clones_in(FindOptions(paths=(tree,))) as clones:
        path = written(clones.report(top=1), tmp_path / "baseline.json")
    with pytest.raises(InputError, match="1 of 2 clone classes"):
        find_clones([tree], baseline=path)


def test_a_baseline_hides_what_it_has(tmp_path: Path) -> None:
    tree = plant(
        tmp_path / "tree", {"A.java": java("A", SUM), "B.java": java("B", SUM), "a.py": PYTHON, "b.py": PYTHON}
    )
    asked = written(find_clones([tree]), tmp_path / "baseline.json")
    assert find_clones([tree], baseline=asked).classes_found == 0

    (tree / "B.java").rename(tree / "Moved.java")
    assert find_clones([tree], baseline=asked).classes_found == 0, "the same code in another file"

    plant(tree, {"New.java": java("New", SUM)})
    report = find_clones([tree], baseline=asked)
    assert report.only_new == "not in the baseline"
    (only,) = report.classes
    assert [member.new for member in only.members if member.path.endswith("/A.java")] == [False]
    assert sum(member.new for member in only.members) == 1, "of equal copies in other files, one is the moved one"
    with clones_in(FindOptions(paths=(tree,), baseline=asked)) as clones:
        assert {pair.left_path.rpartition(".")[2] for pair in clones.pairs()} == {"java"}


def test_an_edited_clone_is_new(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"A.java": java("A", SUM), "B.java": java("B", SUM)})
    asked = written(find_clones([tree]), tmp_path / "baseline.json")
    plant(tree, {"B.java": java("B", EDITED)})
    found = the_class(tree, baseline=asked)
    assert {Path(member.path).name: member.new for member in found.members} == {"A.java": False, "B.java": True}


# --- ignored clones


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("b.py", "# clonetruth: ignore\n" + PYTHON),
        ("b.py", "# clonetruth: ignore\n# since it is generated from a table\n" + PYTHON),
        ("b.py", PYTHON.replace("default=None):", "default=None):  # clonetruth: ignore")),
        ("b.py", "@cache\n# clonetruth: ignore, since …\n" + PYTHON),
        ("B.java", java("B", "    // clonetruth: ignore\n" + SUM)),
        ("B.java", java("B", "    /* clonetruth: ignore */\n    @Deprecated\n" + SUM)),
        ("B.java", java("B", "    @Deprecated // clonetruth:ignore\n" + SUM)),
    ],
)
def test_a_comment_ignores_a_clone(name: str, text: str, tmp_path: Path) -> None:
    copies = {"b.py": {"a.py": PYTHON, "c.py": PYTHON}, "B.java": {"A.java": java("A", SUM), "C.java": java("C", SUM)}}
    plant(tmp_path, {**copies[name], name: text})
    report = find_clones([tmp_path])
    (only,) = report.classes
    assert sorted(Path(member.path).name for member in only.members) == sorted(copies[name])
    (left_out,) = report.left_out
    assert (left_out.what, left_out.count) == ("functions marked 'clonetruth: ignore'", 1)
    assert name in left_out.examples[0]


@pytest.mark.parametrize(
    "text",
    [
        "x = 'clonetruth: ignore'\n" + PYTHON,
        "# clonetruth: ignore\n\n" + PYTHON,
        PYTHON + "# clonetruth: ignore\n",
        PYTHON.replace("    if not", "    # clonetruth: ignore\n    if not"),
        "# clonetruth: ignored\n" + PYTHON,
    ],
)
def test_other_comments_ignore_nothing(text: str, tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": PYTHON, "b.py": text})
    assert len(the_class(tmp_path).members) == 2


# --- unreadable files


def test_skipped_files_are_counted_or_refused(tmp_path: Path) -> None:
    plant(tmp_path, FAMILY)
    (tmp_path / "binary.py").write_bytes(b"\0\1\2")
    report = find_clones([tmp_path])
    assert [(Path(one.path).name, one.why) for one in report.skipped] == [
        ("binary.py", "This is a binary file, not source text.")
    ]
    with pytest.raises(InputError, match="1 of the files could not be read"):
        find_clones([tmp_path], strict=True)


def test_no_source_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no source file"):
        find_clones([tmp_path])
    plant(tmp_path, {"a_pb2.py": PYTHON})
    with pytest.raises(InputError, match=r"generated files \(1\)"):
        find_clones([tmp_path])


def test_invalid_options_are_errors(tmp_path: Path) -> None:
    plant(tmp_path, FAMILY)
    with pytest.raises(UnknownNameError, match="no finder and no external tool 'tokns'"):
        find_clones([tmp_path], with_=("tokns",))
    with pytest.raises(InputError, match="no parameter"):
        find_clones([tmp_path], with_=("tokens:size=3",))
    with pytest.raises(InputError, match="either"):
        find_clones(since="main", baseline=tmp_path)
