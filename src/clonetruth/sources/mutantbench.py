"""MutantBench's Java mutants as the study of LLMs for equivalent mutants published them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.tables import TABLE_SUFFIXES, Row, read_rows
from clonetruth.model import Card, Dataset, Fragment, Judge, JudgeKind, Judgement, Pair, PairValue
from clonetruth.sources.columns import check_options
from clonetruth.sources.layout import Layout, part_of, recognise_files, require_files, stem
from clonetruth.sources.source import ImportLog, SourceCard

_CRITERION = "equivalent-behaviour"
_PAIR_COLUMNS = ("code_id_1", "code_id_2", "label")
_LABELS = {"0": PairValue.NOT_CLONE, "1": PairValue.CLONE}
_PARTS = {"mutant_a_hierarchical": "train", "mutant_b_hierarchical": "test"}

_RULE = Judge(
    id="rule:mutantbench",
    kind=JudgeKind.RULE,
    name="MutantBench's label",
    description=(
        "Equivalence of a method and its mutant as collected from earlier studies, which decided it by hand or by "
        "tests. Who or what decided on a pair is not recorded, so it is a claim."
    ),
)


def _is_pairs(path: Path) -> bool:
    return all(name.encode() in head(path).partition(b"\n")[0] for name in _PAIR_COLUMNS)


def _is_code(path: Path) -> bool:
    return stem(path).startswith("mutantbench_code_db") and inner_suffix(path) in TABLE_SUFFIXES


_LAYOUT = Layout(table=lambda path: _is_code(path) or (inner_suffix(path) == ".csv" and _is_pairs(path)))


class MutantBench:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="mutantbench",
            version="EMD 2024",
            description=(
                "Java methods and their mutants, in pairs that are equivalent or not. The texts of a pair are nearly "
                "identical whatever the label, which makes the dataset hard for detectors that rely on similarity."
            ),
            licence="none stated",
            citation=(
                "L. van Hijfte, A. Oprescu. MutantBench: An Equivalent Mutant Problem Comparison Framework. ICSTW "
                "2021. Z. Tian et al. Large Language Models for Equivalent Mutant Detection: How Far Are We? ISSTA "
                "2024."
            ),
            criterion=_CRITERION,
            languages=("java",),
            url="https://github.com/tianzhaotju/EMD",
            known_flaws=(
                "Many mutants come from a few methods, so that pairs are clustered and share their first method.",
                "The labels come from several studies of different rigour; it is not recorded who decided.",
            ),
        ),
        claimed_by=_RULE,
        label_means="1: the mutant gives the same results as the method on all inputs; 0: it does not.",
        accepts=(
            "MutantBench_code_db_java.csv (id, code) with Mutant_A_hierarchical.csv and Mutant_B_hierarchical.csv "
            "(id, code_id_1, code_id_2, label), also compressed"
        ),
        published={"pairs": 3302},
        references=("The read-me of the EMD repository (the A list is for training, the B list for testing).",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        found = recognise_files(paths, _LAYOUT)
        if found is None or not any(_is_code(path) for path in found.tables):
            return None
        return "MutantBench_code_db with lists of code_id_1, code_id_2, label"

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        codes = [path for path in found.tables if _is_code(path)]
        lists = [path for path in found.tables if path not in codes]
        if not codes or not lists:
            missing = "table of codes" if lists else "list of pairs"
            raise InputError(f"No {missing} was found.", where=found.tables[0], hint=f"Accepted: {self.card.accepts}.")
        ids: set[str] = set()
        labels: list[tuple[PairValue, int]] = []
        return Dataset(
            card=self.card.card,
            fragments=_fragments(codes, ids, log),
            pairs=_pairs(lists, ids, labels, log),
            judges=(_RULE,),
            judgements=(
                Judgement(_RULE.id, _CRITERION, value, pair=row, source_row=line)
                for row, (value, line) in enumerate(labels)
            ),
        )


SOURCE = MutantBench()


def _fragments(files: Sequence[Path], ids: set[str], log: ImportLog) -> Iterator[Fragment]:
    for path in files:
        for row in read_rows(path):
            name, code = (_cell(row, column) for column in ("id", "code"))
            if not name or code is None:
                log.skip(path, row.line, "the row has no id or no code")
            elif name in ids:
                log.skip(path, row.line, "the method's id occurs twice")
            else:
                ids.add(name)
                log.read("methods")
                yield Fragment(name, "java", code)
    if not ids:
        raise InputError("The table holds no method.", where=files[0], hint="Its columns must be id and code.")


def _pairs(files: Sequence[Path], ids: set[str], labels: list[tuple[PairValue, int]], log: ImportLog) -> Iterator[Pair]:
    for path in files:
        part = _PARTS.get(stem(path)) or part_of(path)
        for row in read_rows(path):
            left, right, label = (_cell(row, column) for column in _PAIR_COLUMNS)
            value = _LABELS.get(label or "")
            if left is None or right is None or value is None:
                log.skip(path, row.line, "the row is not a pair with a label")
            elif left not in ids or right not in ids:
                log.skip(path, row.line, "the row names an unknown method")
            else:
                labels.append((value, row.line))
                log.read("pairs")
                yield Pair(left, right, claimed_part=part)


def _cell(row: Row, column: str) -> str | None:
    value = row.values.get(column)
    return None if value is None else str(value)
