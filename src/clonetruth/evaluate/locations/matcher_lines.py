"""Matchers as BigCloneEval's text report describes them, spelling included."""

from __future__ import annotations

import re

from clonetruth.evaluate.locations.matchers import (
    CoverageMatcher,
    ExactMatcher,
    Matcher,
    NearMatcher,
    SubsumeMatcher,
    Tolerance,
)
from clonetruth.formats.java_text import java_double

_COVERAGE = re.compile(r"Coverage Matcher\.\s+Coverage Ratio = (\S+), minimum raito is of reference clone: (\S+)")
_SUBSUME = re.compile(r"Subsume\.\s+IntTolerence = (\S+) RatioTolerence = (\S+)")
_NEAR = re.compile(r"Near Match\.\s+Tolerence: (\d+)")


def matcher_line(matcher: Matcher) -> str:
    """The line that BigCloneEval prints of a matcher. A coverage's tolerance in lines it does not print."""
    if isinstance(matcher, CoverageMatcher):
        share, ratio = java_double(matcher.share), _printed(matcher.tolerance, "ratio")
        return f"Coverage Matcher.  Coverage Ratio = {share}, minimum raito is of reference clone: {ratio}"
    if isinstance(matcher, SubsumeMatcher):
        lines, ratio = _printed(matcher.tolerance, "line"), _printed(matcher.tolerance, "ratio")
        return f"Subsume.  IntTolerence = {lines} RatioTolerence = {ratio}"
    if isinstance(matcher, NearMatcher):
        return f"Near Match.  Tolerence: {matcher.lines}"
    return "Exact Match" if isinstance(matcher, ExactMatcher) else str(matcher)


def read_matcher_line(line: str) -> Matcher | None:
    """The matcher that a line of a report describes; None for one that others have plugged in."""
    text = line.strip()
    try:
        if found := _COVERAGE.fullmatch(text):
            return CoverageMatcher(float(found[1]), _tolerance("null", found[2]))
        if (found := _SUBSUME.fullmatch(text)) and (tolerance := _tolerance(found[1], found[2])):
            return SubsumeMatcher(tolerance)
    except ValueError:
        return None
    if found := _NEAR.fullmatch(text):
        return NearMatcher(int(found[1]))
    return ExactMatcher() if text == "Exact Match" else None


def _printed(tolerance: Tolerance | None, kind: str) -> str:
    if tolerance is None or tolerance.kind != kind:
        return "null"
    return str(int(tolerance.value)) if kind == "line" else java_double(tolerance.value)


def _tolerance(lines: str, ratio: str) -> Tolerance | None:
    if lines != "null":
        return Tolerance("line", int(lines))
    return None if ratio == "null" else Tolerance("ratio", float(ratio))
