"""The views `unseen-fragments` and `unseen-functionalities`: what another dataset's train and valid lists do not have.

Sonnekalb et al. (2022) test a model on the rest of the benchmark that its training data was taken from. Everything
that is left is test. Fragments are the same when their ids are, or, where a benchmark with texts is given, when their
texts are up to white space.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from clonetruth.audit.texts import digest
from clonetruth.errors import InputError
from clonetruth.formats.answers import read_labels
from clonetruth.splits.division import Division
from clonetruth.splits.options import Parts, against_paths
from clonetruth.splits.split_data import Flags, SplitData
from clonetruth.splits.view import View
from clonetruth.splits.views import functionalities
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


def seen_fragments(material: SplitData) -> Flags:
    """Which fragments occur in the given lists and benchmarks.

    Raises:
        InputError: nothing is given, or a list has no pairs.
    """
    paths = against_paths(material.options)
    if not paths:
        raise InputError(
            f"The view '{material.options.view}' needs the train and valid lists of another dataset.",
            hint="Give them with --against train.txt --against valid.txt, or --against a benchmark folder.",
        )
    ids: set[str] = set()
    texts: set[int] = set()
    for path in paths:
        if path.is_dir():
            their_ids, their_texts = _of_benchmark(path, material)
            ids |= their_ids
            texts |= their_texts
        else:
            ids |= _of_list(path)
    seen = np.array([one in ids for one in material.ids], dtype=np.bool_)
    if texts:
        seen |= np.isin(material.twins.digests, np.array(sorted(texts), dtype=np.int64))
    return seen


def _of_list(path: Path) -> set[str]:
    wrong: list[int] = []
    ids = {one for row in read_labels(path, lambda line, why: wrong.append(line)) for one in (row.left, row.right)}
    if wrong:
        raise InputError(
            "The row is not a pair with the label 0 or 1.",
            where=f"{path}, line {wrong[0]}",
            hint="Lists have rows of left id, right id and label, separated by tabs.",
        )
    if not ids:
        raise InputError("The list has no pairs.", where=path)
    return ids


def _of_benchmark(path: Path, material: SplitData) -> tuple[set[str], set[int]]:
    """What a benchmark trains on by its own parts; everything where it has none."""
    other = Benchmark.open(path, engine=material.benchmark.engine)
    rows = other.sql(_TRAINED_SQL)
    rows = rows if rows.num_rows else other.sql(_ALL_SQL)
    texts = {digest(text) for text in rows["text"].to_pylist() if text and not text.isspace()}
    return set(rows["id"].to_pylist()), texts


def _everything_as_test(material: SplitData) -> Division:
    part: Parts = np.full(len(material), PARTS.index("test"), dtype=np.int8)
    return Division(part)


def _unseen_fragments(material: SplitData) -> Division:
    seen = seen_fragments(material)
    division = _everything_as_test(material).without(seen, SEEN)
    near = np.isin(material.components, material.components[seen])
    return division.without(near, NEAR_SEEN)


def _unseen_functionalities(material: SplitData) -> Division:
    grouping = functionalities(material)
    seen = seen_fragments(material)
    known = np.unique(grouping.group[seen[grouping.fragment]])
    of_known = np.zeros(len(material), dtype=np.bool_)
    of_known[grouping.fragment[np.isin(grouping.group, known)]] = True
    division = _everything_as_test(material).without(seen, SEEN)
    division = division.without(grouping.lacking(len(material)), "not in any of the functionalities")
    division = division.without(of_known, SEEN_FUNCTIONALITY)
    near = np.isin(material.components, material.components[seen])
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
