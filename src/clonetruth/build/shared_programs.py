"""Problems that share programs: the same text up to layout, comments and the names of variables.

An accepted solution of two problems is a clone of itself, so that "different problem" cannot mean "not a clone" there.
Renaming variables does not change what a program does; names of functions and literals do, and are compared.
Near duplicates are not enough: programs for the smallest and for the largest number differ in one character.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from clonetruth.arrow_files import parquet_batches
from clonetruth.audit.texts import known_language
from clonetruth.code import Language, available_cores, lexed_tokens, map_parallel
from clonetruth.code.abstraction import Level, abstract
from clonetruth.splits.near_duplicates import connected
from clonetruth.stats.rates import Integers
from clonetruth.store import Benchmark

_BATCH = 512
_PARALLEL_FROM = 5_000
"""Below this number of programs, starting processes takes longer than reading in this one."""

_Rows = list[tuple[int, str, str]]
_Form: TypeAlias = Callable[[str, "Language | None"], list[bytes]]


@dataclass(frozen=True, eq=False)
class SharedPrograms:
    """Which problems share programs.

    Attributes:
        shared: number of programs that two problems share, by their functionality keys, the smaller first.
        groups: for each functionality key, the smallest key of the problems that it is connected with.
    """

    shared: Mapping[tuple[int, int], int]
    groups: Integers

    @property
    def problems(self) -> set[int]:
        """The problems that share a program with another."""
        return {problem for pair in self.shared for problem in pair}


def find_shared_programs(benchmark: Benchmark, solutions: pa.Table) -> SharedPrograms:
    """Compare the programs of different problems.

    Args:
        benchmark: the benchmark.
        solutions: the accepted solutions: `fragment`, `functionality`.
    """
    fragment, problem = (solutions[name].to_numpy() for name in ("fragment", "functionality"))
    # Equal programs have equal names once all of them are numbered, which is quick to find out.
    alike = _in_two_problems(_digests(benchmark, fragment, _numbered_names), fragment, problem)
    programs = _digests(benchmark, alike, _without_variables)
    owners: dict[bytes, set[int]] = {}
    for one, own in zip(fragment.tolist(), problem.tolist(), strict=True):
        if one in programs:
            owners.setdefault(programs[one], set()).add(own)
    shared: dict[tuple[int, int], int] = {}
    for problems in owners.values():
        ordered = sorted(problems)
        for pair in ((a, b) for at, a in enumerate(ordered) for b in ordered[at + 1 :]):
            shared[pair] = shared.get(pair, 0) + 1
    sides = np.array(sorted(shared), np.int64).reshape(-1, 2)
    count = benchmark.counts["functionalities"]
    return SharedPrograms(dict(sorted(shared.items())), connected(count, sides[:, 0], sides[:, 1]))


def _in_two_problems(digests: Mapping[int, bytes], fragment: Integers, problem: Integers) -> Integers:
    """The fragments whose digest occurs in two problems."""
    owners: dict[bytes, set[int]] = {}
    for one, own in zip(fragment.tolist(), problem.tolist(), strict=True):
        if one in digests:
            owners.setdefault(digests[one], set()).add(own)
    return np.array([one for one, digest in digests.items() if len(owners[digest]) > 1], np.int64)


def _digests(benchmark: Benchmark, fragments: Integers, form: _Form) -> dict[int, bytes]:
    """The digest of each fragment in a form; fragments without a text have none."""
    batches = _batches(benchmark, set(fragments.tolist()))
    processes = available_cores() if len(fragments) >= _PARALLEL_FROM else 1
    return {key: digest for part in map_parallel(_digest_batch, form, batches, processes) for key, digest in part}


def _batches(benchmark: Benchmark, wanted: set[int]) -> Iterator[_Rows]:
    (path,) = benchmark.parquet("fragments")
    for batch in parquet_batches(path, _BATCH, ["fragment", "language", "text"]):
        rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
        yield [row for row in rows if row[0] in wanted and row[2].strip()]


def _digest_batch(form: _Form, rows: _Rows) -> list[tuple[int, bytes]]:
    return [
        (key, blake2b(b"\0".join([name.encode(), *form(text, known_language(name))]), digest_size=16).digest())
        for key, name, text in rows
    ]


def _numbered_names(text: str, language: Language | None) -> list[bytes]:
    """The tokens, with each word replaced by the number of its first occurrence."""
    numbers: dict[bytes, bytes] = {}
    return [
        numbers.setdefault(token, b"%d" % len(numbers)) if token[:1].isalpha() or token[:1] == b"_" else token
        for token in lexed_tokens(text, language)
    ]


def _without_variables(text: str, language: Language | None) -> list[bytes]:
    """The tokens, with the names of variables and of own types numbered."""
    return lexed_tokens(text if language is None else abstract(text, language, Level.VARIABLES), language)
