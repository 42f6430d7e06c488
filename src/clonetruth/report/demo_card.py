"""The card of the demo: `clonetruth benchmark` on a part of TrueClones that takes seconds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.evaluate.trueclones import MATCHED, benchmark_detector
from clonetruth.html.blocks import Content, note
from clonetruth.html.numbers import UNKNOWN, percent_interval
from clonetruth.html.tables import Column, Table
from clonetruth.sources import trueclones
from clonetruth.store import Benchmark
from clonetruth.store.results import Measurement, Result, write_result

PART = ("chunk-evenly", "crc8", "edit-distance", "merge-intervals", "split-bill", "word-wrap")
"""The functionalities of TrueClones that the demo measures on."""
CARD_NUMBERS = ("roc-auc", MATCHED, "f1")
_SHOWN = (("language", None), ("difficulty", None), ("stratum", "cross-language"))
_TITLES = {"roc-auc": "ROC AUC", MATCHED: "matched", "f1": "F1"}


def demo_cards(output: Path, detectors: Sequence[str]) -> list[Result]:
    """The cards of detectors on the part, also written to `cards/` below the folder of the demo.

    Raises:
        InputError: the folder holds another benchmark.
    """
    part = _part(output / "trueclones")
    cards = [benchmark_detector(one, on=part, processes=1) for one in detectors]
    folder = output / "cards"
    folder.mkdir(exist_ok=True)
    for card in cards:
        write_result(card, folder / f"{card.detector}.json")
    return cards


def _part(path: Path) -> Benchmark:
    dataset = trueclones.part(PART)
    if not path.exists():
        return Benchmark.create(path, dataset)
    benchmark = Benchmark.open(path)
    if benchmark.card != dataset.card:
        raise InputError("The folder holds another benchmark.", where=path, hint="Choose another folder with -o.")
    return benchmark


def card_section(cards: Sequence[Result]) -> list[Content]:
    """What the page shows of the cards."""
    return [
        "In the core set of TrueClones each clone stands next to a non-clone of the same functionality, language, "
        "length and similarity, so that what only looks at the text is at a ROC AUC of 50 %. “Matched” is the "
        "share of these matches in which the clone has the higher score. Every label was executed.",
        card_table(cards),
        note(
            f"A part of TrueClones with {len(PART)} functionalities. “clonetruth benchmark DETECTOR” measures on all "
            "of it, with near copies, other functionalities and the four views."
        ),
    ]


def card_table(cards: Sequence[Result]) -> Table:
    """The core set, its languages and difficulties, and pairs across languages, for each detector."""
    columns = [column for name in CARD_NUMBERS for column in (Column(_TITLES[name], "percent"), Column("interval"))]
    rows = [(card.detector, *row) for card in cards for row in _rows(card)]
    return Table((Column("detector"), Column("pairs of"), Column("pairs", "count"), *columns), rows, "Cards")


def _rows(card: Result) -> Iterator[tuple[str | int | float | None, ...]]:
    yield ("the core set", card.policy.counted, *_cells(card.headline))
    for by, only in _SHOWN:
        for stratum in card.strata:
            for group in stratum.groups if stratum.by == by else ():
                if only in (None, group.name) and group.measurements:
                    yield (group.name, group.pairs or 0, *_cells(group.measurements))


def _cells(measurements: Sequence[Measurement]) -> list[float | str | None]:
    by_name = {one.name: one for one in measurements}
    cells: list[float | str | None] = []
    for name in CARD_NUMBERS:
        one = by_name.get(name)
        cells += [None, UNKNOWN] if one is None else [one.value, percent_interval(one.low, one.high)]
    return cells
