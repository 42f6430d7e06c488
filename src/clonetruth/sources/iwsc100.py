"""Krinke and Ragkhitwetsagul's earlier judgements of 100 'Copy File' pairs of BigCloneBench (IWSC 2022)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.sniffing import expand_folders
from clonetruth.model import Card, Dataset, Fragment, Judge, Judgement, MemberValue, Pair, PairValue, Role
from clonetruth.sources.bcb_functions import FunctionTexts, is_text_source
from clonetruth.sources.bcb_lists import whole_number
from clonetruth.sources.columns import check_options, claimed_number
from clonetruth.sources.expert_sheets import (
    METHOD_CRITERION,
    PAIR_CRITERION,
    URL,
    VERDICTS,
    agreement,
    begins_with,
    expert,
    functionality_of,
    read_sheet,
)
from clonetruth.sources.row_buffer import RowBuffer
from clonetruth.sources.source import ImportLog, SourceCard

_JUDGES = (expert("iwsc100", 1), expert("iwsc100", 2))
_AGREED = agreement("iwsc100", "What both said; undecided (xx in the sheet) where they did not agree.")
_HEADER = ("Pair", "Label L", "Label R", "Pair (J1)")
_IDS, _FUNCTIONALITY, _LINE, _TOKEN = 11, 13, 16, 17
_NOT_MAIN = "F in the sheet: not the method's main or only purpose; the study did not tell minor from wrong"

_CARD = Card(
    name="iwsc100",
    version="2022",
    description=(
        "100 random pairs of the functionality Copy File that BigCloneBench calls weak Type-3/Type-4 clones, judged by "
        "two experts: is the pair a clone, and does each method copy a file as its main or only purpose?"
    ),
    licence="none stated",
    citation="J. Krinke, C. Ragkhitwetsagul. BigCloneBench Considered Harmful for Machine Learning. IWSC 2022.",
    criterion=PAIR_CRITERION,
    languages=("java",),
    url=URL,
    known_flaws=(
        "One functionality only: not representative of BigCloneBench.",
        "Methods were labelled T or F; F is imported as 'minor', the weakest answer compatible with it.",
        "All pairs are among the 406 pairs that the same judges judged later (bcb406).",
        "The sheet has function ids, but no texts.",
    ),
)


class Iwsc100:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=_CARD,
        claimed_by=_AGREED,
        label_means="T: a clone by the judges' stricter criterion; F: not a clone; xx: the judges did not agree.",
        accepts=(
            "the sheet '100 Samples.csv' (Pair, Label L, Label R, Pair (J1), …); for the texts, functions.zip or any "
            "other source of function texts"
        ),
        published={"pairs": 100, "methods": 192},
        references=("Pairs: both T 6, both F 86, different 8; methods: 57, 120 and 15 (IWSC 2022, section III).",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`. Together with the sheets of the 406 pairs, the larger study takes precedence."""
        try:
            files = expand_folders(paths)
        except InputError:
            return None
        if any(begins_with(path, header) for path in files for header in (("Judge #1",), ("Truth", "fileA"))):
            return None
        return "the sheet of the 100 judged pairs" if any(_is_sheet(path) for path in files) else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        files = expand_folders(paths)
        sheets = [path for path in files if _is_sheet(path)]
        texts = FunctionTexts([path for path in files if path not in sheets and is_text_source(path)], log)
        buffer = RowBuffer()
        return buffer.dataset(_CARD, _fragments(sheets, texts, buffer, log), paths, self.card.accepts)


SOURCE = Iwsc100()


def _is_sheet(path: Path) -> bool:
    return begins_with(path, _HEADER)


def _fragments(sheets: Sequence[Path], texts: FunctionTexts, buffer: RowBuffer, log: ImportLog) -> Iterator[Fragment]:
    ids: dict[str, None] = {}
    for path in sheets:
        for line, cells in read_sheet(path):
            if line == 1:
                continue
            left, right = (whole_number(cell) for cell in (cells + [""] * 20)[_IDS : _IDS + 2])
            functionality = whole_number((cells + [""] * 20)[_FUNCTIONALITY])
            if left is None or right is None or functionality is None:
                log.skip(path, line, "the row does not have two function ids and a functionality")
                continue
            log.read("pairs")
            for identity in (left, right):
                if identity not in ids:
                    ids[identity] = None
                    buffer.add_member(identity, functionality_of(functionality), Role.TAGGED_TRUE)
            pair = buffer.add_pair(
                Pair(
                    left,
                    right,
                    functionality,
                    "WT3/T4",
                    claimed_number(cells[_LINE] if len(cells) > _LINE else None),
                    claimed_number(cells[_TOKEN] if len(cells) > _TOKEN else None),
                    "min",
                )
            )
            _judge(buffer, log, path, line, cells, pair, (left, right), functionality)
    yield from texts.fragments(ids, log)


def _judge(
    buffer: RowBuffer,
    log: ImportLog,
    path: Path,
    line: int,
    cells: list[str],
    pair: int,
    sides: tuple[str, str],
    functionality: str,
) -> None:
    # Pair, left, right and a note for each of the two judges; before them, without a note, for both together.
    blocks: tuple[tuple[Judge, int, int | None], ...] = ((_JUDGES[0], 3, 6), (_JUDGES[1], 7, 10), (_AGREED, 0, None))
    for judge, first, note in blocks:
        reason = (cells[note] or None) if note is not None else None
        verdict = PairValue.UNDECIDED if cells[first] == "xx" else VERDICTS.get(cells[first])
        if verdict is None:
            log.skip(path, line, "a verdict is not T, F or xx")
        else:
            buffer.add_judgement(
                judge, Judgement(judge.id, PAIR_CRITERION, verdict, pair, reason=reason, source_row=line)
            )
        for side, fragment in enumerate(sides):
            # TT and FF mark a method that occurs in two pairs.
            label = cells[first + 1 + side]
            value = {"T": MemberValue.MAJOR, "F": MemberValue.MINOR, "x": MemberValue.UNDECIDED}.get(label[:1])
            if value is None or label not in ("T", "F", "TT", "FF", "xx"):
                log.skip(path, line, "a method's verdict is not T, F or xx")
                continue
            judgement = Judgement(
                judge.id,
                METHOD_CRITERION,
                value,
                fragment=fragment,
                functionality=functionality,
                reason=_NOT_MAIN if value is MemberValue.MINOR else None,
                source_row=line,
            )
            buffer.add_judgement(judge, judgement)
