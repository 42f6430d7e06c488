"""Pairs with a known answer, to train judges and to test their attention.

Attention checks are pairs of the study's own population, so that nothing but their known answer sets them apart: pairs
with a settled verdict, or those of a gold file. Where there are too few, judges see pairs a second time instead, which
tests their consistency. Training pairs are announced as such; the embedded benchmark provides those that the population
lacks.
"""

from __future__ import annotations

import csv
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.model import PairValue
from clonetruth.store import Benchmark
from clonetruth.store.study_protocol import Protocol
from clonetruth.store.study_tables import CHECKS, CheckKind
from clonetruth.studies.protocols import ChosenProtocol
from clonetruth.verdicts.latest_judgements import asked_criteria
from clonetruth.verdicts.policies import DEFAULT, judge_verdicts

_FUNCTIONAL = ("shares-functionality", "same-main-purpose", "functionally-similar", "equivalent-behaviour")
"""Criteria about what code does: what was executed with equal results is a clone under each of them."""

SETTLED_SQL = """
SELECT p.pair AS pair, v.verdict AS expected, v.reason AS reason
FROM population p
JOIN concluded v ON p.pair = v.pair
LEFT JOIN (
    SELECT DISTINCT g.pair AS pair
    FROM judgements g
    JOIN judges j ON g.judge = j.judge
    JOIN asked a ON g.criterion = a.criterion
    WHERE j.kind = 'execution' AND g.pair IS NOT NULL
) e ON p.pair = e.pair
WHERE v.verdict IN ('clone', 'not-clone') AND v.confidence = 1 AND (v.judgements >= 2 OR e.pair IS NOT NULL)
"""
"""The pairs of the population on which at least two judges agree and none differs, or which were executed."""

GOLD_SQL = """
SELECT p.pair AS pair, k.expected AS expected, k.reason AS reason, f.id AS functionality_id,
    l.id AS left_id, l.language AS left_language, l.text AS left_text,
    r.id AS right_id, r.language AS right_language, r.text AS right_text
FROM settled k
JOIN pairs p ON k.pair = p.pair
JOIN fragments l ON p.left = l.fragment
JOIN fragments r ON p.right = r.fragment
CROSS JOIN seeds s
LEFT JOIN functionalities f ON p.functionality = f.functionality
LEFT JOIN subjects d ON p.pair = d.pair
WHERE d.pair IS NULL AND l.text <> '' AND r.text <> ''
ORDER BY md5(concat(CAST(p.pair AS STRING), 'gold', CAST(s.seed AS STRING))), p.pair
LIMIT 5000
"""
"""Pairs with a known answer that were not drawn, in a random order."""

NAMED_SQL = """
SELECT p.pair AS pair, l.id AS left_id, r.id AS right_id
FROM population o
JOIN pairs p ON o.pair = p.pair
JOIN fragments l ON p.left = l.fragment
JOIN fragments r ON p.right = r.fragment
JOIN named n ON (l.id = n.left_id AND r.id = n.right_id) OR (l.id = n.right_id AND r.id = n.left_id)
ORDER BY p.pair
"""
"""The pairs of the population that a gold file names, in either order."""

_EXECUTED_SQL = """
SELECT DISTINCT f.id AS id, f.language AS language, f.text AS text, u.id AS functionality, u.name AS name,
    u.specification AS specification
FROM judgements g
JOIN judges j ON g.judge = j.judge
JOIN fragments f ON g.fragment = f.fragment
JOIN functionalities u ON g.functionality = u.functionality
WHERE j.kind = 'execution' AND g.criterion = 'implements-functionality' AND g.value = 'major'
ORDER BY functionality, id
"""

Row = dict[str, Any]


def draw_checks(
    benchmark: Benchmark,
    population: Path,
    subjects: pa.Table,
    chosen: ChosenProtocol,
    seed: int,
    gold: str | None = None,
    known: Benchmark | None = None,
) -> tuple[pa.Table, Protocol]:
    """Draw the training and attention pairs that a protocol asks for.

    Args:
        benchmark: the studied benchmark.
        population: the pairs that the subjects were drawn from (`write_population`).
        subjects: the drawn pairs.
        chosen: the protocol and its criterion.
        seed: the random seed.
        gold: a CSV file with the columns left, right and answer (default: pairs with a settled verdict).
        known: a benchmark with executed fragments, for training pairs where the population has too few known ones.

    Returns:
        The pairs, with the columns of `CHECKS`, and the protocol, with repeats in place of missing attention pairs.

    Raises:
        InputError: the gold file is not valid, or too few training pairs are known.
    """
    protocol = chosen.protocol
    if not protocol.training and not protocol.attention:
        return CHECKS.empty_table(), protocol
    if gold is None:
        settled = _settled(benchmark, population, chosen.criterion)
    else:
        settled = _read_gold(benchmark, population, gold, protocol)
    seeds = pa.table({"seed": pa.array([seed], pa.int64())})
    rows = benchmark.sql(GOLD_SQL, settled=settled, subjects=subjects, seeds=seeds).to_pylist()
    usable = [row for row in rows if row["expected"] in protocol.answers]
    attention = _like_subjects(usable, subjects.to_pylist(), protocol.attention, seed)
    taken = {row["pair"] for row in attention}
    training = [row for row in usable if row["pair"] not in taken][: protocol.training]
    checks = [_check_of_population(row) for row in training]
    if len(checks) < protocol.training:
        languages = sorted({*subjects["left_language"].to_pylist(), *subjects["right_language"].to_pylist()})
        checks += _executed(known, chosen.criterion, languages, protocol.training - len(checks), seed)
    checks = [{**check, "kind": str(CheckKind.TRAINING)} for check in checks]
    checks += [{**_check_of_population(row), "kind": str(CheckKind.ATTENTION)} for row in attention]
    table = pa.Table.from_pylist([{**check, "check": number} for number, check in enumerate(checks)], schema=CHECKS)
    missing = protocol.attention - len(attention)
    if missing and protocol.sitting:
        raise InputError(
            f"The protocol asks for {protocol.attention} attention pairs, but only {len(attention)} are known.",
            hint="Give a gold file. Where a sitting asks about the methods first, pairs cannot be shown twice instead.",
        )
    return table, replace(protocol, attention=len(attention), repeats=protocol.repeats + missing)


def _settled(benchmark: Benchmark, population: Path, criterion: str) -> pa.Table:
    if criterion not in asked_criteria(benchmark):
        return _settled_table(())
    verdicts = judge_verdicts(benchmark, DEFAULT.name, criterion).path
    asked = pa.table({"criterion": [criterion]})
    return benchmark.sql(SETTLED_SQL, population=population, concluded=verdicts, asked=asked)


def _settled_table(rows: Iterable[tuple[int, str, str]]) -> pa.Table:
    schema = pa.schema([("pair", pa.int64()), ("expected", pa.string()), ("reason", pa.string())])
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema=schema)


def _read_gold(benchmark: Benchmark, population: Path, gold: str, protocol: Protocol) -> pa.Table:
    """The pairs of a gold file.

    Raises:
        InputError: it cannot be read, lacks a column, has an answer that the protocol does not know, contradicts
            itself, or names a pair that is not in the population.
    """
    try:
        with Path(gold).open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            lines = [(reader.line_num, row) for row in reader]
            columns = reader.fieldnames or []
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"The gold file cannot be read ({error}).", where=gold) from error
    lacking = [name for name in ("left", "right", "answer") if name not in columns]
    if lacking:
        raise InputError(
            f"The gold file has no column '{lacking[0]}'.",
            where=gold,
            hint="Columns: left and right (ids of fragments), answer, and perhaps reason.",
        )
    answers: dict[frozenset[str], tuple[int, str, str]] = {}
    for number, row in lines:
        key = frozenset((row["left"] or "", row["right"] or ""))
        if row["answer"] not in protocol.answers:
            raise InputError(
                f"'{row['answer']}' is not an answer of the protocol.",
                where=f"{gold}:{number}",
                hint=f"Answers: {', '.join(protocol.answers)}.",
            )
        if key in answers and answers[key][1] != row["answer"]:
            raise InputError("The pair has another answer in an earlier line.", where=f"{gold}:{number}")
        answers[key] = number, row["answer"], row.get("reason") or "the study's own gold pairs say so"
    named = [{"left_id": min(key), "right_id": max(key)} for key in answers]
    schema = pa.schema([("left_id", pa.string()), ("right_id", pa.string())])
    found = benchmark.sql(NAMED_SQL, population=population, named=pa.Table.from_pylist(named, schema=schema))
    pairs = {frozenset((row["left_id"], row["right_id"])): row["pair"] for row in found.to_pylist()}
    for key, (number, _, _) in answers.items():
        if key not in pairs:
            raise InputError(
                f"The pair {' and '.join(sorted(key))} is not in the population.",
                where=f"{gold}:{number}",
                hint="A check must be a pair that could have been drawn, or judges could tell it from the others.",
            )
    return _settled_table((pairs[key], *answers[key][1:]) for key in answers)


def _like_subjects(known: Sequence[Row], subjects: Sequence[Row], count: int, seed: int) -> list[Row]:
    """Known pairs with the functionalities and languages of the subjects, half of them clones if possible."""
    kinds: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in known:
        kinds[row["expected"], row["functionality_id"], row["left_language"], row["right_language"]].append(row)
    order = sorted(subjects, key=lambda row: _digest(f"{row['subject']} like {seed}"))
    answers = dict.fromkeys(sorted({row["expected"] for row in known}), 0)
    chosen: list[Row] = []
    for subject in order:
        # The answer that was chosen least so far comes first.
        for answer in sorted(answers, key=lambda one: answers[one]):
            alike = kinds[answer, subject["functionality"], subject["left_language"], subject["right_language"]]
            if alike and len(chosen) < count:
                chosen.append(alike.pop(0))
                answers[answer] += 1
                break
    taken = {row["pair"] for row in chosen}
    return chosen + [row for row in known if row["pair"] not in taken][: count - len(chosen)]


def _check_of_population(row: Row) -> Row:
    reason = row["reason"].rstrip(".")
    names = ("left_language", "left_text", "right_language", "right_text", "expected", "pair", "functionality_id")
    return {**{name: row[name] for name in names}, "feedback": f"{reason[:1].upper()}{reason[1:]}."}


def _executed(known: Benchmark | None, criterion: str, languages: Sequence[str], needed: int, seed: int) -> list[Row]:
    """Pairs of a benchmark whose fragments were executed, half of them clones.

    Two implementations of one functionality that gave equal results are clones, and implementations of two different
    functionalities are not: clear enough to hold under every criterion about what code does.
    """
    if criterion not in _FUNCTIONAL:
        raise InputError(
            f"Too few pairs with a known answer to '{criterion}' are available for training.",
            hint="Give a gold file, or set `training` of the protocol to 0.",
        )
    if known is None:
        raise InputError("The protocol asks for training pairs, but no benchmark with known answers was given.")
    rows = known.sql(_EXECUTED_SQL).to_pylist()
    preferred = [row for row in rows if row["language"] in languages] or rows
    clones, others = list(_clones(preferred, seed)), list(_non_clones(preferred, seed))
    drawn = [pair for both in zip(clones, others, strict=False) for pair in both][:needed]
    if len(drawn) < needed:
        raise InputError(f"The protocol needs {needed} known pairs, but there are only {len(drawn)}.", where=known.path)
    return [
        {
            "left_language": left["language"],
            "left_text": left["text"],
            "right_language": right["language"],
            "right_text": right["text"],
            "expected": str(expected),
            "feedback": feedback,
            "functionality": left["name"],
            "specification": left["specification"],
        }
        for left, right, expected, feedback in drawn
    ]


def _clones(rows: Sequence[Row], seed: int) -> Iterator[tuple[Row, Row, PairValue, str]]:
    """Two implementations of each functionality in one language, then two more of each, and so on."""
    groups = defaultdict(list)
    for row in _shuffled(rows, seed):
        groups[row["functionality"], row["language"]].append(row)
    depth = max((len(group) // 2 for group in groups.values()), default=0)
    for level in range(depth):
        for group in groups.values():
            if len(group) >= 2 * level + 2:
                left, right = group[2 * level : 2 * level + 2]
                yield (
                    left,
                    right,
                    PairValue.CLONE,
                    f"Both do the same: {left['name']}. Executed on inputs, they agreed.",
                )


def _non_clones(rows: Sequence[Row], seed: int) -> Iterator[tuple[Row, Row, PairValue, str]]:
    """Neighbours with different functionalities in a shuffled order."""
    for left, right in pairwise(_shuffled(rows, seed + 1)):
        if left["functionality"] != right["functionality"] and left["language"] == right["language"]:
            yield left, right, PairValue.NOT_CLONE, f"They do different things: {left['name']} and {right['name']}."


def _shuffled(rows: Sequence[Row], seed: int) -> list[Row]:
    return sorted(rows, key=lambda row: _digest(f"{row['id']}{seed}"))


def _digest(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()
