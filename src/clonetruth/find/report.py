"""The report of a clone search as plain data: clone classes, largest waste first, and what was searched.

Pages, the terminal and files show the same `CloneReport`. It is stored as JSON, and read again as a baseline.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from clonetruth.code.parallel import map_parallel, workers_fork
from clonetruth.errors import InputError
from clonetruth.find.behaviour_findings import BehaviourFindings
from clonetruth.find.clone_class import CLONE_TYPES, CloneClass
from clonetruth.json_text import JsonText, json_items, json_text
from clonetruth.safe_text import visible_json

if TYPE_CHECKING:
    from clonetruth.store.records import RecordFormat


SCHEMA, VERSION = "clonetruth-clones", 5


def _format() -> RecordFormat[CloneReport]:
    # Loading the store takes longer than a small search, and printing to a terminal does not need it.
    from clonetruth.store.records import RecordFormat

    return RecordFormat(CloneReport, SCHEMA, VERSION, "clone report", "clonetruth find --format json", _upgraded)


def _upgraded(content: Any, version: int) -> Any:
    """A report of an earlier version.

    The classes of version 1 had only their weakest type: keys and texts tell the types of pairs. Version 2 had neither
    related clones nor folders, version 3 neither hints nor last changes, and version 4 neither kinds of members nor
    behaviour.
    """
    from clonetruth.store.records import WrongShapeError

    if version > 1:
        return content
    try:
        for one in content["classes"]:
            one["weakest"] = one.pop("clone_type")
            _add_strongest(one)
        if len(content["classes"]) == content["classes_found"]:
            new = ([member["strongest"] for member in one["members"] if member["new"]] for one in content["classes"])
            types = Counter(map(min, new))
            content["classes_by_type"] = {name: types[name] for name in CLONE_TYPES}
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise WrongShapeError(f"a class is incomplete ({error})") from error
    return content


def _add_strongest(one: dict[str, Any]) -> None:
    members = one["members"]
    keys, blinds = [member["key"] for member in members], [_blind(member, one["weakest"]) for member in members]
    exact, blind = Counter(keys), Counter(blinds)
    for member, own_key, own_blind in zip(members, keys, blinds, strict=True):
        member["strongest"] = CLONE_TYPES[[exact[own_key] > 1, blind[own_blind] > 1, True].index(True)]
    one["strongest"] = min(member["strongest"] for member in members)


def _blind(member: Mapping[str, str], weakest: str) -> str:
    """What is equal for members of Type-2; the members of a class whose weakest type is T2 are all equal."""
    from clonetruth.find.clone_text import identity

    return identity((member["language"], member["text"])).blind if weakest == CLONE_TYPES[2] else ""


def report_text(report: CloneReport) -> str:
    """Return a report as JSON, as `RecordFormat.text` would."""
    content = {"schema": SCHEMA, "schema_version": VERSION, **vars(report)}
    return json_text(content) + "\n"


def report_pieces(report: CloneReport, processes: int) -> Iterator[str]:
    """Iterate over the pieces of `report_text`, with escapes for what cannot be seen; processes encode the classes."""
    if not report.classes:
        yield visible_json(report_text(report))
        return
    # Encoded texts have no control characters, so that this one is found again.
    classes = {"classes": (JsonText(_HERE),)}
    content = {"schema": SCHEMA, "schema_version": VERSION, **vars(report), **classes}
    before, after = json_text(content).split(_HERE)
    yield visible_json(before)
    parts = [slice(start, start + _ENCODED) for start in range(0, len(report.classes), _ENCODED)]
    workers = processes if len(parts) >= 2 * processes and workers_fork() else 1
    for part, piece in zip(parts, map_parallel(_encoded, report.classes, parts, workers), strict=True):
        yield f",\n{_CLASSES_DEPTH * '  '}{piece}" if part.start else piece
    yield visible_json(after) + "\n"


_HERE, _CLASSES_DEPTH, _ENCODED = "\0", 2, 300


def _encoded(classes: Sequence[CloneClass], part: slice) -> str:
    return visible_json(json_items(classes[part], _CLASSES_DEPTH))


def read_report(path: str | os.PathLike[str]) -> CloneReport:
    """Read a report that `report_text` wrote.

    Raises:
        InputError: the file is not a clone report, is damaged, or has a later version.
    """
    return _format().read(Path(path))


@dataclass(frozen=True)
class OmittedClones:
    """What was left out on purpose: not searched, or not reported.

    Attributes:
        what: what it is, for people ("generated files").
        count: how many there are.
        examples: the first of them.
    """

    what: str
    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class UnreadFile:
    """A file that could not be read.

    Attributes:
        path: the name of the file.
        why: the reason.
    """

    path: str
    why: str


@dataclass(frozen=True)
class UnparsedFile:
    """A file in which most lines do not parse, so that clones in it may be missing or wrong.

    Attributes:
        path: the name of the file.
        language: the language in which it was read.
        share: the share of its lines that do not parse.
    """

    path: str
    language: str
    share: float

    @property
    def why(self) -> str:
        """What is wrong, for people."""
        return f"{self.share:.0%} of its lines do not parse as {self.language}."


@dataclass(frozen=True)
class FolderCopies:
    """How much of a folder is copied.

    Attributes:
        path: the folder, with everything below it; "." for all searched files.
        lines: the number of its lines.
        copied_lines: the number of its lines that are in a member of a class, new or not. If the folder has all members
            of a class, its representative does not count. A line in several members counts once.
    """

    path: str
    lines: int
    copied_lines: int

    @property
    def percent(self) -> float:
        """The copied lines in percent; 0 for a folder without lines."""
        return 100 * self.copied_lines / self.lines if self.lines else 0.0


@dataclass(frozen=True, repr=False)
class CloneReport:
    """The clones of a source tree, and what was searched.

    Attributes:
        classes: the clone classes, largest waste first; perhaps only the first of them.
        classes_found: the number of all classes.
        classes_by_type: the number of classes by the type of their strongest pair with a new member.
        members: the number of members of all classes.
        copied_lines: the number of lines of all members except one of each class.
        pairs: the number of pairs by finder.
        files: the number of files read.
        lines: the number of their lines.
        functions: the number of their functions, including small ones.
        left_out: what was left out on purpose.
        skipped: the files that could not be read.
        unparsed: the files in which most lines do not parse.
        notes: what else a reader of the numbers should know.
        options: every option that influences the report, as JSON values.
        only_new: what the report is limited to ("changed since main"); None if it is not limited.
        folders: how much of each folder is copied, parents first.
        behaviour: what running functions showed; None if nothing was run.
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
    unparsed: tuple[UnparsedFile, ...] = ()
    notes: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    only_new: str | None = None
    folders: tuple[FolderCopies, ...] = ()
    behaviour: BehaviourFindings | None = None

    def copies_in(self, folder: str = ".") -> FolderCopies:
        """How much of a folder is copied.

        Raises:
            InputError: no file of the folder was searched.
        """
        wanted = str(PurePath(folder))
        for one in self.folders:
            if one.path == wanted:
                return one
        raise InputError(
            "No file of the folder was searched.",
            where=folder,
            hint="Folders are named as in the report, from the PATH on.",
        )

    def has_clone(self, weakest: str) -> bool:
        """Whether there is a new pair of a type (T1, T2, T3) or of a stronger one: what a gate asks."""
        allowed = CLONE_TYPES[: CLONE_TYPES.index(weakest) + 1]
        return any(self.classes_by_type.get(name) for name in allowed)

    def __repr__(self) -> str:
        types = ", ".join(f"{self.classes_by_type.get(name, 0):,} {name}" for name in CLONE_TYPES)
        classes = f"{self.classes_found:,} clone class{'es' * (self.classes_found != 1)} ({types})"
        return f"<CloneReport: {classes}, {self.copied_lines:,} copied lines of {self.lines:,}>"

    def _repr_html_(self) -> str:
        from clonetruth.html import Column, notebook, numbers

        share = self.copied_lines / self.lines if self.lines else None
        facts = {
            "clone classes": numbers.count(self.classes_found),
            **{name: numbers.count(self.classes_by_type.get(name, 0)) for name in CLONE_TYPES},
            "copied lines": f"{numbers.count(self.copied_lines)} ({numbers.percent(share, 1)})",
            "files": numbers.count(self.files),
        }
        columns = (
            Column("first copy", "code"),
            Column("name", "code"),
            Column("type"),
            Column("copies", "count"),
            Column("lines", "count"),
            Column("tokens to save", "count"),
            Column("what differs", "prose"),
        )
        rows = [
            (
                one.representative.location,
                one.representative.title,
                one.types,
                len(one.members),
                one.representative.lines,
                one.waste,
                one.differences,
            )
            for one in self.classes
        ]
        blocks = [notebook.table(columns, rows)] if rows else []
        return notebook.view("Clones", notebook.facts(facts), *blocks, subtitle=self.only_new or "")
