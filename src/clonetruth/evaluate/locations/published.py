"""Converts text reports of BigCloneEval to results, and results to such reports."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clonetruth.errors import CloneTruthError, InputError
from clonetruth.evaluate.locations.matchers import (
    CoverageMatcher,
    ExactMatcher,
    Matcher,
    NearMatcher,
    SubsumeMatcher,
    Tolerance,
    parse_matcher,
)
from clonetruth.evaluate.locations.recall_summary import CONFIDENCE, RecallSummary
from clonetruth.evaluate.locations.selection import Behaviour
from clonetruth.formats.bigcloneeval_layout import FILTER_LABELS, PublishedReport, ReportHeader, write_report
from clonetruth.formats.bigcloneeval_report import read_report
from clonetruth.formats.java_text import java_double
from clonetruth.model import Functionality
from clonetruth.store import build_manifest
from clonetruth.store.hashing import hash_file
from clonetruth.store.results import BenchmarkIdentity, PolicyUse, Result, ResultKind
from clonetruth.verdicts.policies import ORIGIN

# Matchers as BigCloneEval's text report describes them, spelling included.

_COVERAGE = re.compile(r"Coverage Matcher\.\s+Coverage Ratio = (\S+), minimum raito is of reference clone: (\S+)")
_SUBSUME = re.compile(r"Subsume\.\s+IntTolerence = (\S+) RatioTolerence = (\S+)")
_NEAR = re.compile(r"Near Match\.\s+Tolerence: (\d+)")


def matcher_line(matcher: Matcher) -> str:
    """The line that BigCloneEval prints for a matcher. It does not print a coverage's tolerance in lines."""
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
    """Read the matcher that a line of a report describes; None for a matcher that others plugged in."""
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


# Reports and results.

_SIMILARITY = {"BOTH": "both", "LINE": "line", "TOKEN": "token", "AVG": "average"}


def published_result(path: str | os.PathLike[str]) -> Result:
    """Read a text report of BigCloneEval, plain or compressed, as a result.

    The report states only the version of the benchmark, and believes its labels (policy `origin`).

    Raises:
        InputError: the file is not a report, is truncated, or contradicts itself.
    """
    source = Path(path)
    report = read_report(source)
    setting = _setting(report)
    summary = RecallSummary(report.overall, report.by_functionality)
    return Result(
        kind=ResultKind.LOCATIONS,
        detector=report.header.tool,
        benchmark=BenchmarkIdentity("bigclonebench", report.header.bigclonebench),
        policy=PolicyUse(
            name=ORIGIN.name,
            criterion="shares-functionality",
            counted=summary.pairs,
            unknown=0,
            assumptions=ORIGIN.assumptions,
        ),
        setting=setting,
        headline=summary.headline(),
        manifest=build_manifest({source.name: hash_file(source)}, {**setting, "confidence": CONFIDENCE}),
        strata=summary.strata({one.id: one.name for one in report.functionalities}),
        recall={Behaviour.AS_SHIPPED.value: {"imported_pairs": report.header.clones, **report.recall}},
        notes=_notes(report),
        warnings=summary.few_clusters(),
    )


def published_text(
    result: Result,
    behaviour: Behaviour,
    *,
    functionalities: Sequence[Functionality] = (),
    description: str = "",
    tool_id: int = 1,
) -> str:
    """Write a result as BigCloneEval would print it.

    Args:
        result: the result of a detector that reports locations.
        behaviour: which program's numbers.
        functionalities: their names and descriptions; the ids replace those that are not given.
        description: the description of the detector.
        tool_id: the number of the detector.

    Raises:
        InputError: the result has no such numbers.
    """
    if behaviour not in result.recall:
        raise InputError(
            f"The result of '{result.detector}' has no numbers of BigCloneEval, {behaviour}.",
            hint=f"It has: {', '.join(result.recall) or 'none, since it is a result on pairs'}.",
        )
    numbers, setting = result.recall[behaviour], result.setting
    known = {one.id: one for one in functionalities}
    printed = {ours: theirs for theirs, ours in _SIMILARITY.items()}
    header = ReportHeader(
        tool=result.detector,
        tool_id=tool_id,
        description=description,
        clones=numbers.get("imported_pairs", 0),
        bigclonebench=result.benchmark.version or "unknown",
        matcher=_matcher_line(str(setting.get("matcher"))),
        filters={key: setting[key] for key in FILTER_LABELS if setting.get(key) is not None},
        similarity_type=printed.get(str(setting.get("similarity")), str(setting.get("similarity"))),
    )
    sections = numbers["functionalities"]
    named = tuple(known.get(one, Functionality(one, one)) for one in sections)
    return write_report(PublishedReport(header, named, numbers["overall"], sections))


def _setting(report: PublishedReport) -> dict[str, Any]:
    header = report.header
    matcher = read_matcher_line(header.matcher)
    return {
        "matcher": header.matcher if matcher is None else str(matcher),
        "behaviour": Behaviour.AS_SHIPPED.value,
        "similarity": _SIMILARITY.get(header.similarity_type, header.similarity_type),
        "min_similarity": _min_similarity(report),
        **header.filters,
    }


def _matcher_line(matcher: str) -> str:
    """The line of a matcher; that of a matcher that others plugged in is kept as it was printed."""
    try:
        return matcher_line(parse_matcher(matcher))
    except CloneTruthError:
        return matcher


def _min_similarity(report: PublishedReport) -> int:
    """The header does not print it; the first region does."""
    return next((int(name.partition("-")[0]) for name in report.overall["regions"]["all"]), 100)


def _notes(report: PublishedReport) -> tuple[str, ...]:
    header = report.header
    notes = [
        f"Printed by BigCloneEval ({header.bigcloneeval}) from {header.clones:,} imported pairs; read back, not "
        "measured again.",
    ]
    if isinstance(read_matcher_line(header.matcher), CoverageMatcher):
        notes.append("The published program requires complete coverage for any share above 0 (defect D1).")
    if not report.by_functionality:
        notes.append("The report has no functionalities: its intervals treat pairs as independent and are too narrow.")
    if header.description:
        notes.append(f"Description: {header.description}")
    return tuple(notes)
