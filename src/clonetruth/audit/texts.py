"""Facts about the texts of fragments that rules use: digests, sizes, bags of words, and what parsing shows.

Rules about texts skip fragments without text, which lists of ids have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from clonetruth.arrow_files import parquet_batches, remember_files
from clonetruth.code import (
    LANGUAGES,
    Bags,
    Function,
    Language,
    extract,
    language,
    map_parallel,
    parse,
    subword_estimate,
    words,
)
from clonetruth.code.language import TokenKind
from clonetruth.progress import Progress
from clonetruth.store import Benchmark

_BATCH = 1024
_TRIVIA = int(TokenKind.TRIVIA)

TEXT_FACTS = pa.schema(
    [
        ("fragment", pa.int64()),
        ("digest", pa.int64()),
        ("exact", pa.int64()),
        ("wording", pa.int64()),
        ("characters", pa.int64()),
        ("lines", pa.int64()),
        ("tokens", pa.int64()),
        ("subwords", pa.int64()),
        ("damaged", pa.bool_()),
    ]
)


def digest(text: str) -> int:
    """A digest of a text that ignores differences in white space."""
    return exact_digest(" ".join(text.split()))


def exact_digest(text: str) -> int:
    """A digest of a text."""
    data = text.encode("utf-8", errors="replace")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big", signed=True)


def text_facts(benchmark: Benchmark, path: Path, progress: Progress) -> None:
    """Write one row for every fragment with text.

    `exact` is a digest of the text, `digest` of the text without differences in white space, and `wording` of its words
    in order, whatever a formatter does to layout and brackets.
    """
    total = benchmark.counts["fragments"]
    with pq.ParquetWriter(path, TEXT_FACTS) as writer:
        for batch in _batches(benchmark, ["fragment", "language", "text"]):
            rows = [
                (
                    key,
                    digest(text),
                    exact_digest(text),
                    exact_digest(" ".join(map(bytes.decode, words(text, known_language(name))))),
                    len(text),
                    _lines(text),
                    _tokens(text, known_language(name)),
                    subword_estimate(text),
                    "\ufffd" in text,
                )
                for key, name, text in batch
                if text and not text.isspace()
            ]
            columns = zip(*rows, strict=True) if rows else [[] for _ in TEXT_FACTS]
            writer.write_table(
                pa.table([pa.array(list(c), f.type) for c, f in zip(columns, TEXT_FACTS, strict=True)], TEXT_FACTS)
            )
            progress("Reading texts", len(batch), total)
    remember_files([path], lasting=False)


def known_language(name: str) -> Language | None:
    """The language with that name, or None if it is not supported."""
    return language(name) if name in LANGUAGES else None


def _lines(text: str) -> int:
    return sum(1 for line in text.splitlines() if line.strip())


def _tokens(text: str, known: Language | None) -> int:
    if known is None:
        return len(words(text, None))
    kind_of = known.kind_of
    tokens = known.token_pattern.findall(text.encode("utf-8", errors="replace"))
    return sum(kind_of[token] != _TRIVIA for token in tokens)


def _batches(benchmark: Benchmark, columns: list[str]) -> Iterator[list[tuple[int, str, str]]]:
    (path,) = benchmark.parquet("fragments")
    for batch in parquet_batches(path, _BATCH, columns):
        yield list(zip(*(batch.column(name).to_pylist() for name in columns), strict=True))


def read_bags(benchmark: Benchmark, progress: Progress) -> Bags:
    """The words of every fragment as a bag, by key."""
    total = benchmark.counts["fragments"]

    def sequences() -> Iterator[list[bytes]]:
        for batch in _batches(benchmark, ["fragment", "language", "text"]):
            for _, name, text in batch:
                yield words(text, known_language(name))
            progress("Reading words", len(batch), total)

    return Bags.of(sequences())


@dataclass(frozen=True)
class Profile:
    """What parsing shows about a fragment.

    Args:
        fragment: its key.
        parses: whether the text parses without errors.
        functions: number of functions at its top level.
        is_one_function: whether it is one function and nothing else but comments.
        other_language: if it does not parse, a language in which it does.
    """

    fragment: int
    parses: bool
    functions: int
    is_one_function: bool
    other_language: str | None


@dataclass(frozen=True)
class Profiles:
    """What parsing shows about the fragments of a benchmark.

    Args:
        rows: the profiles of the parsed fragments, in order of their keys.
        with_text: number of fragments that have text in a supported language.
    """

    rows: tuple[Profile, ...]
    with_text: int

    @property
    def sampled(self) -> bool:
        """Whether only a sample was parsed."""
        return len(self.rows) < self.with_text

    @property
    def scope(self) -> str:
        """What was parsed, in words."""
        return f"a sample of {len(self.rows):,} fragments" if self.sampled else f"{len(self.rows):,} fragments"


def read_profiles(benchmark: Benchmark, most: int, processes: int, progress: Progress) -> Profiles:
    """Parse the fragments; if there are more than `most`, a reproducible sample."""
    readable = pa.table({"language": sorted(LANGUAGES)})
    keys = benchmark.sql(
        """
        SELECT f.fragment AS fragment FROM fragments f JOIN readable r ON f.language = r.language
        WHERE length(trim(f.text)) > 0
        """,
        readable=readable,
    )["fragment"].to_numpy()
    chosen = np.sort(keys)
    if len(chosen) > most:
        chosen = np.sort(np.random.default_rng(0).choice(chosen, most, replace=False))
    wanted = set(chosen.tolist())

    def batches() -> Iterator[list[tuple[int, str, str]]]:
        waiting: list[tuple[int, str, str]] = []
        for batch in _batches(benchmark, ["fragment", "language", "text"]):
            waiting += [row for row in batch if row[0] in wanted]
            if len(waiting) >= _BATCH // 4:
                yield waiting
                waiting = []
        if waiting:
            yield waiting

    rows: list[Profile] = []
    # Starting processes takes longer than parsing a few fragments.
    workers = processes if len(wanted) > 4 * _BATCH else 1
    for profiles in map_parallel(_profiles, None, batches(), workers):
        rows += profiles
        progress("Parsing fragments", len(profiles), len(wanted))
    return Profiles(tuple(rows), len(keys))


def _profiles(_: None, batch: list[tuple[int, str, str]]) -> list[Profile]:
    return [_profile(key, language(name), text) for key, name, text in batch]


def _profile(key: int, own: Language, text: str) -> Profile:
    extraction = extract(text, own, lone=True)
    parsed = extraction.parsed
    functions: list[Function] = []
    for function in extraction.functions:
        # Methods of an anonymous class belong to the enclosing function.
        if not functions or function.start >= functions[-1].end:
            functions.append(function)
    parses = not parsed.tree.root_node.has_error
    is_one_function = False
    if len(functions) == 1:
        # Comments are not lexemes, so only code around the function shows up here.
        lexemes = extraction.lexemes
        before = lexemes.stream((parsed.start, functions[0].start))
        after = lexemes.stream((functions[0].end, parsed.end))
        is_one_function = not before.texts and set(after.texts) <= {b";"}
    other = None if parses else _other_language(text, own)
    return Profile(key, parses, len(functions), is_one_function, other)


_CONFUSED = {
    "c": ("cpp",),
    "cpp": ("c", "csharp", "java"),
    "java": ("csharp", "cpp", "python"),
    "csharp": ("java", "cpp", "python"),
    "python": ("java", "javascript"),
    "javascript": ("typescript", "java"),
}
"""Languages that a fragment with syntax errors may really be in, in the order in which they are tried."""


def _other_language(text: str, own: Language) -> str | None:
    for name in _CONFUSED.get(own.name, ()):
        if not parse(text, language(name), lone=True).tree.root_node.has_error:
            return name
    return None
