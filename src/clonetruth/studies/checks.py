"""Checks: pairs whose answer is known, to train judges with and to see whether they pay attention.

They come from a benchmark whose fragments were executed: two implementations of one functionality that gave equal
results are clones, and implementations of two different functionalities are none. The answer is so plain that it holds
under every criterion on what code does.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.model import PairValue
from clonetruth.store import Benchmark
from clonetruth.store.study_protocol import Protocol
from clonetruth.store.study_tables import CHECKS, CheckKind

_FUNCTIONAL = ("shares-functionality", "same-main-purpose", "functionally-similar", "equivalent-behaviour")

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


def draw_checks(known: Benchmark, protocol: Protocol, criterion: str, languages: Sequence[str], seed: int) -> pa.Table:
    """Draw the training and attention pairs that a protocol wants, half of them clones.

    Args:
        known: a benchmark whose fragments were executed, such as the embedded one.
        protocol: how many are wanted.
        criterion: what is asked.
        languages: the languages of the study; fragments in one of them are taken where there are any.
        seed: another seed draws others.

    Returns:
        The pairs, with the columns of `CHECKS`.

    Raises:
        InputError: the criterion is not on what code does, or there are too few known pairs.
    """
    wanted = protocol.training + protocol.attention
    if not wanted:
        return CHECKS.empty_table()
    if criterion not in _FUNCTIONAL:
        raise InputError(
            f"No pairs are known whose answer to '{criterion}' is plain.",
            hint="Set training and attention of the protocol to 0.",
        )
    rows = known.sql(_EXECUTED_SQL).to_pylist()
    near = [row for row in rows if row["language"] in languages] or rows
    clones, others = list(_clones(near, seed)), list(_others(near, seed))
    drawn = [pair for both in zip(clones, others, strict=False) for pair in both][:wanted]
    if len(drawn) < wanted:
        raise InputError(f"{wanted} known pairs are wanted, and there are {len(drawn)}.", where=known.path)
    kinds = [CheckKind.TRAINING] * protocol.training + [CheckKind.ATTENTION] * protocol.attention
    return pa.Table.from_pylist(
        [
            {
                "check": number,
                "kind": str(kind),
                "left_language": left["language"],
                "left_text": left["text"],
                "right_language": right["language"],
                "right_text": right["text"],
                "expected": str(expected),
                "feedback": feedback,
                "functionality": left["name"],
                "specification": left["specification"],
            }
            for number, (kind, (left, right, expected, feedback)) in enumerate(zip(kinds, drawn, strict=True))
        ],
        schema=CHECKS,
    )


def _clones(rows: Sequence[Row], seed: int) -> Iterator[tuple[Row, Row, PairValue, str]]:
    """Two implementations of each functionality in one language, then two others of each, and so on."""
    groups = defaultdict(list)
    for row in _shuffled(rows, seed):
        groups[row["functionality"], row["language"]].append(row)
    depth = max((len(group) // 2 for group in groups.values()), default=0)
    for level in range(depth):
        for group in groups.values():
            if len(group) >= 2 * level + 2:
                left, right = group[2 * level : 2 * level + 2]
                yield left, right, PairValue.CLONE, f"Both do the same: {left['name']}. Run on inputs, they agreed."


def _others(rows: Sequence[Row], seed: int) -> Iterator[tuple[Row, Row, PairValue, str]]:
    """Neighbours of different functionality in a shuffled order."""
    for left, right in pairwise(_shuffled(rows, seed + 1)):
        if left["functionality"] != right["functionality"] and left["language"] == right["language"]:
            yield left, right, PairValue.NOT_CLONE, f"They do different things: {left['name']}, and {right['name']}."


def _shuffled(rows: Sequence[Row], seed: int) -> list[Row]:
    return sorted(rows, key=lambda row: hashlib.md5(f"{row['id']}{seed}".encode()).hexdigest())
