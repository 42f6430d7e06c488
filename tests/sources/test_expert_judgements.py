"""Studies in which people judged pairs: bcb406, iwsc100, oreo-precision; and the query with an LLM's answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.audit import audit_benchmark
from clonetruth.errors import InputError
from clonetruth.sources import import_dataset, recognise
from clonetruth.sources.accounting import NO_TEXTS
from clonetruth.verdicts import judge_verdicts
from tests.sources import bcb_fixtures as samples
from tests.sources.bcb_fixtures import COPY, ONE, PLACES, THREE, TWO, validator_blocks
from tests.sources.importer import Imported, imported

VOTES = "SELECT judge, value FROM judgements WHERE pair = {} ORDER BY judge"
AGREED = "SELECT value, count(*) AS n FROM judgements WHERE judge = 'person:{}-agreed' AND pair IS NOT NULL GROUP BY 1"
METHODS = (
    "SELECT f.id AS id, g.judge AS judge, g.value AS value FROM judgements g "
    "JOIN fragments f ON g.fragment = f.fragment ORDER BY f.fragment, g.judge"
)


def agreement(found: Imported, one: str, two: str) -> dict[tuple[str, str], int]:
    """The number of pairs for each combination of two judges' answers."""
    rows = found.rows(
        f"SELECT a.value AS a, b.value AS b, count(*) AS n FROM judgements a JOIN judgements b ON a.pair = b.pair "
        f"WHERE a.judge = '{one}' AND b.judge = '{two}' GROUP BY 1, 2"
    )
    return {(a, b): n for a, b, n in rows}


def test_bcb406(tmp_path: Path) -> None:
    found = imported("bcb406", samples.bcb406(tmp_path), tmp_path / "out")
    assert found.rows(VOTES.format(0)) == [
        ("person:bcb406-1", "not-clone"),
        ("person:bcb406-2", "clone"),
        ("person:bcb406-agreed", "not-clone"),
    ]
    one, two, *_ = samples.SNIPPETS
    assert found.rows(METHODS)[:5] == [
        (one, "person:bcb406-1", "major"),
        (one, "person:bcb406-2", "major"),
        (one, "person:bcb406-agreed", "major"),
        (two, "person:bcb406-1", "minor"),
        (two, "person:bcb406-2", "major"),
    ]
    assert found.rows("SELECT path, first_line, last_line, text FROM fragments WHERE fragment = 0") == [
        ("7.java", 2, 4, COPY)
    ]
    assert found.report.reasons == {}
    assert found.report.rows_read["rows of sums"] == 1


def test_bcb406_final_verdicts_and_unlabelled_pairs(tmp_path: Path) -> None:
    one, two, three, four = samples.SNIPPETS
    (tmp_path / "finaltruth.csv").write_text(f"Truth,fileA,fileB,lang\nT,{one},{two},Java\nQ,{three},{four},Java\nT\n")
    (tmp_path / "unlabelled_pairs.csv").write_text(f"fileA,fileB,idA,idB,functionality_id\n{three},{four},1,2,3\n")
    paths = [tmp_path / "finaltruth.csv", tmp_path / "unlabelled_pairs.csv"]
    found = imported("bcb406", paths, tmp_path / "out")
    assert found.report.counts["pairs"] == 3
    assert found.labels() == [(one, two, "person:bcb406-agreed", "clone")]
    assert found.report.reasons == {
        "a verdict is neither T nor F": 1,
        "the row does not name two snippets": 1,
        NO_TEXTS: 1,
    }
    assert found.report.rows_read["fragments without text"] == 4


def test_bcb406_bad_rows(tmp_path: Path) -> None:
    sheet, _ = samples.bcb406(tmp_path)
    row = samples.sheet_row(
        "x,T,F,major,odd,T,T,T,major,major", "#,T,#,F,,,F", ("4_7#2#4.java", "4_7#5#8.java"), ("1", "2"), "4"
    )
    named = samples.sheet_row("F,T,F,major,odd,T,T,T,major,major", "#,T,#,F,,,F", ("a.java", "b.java"), ("1", "2"), "4")
    sheet.write_bytes(sheet.read_bytes() + f"{row}\n{named}\nF,T\n".encode())
    report = import_dataset("bcb406", [sheet], output=tmp_path / "out")
    assert report.counts["pairs"] == 3
    assert report.reasons == {
        NO_TEXTS: 1,
        "a verdict is neither T nor F": 1,
        "a method's label is unknown": 1,
        "a snippet's name is not <functionality>_<file>#<first>#<last>.java": 1,
        "the row does not name two snippets": 1,
    }


def test_real_bcb406(shared_data: Path, tmp_path: Path) -> None:
    found = imported("bcb406", [shared_data / "bcb406"], tmp_path / "out")
    assert (found.report.counts["pairs"], found.report.counts["fragments"]) == (271, 779)
    assert agreement(found, "person:bcb406-1", "person:bcb406-2") == {
        ("clone", "clone"): 15,
        ("not-clone", "not-clone"): 226,
        ("not-clone", "clone"): 29,
        ("clone", "not-clone"): 1,
    }
    assert dict(found.rows(AGREED.format("bcb406"))) == {"clone": 18, "not-clone": 253}
    first = (
        "SELECT fragment, judge, (value = 'major')::INT AS major, "
        "row_number() OVER (PARTITION BY fragment, judge ORDER BY source_row) AS place "
        "FROM judgements WHERE fragment IS NOT NULL AND judge <> 'person:bcb406-agreed'"
    )
    counts = found.rows(
        f"WITH v AS ({first}) SELECT a.major AS a, b.major AS b, count(*) AS n FROM v a "
        "JOIN v b ON a.fragment = b.fragment WHERE a.judge = 'person:bcb406-1' AND b.judge = 'person:bcb406-2' "
        "AND a.place = 1 AND b.place = 1 GROUP BY 1, 2"
    )
    assert {(a, b): n for a, b, n in counts} == {(1, 1): 120, (0, 0): 305, (0, 1): 93, (1, 0): 10}
    truth = imported("bcb406", [shared_data / "bcb406" / "finaltruth.csv"], tmp_path / "out")
    assert sum(1 for row in truth.labels() if row[3] == "clone") == 18
    whole = imported(
        "bcb406", [shared_data / "bcb406", shared_data / "bcb406" / "unlabelled_pairs.csv"], tmp_path / "out"
    )
    assert whole.report.counts["pairs"] == 406
    assert recognise([shared_data / "bcb406"]) == "bcb406"


def test_iwsc100(tmp_path: Path) -> None:
    found = imported("iwsc100", samples.iwsc100(tmp_path), tmp_path / "out")
    assert found.rows(VOTES.format(0)) == [
        ("person:iwsc100-1", "not-clone"),
        ("person:iwsc100-2", "clone"),
        ("person:iwsc100-agreed", "undecided"),
    ]
    assert found.rows("SELECT DISTINCT value FROM judgements WHERE fragment IS NOT NULL ORDER BY 1") == [
        ("major",),
        ("minor",),
        ("undecided",),
    ]
    assert found.rows("SELECT reason FROM judgements WHERE judge = 'person:iwsc100-1' AND pair = 0") == [
        ("B: moves, too",)
    ]
    assert found.rows("SELECT id FROM fragments WHERE text <> '' ORDER BY fragment") == [(ONE,), (TWO,), (THREE,)]


def test_iwsc100_bad_rows(tmp_path: Path) -> None:
    sheet, _ = samples.iwsc100(tmp_path)
    sheet.write_text(sheet.read_text() + f"Z,T,Q,F,T,F,,T,T,T,,{ONE},{TWO},4\nF,F\n")
    report = import_dataset("iwsc100", [sheet], output=tmp_path / "out")
    assert report.reasons == {
        NO_TEXTS: 1,
        "a verdict is not T, F or xx": 1,
        "a method's verdict is not T, F or xx": 1,
        "the row does not have two function ids and a functionality": 1,
    }


def test_real_iwsc100(shared_data: Path, tmp_path: Path) -> None:
    sheet = shared_data / "bcb406" / "iwsc2022_100 Samples.csv"
    found = imported("iwsc100", [sheet], tmp_path / "out")
    assert found.report.counts["pairs"] == 65
    assert found.report.reasons == {NO_TEXTS: 1}
    assert dict(found.rows(AGREED.format("iwsc100"))) == {"clone": 4, "not-clone": 53, "undecided": 8}
    assert recognise([sheet]) == "iwsc100"


def test_oreo_precision(tmp_path: Path) -> None:
    found = imported("oreo-precision", samples.oreo_precision(tmp_path), tmp_path / "out")
    both, one, two = "person:oreo-precision-consolidated", "person:oreo-precision-1", "person:oreo-precision-2"
    assert [dict(found.rows(VOTES.format(pair))) for pair in range(3)] == [
        {one: "clone", two: "clone", both: "clone", "tool:oreo": "clone"},
        {one: "not-clone", two: "clone", both: "clone", "tool:oreo": "clone"},
        {one: "not-clone", two: "not-clone", both: "not-clone", "tool:oreo": "clone"},
    ]
    assert found.rows("SELECT path, first_line, text FROM fragments WHERE fragment = 0") == [
        ("selected/7.java", 2, COPY)
    ]


@pytest.mark.parametrize("names", [("tp", "fp"), ("fp", "tp")])
def test_a_pair_in_both_consolidated_lists_is_a_contradiction(tmp_path: Path, names: tuple[str, str]) -> None:
    """Neither the order of the files nor their names decide: both outcomes are kept, and the verdict is unknown."""
    folder = samples.oreo_precision(tmp_path)[0]
    one, _, three = samples.PLACES
    row = json.dumps({"fragment_a": one, "fragment_b": three}) + "\n"
    for value in names:
        (folder / f"oreo_consolidated_{value}.jsonl").write_text(row)
    paths = [folder / "oreo.jsonl", *(folder / f"oreo_consolidated_{value}.jsonl" for value in names)]
    found = imported("oreo-precision", paths, tmp_path / "out")
    both = "person:oreo-precision-consolidated"
    values = f"SELECT value FROM judgements WHERE judge = '{both}' AND pair = 1 ORDER BY value"
    assert found.rows(values) == [("clone",), ("not-clone",)]
    verdict = judge_verdicts(found.benchmark).table.to_pylist()[1]
    assert (verdict["verdict"], verdict["reason"]) == ("unknown", "a judge contradicts itself")
    (finding,) = audit_benchmark(found.benchmark, select="CT119").findings
    assert (finding.count, finding.of) == (1, 3)


def test_an_outcome_of_a_pair_that_no_tool_reported_is_listed(tmp_path: Path) -> None:
    folder = samples.oreo_precision(tmp_path)[0]
    _, two, three = samples.PLACES
    (folder / "oreo_consolidated_tp.jsonl").write_text(json.dumps({"fragment_a": three, "fragment_b": two}) + "\n")
    found = imported("oreo-precision", [folder], tmp_path / "out")
    assert found.report.reasons == {"the sample of the tool does not have the pair of the outcome": 1}


def test_oreo_precision_from_the_validators_files(tmp_path: Path) -> None:
    one, two, three = PLACES
    (tmp_path / "Oreo_prec_sample_sourcefiles.txt").write_text(validator_blocks((one, two), (one, three)))
    (tmp_path / "judge_1_oreo_fp.txt").write_text(validator_blocks((one, three)))
    (tmp_path / "judge_2_oreo_tp.txt").write_text(validator_blocks((one, two), (one, three)) + "$" * 40 + "\nbroken\n")
    found = imported("oreo-precision", [tmp_path], tmp_path / "out")
    assert found.report.counts["pairs"] == 2
    people = [(left, right, judge[-1], value) for left, right, judge, value in found.labels() if judge[:6] == "person"]
    assert people == [(one, two, "2", "clone"), (one, three, "1", "not-clone"), (one, three, "2", "clone")]
    assert found.report.reasons == {"the block does not hold two locations and two texts": 1}


def test_oreo_precision_bad_rows(tmp_path: Path) -> None:
    samples.oreo_precision(tmp_path)
    one, two, _ = PLACES
    with (tmp_path / "oreo.jsonl").open("a") as file:
        file.write(samples.oreo_row(one, two, "tp", "maybe") + "\n")
        file.write(samples.oreo_row(one, two, "tp", "tp").replace(one, "nowhere") + "\nno json\n")
    assert import_dataset("oreo-precision", [tmp_path], output=tmp_path / "out").reasons == {
        "a judge's verdict is neither tp nor fp": 1,
        "a location is not folder,file,first,last": 1,
        "the line is not JSON": 1,
    }


def test_real_oreo_precision(shared_data: Path, tmp_path: Path) -> None:
    found = imported("oreo-precision", [shared_data / "oreo_precision"], tmp_path / "out")
    assert found.report.reasons == {}
    outcome = found.rows(
        "SELECT t.judge AS tool, sum((c.value = 'clone')::INT)::INT AS tp, count(*) AS n FROM judgements t "
        "JOIN judgements c ON t.pair = c.pair WHERE t.judge LIKE 'tool:%' AND c.judge LIKE '%consolidated' GROUP BY 1"
    )
    assert {tool: (tp, n) for tool, tp, n in outcome} == {
        "tool:oreo": (358, 400),
        "tool:scc": (391, 400),
        "tool:cloneworks": (395, 400),
        "tool:nicad": (396, 400),
    }
    original = [path for path in (shared_data / "oreo_precision").iterdir() if path.name.startswith("original_format")]
    again = imported("oreo-precision", original, tmp_path / "out")
    assert again.report.counts["pairs"] == 400


def test_bcb_extract(tmp_path: Path) -> None:
    found = imported("bcb-extract", samples.bcb_extract(tmp_path), tmp_path / "out")
    assert found.labels("shares-functionality") == [
        (ONE, TWO, "rule:bcb-extract", "clone"),
        (ONE, THREE, "rule:bcb-extract", "not-clone"),
    ]
    assert found.labels("functionally-similar") == [
        (ONE, TWO, "llm:some-llm", "not-clone"),
        (ONE, THREE, "llm:some-llm", "not-clone"),
    ]
    assert found.rows(
        "SELECT claimed_type, claimed_cut_rule, functionality IS NULL AS none FROM pairs ORDER BY pair"
    ) == [
        ("WT3/T4", "line", False),
        (None, None, True),
    ]
    assert found.report.rows_read["similarities without a verdict"] == 1


def test_bcb_extract_without_texts(tmp_path: Path) -> None:
    samples.bcb_extract(tmp_path)
    report = import_dataset("bcb-extract", [tmp_path / "ref_WT3_4.csv"], output=tmp_path / "out")
    assert report.rows_read["fragments without text"] == 2
    with pytest.raises(InputError):
        import_dataset("bcb-extract", [tmp_path / "raw_neg_WT3_4.csv"], output=tmp_path / "no")


def test_bcb_extract_bad_rows(tmp_path: Path) -> None:
    samples.bcb_extract(tmp_path)
    for name in ("ref_neg_WT3_4.csv", "raw_neg_WT3_4.csv"):
        with (tmp_path / name).open("a") as file:
            file.write("x,y\n")
    with (tmp_path / "raw_neg_WT3_4.csv").open("a") as file:
        file.write("one,two,0\nmore,texts,0\n")
    report = import_dataset("bcb-extract", [tmp_path], output=tmp_path / "out")
    assert report.reasons == {"a function or functionality id is not a number": 1, "there are more texts than rows": 1}


def test_real_bcb_extract(shared_data: Path, tmp_path: Path) -> None:
    found = imported("bcb-extract", [shared_data / "bigclonebench" / "db_extract"], tmp_path / "out")
    assert found.report.reasons == {}
    types = dict(found.rows("SELECT claimed_type, count(*) AS n FROM pairs GROUP BY 1"))
    assert types.pop(None) == 3_000
    assert types == dict.fromkeys(("T1", "T2", "VST3", "ST3", "MT3", "WT3/T4"), 500)
    said = found.rows(
        "SELECT p.claimed_type AS t, count(*) AS n FROM judgements g JOIN pairs p ON g.pair = p.pair "
        "WHERE g.judge = 'llm:deepseek-v3-241226' AND g.value = 'clone' GROUP BY 1"
    )
    assert dict(said) == {"T1": 500, "T2": 480, "VST3": 482, "ST3": 459, "MT3": 246, "WT3/T4": 30}
    several = "SELECT fragment FROM memberships GROUP BY 1 HAVING count(*) > 1"
    assert found.rows(f"SELECT id FROM fragments WHERE fragment IN ({several})") in ([("5150160",)], [])
    assert "fragments without text" not in found.report.rows_read
