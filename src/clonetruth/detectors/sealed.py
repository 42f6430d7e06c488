"""What a detector is shown of a benchmark: texts, languages and which pairs to score. Everything else is withheld.

Whatever else a benchmark knows of a pair may give its label away: the functionality, the keys and the order of
fragments and rows, which side comes first, how often a row repeats. So every detector is called through `score_sealed`,
with an input that is a function of the texts, their languages and the set of pairs alone
(docs/decisions/0014-sealed-labels.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.detectors.detector import FRAGMENTS, PAIRS, Detector, fragment_rows
from clonetruth.errors import CloneTruthError, InputError, PluginError
from clonetruth.progress import Progress

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_CHECKED = 50
"""Pairs that are scored a second time, to see whether their scores depend on the other pairs."""
_BATCH = 500_000
"""Pairs that a detector with `score_batches` gets at a time: bounds memory."""
_TOLERANCE = 1e-5
"""Differences of scores that count as rounding, relative to the scores and to the range of most of them."""
_MOST = (0.05, 0.95)
"""The quantiles between which most scores lie: a few extreme scores must not make differences look like rounding."""


@dataclass(frozen=True)
class SealedFragments:
    """The distinct fragments of some pairs: each language and text once, ordered by a hash of both.

    Attributes:
        table: the columns of `FRAGMENTS`; a key is the number of its row.
    """

    table: pa.Table
    _given: Integers
    _keys: Integers

    @classmethod
    def of(cls, fragments: pa.Table, keys: Integers) -> SealedFragments:
        """Seal the fragments with these keys.

        Raises:
            InputError: a fragment is missing.
        """
        given = np.unique(keys)
        rows = fragment_rows(fragments["fragment"].to_numpy(), given)
        content = fragments.select(["language", "text"]).take(rows)
        columns = (content[name].to_pylist() for name in ("language", "text"))
        hashes = [hashlib.sha256("\0".join(pair).encode()).digest() for pair in zip(*columns, strict=True)]
        numbers = {digest: number for number, digest in enumerate(sorted(set(hashes)))}
        sealed = np.array([numbers[digest] for digest in hashes], dtype=np.int64)
        holder = np.zeros(len(numbers), dtype=np.int64)
        holder[sealed] = np.arange(len(given))
        distinct = content.take(holder).combine_chunks()
        return cls(pa.table([np.arange(len(numbers)), *distinct.columns], schema=FRAGMENTS), given, sealed)

    def sides(self, left: Integers, right: Integers) -> tuple[Integers, Integers]:
        """The sealed keys of both sides of each pair, the smaller key first."""
        a, b = self.keys(left), self.keys(right)
        return np.minimum(a, b), np.maximum(a, b)

    def keys(self, given: Integers) -> Integers:
        """The sealed keys of given ones."""
        return self._keys[np.searchsorted(self._given, given)]


@dataclass(frozen=True)
class SealedScores:
    """The scores of a detector.

    Attributes:
        values: one score for each given pair; null where there is none.
        warning: what a reader of the scores should know.
    """

    values: pa.DoubleArray
    warning: str | None = None


def score_sealed(
    detector: Detector,
    fragments: pa.Table,
    left: Integers,
    right: Integers,
    *,
    processes: int = 1,
    progress: Progress | None = None,
) -> SealedScores:
    """Score pairs with a detector that sees their texts and languages only.

    Which pairs are asked for may reveal labels too: clones of one functionality have many neighbours in common. A
    pair's score should therefore not depend on the other pairs of the call. It is checked on a sample; a detector whose
    scores do depend on them is asked in several calls, in each of which no fragment occurs in two pairs.

    Args:
        detector: the detector.
        fragments: the columns of `FRAGMENTS`.
        left: the key of each pair's left fragment.
        right: the key of each pair's right fragment.
        processes: the number of worker processes.
        progress: receives progress reports.

    Raises:
        InputError: a fragment is missing, or the detector needs what it is not given, returns a wrong number of scores,
            or answers the same question differently.
    """
    sealed = SealedFragments.of(fragments, np.concatenate([left, right]))
    a, b = sealed.sides(left, right)
    size = max(sealed.table.num_rows, 1)
    codes, rows = np.unique(a * size + b, return_inverse=True)
    question = _Question(detector, sealed.table, codes // size, codes % size)
    sample = question.sample()
    alone = question.ask_apart(sample)
    values = question.ask(np.arange(len(codes)), processes=processes, progress=progress)
    if not _differing(alone, values[sample], values):
        return SealedScores(_array(values[rows]))
    if _differing(question.ask_apart(sample), alone, values):
        raise InputError(
            f"The detector '{detector.name}' scores the same pairs differently when it is asked again.",
            where="detector",
            hint="A score must not depend on earlier calls, nor on chance without a fixed seed.",
        )
    # It may depend on the texts of the other fragments, which reveal nothing.
    differing = _differing(question.ask(sample), values[sample], values)
    if not differing:
        return SealedScores(_array(values[rows]))
    batches = question.batches()
    apart = np.full(len(codes), np.nan)
    for batch in batches:
        apart[batch] = question.ask_apart(batch)
    warning = (
        f"The detector '{detector.name}' scores pairs differently when it is asked for other pairs too "
        f"({differing} of {len(sample)} tried). Which pairs a part has can reveal their labels, so each pair was "
        f"scored in a call in which no fragment occurs in two pairs ({len(batches):,} calls)."
    )
    return SealedScores(_array(apart[rows]), warning)


def ask_detector(
    detector: Detector,
    fragments: pa.Table,
    left: Integers,
    right: Integers,
    *,
    processes: int = 1,
    progress: Progress | None = None,
) -> Floats:
    """The scores of pairs of sealed fragments, NaN where there are none. Everything that calls a detector calls this.

    Raises:
        InputError: the detector needs what it is not given, or returns a wrong number of scores.
        PluginError: it returns something else than finite numbers and nulls, or fails and is of another package.
    """
    batched = getattr(detector, "score_batches", None)
    height = _BATCH if batched is not None else max(len(left), 1)
    batches = (_pairs(left, right, first, height) for first in range(0, max(len(left), 1), height))
    numbers = np.full(len(left), np.nan)
    returned = 0
    try:
        if batched is None:
            parts = (detector.score(fragments, one, processes=processes, progress=progress) for one in batches)
        else:
            parts = batched(fragments, batches, processes=processes, progress=progress)
        for scores in parts:
            checked = _checked(detector.name, scores)
            if returned + len(checked) <= len(numbers):
                numbers[returned : returned + len(checked)] = checked
            returned += len(checked)
    except (CloneTruthError, OSError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        if "functionality" in str(error):
            raise InputError(
                f"The detector '{detector.name}' reads the functionality of a pair, which reveals its label.",
                where="detector",
                hint="Detectors see texts and languages only: the columns of FRAGMENTS and PAIRS in "
                "clonetruth.detectors.detector.",
            ) from error
        if type(detector).__module__.startswith("clonetruth."):
            raise
        raise PluginError(
            f"The detector '{detector.name}' failed: {type(error).__name__}: {error}",
            where="detector",
            hint="CLONETRUTH_DEBUG=1 shows where. Its method: score(self, fragments, pairs, *, processes, progress).",
        ) from error
    if returned != len(left):
        raise InputError(
            f"The detector '{detector.name}' returned {returned:,} scores for {len(left):,} pairs.",
            where="detector",
            hint="Return one score per pair, null where there is none.",
        )
    return numbers


def _checked(name: str, scores: object) -> Floats:
    """The scores that a detector returned as numbers, NaN for null.

    Raises:
        PluginError: they are not an Arrow array of finite numbers and nulls.
    """
    hint = "Return an Arrow array with a finite number for each pair, null where there is none."
    kind = getattr(scores, "type", None)
    if not isinstance(scores, pa.Array | pa.ChunkedArray) or not (
        pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_null(kind)
    ):
        shown = type(scores).__name__ + (f" of {kind}" if isinstance(scores, pa.Array | pa.ChunkedArray) else "")
        raise PluginError(f"The detector '{name}' returned {shown} instead of scores.", where="detector", hint=hint)
    numbers: Floats = pc.fill_null(scores.cast(pa.float64()), np.nan).to_numpy(zero_copy_only=False)
    wrong = int(np.count_nonzero(~np.isfinite(numbers))) - scores.null_count
    if wrong:
        raise PluginError(
            f"The detector '{name}' returned {wrong:,} scores that are not finite numbers.", where="detector", hint=hint
        )
    return numbers


def _pairs(left: Integers, right: Integers, first: int, height: int) -> pa.Table:
    some = slice(first, first + height)
    return pa.table([np.arange(len(left[some])), left[some], right[some]], schema=PAIRS)


@dataclass(frozen=True)
class _Question:
    """Distinct pairs of sealed fragments, to be scored by a detector."""

    detector: Detector
    fragments: pa.Table
    left: Integers
    right: Integers

    def ask(self, rows: Integers, *, processes: int = 1, progress: Progress | None = None) -> Floats:
        """Score some of the pairs, among all fragments."""
        left, right = self.left[rows], self.right[rows]
        return ask_detector(self.detector, self.fragments, left, right, processes=processes, progress=progress)

    def ask_apart(self, rows: Integers) -> Floats:
        """Score some of the pairs, among their own fragments only."""
        used, keys = np.unique(np.concatenate([self.left[rows], self.right[rows]]), return_inverse=True)
        own = self.fragments.take(used).set_column(0, FRAGMENTS.field("fragment"), pa.array(np.arange(len(used))))
        return ask_detector(self.detector, own, keys[: len(rows)], keys[len(rows) :])

    def sample(self) -> Integers:
        """Some pairs without a fragment in common; none if these are all pairs."""
        seen: set[int] = set()
        chosen: list[int] = []
        for row, a, b in self._shuffled():
            if len(chosen) == _CHECKED:
                break
            if a not in seen and b not in seen:
                chosen.append(row)
                seen |= {a, b}
        return np.sort(np.array(chosen if len(chosen) < len(self.left) else [], dtype=np.int64))

    def batches(self) -> list[Integers]:
        """All pairs in batches, in each of which no fragment occurs in two pairs."""
        next_batch = [0] * self.fragments.num_rows
        batches: list[list[int]] = []
        for row, a, b in self._shuffled():
            number = max(next_batch[a], next_batch[b])
            next_batch[a] = next_batch[b] = number + 1
            if number == len(batches):
                batches.append([])
            batches[number].append(row)
        return [np.sort(np.array(batch, dtype=np.int64)) for batch in batches]

    def _shuffled(self) -> Iterator[tuple[int, int, int]]:
        # Not as one list: that of 8.6 million numbers takes 350 MB.
        for row in np.random.default_rng(0).permutation(len(self.left)):
            yield int(row), int(self.left[row]), int(self.right[row])


def _differing(some: Floats, others: Floats, scores: Floats) -> int:
    """The number of scores that differ by more than rounding, given the scores of all pairs."""
    known = scores[np.isfinite(scores)]
    allowed = _TOLERANCE * float(np.ptp(np.quantile(known, _MOST))) if len(known) else 0.0
    return int(np.count_nonzero(~np.isclose(some, others, rtol=_TOLERANCE, atol=allowed, equal_nan=True)))


def _array(scores: Floats) -> pa.DoubleArray:
    return pa.array(scores, mask=np.isnan(scores))
