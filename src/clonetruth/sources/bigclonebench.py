"""BigCloneBench, from exports of its database tables (`docs/bigclonebench.md` explains how to make them)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from clonetruth.code import Function, available_cores, decode, extract, language, map_parallel
from clonetruth.errors import InputError
from clonetruth.formats.batches import table_columns
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.tables import read_rows
from clonetruth.formats.trees import is_tree, read_tree
from clonetruth.model import Card, Dataset, Fragment, Functionality, Judge, JudgeKind, PairValue
from clonetruth.sources.bcb_functions import WITHOUT_TEXT, FunctionTexts, is_function_list, is_text_source
from clonetruth.sources.bcb_tables import Pairs, PairTable, Tags
from clonetruth.sources.source import ImportLog, SourceCard

# Extraction of functions from IJaDataset's files by their recorded line ranges.

_BATCH = 500
_WORTH_A_PROCESS = 4000


@dataclass(frozen=True)
class FileRange:
    """The recorded location of a function: folder (`selected`, `default`, `sample`), file, 1-based lines."""

    folder: str
    file: str
    first_line: int
    last_line: int


def cut_functions(trees: Sequence[Path], ranges: Sequence[FileRange]) -> list[str | None]:
    """The recorded lines of every range; None if no tree has the file.

    Files are found by the last two parts of their name, so that both a reduced tree
    (`<functionality>/<folder>/<file>`) and the whole dataset (`<folder>/<file>`) work.
    """
    wanted: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, one in enumerate(ranges):
        wanted[one.folder, one.file].append(number)
    texts: list[str | None] = [None] * len(ranges)
    for tree in trees:
        for member in read_tree(tree):
            folder, file = ("", *member.name.parts)[-2:]
            # A reduced tree holds a copy of a file for each functionality; the first is used.
            numbers = wanted.pop((folder, file), None)
            if numbers:
                lines = decode(member.read()).text.split("\n")
                for number in numbers:
                    one = ranges[number]
                    texts[number] = "\n".join(lines[max(one.first_line - 1, 0) : max(one.last_line, 0)])
    return texts


def range_defects(texts: Iterable[str]) -> Iterator[str | None]:
    """For every text, the reason why it is not exactly one function; None if it is."""
    iterator = iter(texts)
    first = list(islice(iterator, _WORTH_A_PROCESS))
    # For a few thousand functions, starting processes takes longer than parsing.
    processes = available_cores() if len(first) == _WORTH_A_PROCESS else 1

    def batches() -> Iterator[list[str]]:
        for start in range(0, len(first), _BATCH):
            yield first[start : start + _BATCH]
        while batch := list(islice(iterator, _BATCH)):
            yield batch

    for defects in map_parallel(_defects, "java", batches(), processes):
        yield from defects


def _defects(language_name: str, texts: list[str]) -> list[str | None]:
    java = language(language_name)
    return [_defect(extract(text, java, lone=True).functions) for text in texts]


def _defect(functions: Sequence[Function]) -> str | None:
    outermost, end, sound = 0, -1, True
    for function in functions:
        # Methods of a class inside a function belong to the function.
        if function.start >= end:
            outermost, end, sound = outermost + 1, function.end, function.sound
    if outermost == 1:
        return None if sound else "the recorded range holds a function that does not parse"
    return f"the recorded range holds {'no whole function' if outermost == 0 else 'several functions'}"


# The dataset.

RULE = Judge(
    id="rule:bigclonebench",
    kind=JudgeKind.RULE,
    name="BigCloneBench's pairing rule",
    description=(
        "Judges tagged single functions as true or false positives of a functionality. Every pair of functions "
        "that are exemplars or tagged true is taken as a clone; every pair of an exemplar and a function tagged "
        "false as a false positive. No pair was looked at."
    ),
)

CARD = Card(
    name="bigclonebench",
    version="unknown",
    description=(
        "True and false clone pairs of Java functions of 43 functionalities, mined from IJaDataset 2.0 (25,000 "
        "projects) by search heuristics and tagged by people, function by function."
    ),
    licence="none stated",
    citation=(
        "J. Svajlenko, J. F. Islam, I. Keivanloo, C. K. Roy, M. M. Mia: Towards a Big Data Curated Benchmark of "
        "Inter-Project Code Clones. ICSME 2014. J. Svajlenko, C. K. Roy: Evaluating Clone Detection Tools with "
        "BigCloneBench. ICSME 2015."
    ),
    criterion="shares-functionality",
    languages=("java",),
    url="https://github.com/clonebench/BigCloneBench",
    known_flaws=(
        "93 % of a sample of 406 weak Type-3/Type-4 pairs do not have the same main purpose: sound for the recall of "
        "Type-1 to Type-3 clones, unsound as ground truth for semantic clones (Krinke and Ragkhitwetsagul 2025).",
        "A true positive may do other things as well, as the judges' instructions allow; pairs were never judged.",
        "54 % of the true and 70 % of the false pairs belong to one functionality, Copy File; eight functionalities "
        "hold over 90 % of the true pairs.",
        "Pairs of different functionalities are unlabelled; they are not non-clones: functionalities overlap, and "
        "209 functions are true positives of several.",
        "88 % of the functions were tagged by one person; of those with several tags, 14.5 % have a disagreement.",
        "Some recorded line ranges do not hold exactly one function (BigCloneEval issue 28).",
    ),
)

_TABLES = ("functionalities", "functions", "clones", "false_positives", "tagged", "version")
_LINES = range(1, 2**31)


@dataclass(frozen=True)
class Export:
    """The files of an export: tables by name, sources of function texts, and trees of source files."""

    tables: dict[str, Path] = field(default_factory=dict)
    texts: list[Path] = field(default_factory=list)
    trees: list[Path] = field(default_factory=list)


@dataclass(frozen=True)
class FunctionTable:
    """The rows of the table `functions`, column by column."""

    ids: list[str] = field(default_factory=list)
    ranges: list[FileRange] = field(default_factory=list)
    projects: list[str | None] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


class BigCloneBench:
    """The registered source."""

    card = SourceCard(
        card=CARD,
        claimed_by=RULE,
        label_means=(
            "Clone: both functions contain the functionality, whether as their main purpose or not. Not a clone: one "
            "is an exemplar of it, and the other was tagged as not containing it."
        ),
        accepts=(
            "a folder (or the files) of the tables functionalities, functions, clones, false_positives (and tagged, "
            "version) as CSV or Parquet; for the texts, an IJaDataset or bcb_reduced tree or archive, or any source "
            "of function texts"
        ),
        published={
            "functionalities": 43,
            "functions": 73_319,
            "true pairs": 8_584_153,
            "false pairs": 279_032,
        },
        references=(
            "J. Krinke, C. Ragkhitwetsagul: BigCloneBench Considered Harmful for Machine Learning. IWSC 2022.",
            "J. Krinke, C. Ragkhitwetsagul: How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025.",
            "https://github.com/jeffsvajlenko/BigCloneEval",
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        tables = find_export(paths).tables
        if not {"functionalities", "functions", "clones"} <= tables.keys():
            return None
        try:
            columns = table_columns(tables["clones"])
        except InputError:
            return None
        return "the tables of BigCloneBench's database" if "function_id_one" in columns else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        if options:
            raise InputError(f"This source has no option '{next(iter(options))}'.")
        export = find_export(paths)
        for table in ("functionalities", "functions", "clones"):
            if table not in export.tables:
                raise InputError(
                    f"There is no table '{table}'.",
                    where=", ".join(map(str, paths)),
                    hint=f"Expected: {table}.csv or {table}.parquet; docs/bigclonebench.md explains how to export it.",
                )
        functionalities = list(_functionalities(export.tables["functionalities"], log))
        functions = _functions(export.tables["functions"], log)
        if not functions.ids:
            raise InputError("The table 'functions' has no usable row.", where=export.tables["functions"])
        tables = [PairTable(export.tables["clones"], PairValue.CLONE)]
        if "false_positives" in export.tables:
            tables.append(PairTable(export.tables["false_positives"], PairValue.NOT_CLONE))
        known = [functionality.id for functionality in functionalities]
        exemplars = np.array([one.folder == "sample" for one in functions.ranges], dtype=bool)
        pairs = Pairs(tables, functions.ids, exemplars, known)
        tags = Tags(export.tables.get("tagged"), functions.ids, known, log)
        return Dataset(
            card=replace(CARD, version=_version(export.tables.get("version"), log)),
            fragments=_fragments(export, functions, log),
            functionalities=functionalities,
            memberships=pairs.memberships(log),
            pairs=pairs.pairs(),
            judges=(RULE, *tags.judges()),
            judgements=_chain(pairs, tags),
            claims=pairs.claims(),
        )


SOURCE = BigCloneBench()


def find_export(paths: Sequence[Path]) -> Export:
    """The tables, text sources and source trees at the paths."""
    export = Export()
    for path in paths:
        if path.is_dir():
            children = sorted(path.iterdir())
            tables = [child for child in children if _table(child)]
            for child in tables:
                export.tables.setdefault(_table(child) or "", child)
            # BigCloneEval's own folder holds the source trees next to the tables.
            inner = [child for child in children if child.is_dir() and child.name in ("ijadataset", "bcb_reduced")]
            export.trees.extend(inner if tables else [path])
        elif (table := _table(path)) is not None:
            export.tables.setdefault(table, path)
        elif is_tree(path) and not is_function_list(path):
            export.trees.append(path)
        elif is_text_source(path):
            export.texts.append(path)
    return export


def _table(path: Path) -> str | None:
    name = path.name.partition(".")[0].lower()
    return name if name in _TABLES and inner_suffix(path) in (".csv", ".parquet") and path.is_file() else None


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for row in read_rows(path):
        yield row.line, {name.lower(): value for name, value in row.values.items()}


def _text(value: object) -> str | None:
    text = "" if value is None else str(value).strip()
    return text or None


def _number(value: object) -> int | None:
    try:
        return int(str(value))
    except ValueError:
        return None


def _version(path: Path | None, log: ImportLog) -> str:
    rows = list(_rows(path)) if path else []
    for line, _ in rows[1:]:
        log.skip(path, line, "the table of versions has more than one row; the first counts")
    return (_text(rows[0][1].get("version")) if rows else None) or "unknown"


def _functionalities(path: Path, log: ImportLog) -> Iterator[Functionality]:
    seen: set[str] = set()
    for line, values in _rows(path):
        log.read("functionalities")
        identity = _text(values.get("id"))
        if identity is None:
            log.skip(path, line, "the functionality has no id")
        elif identity in seen:
            log.skip(path, line, "the functionality's id occurs twice")
        else:
            seen.add(identity)
            yield Functionality(
                id=identity,
                name=_text(values.get("name")) or f"functionality {identity}",
                specification=_text(values.get("description")),
                heuristic=_text(values.get("search_heuristic")),
            )


def _functions(path: Path, log: ImportLog) -> FunctionTable:
    functions, seen = FunctionTable(), set()
    for line, values in _rows(path):
        log.read("functions")
        identity = _text(values.get("id"))
        first, last = _number(values.get("startline")), _number(values.get("endline"))
        if identity is None:
            log.skip(path, line, "the function has no id")
        elif identity in seen:
            log.skip(path, line, "the function's id occurs twice")
        elif first is None or last is None or first not in _LINES or last not in _LINES:
            log.skip(path, line, "the function's lines are not line numbers")
        else:
            seen.add(identity)
            functions.ids.append(identity)
            functions.ranges.append(
                FileRange(_text(values.get("type")) or "", _text(values.get("name")) or "", first, last)
            )
            functions.projects.append(_text(values.get("project")))
            functions.lines.append(line)
    return functions


def _fragments(export: Export, functions: FunctionTable, log: ImportLog) -> Iterator[Fragment]:
    """The functions with their texts. Ranges that do not hold exactly one function are logged, but kept."""
    texts: list[str | None] = [None] * len(functions.ids)
    if export.trees:
        texts = cut_functions(export.trees, functions.ranges)
    if export.texts:
        further = FunctionTexts(export.texts, log)
        texts = [
            further.get(identity) if text is None else text for identity, text in zip(functions.ids, texts, strict=True)
        ]
    defects = range_defects(text or "" for text in texts) if export.trees else iter([None] * len(texts))
    rows = zip(functions.ids, functions.ranges, functions.projects, functions.lines, texts, defects, strict=True)
    for identity, location, project, line, text, defect in rows:
        if not text:
            log.read(WITHOUT_TEXT)
        elif defect:
            log.skip(export.tables["functions"], line, defect)
        yield Fragment(
            id=identity,
            language="java",
            text=text or "",
            project=project,
            path=f"{location.folder}/{location.file}",
            first_line=location.first_line,
            last_line=location.last_line,
        )


def _chain(pairs: Pairs, tags: Tags) -> Iterator[Any]:
    yield from pairs.judgements(RULE.id, CARD.criterion)
    yield from tags.judgements()
