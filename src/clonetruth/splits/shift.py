"""What a split changes: how far the vocabulary, sizes and types of a part are from those of train.

A split whose test fragments use the words of train tests something else than one whose fragments do not. Names are
read by the lexer, of all fragments. Called names need a parse, and nearest neighbours a comparison with all of train:
both are taken of a sample, drawn by hash, where a part is large; the sizes of the samples are told.
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

PARSED = 4000
"""The most fragments of a part that are parsed for the names they call."""

COMPARED = 300
"""The most fragments of a part whose nearest neighbour in train is looked for."""

NOT_TOLD = "not told"
"""The type of pairs of which the source claims none."""

_TEXTS_SQL = """
SELECT f.fragment AS fragment, f.id AS id, f.language AS language, f.text AS text, s.part AS part
FROM fragments f JOIN split s ON f.fragment = s.fragment
WHERE s.part <> 'left-out' ORDER BY f.fragment
"""

_TYPES_SQL = """
SELECT a.part AS part, coalesce(p.claimed_type, 'not told') AS type, count(*) AS pairs
FROM pairs p
JOIN verdicts v ON p.pair = v.pair
JOIN split a ON p.left = a.fragment
JOIN split b ON p.right = b.fragment
WHERE v.verdict = 'clone' AND a.part <> 'left-out' AND CASE WHEN a.part = b.part THEN 1 ELSE 0 END = 1
GROUP BY a.part, coalesce(p.claimed_type, 'not told')
ORDER BY part, type
"""


@dataclass(frozen=True)
class Familiarity:
    """How much of a part's names train has too.

    Attributes:
        distinct: the share of different names; None where the part has none.
        occurrences: the share of all places where a name stands.
        fragments: how many fragments were read.
    """

    distinct: float | None
    occurrences: float | None
    fragments: int


@dataclass(frozen=True)
class PartShift:
    """A part beside train.

    Attributes:
        part: its name.
        lines: the lines of each of its fragments.
        types: its clone pairs by the type that the source claims.
        names: its identifiers; None for train itself.
        calls: the names that it calls; None for train itself.
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
    """What a split changes.

    Attributes:
        benchmark: name and version of the benchmark.
        content_hash: of the benchmark.
        split: the split.
        parts: train first.
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
        progress: told what is being done.
        processes: how many processes share the parsing.

    Raises:
        InputError: there is no such split.
    """
    tell = progress or no_progress
    split = read_split(benchmark, name)
    parts = _texts(benchmark, split)
    names = {part: Counter(_names(texts)) for part, texts in parts.items()}
    calls = {part: _calls(texts, processes, tell) for part, texts in parts.items()}
    bags = read_bags(benchmark, tell)
    types = _types(benchmark, name)
    train = parts.get("train")
    shifts = []
    for part, texts in parts.items():
        is_train = part == "train" or train is None
        parsed = min(len(texts.keys), PARSED)
        shifts.append(
            PartShift(
                part=part,
                lines=tuple(sum(1 for line in text.splitlines() if line.strip()) for text in texts.texts),
                types=types.get(part, {}),
                names=None if is_train else _familiarity(names[part], names["train"], len(texts.keys)),
                calls=None if is_train else _familiarity(calls[part], calls["train"], parsed),
                nearest=() if is_train or train is None else _nearest(bags, texts.keys[:COMPARED], train.keys),
            )
        )
    card = benchmark.card
    return Shift(f"{card.name} {card.version}", benchmark.content_hash, split, tuple(shifts))


def _texts(benchmark: Benchmark, split: Split) -> dict[str, _Texts]:
    rows = benchmark.sql(_TEXTS_SQL, split=split.path)
    part = np.array(rows["part"].to_pylist())
    found = {}
    for name in PARTS:
        of_part = rows.take(pa.array(np.flatnonzero(part == name)))
        if of_part.num_rows:
            order = hash_order(of_part["id"].to_pylist(), split.options.seed)
            of_part = of_part.take(pa.array(order))
            columns = (of_part[column].to_pylist() for column in ("fragment", "language", "text"))
            found[name] = _Texts(*columns)
    return found


def _names(texts: _Texts) -> Iterator[bytes]:
    for language, text in zip(texts.languages, texts.texts, strict=True):
        yield from name_tokens(text, known_language(language))


def _calls(texts: _Texts, processes: int, progress: Progress) -> Counter[str]:
    rows = list(zip(texts.languages[:PARSED], texts.texts[:PARSED], strict=True))
    batches = [rows[at : at + 250] for at in range(0, len(rows), 250)]
    found: Counter[str] = Counter()
    # Starting processes costs more than parsing a few fragments.
    for batch, called in zip(
        batches, map_parallel(_called, None, batches, processes if len(batches) > 4 else 1), strict=True
    ):
        found += called
        progress("Parsing fragments", len(batch), len(rows))
    return found


def _called(_: None, rows: list[tuple[str, str]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, text in rows:
        language = known_language(name)
        if language is not None and text.strip():
            found.update(one.text for one in names_of(parse(text, language, lone=True)) if one.called)
    return found


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
    found: dict[str, dict[str, int]] = {}
    for row in benchmark.sql(_TYPES_SQL, split=tables["splits"], verdicts=tables["verdicts"]).to_pylist():
        found.setdefault(row["part"], {})[row["type"]] = row["pairs"]
    return found


def _nearest(bags: Bags, keys: Sequence[int], train: Sequence[int]) -> tuple[float, ...]:
    """For each fragment the largest share of words (of the larger one) in common with one of train."""
    row = np.repeat(np.arange(len(bags), dtype=np.int64), bags.sizes)
    pool = np.zeros(len(bags), dtype=np.bool_)
    pool[np.array(train, dtype=np.int64)] = True
    chosen = pool[row]
    # Every word of a train fragment once, with the number of times that it stands there.
    entry, count = np.unique(row[chosen] << 32 | bags.tokens[chosen], return_counts=True)
    holder, token = entry >> 32, entry & 0xFFFFFFFF
    starts = np.flatnonzero(np.diff(holder, prepend=-1))
    sizes = bags.sizes
    wanted = np.zeros(int(bags.tokens.max(initial=0)) + 1, dtype=np.int64)
    found = []
    for key in keys:
        own: Integers = bags.tokens[bags.offsets[key] : bags.offsets[key + 1]].astype(np.int64)
        if not len(own) or not len(starts):
            continue
        words, times = np.unique(own, return_counts=True)
        wanted[words] = times
        shared = np.add.reduceat(np.minimum(count, wanted[token]), starts)
        wanted[words] = 0
        found.append(float((shared / np.maximum(sizes[holder[starts]], len(own))).max()))
    return tuple(found)
