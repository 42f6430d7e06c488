"""BigCloneEval's text report: written reports read back, published reports are read, broken ones are refused."""

from __future__ import annotations

import dataclasses
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.formats.bigcloneeval_layout import HEADINGS, PublishedReport, Section, write_report
from clonetruth.formats.bigcloneeval_report import read_report, recognise_report
from clonetruth.model import Functionality
from tests.formats.bigcloneeval_samples import HEADER, SMALL, cell, report, row_names

TOOLS = {"oreo": 4186474, "scc": 15689823, "nicad": 7144918}


def written(folder: Path, text: str) -> Path:
    path = folder / "report.txt"
    path.write_text(text, encoding="utf-8")
    return path


def random_section(numbers: Random, least: int) -> Section:
    """Counts of every size, separate for each scope; sometimes more detected than exist, as defect D5 produces."""
    names = row_names(least)
    made: Section = {part: {} for part in names}
    for part, scope in HEADINGS:
        made[part][scope] = {
            name: cell(*(numbers.choice((0, numbers.randrange(1, 10 ** numbers.randrange(1, 8)))) for _ in range(2)))
            for name in names[part]
        }
    return made


@settings(max_examples=25, deadline=None)
@given(
    ids=st.lists(st.integers(0, 500).map(str), min_size=1, max_size=5, unique=True),
    seed=st.integers(0, 2**32),
    least=st.sampled_from([0, 45, 50, 90, 95, 100]),
)
def test_a_written_report_reads_back(
    tmp_path_factory: pytest.TempPathFactory, ids: list[str], seed: int, least: int
) -> None:
    drawn = Random(seed)
    made = report({one: random_section(drawn, least) for one in ids})
    back = read_report(written(tmp_path_factory.mktemp("report"), write_report(made)))
    assert back.recall == made.recall
    assert back.header == made.header
    assert set(back.functionalities) == set(made.functionalities)


def test_the_layout_is_the_original_one() -> None:
    lines = write_report(SMALL).splitlines()
    assert lines[:5] == [
        "-- Tool --",
        "       Tool: 3 - a - tool",
        "Description: first line",
        "second line",
        "    #Clones: 1234",
    ]
    assert "  Min Pretty Lines: null" in lines
    assert "        Min Tokens: 50" in lines
    assert lines[lines.index("=" * 80) + 1] == "\tAll Functionalities"
    assert "              Type-1: 34 / 40 = 0.85" in lines
    assert "    Moderatly Type-3: 1 / 3 = 0.3333333333333333" in lines
    assert "Weakly Type-3/Type-4: 1 / 1000 = 0.001" in lines
    assert "[95,100]: 0 / 0 = NaN" in lines


def test_functionalities_are_in_the_order_of_javas_hash_set() -> None:
    section = SMALL.by_functionality["2"]
    text = write_report(report(dict.fromkeys(("2", "5", "11", "44", "130", "77"), section)))
    assert [line[6:] for line in text.splitlines() if line.startswith("  id: ")] == ["2", "130", "5", "11", "44", "77"]
    words = write_report(report(dict.fromkeys(("sort", "2", "copy"), section)))
    assert [line[6:] for line in words.splitlines() if line.startswith("  id: ")] == ["sort", "2", "copy"]


def test_a_report_without_functionalities_is_read(tmp_path: Path) -> None:
    alone = dataclasses.replace(SMALL, functionalities=(), by_functionality={})
    assert read_report(written(tmp_path, write_report(alone))).recall == alone.recall


def test_a_description_of_several_lines_and_windows_line_ends(tmp_path: Path) -> None:
    text = write_report(
        dataclasses.replace(
            SMALL,
            functionalities=tuple(dataclasses.replace(one, specification="one\ntwo") for one in SMALL.functionalities),
        )
    )
    path = tmp_path / "report.txt"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    back = read_report(path)
    assert back.functionalities[0].specification == "one\ntwo"
    assert back.header.description == "first line\nsecond line"


def test_the_csv_that_later_versions_add_is_skipped(tmp_path: Path) -> None:
    more = f"{'=' * 80}\nData as CSV\n{'=' * 80}\nFunctionality ID,Functionality Name\n2,Download From Web\n"
    assert read_report(written(tmp_path, write_report(SMALL) + more)).recall == SMALL.recall


def test_reports_are_recognised_by_their_first_line(tmp_path: Path) -> None:
    assert recognise_report(written(tmp_path, write_report(SMALL)))
    packed = tmp_path / "report.txt.gz"
    packed.write_bytes(gzip.compress(write_report(SMALL).encode()))
    assert recognise_report(packed)
    assert not recognise_report(written(tmp_path, '{"schema": "clonetruth-result"}'))
    assert not recognise_report(written(tmp_path, ""))


def line_of(text: str, start: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if line.startswith(start))


def cut_before(text: str, start: str, nth: int = 0) -> str:
    lines = text.splitlines(keepends=True)
    found = [number for number, line in enumerate(lines) if line.startswith(start)]
    return "".join(lines[: found[nth]])


@pytest.mark.parametrize(
    ("break_it", "what"),
    [
        (lambda text: "", "The file is empty"),
        (lambda text: "id,name\n1,2\n", "does not begin with '-- Tool --'"),
        (lambda text: cut_before(text, "=" * 80), "truncated"),
        (lambda text: cut_before(text, "\tAll"), "truncated"),
        (lambda text: cut_before(text, "[40,45]"), "truncated: type-3 inter-project recall per 5%"),
        (lambda text: cut_before(text, "-- Type-3 Intra-Project Recall Per M"), "truncated: type-3 intra-project"),
        (lambda text: cut_before(text, "[95,100]", 5), "truncated: type-3 intra-project recall per minimum"),
        (lambda text: cut_before(text, "  id: 17"), "truncated"),
        (lambda text: cut_before(text, "Functionality", 2).rstrip("=\n") + "\n", "do not add up"),
        (lambda text: text.replace("1 / 3 = 0.3333333333333333", "1 / 3 = 0.33", 1), "1 / 3 is not 0.33"),
        (lambda text: text.replace("34 / 40 = 0.85", "34 / 40 =", 1), "not a row of numbers"),
        (lambda text: text.replace("34 / 40 = 0.85", "34 / 40 = 0.8.5", 1), "34 / 40 is not 0.8.5"),
        (lambda text: text.replace("34 / 40 = 0.85", "20 / 40 = 0.5", 1), "do not add up to the overall 20 / 40 of T1"),
        (lambda text: text.replace("Strongly Type-3:", "Oddly Type-3:"), "is unknown or repeated in this block"),
        (lambda text: text.replace("per 5% Region", "per 7% Region"), "Unknown heading"),
        (lambda text: text.replace("  id: 17", "  id: 3"), "Functionality 3 has a second section"),
        (lambda text: text.replace("\tAll Functionalities", "\tSome"), "neither 'All Functionalities'"),
        (lambda text: text.replace("#Clones: 1234", "#Clones: many"), "'many', which is not an integer"),
        (lambda text: text.replace("          Sim Type: BOTH\n", ""), "no line 'Sim Type:'"),
        (lambda text: text.replace("        Min Tokens: 50", "        Min Tokens: 5x"), "not an integer"),
    ],
)
def test_broken_reports_are_refused(tmp_path: Path, break_it: Callable[[str], str], what: str) -> None:
    text = write_report(SMALL)
    broken = break_it(text)
    assert broken != text
    with pytest.raises(InputError) as refusal:
        read_report(written(tmp_path, broken))
    assert what in refusal.value.what


def test_errors_name_the_line(tmp_path: Path) -> None:
    text = write_report(SMALL).replace("[40,45]: 0 / 0 = NaN", "[40,45]: 0 / 0", 1)
    path = written(tmp_path, text)
    with pytest.raises(InputError) as refusal:
        read_report(path)
    assert refusal.value.where == f"{path}:{line_of(text, '[40,45]')}"


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.txt.gz"
    path.write_bytes(gzip.compress(write_report(SMALL).encode())[:-20])
    with pytest.raises(InputError, match="damaged or truncated"):
        read_report(path)


@pytest.mark.parametrize("tool", TOOLS)
def test_published_reports_are_read_and_written_byte_for_byte(shared_data: Path, tool: str) -> None:
    path = shared_data / "bigcloneeval_reports" / f"{tool}_recall_report.txt.gz"
    found = read_report(path)
    totals = {name: row[1] for name, row in found.overall["types"]["all"].items()}
    assert {name: totals[name] for name in ("T1", "T2", "VST3", "ST3", "MT3", "WT3_T4")} == {
        "T1": 35802,
        "T2": 4577,
        "VST3": 4156,
        "ST3": 15031,
        "MT3": 80023,
        "WT3_T4": 7804868,
    }
    assert found.header.clones == TOOLS[tool]
    assert found.header.bigclonebench == "Version 1.0 (2016-06-19)"
    assert [int(one.id) for one in found.functionalities] == [one for one in range(2, 46) if one != 16]
    assert write_report(found) == gzip.decompress(path.read_bytes()).decode()


def test_golden_numbers_survive_the_text(shared_bigcloneeval: Path, tmp_path: Path) -> None:
    runs = json.loads((shared_bigcloneeval / "golden" / "set1" / "expected.json").read_text())["runs"]
    for run in runs[::6]:
        recall = run["result"]
        made = PublishedReport(
            HEADER,
            tuple(Functionality(one, one, "") for one in recall["functionalities"]),
            recall["overall"],
            recall["functionalities"],
        )
        back = read_report(written(tmp_path, write_report(made)))
        assert back.recall == {name: recall[name] for name in ("overall", "functionalities")}
        # The golden file has the order in which the program printed them.
        assert list(back.by_functionality) == list(recall["functionalities"])
