"""Pair files on disk, one for each part of a split (train, valid, test), without a benchmark folder.

Rows are `left right label`, separated by tabs, commas or blanks; the label is 1 or 0 (or clone, not-clone, true,
false). A first row with any other label is a header. Texts come from any file or archive of functions by id.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clonetruth.code import language, parse
from clonetruth.errors import InputError
from clonetruth.formats.streams import read_lines
from clonetruth.model import Card, Dataset, Fragment, Judge, JudgeKind, Judgement, Pair, PairValue
from clonetruth.sources.bcb_functions import read_functions
from clonetruth.sources.source import ImportLog

_LABELS = {
    **dict.fromkeys(("1", "true", "clone", "1.0"), PairValue.CLONE),
    **dict.fromkeys(("0", "-1", "false", "not-clone", "0.0"), PairValue.NOT_CLONE),
}
_SEPARATOR = re.compile(r"\t|,|\s+")
_GUESSED_FROM = 40
_GUESSES = ("java", "c", "cpp", "python", "csharp", "javascript", "go")
NOT_A_PAIR = "the row is not a pair with a label"

JUDGE = Judge("labels-of-the-files", JudgeKind.RULE, "The labels of the files", "As the pair files give them.")


@dataclass(frozen=True)
class PartFiles:
    """The files to read.

    Args:
        files: a pair file for each part ("train", "valid", "test").
        texts: files or archives with the functions' texts by id.
        language: the language of the texts (default: guessed from some of them).
        criterion: the criterion of the labels.
    """

    files: Mapping[str, Path]
    texts: Sequence[Path] = ()
    language: str | None = None
    criterion: str = "shares-functionality"


def read_part_files(what: PartFiles, log: ImportLog) -> Dataset:
    """The rows of pair files as a dataset. Ids without a text get an empty one.

    Raises:
        InputError: a file cannot be read, or has no row that is a pair with a label.
    """
    pairs: list[Pair] = []
    judgements: list[Judgement] = []
    for part, path in what.files.items():
        before = len(pairs)
        for line, left, right, value in _rows(path, log):
            judgements.append(
                Judgement(JUDGE.id, what.criterion, value, pair=len(pairs), source_row=line),
            )
            pairs.append(Pair(left, right, claimed_part=part))
        if len(pairs) == before:
            raise InputError(
                "The file has no row that is a pair with a label.",
                where=path,
                hint="Rows are: left id, right id and 0 or 1, separated by tabs, commas or blanks.",
            )
        log.read(f"pairs ({part})", len(pairs) - before)
    ids = dict.fromkeys(identity for pair in pairs for identity in (pair.left, pair.right))
    texts = _texts(what.texts, ids, log)
    name = what.language or guess_language(texts.values())
    return Dataset(
        card=Card(
            name=", ".join(path.name for path in what.files.values()),
            version="as given",
            description="Pair files from disk.",
            licence="not stated in pair files",
            citation="",
            criterion=what.criterion,
            languages=(name,),
        ),
        fragments=(Fragment(identity, name, texts.get(identity, "")) for identity in ids),
        pairs=pairs,
        judges=(JUDGE,),
        judgements=judgements,
    )


def _rows(path: Path, log: ImportLog) -> Iterator[tuple[int, str, str, str]]:
    if not path.exists():
        raise InputError("There is no such file.", where=path)
    for number, line in read_lines(path):
        text = line.decode("utf-8", errors="replace").strip()
        if not text:
            continue
        cells = [cell.strip().strip('"') for cell in _SEPARATOR.split(text)]
        value = _LABELS.get(cells[2].lower()) if len(cells) == 3 else None
        if value is not None and cells[0] and cells[1]:
            yield number, cells[0], cells[1], str(value)
        elif number > 1 or len(cells) != 3:
            log.skip(path, number, NOT_A_PAIR)


def _texts(paths: Iterable[Path], ids: Mapping[str, None], log: ImportLog) -> dict[str, str]:
    texts: dict[str, str] = {}
    for path in paths:
        if not path.exists():
            raise InputError("There is no such file.", where=path)
        for identity, text in read_functions(path, log):
            if identity in ids:
                texts.setdefault(identity, text)
    if paths and not texts:
        raise InputError(
            "None of the fragments in the pair files has a text in these files.", where=", ".join(map(str, paths))
        )
    return texts


def guess_language(texts: Iterable[str]) -> str:
    """The language in which most of the first texts parse without errors; Java if there are no texts."""
    parsed: Counter[str] = Counter()
    for _, text in zip(range(_GUESSED_FROM), (text for text in texts if text.strip()), strict=False):
        for name in _GUESSES:
            parsed[name] += not parse(text, language(name), lone=True).tree.root_node.has_error
    return max(_GUESSES, key=lambda name: parsed[name])
