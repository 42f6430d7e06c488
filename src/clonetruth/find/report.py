"""What a search for clones found, as plain data: clone classes, largest waste first, and what was looked at.

A page, a terminal and a file show the same `CloneReport`; it says nothing of how the clones were found but names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clonetruth.store.records import RecordFormat


# Clone reports as JSON documents: written, and read again as baselines.

SCHEMA, VERSION = "clonetruth-clones", 1


def _format() -> RecordFormat[CloneReport]:
    # The store takes longer to load than a small search does; who only prints to a terminal does not need it.
    from clonetruth.store.records import RecordFormat

    return RecordFormat(CloneReport, SCHEMA, VERSION, "clone report", "clonetruth find --format json")


def report_text(report: CloneReport) -> str:
    """A report as JSON."""
    return _format().text(report)


def read_report(path: Path) -> CloneReport:
    """Read what `report_text` made.

    Raises:
        InputError: the file is no clone report, damaged, or of a later version.
    """
    return _format().read(path)


CLONE_TYPES = ("T1", "T2", "T3")
"""From the strongest relation to the weakest: equal but for layout, equal but for names and values, alike."""


@dataclass(frozen=True)
class CloneMember:
    """A piece of code that is in a clone class. Lines are 1-based and inclusive.

    Attributes:
        path: its file, as shown.
        first_line: its first line.
        last_line: its last line.
        name: its qualified name; None for a place that is no function.
        language: its language's name.
        tokens: its tokens, comments not counted.
        key: a digest of its Type-1 form: the same wherever the code moves, whatever its layout.
        text: its source text.
        similarity: its token similarity with the representative, as BigCloneBench defines it (the longest common
            subsequence without names and values ÷ the longer one); None where that is in another language.
        differences: how it differs from the representative, in words; empty for the representative itself.
        new: whether it is news against the baseline, or in lines that were changed since a revision.
    """

    path: str
    first_line: int
    last_line: int
    name: str | None
    language: str
    tokens: int
    key: str
    text: str
    similarity: float | None
    differences: str
    new: bool = True

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.last_line - self.first_line + 1


@dataclass(frozen=True)
class CloneClass:
    """Pieces of code that are clones of one another, directly or through others of the class.

    Attributes:
        key: a digest of the members' blind forms: the same wherever the code moves, whatever its names; one more
            copy of a member does not change it.
        clone_type: T1, T2 or T3: the weakest relation of a member to the representative.
        similarity: the least similarity of a member to the representative; None where one is in another language.
        finders: who found a pair of it.
        members: the representative first, then the others by path and line.
    """

    key: str
    clone_type: str
    similarity: float | None
    finders: tuple[str, ...]
    members: tuple[CloneMember, ...]

    @property
    def representative(self) -> CloneMember:
        """The member that is most like all others."""
        return self.members[0]

    @property
    def waste(self) -> int:
        """The tokens that would not be there if the representative were the only one: its tokens × (members - 1)."""
        return self.representative.tokens * (len(self.members) - 1)

    @property
    def differences(self) -> str:
        """How the member that is least like the representative differs from it, in words."""
        return min(self.members[1:], key=lambda member: member.similarity or 0.0).differences


@dataclass(frozen=True)
class OmittedClones:
    """Something that was not looked at, or looked at and not reported, on purpose.

    Attributes:
        what: what it is, in words ("generated files").
        count: how many.
        examples: the first of them.
    """

    what: str
    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class UnreadFile:
    """A file that should have been looked at, and could not be.

    Attributes:
        path: the file, as shown.
        why: the reason.
    """

    path: str
    why: str


@dataclass(frozen=True)
class CloneReport:
    """What was found, and in what.

    Attributes:
        classes: the clone classes, largest waste first; perhaps only the first of them.
        classes_found: how many there are in all.
        classes_by_type: how many there are of each type, in all.
        members: pieces of code in all classes.
        copied_lines: lines of all members but one of each class.
        pairs: pairs by the finder that found them.
        files: files that were read.
        lines: their lines.
        functions: their functions, small ones included.
        left_out: what was not looked at or not reported on purpose.
        skipped: what could not be read.
        notes: what else a reader of the numbers should know.
        options: every option that has an influence, as JSON values.
        only_new: what the report is limited to, in words ("changed since main"); None where it tells everything.
    """

    classes: tuple[CloneClass, ...]
    classes_found: int
    classes_by_type: Mapping[str, int]
    members: int
    copied_lines: int
    pairs: Mapping[str, int]
    files: int
    lines: int
    functions: int
    left_out: tuple[OmittedClones, ...] = ()
    skipped: tuple[UnreadFile, ...] = ()
    notes: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    only_new: str | None = None
