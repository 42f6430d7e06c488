"""Matchers: when a reported fragment matches a fragment of the benchmark.

A pair of the benchmark is detected if the two fragments of one reported pair match its two fragments. A matcher is a
condition on the lines of both, written as SQL over `first_line` and `last_line` of the reference (`f`) and of the
report (`r`), all 64-bit integers. docs/bigcloneeval.md gives the formulas and the defects of the original.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.evaluate.locations.selection import Behaviour, aborts

ToleranceKind = Literal["line", "ratio"]

_OVERLAP = "(least(f_last, r_last) - greatest(f_first, r_first) + 1)"
_LENGTH = "(f_last - f_first + 1)"
_REPORTED_LENGTH = "(r_last - r_first + 1)"


def _double(sql: str) -> str:
    return f"CAST({sql} AS DOUBLE)"


def _number(value: float) -> str:
    # As text: engines read a bare 0.7 as a decimal.
    return f"CAST('{value!r}' AS DOUBLE)"


@dataclass(frozen=True)
class Tolerance:
    """How far a reported fragment may extend beyond, or fall short of, the reference."""

    kind: ToleranceKind
    value: float

    def __str__(self) -> str:
        return f"{self.kind}={self.value:g}"


@dataclass(frozen=True)
class Matcher(ABC):
    """A condition on a reference fragment and a reported one."""

    @abstractmethod
    def condition(self, behaviour: Behaviour) -> str:
        """The condition as SQL over f_first, f_last, r_first, r_last.

        Raises:
            InputError: the published program aborts on this matcher.
        """

    @abstractmethod
    def __str__(self) -> str:
        """The matcher as a user writes it."""


@dataclass(frozen=True)
class CoverageMatcher(Matcher):
    """The report covers a share of the reference's lines and, with a tolerance, not much else."""

    share: float = 0.7
    tolerance: Tolerance | None = None

    def condition(self, behaviour: Behaviour) -> str:
        """See `Matcher.condition`."""
        if behaviour is Behaviour.AS_SHIPPED:
            if self.tolerance is not None:
                raise aborts("D2", "coverage with a tolerance")
            # An integer division, truncated toward zero, so that any share from 0 to 1 requires all lines (D1).
            quotient = f"{_double(_OVERLAP)} / {_double(_LENGTH)}"
            return (
                f"(CASE WHEN {quotient} < 0 THEN ceil({quotient}) ELSE floor({quotient}) END) >= {_number(self.share)}"
            )
        covered = f"{_double(_OVERLAP)} / {_double(_LENGTH)} >= {_number(self.share)}"
        if self.tolerance is None:
            return covered
        if self.tolerance.kind == "line":
            lines = int(self.tolerance.value)
            return f"({covered} AND r_first >= f_first - {lines} AND r_last <= f_last + {lines})"
        # A report of zero lines has no share of them inside the reference.
        inside = f"{_double(_OVERLAP)} / {_double(_REPORTED_LENGTH)} >= {_number(self.tolerance.value)}"
        return f"({covered} AND CASE WHEN {_REPORTED_LENGTH} = 0 THEN false ELSE {inside} END)"

    def __str__(self) -> str:
        return f"coverage:{self.share:g}" + (f",{self.tolerance}" if self.tolerance else "")


@dataclass(frozen=True)
class ExactMatcher(Matcher):
    """The same lines."""

    written_with_blank: bool = True

    def condition(self, behaviour: Behaviour) -> str:
        """See `Matcher.condition`."""
        if behaviour is Behaviour.AS_SHIPPED and not self.written_with_blank:
            raise aborts("D6", "'ExactMatcher' without a blank behind it")
        return "(r_first = f_first AND r_last = f_last)"

    def __str__(self) -> str:
        return "exact"


@dataclass(frozen=True)
class NearMatcher(Matcher):
    """First and last lines differ by at most `lines`."""

    lines: int

    def condition(self, behaviour: Behaviour) -> str:
        """See `Matcher.condition`."""
        if behaviour is Behaviour.AS_SHIPPED:
            raise aborts("D4", "NearMatcher")
        return f"(abs(r_first - f_first) <= {self.lines} AND abs(r_last - f_last) <= {self.lines})"

    def __str__(self) -> str:
        return f"near:{self.lines}"


@dataclass(frozen=True)
class SubsumeMatcher(Matcher):
    """The report contains the reference, except for a number (or a share) of its lines at either end."""

    tolerance: Tolerance

    def condition(self, behaviour: Behaviour) -> str:
        """See `Matcher.condition`."""
        if self.tolerance.kind == "line":
            slack = str(int(self.tolerance.value))
        else:
            slack = f"CAST(ceil({_double(_LENGTH)} * {_number(self.tolerance.value)}) AS BIGINT)"
        return f"(r_first <= f_first + {slack} AND r_last >= f_last - {slack})"

    def __str__(self) -> str:
        return f"subsume:{self.tolerance}"


def parse_matcher(text: str) -> Matcher:
    """Parse a matcher as a user writes it, in our notation or in BigCloneEval's.

    `coverage:0.7`, `coverage:0.7,line=2`, `coverage:0.7,ratio=0.8`, `exact`, `near:2`, `subsume:line=3`,
    `subsume:ratio=0.2`; or `CoverageMatcher 0.7 line 2`, `ExactMatcher `, `NearMatcher 2`,
    `SubsumeMatcher 0 ratio 0.2`; a bare number is a coverage.

    Raises:
        InputError: a number of the matcher is invalid.
        UnknownNameError: there is no such matcher.
    """
    # Java may put the package before the class name.
    head, blank, rest = re.sub(r"^[\w.]+\.(?=\w+Matcher\b)", "", text.lstrip()).partition(" ")
    words = rest.split()
    if head == "CoverageMatcher":
        return CoverageMatcher(_share(words[0], text) if words else 0.7, _tolerance(words[1:], text))
    if head == "ExactMatcher":
        return ExactMatcher(written_with_blank=bool(blank))
    if head == "NearMatcher":
        return NearMatcher(_lines(words[0] if words else "", text))
    if head == "SubsumeMatcher":
        tolerance = _tolerance(words[1:], text)
        if tolerance is None:
            raise InputError(f"'{text}' has no tolerance (defect D6).", hint="E.g. 'subsume:line=3'.")
        return SubsumeMatcher(tolerance)
    return _parse_ours(text.strip())


def _parse_ours(text: str) -> Matcher:
    name, _, rest = text.partition(":")
    arguments = [part for part in re.split(r"[,=\s]+", rest) if part]
    if re.fullmatch(r"[0-9.]+", text):
        return CoverageMatcher(_share(text, text))
    if name == "coverage":
        return CoverageMatcher(_share(arguments[0], text) if arguments else 0.7, _tolerance(arguments[1:], text))
    if name == "exact" and not arguments:
        return ExactMatcher()
    if name == "near" and len(arguments) == 1:
        return NearMatcher(_lines(arguments[0], text))
    if name == "subsume" and (tolerance := _tolerance(arguments, text)) is not None:
        return SubsumeMatcher(tolerance)
    raise UnknownNameError(
        f"There is no matcher '{text}'.",
        hint="Known: coverage:0.7[,line=2|,ratio=0.8], exact, near:2, subsume:line=3, subsume:ratio=0.2.",
    )


def _tolerance(words: list[str], text: str) -> Tolerance | None:
    if not words:
        return None
    if len(words) != 2 or words[0] not in ("line", "ratio"):
        raise InputError(f"'{' '.join(words)}' in '{text}' is not a tolerance.", hint="Write 'line 2' or 'ratio 0.8'.")
    if words[0] == "line":
        return Tolerance("line", _lines(words[1], text))
    return Tolerance("ratio", _share(words[1], text))


def _share(word: str, text: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise InputError(f"'{word}' in '{text}' is not a share.", hint="Give a number such as 0.7.")
    return value


def _lines(word: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", word):
        raise InputError(f"'{word}' in '{text}' is not a number of lines.", hint="Give a whole number such as 2.")
    return int(word)
