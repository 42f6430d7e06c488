"""The format of a report is recognised, or an error names what was found. All formats are documented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.formats.reports import REPORT_FORMATS, recognise_report
from tests.conftest import ROOT
from tests.formats.reports.samples import SAMPLES, one

DOCS = ROOT / "docs" / "reports.md"


@pytest.mark.parametrize("name", [*REPORT_FORMATS])
def test_every_format_has_a_sample_and_its_name(name: str) -> None:
    assert REPORT_FORMATS[name].name == name
    assert name in {sample.format for sample in SAMPLES.values()}


@pytest.mark.parametrize("name", [*REPORT_FORMATS])
def test_every_format_is_documented(name: str) -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert re.search(rf"^\| `{name}` \|", text, re.MULTILINE), "no row in the table of names"
    assert re.search(rf"^## .*`{name}`$", text, re.MULTILINE), "no section"


def test_the_documentation_names_no_other_format() -> None:
    assert set(re.findall(r"^## .*`(.+)`$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)) == set(REPORT_FORMATS)


def test_a_format_can_be_named(tmp_path: Path) -> None:
    paths = one(tmp_path, "anything.txt", "text")
    assert recognise_report(paths, "nicad").name == "nicad"
    with pytest.raises(UnknownNameError, match="Did you mean 'nicad'"):
        recognise_report(paths, "nikad")


def test_several_files_of_one_format_are_recognised(tmp_path: Path) -> None:
    row = "selected,1.java,1,9,default,2.java,1,9\n"
    assert recognise_report([*one(tmp_path, "a.csv", row), *one(tmp_path, "b.csv", row)]).name == "bigcloneeval"


@pytest.mark.parametrize("name", ["nicad", "jscpd-4", "deckard", "jplag", "dolos"])
def test_two_reports_of_a_format_are_not_taken_for_one(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    paths = [*sample.write(tmp_path / "a"), *sample.write(tmp_path / "b")]
    assert recognise_report(paths).name == sample.format
    assert not REPORT_FORMATS[sample.format].recognise(paths)


def test_a_file_that_belongs_to_no_report_is_not_ignored(tmp_path: Path) -> None:
    for name in ("dolos", "sourcerercc"):
        paths = [*SAMPLES[name].write(tmp_path), *one(tmp_path, "notes.txt", "what is this?")]
        with pytest.raises(InputError, match=r"notes.txt \(unknown\)"):
            recognise_report(paths)


def test_an_unknown_file_is_shown(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"begins with b'hello'.*Name the format: bigcloneeval, nicad"):
        recognise_report(one(tmp_path, "a.txt", "hello"))
    with pytest.raises(InputError, match="a folder"):
        recognise_report([tmp_path])


def test_files_of_different_formats_are_named(tmp_path: Path) -> None:
    paths = [path for name in ("nicad", "simian") for path in SAMPLES[name].write(tmp_path)]
    with pytest.raises(InputError, match=r"shop-clones-0.30.xml \(nicad\); simian.xml \(simian\)"):
        recognise_report(paths)


def test_an_ambiguous_file_is_not_guessed(tmp_path: Path) -> None:
    text = '{"$schema": "sarif-2.1.0.json", "duplicates": [], "runs": []}'
    with pytest.raises(InputError, match="Several report formats match: jscpd, sarif"):
        recognise_report(one(tmp_path, "both.json", text))


def test_missing_files_and_no_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        recognise_report([tmp_path / "absent.xml"])
    with pytest.raises(InputError, match="No report was given"):
        recognise_report([])
