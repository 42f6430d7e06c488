"""The ledger: every entry is complete, every value is computed again, and a deviation is an error."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clonetruth
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.html import render
from clonetruth.literature import ClaimVerdict, Ledger, LedgerEntry, RunState, read_ledger, reproduce
from clonetruth.literature.checks import CHECKS
from clonetruth.literature.ledger import parse_ledger, printed_number
from clonetruth.report import ledger_page
from tests.sources.contest_fixtures import conbigclonebench, gcj_archive

LEDGER = read_ledger()
SLOW = {"shared-by-parts", "corrected"}
QUICK = [one.name for one in LEDGER.entries.values() if one.check and not one.data and one.check not in SLOW]
FIVE = {"misuse", "harmful", "perspectives", "generalizability", "gptclonebench"}


def test_the_ledger_has_the_papers_and_their_claims() -> None:
    own = [one for one in LEDGER.entries.values() if one.paper in FIVE]
    assert len(own) >= 40
    assert {one.paper for one in own} == FIVE
    assert {one.paper for one in LEDGER.entries.values()} == set(LEDGER.papers)
    assert {name for one in LEDGER.entries.values() for name in one.data} == set(LEDGER.data)
    assert {one.verdict for one in own} == set(ClaimVerdict)


def test_every_check_is_used_and_every_refutation_explained() -> None:
    used = {one.check for one in LEDGER.entries.values() if one.check}
    assert used == set(CHECKS)
    for one in LEDGER.entries.values():
        assert one.verdict is ClaimVerdict.REPRODUCED or one.note, one.name
        assert one.claim.endswith(".")


def test_claims_of_printed_figures_are_as_recorded() -> None:
    report = clonetruth.reproduce_claims(QUICK)
    assert [one.entry.name for one in report.claims if one.state is not RunState.AS_RECORDED] == []
    assert all(one.verdict is one.entry.verdict for one in report.claims)


@pytest.mark.slow
def test_all_claims_are_as_recorded_on_the_shared_data(shared_data: Path) -> None:
    report = clonetruth.reproduce_claims(all=True, data=shared_data)
    wrong = [(one.entry.name, one.value, one.missing) for one in report.deviations]
    assert wrong == []
    computed = [one for one in report.claims if one.state is RunState.AS_RECORDED]
    assert len(computed) >= 130
    assert {one.state for one in report.claims} <= {RunState.AS_RECORDED, RunState.NO_DATA, RunState.NOTHING}
    assert {one.missing.partition("/")[0] for one in report.claims if one.state is RunState.NO_DATA} <= {
        "codexglue",
        "conbigclonebench",
        "gcj-petrik",
    }


def test_without_data_an_entry_says_what_is_missing_and_keeps_its_verdict(tmp_path: Path) -> None:
    (found,) = clonetruth.reproduce_claims("flow-papers", data=tmp_path).claims
    assert (found.state, found.missing) == (RunState.NO_DATA, "bcb406/Papers.csv.gz")
    assert found.verdict is ClaimVerdict.REPRODUCED
    assert found.value is None


@pytest.mark.parametrize("below", [True, False])
def test_data_is_found_below_a_folder_or_as_the_folder(tmp_path: Path, below: bool) -> None:
    folder = tmp_path / "bcb406"
    folder.mkdir()
    (folder / "Papers.csv.gz").write_bytes(b"")
    (found,) = clonetruth.reproduce_claims("flow-papers", data=tmp_path if below else folder).claims
    assert found.state is RunState.DEVIATES
    assert found.value == 0


def test_data_that_nobody_had_before_gives_a_new_value(tmp_path: Path) -> None:
    """The published files of two entries are not at hand: with files of their layout, the entries are computed."""
    conbigclonebench(tmp_path)
    (tmp_path / "dataset").rename(tmp_path / "conbigclonebench")
    (tmp_path / "gcj-petrik").mkdir()
    gcj_archive(tmp_path / "gcj-petrik")
    report = clonetruth.reproduce_claims(["li-conbigclonebench", "alt-gcj-petrik"], data=tmp_path)
    assert [(one.state, one.value) for one in report.claims] == [(RunState.NEW, 3), (RunState.NEW, 2)]
    assert [one.verdict for one in report.claims] == [ClaimVerdict.REFUTED] * 2
    assert report.deviations == ()


def test_damaged_data_is_a_deviation_and_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "bigcloneeval_reports").mkdir()
    (tmp_path / "bigcloneeval_reports" / "oreo_recall_report.txt.gz").write_bytes(b"not gzip")
    report = clonetruth.reproduce_claims(["recall-oreo-t1", "flow-hits"], data=tmp_path)
    assert [one.state for one in report.claims] == [RunState.FAILED, RunState.AS_RECORDED]
    assert "oreo_recall_report" in report.deviations[0].missing


def test_a_paper_stands_for_its_entries_and_a_wrong_name_is_suggested() -> None:
    names = {one.entry.paper for one in clonetruth.reproduce_claims("bigcloneeval").claims}
    assert names == {"bigcloneeval"}
    with pytest.raises(UnknownNameError, match="corrected-recall"):
        clonetruth.reproduce_claims("corected-recall")
    with pytest.raises(InputError, match="no such folder"):
        clonetruth.reproduce_claims("flow-hits", data="nowhere")


def test_a_deviation_ends_with_exit_code_1(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from clonetruth.cli import cli

    altered = dataclasses.replace(LEDGER.entries["flow-hits"], value=546.0)
    monkeypatch.setattr(reproduce, "read_ledger", lambda: Ledger(LEDGER.papers, LEDGER.data, {"flow-hits": altered}))
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(cli, ["reproduce", "--all"])
    assert ran.exit_code == 1
    assert "547.0 instead of 546.0" in ran.output
    assert "deviate from what was recorded" in (tmp_path / "ledger.html").read_text(encoding="utf-8")


def test_the_command_prints_json_and_writes_a_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "clonetruth", "reproduce", "flow-hits", "--json", "--html", "page.html"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["claims"][0]["value"] == 547
    assert "flow-hits" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_the_page_has_every_entry() -> None:
    page = render(ledger_page(clonetruth.reproduce_claims()))
    assert all(name in page for name in LEDGER.entries)
    assert "27 numbers of 138" in page


@settings(max_examples=30)
@given(st.integers(0, 10**7), st.integers(0, 4), st.booleans())
def test_a_printed_number_is_within_half_a_unit_of_itself(digits: int, decimals: int, per_cent: bool) -> None:
    text = f"{digits / 10**decimals:,.{decimals}f}" if decimals == 0 else f"{digits / 10**decimals:.{decimals}f}"
    number, half = printed_number(f"{text} %" if per_cent else text)
    exact = digits / 10**decimals * (0.01 if per_cent else 1)
    assert number == pytest.approx(exact)
    assert half == pytest.approx(
        0 if decimals == 0 and not per_cent else 0.5 * 10**-decimals * (0.01 if per_cent else 1)
    )


@settings(max_examples=30)
@given(st.floats(-2, 2))
def test_a_value_agrees_exactly_if_it_rounds_to_the_printed_number(shift: float) -> None:
    entry = dataclasses.replace(LEDGER.entries["bcb406-agreement"], within=None)
    value = 0.897 + shift * 0.0005
    expected = ClaimVerdict.REPRODUCED if abs(shift) <= 1 else ClaimVerdict.REFUTED
    if abs(abs(shift) - 1) > 1e-6:
        assert entry.judge(value) is expected
    assert dataclasses.replace(entry, part="half of it").judge(value) is ClaimVerdict.UNDECIDABLE


GOOD = """
[paper.a]
citation = "A."
[data.d]
description = "D."
get = "here"
[[claim]]
name = "one"
paper = "a"
place = "p. 1"
claim = "One."
reported = "3"
how = "a sum"
check = "total"
parameters = { parts = [1, 2] }
value = 3
verdict = "reproduced"
"""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('reported = "3"', 'reported = "three"'), "not a number"),
        (("value = 3", "value = 4"), "says 'refuted'"),
        (('paper = "a"\nplace', 'paper = "b"\nplace'), "does not describe"),
        (('verdict = "reproduced"', 'verdict = "perhaps"'), "perhaps"),
        (('verdict = "reproduced"', 'verdict = "not decidable here"'), "must say why"),
        (("value = 3\n", ""), "needs a recorded value"),
        (('check = "total"\n', ""), "needs the check"),
        (('name = "one"', 'name = "One"'), "lower-case"),
        (('how = "a sum"', 'how = ""'), "'how' is missing"),
        (('how = "a sum"', 'how = "a sum"\nhue = 1'), "not a key"),
        (("[[claim]]", "[claim"), "not TOML"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_name(change: tuple[str, str], message: str) -> None:
    entries = parse_ledger(GOOD, "x").entries
    assert entries["one"] == LedgerEntry(
        "one", "One.", "3", "a", "p. 1", "a sum", ClaimVerdict.REPRODUCED, "total", {"parts": [1, 2]}, value=3
    )
    assert change[0] in GOOD
    with pytest.raises(InputError, match=message):
        parse_ledger(GOOD.replace(*change), "x")
