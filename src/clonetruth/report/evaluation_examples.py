"""The worst disagreements between detector and verdicts, with the code side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clonetruth.html.blocks import Content, details, note
from clonetruth.html.code_blocks import Side, excerpt, side_by_side
from clonetruth.html.numbers import decimal, is_known
from clonetruth.html.page import Section
from clonetruth.html.tables import Column, Table
from clonetruth.report.evaluation_measures import Row, filled
from clonetruth.store.results import Disagreement, FragmentLocation, Result


def example_sections(result: Result) -> list[Section]:
    """A section with all disagreements of a result; none where it has none."""
    if not result.disagreements:
        return []
    return [Section("Worst disagreements", list(_blocks(result.disagreements)), anchor="disagreements")]


def _blocks(disagreements: Sequence[Disagreement]) -> Iterator[Content]:
    yield (
        "Either the detector is wrong here, or the label is. These are the pairs to look at first, and to judge if "
        "nobody has."
    )
    for number, one in enumerate(disagreements, start=1):
        summary = f"{number}. {_title(one)}"
        reason = [note(one.reason)] if one.reason else []
        if one.left.text is not None and one.right.text is not None:
            code = side_by_side(_side(one.left, one.left.text), _side(one.right, one.right.text))
            yield details(summary, *reason, code, is_open=number == 1)
    columns = (
        Column("pair"),
        Column("verdict"),
        Column("detector says"),
        Column("score", "decimal", 3),
        Column("clone type"),
        Column("functionality"),
        Column("why", "prose"),
    )
    rows: list[Row] = [
        [
            f"{one.left.id} – {one.right.id}",
            one.verdict,
            one.predicted,
            one.score,
            one.clone_type or "",
            one.functionality or "",
            one.reason or "",
        ]
        for one in disagreements
    ]
    yield Table(*filled(columns, rows), "All disagreements shown here", filterable=len(rows) > 10)


def _title(one: Disagreement) -> str:
    score = f" (score {decimal(one.score, 3)})" if is_known(one.score) else ""
    about = " · ".join(part for part in (one.functionality, one.clone_type) if part)
    return f"Called {one.predicted}{score}, verdict {one.verdict}" + (f" · {about}" if about else "")


def _side(place: FragmentLocation, text: str) -> Side:
    lines = f":{place.first_line}–{place.last_line}" if place.first_line and place.last_line else ""
    return Side(excerpt(text), place.id, place.language, f"{place.path}{lines}" if place.path else place.language or "")
