"""One report, written in the formats of several tools, gives the same pairs after its paths are resolved."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from clonetruth.formats.reports import PathResolver, ReadingLog, recognise_report
from tests.formats.reports.samples import location, read

ROOT = "/data/bcb_reduced/2"

Place = tuple[str, str, str]
Pair = tuple[Place, Place]


def nicad(pairs: list[Pair]) -> dict[str, str]:
    clones = (
        '<clone nlines="9" similarity="80">\n'
        + "".join(
            f'<source file="{ROOT}/{path}" startline="{first}" endline="{last}" pcid="1"></source>\n'
            for path, first, last in pair
        )
        + "</clone>\n"
        for pair in pairs
    )
    return {"clones.xml": "<clones>\n" + "".join(clones) + "</clones>\n"}


def cpd(pairs: list[Pair]) -> dict[str, str]:
    duplications = (
        '<duplication lines="9">'
        + "".join(f'<file line="{first}" endline="{last}" path="{ROOT}/{path}"/>' for path, first, last in pair)
        + "</duplication>\n"
        for pair in pairs
    )
    return {"cpd.xml": "<pmd-cpd>" + "".join(duplications) + "</pmd-cpd>"}


def sourcerercc(pairs: list[Pair]) -> dict[str, str]:
    blocks = {place: number for number, place in enumerate(dict.fromkeys(place for pair in pairs for place in pair))}
    return {
        "pairs": "".join(f"1,{blocks[left]},1,{blocks[right]}\n" for left, right in pairs),
        "blocks": "".join(
            f"1,{number},{ROOT}/{path},{first},{last}\n" for (path, first, last), number in blocks.items()
        ),
    }


def jscpd(pairs: list[Pair]) -> dict[str, str]:
    def side(place: Place) -> dict[str, object]:
        path, first, last = place
        return {"name": f"2\\{path}".replace("/", "\\"), "start": int(first), "end": int(last)}

    duplicates = [{"format": "java", "firstFile": side(left), "secondFile": side(right)} for left, right in pairs]
    return {"jscpd-report.json": json.dumps({"duplicates": duplicates})}


def sarif(pairs: list[Pair]) -> dict[str, str]:
    results = [
        {
            "locations": [
                location(f"file://{ROOT}/{path}", {"startLine": int(first), "endLine": int(last)})
                for path, first, last in pair
            ]
        }
        for pair in pairs
    ]
    return {"clones.sarif": json.dumps({"version": "2.1.0", "runs": [{"results": results}]})}


@pytest.mark.parametrize("tool", ["a", "b", "c"])
@pytest.mark.parametrize("write", [nicad, cpd, sourcerercc, jscpd, sarif], ids=lambda write: write.__name__)
def test_the_golden_reports_agree_in_all_formats(
    write: Callable[[list[Pair]], dict[str, str]], tool: str, shared_bigcloneeval: Path, tmp_path: Path
) -> None:
    """The reports include reversed ranges and files that the benchmark does not know."""
    golden = shared_bigcloneeval / "golden" / "set1"
    expected, _ = read("bigcloneeval", [golden / f"tool_{tool}.csv"], strict=True)
    pairs: list[Pair] = []
    for left, left_first, left_last, right, right_first, right_last, _ in expected:
        pair = (left, str(left_first), str(left_last)), (right, str(right_first), str(right_last))
        # SARIF counts a repeated location once.
        if write is not sarif or pair[0] != pair[1]:
            pairs.append(pair)
    paths = []
    for name, text in write(pairs).items():
        paths.append(tmp_path / name)
        paths[-1].write_text(text, encoding="utf-8")
    with (golden / "functions.csv").open(newline="") as file:
        known = {f"{row['type']}/{row['name']}" for row in csv.DictReader(file)}
    resolver = PathResolver(known)
    batches = map(resolver.resolve, recognise_report(paths).read(paths, log := ReadingLog(strict=True)))
    rows = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
    assert log.pairs == len(rows) == len(pairs)
    assert [row[:6] for row in rows if {row[0], row[3]} <= known] == [
        (left[0], int(left[1]), int(left[2]), right[0], int(right[1]), int(right[2]))
        for left, right in pairs
        if {left[0], right[0]} <= known
    ]
    assert resolver.unknown.paths == len({path for pair in pairs for path, _, _ in pair} - known)
    assert resolver.ambiguous.paths == 0
