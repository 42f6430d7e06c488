"""Found clones in the formats of other programs: SARIF, CSV, and BigCloneEval's list of pairs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from clonetruth import __version__
from clonetruth.find.outcome import ClonePair
from clonetruth.find.report import CloneClass, CloneMember, CloneReport
from clonetruth.formats.sarif_writing import SarifPlace, SarifResult, SarifRule, sarif_text
from clonetruth.formats.writers import bigcloneeval_place

FINGERPRINT = "cloneHash/v1"
"""The name of a class's key in SARIF. Another version means that the same clone may have another key."""

_PIECE = 1 << 16
"""Characters of a piece of text, about."""

_HELP = (
    "Whoever mends one copy must know of the others. Make one function of them, with what differs as parameters; or, "
    "where they are meant to be apart, write the comment `clonetruth: ignore` above one of them."
)
_RULES = {
    "T1": SarifRule("CLONE-T1", "ExactClone", "Functions that are equal but for comments and layout.", _HELP),
    "T2": SarifRule("CLONE-T2", "RenamedClone", "Functions that are equal but for names and values.", _HELP),
    "T3": SarifRule("CLONE-T3", "NearMissClone", "Functions that are edited copies of one another.", _HELP),
}
_WARNING_FROM = {"T1": 75, "T2": 100, "T3": 150}
"""Tokens of the representative from which a class is a warning; a smaller one is a note."""


def sarif(report: CloneReport) -> str:
    """A report as SARIF: a result for each class, the others of its members as related places."""
    return sarif_text(
        {"name": "clonetruth", "version": __version__, "semanticVersion": __version__},
        list(_RULES.values()),
        (_result(one, report) for one in report.classes),
        ((one.path, one.why) for one in report.skipped),
    )


def pairs_csv(pairs: Iterable[ClonePair]) -> Iterator[str]:
    """Found pairs as CSV with a header, in pieces of text."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(ClonePair._fields)
    for pair in pairs:
        writer.writerow(pair)
        if buffer.tell() >= _PIECE:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def bigcloneeval_lines(pairs: Iterable[ClonePair], unwritten: list[str]) -> Iterator[str]:
    """Found pairs as BigCloneEval imports them, each once, whoever found it.

    Args:
        pairs: the pairs.
        unwritten: told the paths that the format cannot hold; their pairs are left out.
    """
    seen: set[tuple[str, str]] = set()
    for pair in pairs:
        left = bigcloneeval_place(pair.left_path, pair.left_first, pair.left_last)
        right = bigcloneeval_place(pair.right_path, pair.right_first, pair.right_last)
        if left is None or right is None:
            unwritten.append(pair.left_path if left is None else pair.right_path)
        elif (left, right) not in seen:
            seen.add((left, right))
            yield f"{left},{right}\n"


def _result(one: CloneClass, report: CloneReport) -> SarifResult:
    rule = _RULES[one.clone_type]
    # A reviewer looks at what is new, so the first new member is the main place.
    ordered = sorted(one.members, key=lambda member: not member.new)
    alike = "" if one.similarity is None else f", at least {one.similarity:.0%} alike"
    return SarifResult(
        rule=rule.id,
        level="warning" if one.representative.tokens >= _WARNING_FROM[one.clone_type] else "note",
        message=f"{len(one.members)} clones of {one.representative.tokens} tokens{alike} ({one.clone_type}): "
        f"{one.differences}.",
        places=[SarifPlace(member.path, member.first_line, member.last_line, _said(member)) for member in ordered],
        fingerprints={FINGERPRINT: one.key},
        is_new=True if report.only_new else None,
    )


def _said(member: CloneMember) -> str:
    return ": ".join(filter(None, (member.name, member.differences))) or "the representative"
