"""Found clones in the formats of other programs: SARIF, CSV, and BigCloneEval's list of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clonetruth import __version__
from clonetruth.find.outcome import ClonePair
from clonetruth.find.report import CloneClass, CloneMember, CloneReport
from clonetruth.formats.sarif_writer import SarifLocation, SarifResult, SarifRule, sarif_text
from clonetruth.formats.writers import bigcloneeval_location, csv_pieces

FINGERPRINT = "cloneHash/v1"
"""The name of a class's key in SARIF. Its version changes if the same clone may get another key."""


_HELP = (
    "A fix in one copy must be repeated in the others. Merge them into one function, with parameters for what differs; "
    "or, if they are meant to be separate, write the comment `clonetruth: ignore` above one of them."
)
_RULES = {
    "T1": SarifRule("CLONE-T1", "ExactClone", "Functions that are equal but for comments and layout.", _HELP),
    "T2": SarifRule("CLONE-T2", "RenamedClone", "Functions that are equal but for names and values.", _HELP),
    "T3": SarifRule("CLONE-T3", "NearMissClone", "Functions that are edited copies of one another.", _HELP),
}
_WARNING_FROM = {"T1": 75, "T2": 100, "T3": 150}
"""Tokens of the representative from which a class is a warning; smaller classes are notes."""


def sarif(report: CloneReport) -> str:
    """Return a report as SARIF: one result per class, with the other members as related locations."""
    return sarif_text(
        {"name": "clonetruth", "version": __version__, "semanticVersion": __version__},
        list(_RULES.values()),
        (_result(clone_class, report) for clone_class in report.classes),
        [*((file.path, file.why) for file in report.skipped), *((file.path, file.why) for file in report.unparsed)],
    )


def pairs_csv(pairs: Iterable[ClonePair], *, spreadsheet_safe: bool = False) -> Iterator[str]:
    """Yield found pairs as CSV with a header, in chunks of text."""
    return csv_pieces(ClonePair._fields, pairs, spreadsheet_safe=spreadsheet_safe)


def bigcloneeval_lines(pairs: Iterable[ClonePair], unwritten: list[str]) -> Iterator[str]:
    """Yield found pairs in BigCloneEval's format, each once, even if several finders found it.

    Args:
        pairs: the pairs.
        unwritten: receives the paths that the format cannot represent; their pairs are left out.
    """
    seen: set[tuple[str, str]] = set()
    for pair in pairs:
        left = bigcloneeval_location(pair.left_path, pair.left_first, pair.left_last)
        right = bigcloneeval_location(pair.right_path, pair.right_first, pair.right_last)
        if left is None or right is None:
            unwritten.append(pair.left_path if left is None else pair.right_path)
        elif (left, right) not in seen:
            seen.add((left, right))
            yield f"{left},{right}\n"


def _result(clone_class: CloneClass, report: CloneReport) -> SarifResult:
    kind = clone_class.strongest_new
    # Reviewers read new code, so the first new member is the main location.
    ordered = sorted(clone_class.members, key=lambda member: not member.new)
    representative, similarity = clone_class.representative, clone_class.similarity
    alike = "" if similarity is None else f", at least {similarity:.0%} alike"
    return SarifResult(
        rule=_RULES[kind].id,
        level="warning" if representative.tokens >= _WARNING_FROM[kind] else "note",
        message=f"{len(ordered)} clones of {representative.tokens} tokens{alike} ({clone_class.types}): "
        f"{clone_class.differences}.",
        locations=[
            SarifLocation(member.path, member.first_line, member.last_line, _label(member, report))
            for member in ordered
        ],
        fingerprints={FINGERPRINT: clone_class.key},
        is_new=True if report.only_new else None,
    )


def _label(member: CloneMember, report: CloneReport) -> str:
    label = ": ".join(filter(None, (member.name, member.differences))) or "the representative"
    return f"new: {label}" if report.only_new and member.new else label
