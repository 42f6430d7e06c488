"""Krinke and Ragkhitwetsagul's judgements of 406 weak Type-3/Type-4 pairs of BigCloneBench."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.sniffing import expand_folders
from clonetruth.model import Card, Dataset, Fragment, Judge, Judgement, MemberValue, Pair, Role
from clonetruth.sources.bcb_functions import WITHOUT_TEXT
from clonetruth.sources.columns import check_options
from clonetruth.sources.expert_sheets import (
    LABELS,
    METHOD_CRITERION,
    PAIR_CRITERION,
    URL,
    VERDICTS,
    agreement,
    begins_with,
    expert,
    functionality_of,
    read_sheet,
    snippet_fragment,
    snippet_functionality,
    snippets,
)
from clonetruth.sources.row_buffer import RowBuffer
from clonetruth.sources.source import ImportLog, SourceCard

_JUDGES = (expert("bcb406", 1), expert("bcb406", 2))
_AGREED = agreement(
    "bcb406",
    "The verdict of both: where they agreed, or after they had discussed it. On methods, the label that both gave, or "
    "major where they settled on it.",
)
_FIRST = (0, 5)  # where the columns of judge 1 and judge 2 begin: pair, left, right, label left, label right
_BOTH, _DISCUSSED, _FINAL, _FILES = 10, 13, 16, 45

_CARD = Card(
    name="bcb406",
    version="2025",
    description=(
        "A random sample of 406 pairs that BigCloneBench calls weak Type-3/Type-4 clones, judged by two experts: does "
        "the pair have the same main purpose, and does each method implement the functionality?"
    ),
    licence="none stated",
    citation=(
        "J. Krinke, C. Ragkhitwetsagul. How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025 "
        "(arXiv:2505.04311)."
    ),
    criterion=PAIR_CRITERION,
    languages=("java",),
    url=URL,
    known_flaws=(
        "One snippet (4_1320790#31#40.java) was judged in two pairs with different labels; both are kept.",
        "According to the paper, the final verdicts include a check with an LLM; the published list has the verdicts "
        "before this check (27 true instead of 25).",
        "The two judges are the study's authors; the published kappa is 0.476 on pairs and 0.617 on methods.",
        "Only weak Type-3/Type-4 pairs: nothing can be concluded about stronger clones.",
    ),
)


class Bcb406:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=_CARD,
        claimed_by=_AGREED,
        label_means=(
            "T: both methods implement the functionality as their main purpose, so that the pair is a clone. Methods: "
            "major, incomplete, minor, wrong or test."
        ),
        accepts=(
            "'Samples Investigation' (both judges) or finaltruth (final verdicts only), as CSV or xlsx, with the "
            "snippets (a folder or archive of <functionality>_<file>#<first>#<last>.java); unlabelled_pairs.csv "
            "(fileA, fileB), if given, adds pairs without a judgement"
        ),
        published={"pairs": 406, "snippets": 779},
        references=(
            "J. Krinke, C. Ragkhitwetsagul. BigCloneBench Considered Harmful for Machine Learning. IWSC 2022.",
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        try:
            files = expand_folders(paths)
        except InputError:
            return None
        found = any(_is_sheet(path) or _is_truth(path) for path in files)
        return "the sheets of the 406 judged pairs" if found else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        buffer = RowBuffer()
        return buffer.dataset(
            _CARD, _Reader(buffer, log).fragments(expand_folders(paths), paths), paths, self.card.accepts
        )


SOURCE = Bcb406()


def _is_sheet(path: Path) -> bool:
    return begins_with(path, ("Judge #1", ""))


def _is_truth(path: Path) -> bool:
    return begins_with(path, ("Truth", "fileA", "fileB"))


def _is_unlabelled(path: Path) -> bool:
    return begins_with(path, ("fileA", "fileB"))


class _Reader:
    """Reads the sheets, and buffers pairs, memberships and judgements."""

    def __init__(self, buffer: RowBuffer, log: ImportLog) -> None:
        self._buffer = buffer
        self._log = log
        self._ids: dict[str, None] = {}

    def fragments(self, paths: Sequence[Path], named: Sequence[Path]) -> Iterator[Fragment]:
        texts = snippets(paths, self._log)
        sheets = [path for path in paths if _is_sheet(path)]
        for path in sheets:
            self._sheet(path)
        for path in paths:
            # The sheet includes the final verdicts.
            if _is_truth(path):
                if sheets:
                    self._log.leave_out(path, "the sheet of both judges includes the final verdicts")
                else:
                    self._truth(path)
            elif _is_unlabelled(path):
                if path in named:
                    self._unlabelled(path)
                else:
                    self._log.leave_out(path, "pairs without a judgement are imported only if you name their file")
        for name in {**self._ids, **dict.fromkeys(texts)}:
            text = texts.get(name, "")
            if not text:
                self._log.read(WITHOUT_TEXT)
            yield snippet_fragment(name, text)

    def _sheet(self, path: Path) -> None:
        for line, cells in read_sheet(path):
            if line <= 2:
                continue
            if len(cells) < _FILES + 2:
                self._log.skip(path, line, "the row does not name two snippets")
                continue
            if not any(cells[_FILES : _FILES + 2]):
                # The original sheet ends with column totals.
                self._log.read("rows of sums")
                continue
            pair = self._pair(path, line, cells[_FILES], cells[_FILES + 1])
            if pair is None:
                continue
            self._log.read("pairs")
            labels = [[LABELS.get(cells[first + 3 + side].lower()) for side in (0, 1)] for first in _FIRST]
            for judge, first, own in zip(_JUDGES, _FIRST, labels, strict=True):
                self._verdict(path, judge, pair, cells[first], line)
                for side in (0, 1):
                    self._method(path, judge, cells[_FILES + side], own[side], line)
            self._verdict(path, _AGREED, pair, cells[_FINAL] or cells[_DISCUSSED] or cells[_BOTH], line)
            for side in (0, 1):
                agreed = _agreed_label(labels[0][side], labels[1][side], cells[_DISCUSSED + 1 + side])
                if agreed is None:
                    self._log.read("methods without an agreed label")
                else:
                    self._method(path, _AGREED, cells[_FILES + side], agreed, line)

    def _truth(self, path: Path) -> None:
        for line, cells in read_sheet(path):
            if line > 1 and len(cells) >= 3:
                pair = self._pair(path, line, cells[1], cells[2])
                if pair is not None:
                    self._log.read("pairs")
                    self._verdict(path, _AGREED, pair, cells[0], line)
            elif line > 1:
                self._log.skip(path, line, "the row does not name two snippets")

    def _unlabelled(self, path: Path) -> None:
        for line, cells in read_sheet(path):
            if line > 1 and len(cells) >= 2:
                if self._pair(path, line, cells[0], cells[1]) is not None:
                    self._log.read("unlabelled pairs")
            elif line > 1:
                self._log.skip(path, line, "the row does not name two snippets")

    def _pair(self, path: Path, line: int, left: str, right: str) -> int | None:
        functionality = snippet_functionality(left)
        if functionality is None or snippet_functionality(right) is None:
            self._log.skip(path, line, "a snippet's name is not <functionality>_<file>#<first>#<last>.java")
            return None
        for name in (left, right):
            if name not in self._ids:
                self._ids[name] = None
                member = functionality_of(snippet_functionality(name) or "")
                self._buffer.add_member(name, member, Role.TAGGED_TRUE)
        return self._buffer.add_pair(Pair(left, right, functionality, claimed_type="WT3/T4", claimed_cut_rule="min"))

    def _verdict(self, path: Path, judge: Judge, pair: int, word: str, line: int) -> None:
        if word not in VERDICTS:
            self._log.skip(path, line, "a verdict is neither T nor F")
            return
        self._buffer.add_judgement(judge, Judgement(judge.id, PAIR_CRITERION, VERDICTS[word], pair, source_row=line))

    def _method(self, path: Path, judge: Judge, name: str, value: MemberValue | None, line: int) -> None:
        if value is None:
            self._log.skip(path, line, "a method's label is unknown")
            return
        functionality = snippet_functionality(name)
        self._buffer.add_judgement(
            judge,
            Judgement(judge.id, METHOD_CRITERION, value, fragment=name, functionality=functionality, source_row=line),
        )


def _agreed_label(one: MemberValue | None, two: MemberValue | None, discussed: str) -> MemberValue | None:
    """The common label of both, or major if they settled on T; F does not determine a label."""
    if one is two:
        return one
    return MemberValue.MAJOR if discussed == "T" else None
