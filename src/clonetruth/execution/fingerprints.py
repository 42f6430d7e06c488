"""Behaviour of many fragments as features: each runs once on generic inputs, and what it gave is kept on disk.

A fingerprint is a list of digests of outputs, one for each input (`output_digests`). Two fragments that agree on
outputs that few others give probably do the same; that they agree on nothing says little, since the inputs may not be
theirs.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from clonetruth.code import map_parallel
from clonetruth.execution.harness import Code, Harnesses, Reason
from clonetruth.execution.output_digests import (
    FormedInputs,
    OutputFingerprint,
    exchanged_outputs,
    generic_inputs_digest,
    output_fingerprint,
)
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.sandbox.bubblewrap import require
from clonetruth.execution.toolchains import toolchain_versions
from clonetruth.parsing import parse_json
from clonetruth.progress import Progress, no_progress
from clonetruth.user_cache import cache_folder

_FRAGMENTS = 64
"""Fragments per batch: large enough to hide the cost of starting a sandbox."""
_JOINT = 3
"""Inputs that must give an output on both sides."""
_PASSING = (Reason.SANDBOX, Reason.FAILED, Reason.TIME, Reason.TOOLCHAIN)
"""Reasons that may be gone next time: what failed for them is not kept."""
_PAIRS = 1 << 16

Source = tuple[str, str]
"""The language and the text of a fragment."""
_Row = TypeVar("_Row", bound=tuple[str, ...])
"""A source, with the inputs if they are not those of all."""


def behaviour_fingerprints(
    fragments: Sequence[Source], *, processes: int = 1, keep: bool = True, progress: Progress | None = None
) -> list[OutputFingerprint]:
    """What each fragment gives for generic inputs, as digests of its outputs.

    Each text runs once. What it gave is kept in the user's cache, by text, versions of the language and of this
    package, and inputs, so that the next call only runs what is new. Stopped in the middle, it goes on there.

    Args:
        fragments: language and text of each.
        processes: the number of worker processes, each with its own sandbox.
        keep: whether to use the cache.
        progress: receives progress reports.

    Returns:
        One fingerprint for each fragment: `outputs` has a digest for each input, None where the fragment failed.

    Raises:
        MissingExtraError: the sandbox is not complete.

    Example:
        >>> texts = "print(int(input()) + 1)", "print(1 + int(input()))"
        >>> found = behaviour_fingerprints([("python", one) for one in texts])
        >>> found[0] == found[1], found[0].inputs
        (True, 'program')
    """
    require(Bubblewrap().layers())
    report = progress or no_progress
    rows = list(dict.fromkeys(fragments))
    with contextlib.closing(_Kept({language for language, _ in rows}, on_disk=keep)) as kept:
        found = kept.find(rows)
        waiting = [one for one in rows if one not in found]
        report("Running fragments", len(rows) - len(waiting), len(rows))
        # One language after the other: a batch then starts one sandbox.
        waiting.sort(key=lambda one: one[0])
        batches = [waiting[at : at + _FRAGMENTS] for at in range(0, len(waiting), _FRAGMENTS)]
        for batch, prints in zip(batches, map_parallel(_run_batch, None, batches, processes), strict=True):
            made = dict(zip(batch, prints, strict=True))
            kept.add(made)
            found |= made
            report("Running fragments", len(batch), len(rows))
    return [found[one] for one in fragments]


def exchanged_fingerprints(
    requests: Sequence[tuple[Source, FormedInputs]],
    *,
    processes: int = 1,
    keep: bool = True,
    progress: Progress | None = None,
) -> list[tuple[str | None, ...]]:
    """What programs give for inputs of the form that another program reads, as digests of their outputs.

    All forms that are asked of a program run together. What it gave is kept as `behaviour_fingerprints` keeps it.

    Args:
        requests: language and text of a program, and the inputs of another one (`output_digests.formed_inputs`).
        processes: the number of worker processes, each with its own sandbox.
        keep: whether to use the cache.
        progress: receives progress reports.

    Returns:
        For each request a digest for each of the first inputs (`output_digests.EXCHANGED`), None where it failed.

    Raises:
        MissingExtraError: the sandbox is not complete.
    """
    require(Bubblewrap().layers())
    report = progress or no_progress
    inputs = {(*source, repr(given)): given for source, given in requests}
    with contextlib.closing(_Kept({language for language, _, _ in inputs}, on_disk=keep)) as kept:
        found = kept.find(list(inputs))
        waiting: dict[Source, list[FormedInputs]] = {}
        for (language, text, name), given in sorted(inputs.items(), key=lambda one: one[0][0]):
            if (language, text, name) not in found:
                waiting.setdefault((language, text), []).append(given)
        programs = list(waiting.items())
        report("Running fragments on others' inputs", 0, len(programs))
        batches = [programs[at : at + _FRAGMENTS] for at in range(0, len(programs), _FRAGMENTS)]
        for batch, outputs in zip(batches, map_parallel(_exchange_batch, None, batches, processes), strict=True):
            made = {
                (*source, repr(given)): OutputFingerprint("program", one)
                for (source, wanted), all_ in zip(batch, outputs, strict=True)
                for given, one in zip(wanted, all_, strict=True)
            }
            kept.add(made)
            found |= made
            report("Running fragments on others' inputs", len(batch), len(programs))
    return [found[*source, repr(given)].outputs for source, given in requests]


def behaviour_similarity(
    fingerprints: Sequence[OutputFingerprint], pairs: npt.NDArray[np.integer], *, joint: int = _JOINT
) -> npt.NDArray[np.float64]:
    """How much pairs of fragments agree on outputs that few of the fragments give: 0 nothing, 1 everything.

    Each input with its output is a feature whose weight is the logarithm of how rare that output is among all given
    fragments that gave one for the input; the similarity is the cosine. What nearly all give, such as an empty line,
    weighs next to nothing.

    Args:
        fingerprints: of the fragments (`behaviour_fingerprints`); of a whole corpus, since it decides what is rare.
        pairs: two columns of places in it.
        joint: inputs that must give an output on both sides.

    Returns:
        A similarity for each pair; NaN where nothing is known: one side does not run, they take different numbers of
        arguments, or too few inputs give an output on both sides.
    """
    columns = [behaviour_columns(fingerprints, kind) for kind in sorted({one.inputs for one in fingerprints} - {""})]
    found = np.full(len(pairs), np.nan)
    for outputs, weights in columns:
        norms = np.sqrt((weights**2).sum(axis=1))
        for start in range(0, len(pairs), _PAIRS):
            left, right = np.asarray(pairs[start : start + _PAIRS], dtype=np.int64).reshape(-1, 2).T
            both = (outputs[left] >= 0) & (outputs[right] >= 0)
            agreeing = ((outputs[left] == outputs[right]) & both) * weights[left] ** 2
            known = (both.sum(axis=1) >= joint) & (norms[left] > 0) & (norms[right] > 0)
            scale = np.where(known, norms[left] * norms[right], 1.0)
            part = found[start : start + _PAIRS]
            part[known] = np.minimum(agreeing.sum(axis=1) / scale, 1.0)[known]
    return found


def behaviour_columns(
    fingerprints: Sequence[OutputFingerprint], inputs: str = "program"
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Fingerprints as numbers, for fusion: a row for each fragment, a column for each generic input.

    Args:
        fingerprints: of the fragments.
        inputs: the kind of inputs, "program" or "function of 2"; rows of fragments with other inputs are empty.

    Returns:
        Numbers of outputs (equal in a column if the outputs are equal; -1 for none), and their weights: the logarithm
        of how rare an output is in its column, 0 for none.
    """
    width = max((len(one.outputs) for one in fingerprints if one.inputs == inputs), default=0)
    outputs = np.full((len(fingerprints), width), -1, dtype=np.int64)
    numbers: dict[str | None, int] = {None: -1}
    for row, one in enumerate(fingerprints):
        if one.inputs == inputs:
            outputs[row] = [
                -1 if digest is None else numbers.setdefault(digest, len(numbers)) for digest in one.outputs
            ]
    weights = np.zeros(outputs.shape)
    for column in range(width):
        there = outputs[:, column] >= 0
        _, place, counts = np.unique(outputs[there, column], return_inverse=True, return_counts=True)
        weights[there, column] = np.log(there.sum() / counts[place]) if there.any() else 0.0
    return outputs, weights


def _run_batch(_: None, rows: list[Source]) -> list[OutputFingerprint]:
    with Harnesses(Bubblewrap()) as harnesses:
        return [_fingerprint(Code(text, language), harnesses) for language, text in rows]


def _exchange_batch(_: None, rows: list[tuple[Source, list[FormedInputs]]]) -> list[list[tuple[str | None, ...]]]:
    found = []
    with Harnesses(Bubblewrap()) as harnesses:
        for (language, text), wanted in rows:
            try:
                found.append(exchanged_outputs(Code(text, language), wanted, harnesses))
            except (ValueError, LookupError, OSError):  # of strange code that a harness did not expect
                harnesses.close()
                found.append([(None,) * len(one.texts) for one in wanted])
    return found


def _fingerprint(code: Code, harnesses: Harnesses) -> OutputFingerprint:
    if not code.text.strip():
        return OutputFingerprint(reason=Reason.PARSE)
    try:
        return output_fingerprint(code, harnesses)
    except (ValueError, LookupError, OSError):  # of strange code that a harness did not expect
        harnesses.close()
        return OutputFingerprint(reason=Reason.FAILED)


class _Kept:
    """Fingerprints in the user's cache; without one, nothing is kept."""

    def __init__(self, languages: set[str], *, on_disk: bool) -> None:
        folder = cache_folder() if on_disk else None
        self._database = None if folder is None else _opened(folder / "behaviour" / "fingerprints.sqlite")
        # Without a cache there is no need to ask for versions.
        versions = toolchain_versions(languages, Bubblewrap()) if self._database else {}
        self._basis: Mapping[str, str] = {one: _basis(versions.get(one, "")) for one in languages}

    def close(self) -> None:
        if self._database is not None:
            self._database.close()

    def find(self, rows: Sequence[_Row]) -> dict[_Row, OutputFingerprint]:
        """What is known of these."""
        found: dict[_Row, OutputFingerprint] = {}
        if self._database is None:
            return found
        for row in rows:
            with contextlib.suppress(sqlite3.Error, ValueError, TypeError, KeyError):
                query = "SELECT fingerprint FROM fingerprints WHERE key = ?"
                said = self._database.execute(query, (self._key(row),)).fetchone()
                if said is not None:
                    one = parse_json(said[0])
                    reason = one["reason"] and Reason(one["reason"])
                    found[row] = OutputFingerprint(one["inputs"], tuple(one["outputs"]), reason)
        return found

    def add(self, made: Mapping[_Row, OutputFingerprint]) -> None:
        """Keep what was made. A cache that cannot be written costs time, nothing else."""
        if self._database is None:
            return
        rows = [
            (self._key(row), json.dumps({"inputs": one.inputs, "outputs": one.outputs, "reason": one.reason}))
            for row, one in made.items()
            if one.reason not in _PASSING
        ]
        with contextlib.suppress(sqlite3.Error), self._database:
            self._database.executemany("INSERT OR REPLACE INTO fingerprints VALUES (?, ?)", rows)

    def _key(self, row: tuple[str, ...]) -> str:
        language, text = row[0], "\0".join(row[1:])
        return hashlib.sha256(f"{self._basis[language]} {language}\n{text}".encode("utf-8", "replace")).hexdigest()


def _opened(path: Path) -> sqlite3.Connection | None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(path, timeout=30)
        database.execute("CREATE TABLE IF NOT EXISTS fingerprints (key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL)")
    except (OSError, sqlite3.Error):
        return None
    return database


@cache
def _basis(version: str) -> str:
    """What a fingerprint depends on beside the text: the language's version, the inputs, and the code that runs it."""
    digest = hashlib.sha256(f"{version} {generic_inputs_digest()}".encode())
    for name, content in sorted(_package_files(resources.files("clonetruth.execution"))):
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _package_files(folder: Traversable, name: str = "") -> Iterator[tuple[str, bytes]]:
    for one in folder.iterdir():
        path = f"{name}/{one.name}"
        if one.is_dir() and one.name != "__pycache__":
            yield from _package_files(one, path)
        elif one.is_file() and not one.name.endswith(".pyc"):
            yield path, one.read_bytes()
