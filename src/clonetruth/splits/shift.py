"""The shift of a split: how far the vocabulary, sizes and clone types of a part are from those of train.

A split whose test fragments use the words of train tests something else than one whose fragments do not. The lexer
reads the names of all fragments. Called names need a parse, and nearest neighbours a comparison with all of train: for
a large part both are taken from a sample, drawn by hash, whose size is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pyarrow as pa

from clonetruth.audit.texts import known_language, read_bags
from clonetruth.code import Bags, map_parallel, name_tokens, parse
from clonetruth.code.names import names_of
from clonetruth.progress import Progress, no_progress
from clonetruth.splits.balance import Integers
from clonetruth.splits.split import Split, read_split
from clonetruth.splits.split_data import hash_order
from clonetruth.store import Benchmark
from clonetruth.store.schemas import PARTS

Name = TypeVar("Name", bytes, str)

MAX_PARSED = 4000
"""Maximum number of fragments of a part that are parsed for the names they call."""

MAX_COMPARED = 300
"""Maximum number of fragments of a part whose nearest neighbour in train is searched for."""

NO_CLAIMED_TYPE = "not claimed"
"""The type of pairs for which the source claims none."""

_TEXTS_SQL = """
SELECT f.fragment AS fragment, f.id AS id, f.language AS language, f.text AS text, s.part AS part
FROM fragments f JOIN split s ON f.fragment = s.fragment
WHERE s.part <> 'left-out' ORDER BY f.fragment
"""

_TYPES_SQL = """
SELECT a.part AS part, coalesce(p.claimed_type, 'not claimed') AS type, count(*) AS pairs
FROM pairs p
JOIN verdicts v ON p.pair = v.pair
JOIN split a ON p.left = a.fragment
JOIN split b ON p.right = b.fragment
WHERE v.verdict = 'clone' AND a.part <> 'left-out' AND CASE WHEN a.part = b.part THEN 1 ELSE 0 END = 1
GROUP BY a.part, coalesce(p.claimed_type, 'not claimed')
ORDER BY part, type
"""


@dataclass(frozen=True)
class Familiarity:
    """How many of a part's names also occur in train.

    Attributes:
        distinct: the share of distinct names; None where the part has no names.
        occurrences: the share of all occurrences of names.
        fragments: number of fragments that were read.
    """

    distinct: float | None
    occurrences: float | None
    fragments: int


@dataclass(frozen=True)
class PartShift:
    """A part compared with train.

    Attributes:
        part: its name.
        lines: number of lines of each fragment.
        types: number of clone pairs of each type that the source claims.
        names: familiarity of its identifiers; None for train itself.
        calls: familiarity of the names that it calls; None for train itself.
        nearest: for each fragment of a sample, the largest share of words in common with a fragment of train.
    """

    part: str
    lines: tuple[int, ...]
    types: Mapping[str, int]
    names: Familiarity | None
    calls: Familiarity | None
    nearest: tuple[float, ...]


@dataclass(frozen=True)
class Shift:
    """The shift of a split.

    Attributes:
        benchmark: name and version of the benchmark.
        content_hash: content hash of the benchmark.
        split: the split.
        parts: its parts, train first.
    """

    benchmark: str
    content_hash: str
    split: Split
    parts: tuple[PartShift, ...]


@dataclass(frozen=True, eq=False)
class _Texts:
    """The fragments of a part, in the order of their hash."""

    keys: Sequence[int]
    languages: Sequence[str]
    texts: Sequence[str]


def measure_shift(benchmark: Benchmark, name: str, progress: Progress | None = None, *, processes: int = 1) -> Shift:
    """Compare the parts of a split with its train part.

    Args:
        benchmark: the benchmark.
        name: the split.
        progress: called as the work proceeds.
        processes: number of worker processes that parse.

    Raises:
        InputError: there is no such split.
    """
    report = progress or no_progress
    split = read_split(benchmark, name)
    parts = _texts(benchmark, split)
    names = {part: Counter(_names(texts)) for part, texts in parts.items()}
    calls = {part: _calls(texts, processes, report) for part, texts in parts.items()}
    bags = read_bags(benchmark, report)
    types = _types(benchmark, name)
    train = parts.get("train")
    shifts = []
    for part, texts in parts.items():
        is_train = part == "train" or train is None
        parsed = min(len(texts.keys), MAX_PARSED)
        shifts.append(
            PartShift(
                part=part,
                lines=tuple(sum(1 for line in text.splitlines() if line.strip()) for text in texts.texts),
                types=types.get(part, {}),
                names=None if is_train else _familiarity(names[part], names["train"], len(texts.keys)),
                calls=None if is_train else _familiarity(calls[part], calls["train"], parsed),
                nearest=() if is_train or train is None else _nearest(bags, texts.keys[:MAX_COMPARED], train.keys),
            )
        )
    card = benchmark.card
    return Shift(f"{card.name} {card.version}", benchmark.content_hash, split, tuple(shifts))


def _texts(benchmark: Benchmark, split: Split) -> dict[str, _Texts]:
    rows = benchmark.sql(_TEXTS_SQL, split=split.path)
    part = np.array(rows["part"].to_pylist())
    parts = {}
    for name in PARTS:
        of_part = rows.take(pa.array(np.flatnonzero(part == name)))
        if of_part.num_rows:
            order = hash_order(of_part["id"].to_pylist(), split.options.seed)
            of_part = of_part.take(pa.array(order))
            columns = (of_part[column].to_pylist() for column in ("fragment", "language", "text"))
            parts[name] = _Texts(*columns)
    return parts


def _names(texts: _Texts) -> Iterator[bytes]:
    for language, text in zip(texts.languages, texts.texts, strict=True):
        yield from name_tokens(text, known_language(language))


def _calls(texts: _Texts, processes: int, progress: Progress) -> Counter[str]:
    rows = list(zip(texts.languages[:MAX_PARSED], texts.texts[:MAX_PARSED], strict=True))
    batches = [rows[at : at + 250] for at in range(0, len(rows), 250)]
    names: Counter[str] = Counter()
    # Starting processes costs more than parsing a few fragments.
    for batch, called in zip(
        batches, map_parallel(_called, None, batches, processes if len(batches) > 4 else 1), strict=True
    ):
        names += called
        progress("Parsing fragments", len(batch), len(rows))
    return names


def _called(_: None, rows: list[tuple[str, str]]) -> Counter[str]:
    names: Counter[str] = Counter()
    for name, text in rows:
        language = known_language(name)
        if language is not None and text.strip():
            names.update(one.text for one in names_of(parse(text, language, lone=True)) if one.called)
    return names


def _familiarity(of_part: Mapping[Name, int], of_train: Mapping[Name, int], fragments: int) -> Familiarity:
    if not of_part:
        return Familiarity(None, None, fragments)
    shared = [count for name, count in of_part.items() if name in of_train]
    return Familiarity(len(shared) / len(of_part), sum(shared) / sum(of_part.values()), fragments)


def _types(benchmark: Benchmark, name: str) -> dict[str, dict[str, int]]:
    verdicts = benchmark.metadata(f"splits/{name}")["verdicts"]
    if verdicts not in benchmark.names("verdicts"):
        return {}
    tables = {kind: benchmark.parquet(f"{kind}/{of}") for kind, of in (("splits", name), ("verdicts", verdicts))}
    types: dict[str, dict[str, int]] = {}
    for row in benchmark.sql(_TYPES_SQL, split=tables["splits"], verdicts=tables["verdicts"]).to_pylist():
        types.setdefault(row["part"], {})[row["type"]] = row["pairs"]
    return types


def _nearest(bags: Bags, keys: Sequence[int], train: Sequence[int]) -> tuple[float, ...]:
    """For each fragment the largest share of words (of the larger text) in common with a fragment of train."""
    row = np.repeat(np.arange(len(bags), dtype=np.int64), bags.sizes)
    pool = np.zeros(len(bags), dtype=np.bool_)
    pool[np.array(train, dtype=np.int64)] = True
    chosen = pool[row]
    # Every word of a train fragment once, with the number of times that it occurs there.
    entry, count = np.unique(row[chosen] << 32 | bags.tokens[chosen], return_counts=True)
    holder, token = entry >> 32, entry & 0xFFFFFFFF
    starts = np.flatnonzero(np.diff(holder, prepend=-1))
    sizes = bags.sizes
    wanted = np.zeros(int(bags.tokens.max(initial=0)) + 1, dtype=np.int64)
    shares = []
    for key in keys:
        own: Integers = bags.tokens[bags.offsets[key] : bags.offsets[key + 1]].astype(np.int64)
        if not len(own) or not len(starts):
            continue
        words, times = np.unique(own, return_counts=True)
        wanted[words] = times
        shared = np.add.reduceat(np.minimum(count, wanted[token]), starts)
        wanted[words] = 0
        shares.append(float((shared / np.maximum(sizes[holder[starts]], len(own))).max()))
    return tuple(shares)
