"""Found clones in the formats of other programs and places: SARIF, GitLab's code quality, CSV, BigCloneEval's list of
pairs, Markdown for pull requests, short lines for coding assistants, a badge."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING

from clonetruth import __version__
from clonetruth.find.behaviour_findings import InconsistentCopy
from clonetruth.find.clone_class import CloneClass, CloneMember
from clonetruth.find.outcome import ClonePair
from clonetruth.find.report import CloneReport
from clonetruth.json_text import json_text
from clonetruth.safe_text import visible

if TYPE_CHECKING:
    from clonetruth.formats.sarif_writer import SarifResult

FINGERPRINT = "cloneHash/v1"
"""The name of a class's key in SARIF. Its version changes if the same clone may get another key."""

DIFFERENCE_FINGERPRINT = "inconsistentCloneHash/v1"
"""The same for two copies that behave differently."""
_MOSTLY = 0.5
"""Share of inputs on which copies may differ and still be a warning."""

_HELP = (
    "A fix in one copy must be repeated in the others. Merge them into one function, with parameters for what differs; "
    "or, if they are meant to be separate, write the comment `clonetruth: ignore` above one of them."
)
_RULES = {
    "T1": ("CLONE-T1", "ExactClone", "Code that is equal but for comments and layout."),
    "T2": ("CLONE-T2", "RenamedClone", "Code that is equal but for names and values."),
    "T3": ("CLONE-T3", "NearMissClone", "Code that is an edited copy of other code."),
}
"""The code, name and meaning of the rule of each type."""
_DIFFERS = ("CLONE-DIFFERS", "InconsistentClone", "An edited or renamed copy that behaves differently.")
_DIFFERS_HELP = (
    "Both were run with the same inputs, and the message names one on which they differ. If a fix is missing in one of "
    "them, repeat it there; if they are meant to differ, write the comment `clonetruth: ignore` above one of them."
)
_WARNING_FROM = {"T1": 75, "T2": 100, "T3": 150}
"""Tokens of the representative from which a class is a warning; smaller classes are notes."""


def sarif(report: CloneReport) -> str:
    """Return a report as SARIF: one result per class, with the other members as related locations."""
    # All formats of the field are loaded with the first one; most runs print none of them.
    from clonetruth.formats.sarif_writer import SarifRule, sarif_text

    rules = [SarifRule(*rule, _HELP) for rule in _RULES.values()]
    results = [_result(clone_class, report) for clone_class in report.classes]
    if report.behaviour is not None:
        rules.append(SarifRule(*_DIFFERS, _DIFFERS_HELP))
        results += [_inconsistent_result(one, report) for one in report.behaviour.inconsistent]
    return sarif_text(
        {"name": "clonetruth", "version": __version__, "semanticVersion": __version__},
        rules,
        results,
        [*((file.path, file.why) for file in report.skipped), *((file.path, file.why) for file in report.unparsed)],
    )


def pairs_csv(pairs: Iterable[ClonePair], *, spreadsheet_safe: bool = False) -> Iterator[str]:
    """Yield found pairs as CSV with a header, in chunks of text."""
    from clonetruth.formats.writers import csv_pieces

    return csv_pieces(ClonePair._fields, pairs, spreadsheet_safe=spreadsheet_safe)


def bigcloneeval_lines(pairs: Iterable[ClonePair], unwritten: list[str]) -> Iterator[str]:
    """Yield found pairs in BigCloneEval's format, each once, even if several finders found it.

    Args:
        pairs: the pairs.
        unwritten: receives the paths that the format cannot represent; their pairs are left out.
    """
    from clonetruth.formats.writers import bigcloneeval_location

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
    from clonetruth.formats.sarif_writer import SarifLocation, SarifResult

    kind = clone_class.strongest_new
    # Reviewers read new code, so the first new member is the main location.
    ordered = sorted(clone_class.members, key=lambda member: not member.new)
    representative, similarity = clone_class.representative, clone_class.similarity
    alike = "" if similarity is None else f", at least {similarity:.0%} alike"
    return SarifResult(
        rule=_RULES[kind][0],
        level="warning" if representative.tokens >= _WARNING_FROM[kind] else "note",
        message=f"{len(ordered)} {_noun(clone_class)} of {representative.tokens} tokens{alike} ({clone_class.types}): "
        f"{clone_class.differences}.",
        locations=[
            SarifLocation(member.path, member.first_line, member.last_line, _label(member, report))
            for member in ordered
        ],
        fingerprints={FINGERPRINT: clone_class.key},
        state=_state(clone_class) if report.only_new else None,
    )


def _inconsistent_result(found: InconsistentCopy, report: CloneReport) -> SarifResult:
    from clonetruth.formats.sarif_writer import SarifLocation, SarifResult

    first, other = found.first, found.other
    return SarifResult(
        rule=_DIFFERS[0],
        # A copy that missed a fix agrees nearly always; one that hardly ever agrees was written to be different.
        level="warning" if found.share <= _MOSTLY else "note",
        message=f"{other.name} behaves differently from {first.name}, of which it is a copy: {_evidence(found)}.",
        locations=[
            SarifLocation(other.path, other.first_line, other.last_line, other.name),
            SarifLocation(first.path, first.first_line, first.last_line, first.name),
        ],
        fingerprints={DIFFERENCE_FINGERPRINT: found.key},
        state="new" if report.only_new else None,
    )


def _evidence(found: InconsistentCopy) -> str:
    call, first, other = (visible(text, _CHANGE) for text in (found.call, found.first_did, found.other_did))
    inputs = f"they differ on {found.differing:,} of {found.runs:,} inputs"
    return f"{call}: {found.first.name} {first}, {found.other.name} {other}; {inputs}"


def _noun(clone_class: CloneClass) -> str:
    return f"clone {clone_class.kinds}" if clone_class.kinds else "clones"


def _state(clone_class: CloneClass) -> str:
    """SARIF's word for a class with new members: it is updated if it has old ones, too."""
    return "new" if all(member.new for member in clone_class.members) else "updated"


def _label(member: CloneMember, report: CloneReport) -> str:
    label = ": ".join(filter(None, (member.title, member.differences))) or "the representative"
    return f"new: {label}" if report.only_new and member.new else label


# --- Markdown for pull requests

_MARKDOWN_SIGNS = re.compile(r"([\\`*_\[\]<>|~#@&])")


def markdown(report: CloneReport) -> str:
    """Return a report as Markdown, short enough for a comment on a pull request."""
    lines = [f"### {_headline(report)}"]
    if report.classes:
        lines += ["", "| type | copies | tokens to save | where | what differs |", "| --- | --- | --- | --- | --- |"]
    for one in report.classes:
        members = sorted(one.members, key=lambda member: not member.new)
        places = [_markdown_place(member, report) for member in members[:_PLACES]]
        if len(members) > _PLACES:
            places.append(f"… and {len(members) - _PLACES:,} more")
        differs = _marked_down(one.differences)
        if one.hint is not None:
            differs += f"<br>*Hint:* {_marked_down(str(one.hint))}"
        types = f"{one.types} {one.kinds}".rstrip()
        cells = (types, f"{len(members):,}", f"{one.waste:,}", "<br>".join(places), differs)
        lines.append(f"| {' | '.join(cells)} |")
    hidden = report.classes_found - len(report.classes)
    if hidden:
        lines += ["", f"… and {hidden:,} more; `clonetruth find --top all` shows all."]
    if report.behaviour is not None and report.behaviour.inconsistent:
        lines += ["", "Copies that behave differently:", ""]
        for found in report.behaviour.inconsistent[:_FINDINGS]:
            first, other = (_marked_down(f"{place.location} {place.name}") for place in (found.first, found.other))
            said = (_marked_down(visible(text, _CHANGE)) for text in (found.call, found.first_did, found.other_did))
            lines.append("- {} and {}: {} {} / {}".format(first, other, *said))
    for files, what in ((report.skipped, "could not be read"), (report.unparsed, "could mostly not be parsed")):
        if files:
            lines += ["", f"{len(files):,} of the files {what}, so clones may be missing."]
    return "\n".join(lines) + "\n"


_FINDINGS = 20
"""Number of copies that behave differently that Markdown and the lines for assistants name."""
_PLACES = 5
"""Number of members that Markdown names per class."""
_CHANGE = 200
"""Characters that are shown of a last change."""


def _headline(report: CloneReport) -> str:
    limited = f" {report.only_new}" if report.only_new else ""
    if not report.classes_found:
        return f"No clones{_marked_down(limited)}"
    types = ", ".join(f"{count:,} {name}" for name, count in report.classes_by_type.items() if count)
    share = f", {100 * report.copied_lines / report.lines:.1f} % of the lines" if report.lines else ""
    classes = f"{report.classes_found:,} clone class{'es' * (report.classes_found != 1)}"
    return f"{classes}{_marked_down(limited)} ({types}): {report.copied_lines:,} copied lines{share}"


def _markdown_place(member: CloneMember, report: CloneReport) -> str:
    mark = "**new** " if report.only_new and member.new else ""
    name = f" {_marked_down(member.title)}" if member.title else ""
    change = f" ({_marked_down(visible(member.last_change, _CHANGE))})" if member.last_change else ""
    return f"{mark}{_marked_down(member.location)}{name}{change}"


def _marked_down(text: str) -> str:
    """A text whose signs mean nothing in Markdown: names of files and functions are a stranger's."""
    return _MARKDOWN_SIGNS.sub(r"\\\1", visible(text))


# --- Short lines for coding assistants


def compact(report: CloneReport) -> str:
    """Return a report in few words: a line per class, its first member first. Every word costs an assistant tokens."""
    lines = []
    for one in report.classes:
        places = [visible(f"{member.location} {member.title}".rstrip()) for member in one.members]
        types = f"{one.types} {one.kinds}".rstrip()
        lines.append(f"{types} {one.representative.tokens}t {' = '.join(places)}: {one.differences}")
    hidden = report.classes_found - len(report.classes)
    lines += [f"+{hidden} more classes"] if hidden else []
    if report.behaviour is not None:
        for found in report.behaviour.inconsistent[:_FINDINGS]:
            said = (visible(text, _CHANGE) for text in (found.call, found.first_did, found.other_did))
            lines.append("differ: {} | {}: {} {} / {}".format(found.first.location, found.other.location, *said))
        for group in report.behaviour.semantic[:_FINDINGS]:
            alike = (
                visible(f"{place.location} {place.name}")
                for place in (group.first, *(o.function for o in group.others))
            )
            lines.append(f"alike: {' = '.join(alike)}")
    return "\n".join(lines or ["no clones"]) + "\n"


# --- GitLab's code quality

_GITLAB_SEVERITY = {"T1": "major", "T2": "minor", "T3": "info"}


def _subject(member: CloneMember) -> str:
    what = {"block": "Block", "file": "File"}.get(member.kind)
    return f"{what} {member.title}".rstrip() if what else member.name or "Code"


def gitlab(report: CloneReport) -> str:
    """Return a report as GitLab's code quality report: an issue for each new member, which names another one."""
    issues = []
    seen: Counter[str] = Counter()
    for one in report.classes:
        for member in one.members:
            if not member.new or (member is one.representative and not report.only_new):
                continue
            other = one.members[1] if member is one.representative else one.representative
            what = member.differences or one.differences
            issue = f"{one.key} {member.key} {member.path}"
            seen[issue] += 1
            # Stable when the code moves; equal copies in one file are counted.
            fingerprint = blake2b(f"{issue} {seen[issue]}".encode(errors="surrogateescape"), digest_size=16)
            issues.append(
                {
                    "type": "issue",
                    "check_name": _RULES[member.strongest][0],
                    "description": f"{_subject(member)}: copy of {other.location} ({what})",
                    "categories": ["Duplication"],
                    "severity": _GITLAB_SEVERITY[member.strongest],
                    "fingerprint": fingerprint.hexdigest(),
                    "location": {"path": member.path, "lines": {"begin": member.first_line, "end": member.last_line}},
                }
            )
    for found in report.behaviour.inconsistent if report.behaviour is not None else ():
        place = found.other
        seen[found.key] += 1
        fingerprint = blake2b(
            f"{found.key} {place.path} {seen[found.key]}".encode(errors="surrogateescape"), digest_size=16
        )
        issues.append(
            {
                "type": "issue",
                "check_name": _DIFFERS[0],
                "description": f"{place.name}: behaves differently from {found.first.location} ({_evidence(found)})",
                "categories": ["Bug Risk"],
                "severity": "major" if found.share <= _MOSTLY else "info",
                "fingerprint": fingerprint.hexdigest(),
                "location": {"path": place.path, "lines": {"begin": place.first_line, "end": place.last_line}},
            }
        )
    return json_text(issues) + "\n"


# --- A badge


def copies_badge(report: CloneReport) -> str:
    """Return the share of copied lines as an SVG badge, from green (none) to red (a fifth and more)."""
    from clonetruth.html.badge import badge

    percent = report.copies_in().percent if report.lines else 0.0
    return badge("copied lines", f"{percent:.1f} %", max(1 - percent / 40, 0.5))
