"""The views `unseen-fragments` and `unseen-functionalities`: what is not in another dataset's train and valid lists.

Sonnekalb et al. (2022) test a model on the rest of the benchmark that its training data was taken from. Everything
that is left is test. Two fragments are the same if their ids are equal, or, where a benchmark with texts is given, if
their texts are equal up to white space.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from clonetruth.audit.texts import digest
from clonetruth.errors import InputError
from clonetruth.formats.codexglue import read_labels
from clonetruth.splits.division import Division
from clonetruth.splits.spec import Parts, seen_paths
from clonetruth.splits.split_data import Flags, SplitData
from clonetruth.splits.view import View
from clonetruth.splits.views import functionality_groups
from clonetruth.store import Benchmark
from clonetruth.store.schemas import PARTS

SEEN = "seen in the given lists"
NEAR_SEEN = "near duplicate of a fragment that was seen"
SEEN_FUNCTIONALITY = "of a functionality that was seen"

_TRAINED_SQL = """
WITH trained AS (
    SELECT "left" AS fragment FROM pairs WHERE claimed_part IN ('train', 'valid')
    UNION SELECT "right" AS fragment FROM pairs WHERE claimed_part IN ('train', 'valid')
)
SELECT f.id AS id, f.text AS text FROM fragments f JOIN trained t ON f.fragment = t.fragment
"""
_ALL_SQL = "SELECT id, text FROM fragments"


def seen_fragments(data: SplitData) -> Flags:
    """Which fragments occur in the given lists and benchmarks.

    Raises:
        InputError: no list is given, or a list has no pairs.
    """
    paths = seen_paths(data.options)
    if not paths:
        raise InputError(
            f"The view '{data.options.view}' needs the train and valid lists of another dataset.",
            hint="Give --against train.txt --against valid.txt, or --against with a benchmark folder.",
        )
    ids: set[str] = set()
    texts: set[int] = set()
    for path in paths:
        if path.is_dir():
            their_ids, their_texts = _trained_on(path, data)
            ids |= their_ids
            texts |= their_texts
        else:
            ids |= _listed_ids(path)
    seen = np.array([one in ids for one in data.ids], dtype=np.bool_)
    if texts:
        seen |= np.isin(data.near_duplicates.digests, np.array(sorted(texts), dtype=np.int64))
    return seen


def _listed_ids(path: Path) -> set[str]:
    bad_lines: list[int] = []
    ids = {one for row in read_labels(path, lambda line, why: bad_lines.append(line)) for one in (row.left, row.right)}
    if bad_lines:
        raise InputError(
            "The row is not a pair with the label 0 or 1.",
            where=f"{path}, line {bad_lines[0]}",
            hint="Each row has a left id, a right id and a label, separated by tabs.",
        )
    if not ids:
        raise InputError("The list has no pairs.", where=path)
    return ids


def _trained_on(path: Path, data: SplitData) -> tuple[set[str], set[int]]:
    """The ids and texts in the train and valid parts of a benchmark; all of them where it has no parts."""
    other = Benchmark.open(path, engine=data.benchmark.engine)
    rows = other.sql(_TRAINED_SQL)
    rows = rows if rows.num_rows else other.sql(_ALL_SQL)
    texts = {digest(text) for text in rows["text"].to_pylist() if text and not text.isspace()}
    return set(rows["id"].to_pylist()), texts


def _everything_as_test(data: SplitData) -> Division:
    part: Parts = np.full(len(data), PARTS.index("test"), dtype=np.int8)
    return Division(part).without(data.beyond_limit, f"in {data.size_limit}")


def _unseen_fragments(data: SplitData) -> Division:
    seen = seen_fragments(data)
    division = _everything_as_test(data).without(seen, SEEN)
    near = np.isin(data.components, data.components[seen])
    return division.without(near, NEAR_SEEN)


def _unseen_functionalities(data: SplitData) -> Division:
    groups = functionality_groups(data)
    seen = seen_fragments(data)
    seen_groups = np.unique(groups.group[seen[groups.fragment]])
    of_seen = np.zeros(len(data), dtype=np.bool_)
    of_seen[groups.fragment[np.isin(groups.group, seen_groups)]] = True
    division = _everything_as_test(data).without(seen, SEEN)
    division = division.without(groups.lacking(len(data)), "not in any of the functionalities")
    division = division.without(of_seen, SEEN_FUNCTIONALITY)
    near = np.isin(data.components, data.components[seen])
    return division.without(near, NEAR_SEEN)


UNSEEN_FRAGMENTS = View(
    name="unseen-fragments",
    question="How good is a model that was trained elsewhere on fragments of this benchmark that it has not seen?",
    keeps_together="fragments",
    needs="the lists that the model was trained on (--against)",
    divide=_unseen_fragments,
    only_test=True,
)
UNSEEN_FUNCTIONALITIES = View(
    name="unseen-functionalities",
    question="How good is a model that was trained elsewhere on functionalities that it has not seen?",
    keeps_together="functionalities",
    needs="the functionalities of fragments, and the lists that the model was trained on (--against)",
    divide=_unseen_functionalities,
    only_test=True,
)
