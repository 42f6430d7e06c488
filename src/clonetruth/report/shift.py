"""The page of a split: its parts, what was left out, and how far test is from train."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from clonetruth import __version__
from clonetruth.html.blocks import Callout, Content, Figure, callouts, lead, note
from clonetruth.html.numbers import count, percent, plural
from clonetruth.html.page import Page, Section
from clonetruth.html.plots import Labels, Series, bar_chart, histogram
from clonetruth.html.tables import Column, Table
from clonetruth.splits import VIEWS
from clonetruth.splits.shift import NO_CLAIMED_TYPE, PartShift, Shift

_LONG = 0.98
"""The share of fragments in the plot of sizes; the longest ones would squeeze the others."""


def shift_page(shift: Shift) -> Page:
    """The page of a split."""
    split = shift.split
    sections = [Section("The parts", _parts(shift), anchor="parts")]
    compared = [part for part in shift.parts if part.names is not None]
    if compared:
        sections.append(Section("Words that also occur in train", _vocabulary(compared), anchor="vocabulary"))
        sections.append(Section("The nearest fragment of train", _nearest(compared), anchor="nearest"))
    sections.append(Section("Sizes", _sizes(shift), anchor="sizes"))
    if any(part.types.keys() - {NO_CLAIMED_TYPE} for part in shift.parts):
        sections.append(Section("Clone types", _types(shift), anchor="types"))
    manifest = {
        "benchmark": shift.benchmark,
        "content hash": shift.content_hash,
        "split": split.name,
        "digest": split.digest,
        "options": split.options.record(),
        "clonetruth": __version__,
    }
    return Page(
        title=f"The split {split.name}",
        subtitle=VIEWS[split.options.view].question,
        sections=sections,
        manifest=manifest,
        opening=_opening(shift),
    )


def _opening(shift: Shift) -> list[Content]:
    split = shift.split
    rules = ", ".join(split.rules)
    numbers = [
        Callout(count(counts.fragments), f"fragments in {name}", plural(counts.pairs, "pair"))
        for name, counts in split.parts.items()
    ]
    numbers.append(Callout(count(sum(split.left_out.values())), "fragments left out"))
    test = shift.parts[-1]
    sentence = f"The view {split.options.view} never splits {VIEWS[split.options.view].keeps_together} across parts."
    if test.nearest:
        sentence += (
            f" Half of the fragments of {test.part} share at least {percent(median(test.nearest))} of their words with "
            "a fragment of train."
        )
    return [lead(sentence), callouts(numbers), note(f"The leakage rules of the audit ({rules}) found nothing.")]


def _parts(shift: Shift) -> list[Content]:
    split = shift.split
    columns = (
        Column("part"),
        Column("fragments", "count"),
        Column("pairs", "count"),
        Column("clones", "count"),
        Column("share of clones", "percent", 1),
        Column("functionalities", "count"),
    )
    rows = [
        (
            name,
            one.fragments,
            one.pairs,
            one.clones,
            one.clones / one.pairs if one.pairs else None,
            one.functionalities,
        )
        for name, one in split.parts.items()
    ]
    blocks: list[Content] = [Table(columns, rows, "Pairs are those with a verdict")]
    if split.left_out:
        reasons = list(split.left_out.items())
        blocks.append(Table((Column("left out because", "prose"), Column("fragments", "count")), reasons, "Left out"))
    blocks.append(
        f"{plural(split.crossing, 'pair')} with a verdict {'is' if split.crossing == 1 else 'are'} in no part: "
        "the fragments are in different ones, or left out."
    )
    return blocks


def _vocabulary(parts: list[PartShift]) -> list[Content]:
    rows: list[tuple[str, float | None, float | None, int]] = []
    for part in parts:
        for what, known in (("identifiers", part.names), ("called names", part.calls)):
            if known is not None:
                rows.append((f"{what} of {part.part}", known.distinct, known.occurrences, known.fragments))
    table = Table(
        (
            Column("names"),
            Column("distinct names", "percent", 1),
            Column("occurrences", "percent", 1),
            Column("fragments read", "count"),
        ),
        rows,
        "Share that occurs in train",
    )
    chart = bar_chart(
        [row[0] for row in rows],
        [
            Series("distinct names", [_percent(row[1]) for row in rows]),
            Series("occurrences", [_percent(row[2]) for row in rows]),
        ],
        Labels("Share of names that occur in train", x="percent"),
    )
    return [
        "A model may recognise names that it has seen in training; where names are new it can only use the structure.",
        Figure(chart, "Share of a part's names that occur in train.", table),
    ]


def _nearest(parts: list[PartShift]) -> list[Content]:
    chart = histogram(
        [Series(part.part, part.nearest) for part in parts],
        Labels("Words in common with the nearest fragment of train", x="share of words in common", y="fragments"),
        span=(0.0, 1.0),
    )
    rows = [(part.part, len(part.nearest), median(part.nearest) if part.nearest else None) for part in parts]
    columns = (Column("part"), Column("fragments compared", "count"), Column("median", "percent", 1))
    table = Table(columns, rows, "Nearest fragment of train")
    return [Figure(chart, "The share of its words that a fragment shares with the nearest fragment of train.", table)]


def _sizes(shift: Shift) -> list[Content]:
    lengths = sorted(line for part in shift.parts for line in part.lines)
    high = float(lengths[int(_LONG * (len(lengths) - 1))]) if lengths else 1.0
    chart = histogram(
        [Series(part.part, part.lines) for part in shift.parts],
        Labels("Lines of a fragment", x="non-empty lines", y="fragments"),
        span=(0.0, max(high, 1.0)),
    )
    rows = [(part.part, len(part.lines), median(part.lines) if part.lines else None) for part in shift.parts]
    columns = (Column("part"), Column("fragments", "count"), Column("median lines", "decimal", 1))
    return [Figure(chart, "Sizes of fragments by part.", Table(columns, rows, "Lines of fragments"))]


def _types(shift: Shift) -> list[Content]:
    names = sorted({name for part in shift.parts for name in part.types})
    chart = bar_chart(
        names,
        [Series(part.part, [_share(part.types, name) for name in names]) for part in shift.parts],
        Labels("Clone pairs by claimed type", x="percent of the part's clones"),
    )
    columns = (Column("type"), *(Column(part.part, "count") for part in shift.parts))
    rows: list[list[str | int]] = [[name, *(part.types.get(name, 0) for part in shift.parts)] for name in names]
    return [Figure(chart, "Types claimed by the source.", Table(columns, rows, "Clone pairs by claimed type"))]


def _share(types: Mapping[str, int], name: str) -> float | None:
    whole = sum(types.values())
    return _percent(types.get(name, 0) / whole if whole else None)


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)
