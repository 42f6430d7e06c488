"""The page of a clone search: the clone classes, which folders share code, and the clones side by side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import PurePosixPath

from markupsafe import Markup

from clonetruth.find import CLONE_TYPES, CloneClass, CloneMember, CloneReport, RefactoringHint
from clonetruth.find.behaviour_findings import BehaviourFindings, FunctionPlace
from clonetruth.html.blocks import Callout, Content, Figure, callouts, cautions, details, key_facts, lead, note
from clonetruth.html.code_blocks import Side, excerpt, side_by_side
from clonetruth.html.numbers import count, percent, plural
from clonetruth.html.page import Page, Section
from clonetruth.html.plots import Labels, share_map
from clonetruth.html.tables import Cell, Column, Table
from clonetruth.safe_text import visible

_CLASSES_SHOWN = 100
"""Maximum number of classes whose code is on the page, those with the largest waste first."""

_COMPARED = 4
"""Maximum number of members of a class that are compared with its representative."""

_SAID = 300
"""Characters that are shown of a call and of what it did."""
_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[._/])")
_TYPES = {"T1": "only layout and comments differ", "T2": "names and values differ", "T3": "statements differ"}


def clones_page(report: CloneReport) -> Page:
    """The page of a clone report."""
    sections = []
    if report.classes:
        shown = report.classes[:_CLASSES_SHOWN]
        sections = [
            Section("Which folders share code", [clone_map(report.classes)], anchor="map"),
            Section("All clone classes", [_overview(report)], anchor="classes"),
            Section("Side by side", list(_viewer(shown, len(report.classes))), anchor="code"),
        ]
    if report.behaviour is not None:
        sections.append(Section("What running showed", list(_behaviour(report.behaviour)), anchor="behaviour"))
    sections.append(Section("What was searched", list(_scope(report)), anchor="scope"))
    return Page(
        title="Clones",
        subtitle=f"{plural(report.lines, 'line')} of code in {plural(report.files, 'file')}",
        opening=list(_opening(report)),
        sections=sections,
        manifest={name: _option_text(value) for name, value in report.options.items()},
    )


def _opening(report: CloneReport) -> Iterator[Content]:
    limited = f" ({report.only_new})" if report.only_new else ""
    if not report.classes_found:
        yield lead(f"No clones were found{limited}.")
    else:
        classes = plural(report.classes_found, "clone class", "clone classes")
        yield lead(
            f"{plural(report.members, 'fragment')} in {classes}{limited}: "
            f"{plural(report.copied_lines, 'line')} could be saved if each class had been written once."
        )
        share = report.copied_lines / report.lines if report.lines else None
        numbers = [Callout(percent(share, 1), "of all lines are copies", f"{count(report.copied_lines)} lines")]
        numbers += [
            Callout(count(report.classes_by_type.get(kind, 0)), f"classes, strongest pair {kind}", _TYPES[kind])
            for kind in CLONE_TYPES
        ]
        yield callouts(numbers)
    if report.skipped:
        files = plural(len(report.skipped), "file")
        yield cautions(
            f"{files} could not be read, so clones may be missing:",
            [f"{one.path}: {one.why}" for one in report.skipped[:5]],
        )
    if report.unparsed:
        files = plural(len(report.unparsed), "file")
        yield cautions(
            f"{files} could mostly not be parsed, so clones may be missing or wrong:",
            [f"{one.path}: {one.why}" for one in report.unparsed[:5]],
        )


def _behaviour(found: BehaviourFindings) -> Iterator[Content]:
    undecided = sum(found.copies_undecided.values())
    yield (
        f"Of {plural(found.copies, 'edited or renamed copy', 'edited or renamed copies')}, run next to the first of "
        f"the class: {count(len(found.inconsistent))} different, {count(found.consistent)} without a difference, "
        f"{count(undecided)} undecided."
    )
    if found.inconsistent:
        columns = (
            Column("first", "code"),
            Column("copy", "code"),
            Column("differing inputs", "percent", 0),
            Column("input", "code"),
            Column("the first", "code"),
            Column("the copy", "code"),
        )
        rows: list[tuple[Cell, ...]] = [
            (
                *(_place(place) for place in (one.first, one.other)),
                one.share,
                *(visible(text, _SAID) for text in (one.call, one.first_did, one.other_did)),
            )
            for one in found.inconsistent
        ]
        yield Table(
            columns,
            rows,
            "Copies that behave differently, the fewest differing inputs first",
            filterable=len(rows) > 10,
        )
    yield (
        f"{count(found.ran)} of {plural(found.functions, 'function')} ran on shared inputs. "
        f"Pairs that are not copies and agreed on rare results: {count(found.candidates)}, of which "
        f"{count(found.refuted)} differ on another input."
    )
    if found.semantic:
        alike_columns = (
            Column("function", "code"),
            Column("behaves like", "code"),
            Column("inputs", "count"),
            Column("different results", "count"),
            Column("for example", "code"),
        )
        rows = [
            (
                _place(other.function),
                _place(group.first),
                other.runs,
                other.outputs,
                visible(f"{other.call} {other.did}", _SAID),
            )
            for group in found.semantic
            for other in group.others
        ]
        yield Table(alike_columns, rows, "Functions that behave alike, and are not copies", filterable=len(rows) > 10)
    for counts, what in (
        (found.copies_undecided, "copies"),
        (found.not_run, "functions that did not run"),
        (found.candidates_undecided, "pairs that agreed"),
    ):
        if counts:
            listed = ", ".join(f"{reason} ({count(number)})" for reason, number in counts.items())
            yield note(f"Nothing is known about these {what}: {listed}.")


def _place(place: FunctionPlace) -> str:
    return f"{place.location} {place.name}"


def _overview(report: CloneReport) -> Table:
    columns = (
        Column("class"),
        Column("type"),
        Column("similarity", "decimal", 2),
        Column("copies", "count"),
        Column("lines", "count"),
        Column("tokens to save", "count"),
        Column("what differs", "prose"),
        Column("found by"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            _link(one, number),
            f"{one.types} {one.kinds}".rstrip(),
            one.similarity,
            len(one.members),
            one.representative.lines,
            one.waste,
            one.differences,
            ", ".join(one.finders),
        )
        for number, one in enumerate(report.classes)
    ]
    caption = "Clone classes, the most tokens to save first"
    if len(report.classes) < report.classes_found:
        caption += f"; {count(len(report.classes))} of {count(report.classes_found)}"
    return Table(columns, rows, caption, filterable=len(rows) > 10)


def _link(one: CloneClass, number: int) -> str:
    # Long function names may wrap where a new word begins.
    name = Markup("<wbr>").join(_WORD_STARTS.split(_title(one.representative)))
    return Markup('<a href="#clone-{}">{}</a>').format(number, name) if number < _CLASSES_SHOWN else name


def _viewer(classes: Sequence[CloneClass], described: int) -> Iterator[Content]:
    if len(classes) < described:
        yield note(f"The code of the first {count(len(classes))} classes; the table has the others.")
    for number, one in enumerate(classes):
        yield Markup('<h3 id="clone-{}">{}</h3>').format(number, _title(one.representative))
        yield f"{_types(one)} {plural(one.waste, 'token')} to save."
        yield _members(one)
        if one.hint is not None:
            yield from _hint(one.hint)
        for at, other in enumerate(one.members[1 : _COMPARED + 1]):
            code = side_by_side(_side(one.representative), _side(other))
            yield details(f"{_location(other)}: {other.differences}", code, is_open=at == 0)


def _types(one: CloneClass) -> str:
    if one.strongest == one.weakest:
        return f"{one.weakest}: {_TYPES[one.weakest]}."
    ends = (f"{kind} ({_TYPES[kind]})" for kind in (one.strongest, one.weakest))
    return "The strongest pair is {}, the weakest {}.".format(*ends)


def _members(one: CloneClass) -> Table:
    blamed = any(member.last_change is not None for member in one.members)
    columns = (
        Column("location", "code"),
        Column("name", "code"),
        Column("lines", "count"),
        Column("similarity", "decimal", 2),
        Column("strongest"),
        *((Column("last changed", "prose"),) if blamed else ()),
        Column("compared with the first", "prose"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            _location(member),
            member.title,
            member.lines,
            member.similarity,
            member.strongest,
            *((visible(member.last_change or "not in git"),) if blamed else ()),
            _comparison(member, number),
        )
        for number, member in enumerate(one.members)
    ]
    return Table(columns, rows, plural(len(rows), "copy", "copies"), sortable=False)


def _hint(hint: RefactoringHint) -> Iterator[Content]:
    yield note(f"Hint: {visible(hint)}.")
    if hint.parameters:
        columns = (Column("parameter"), Column("type"), Column("uses", "count"), Column("values", "code"))
        rows = [(one.kind, one.type or "unknown", one.uses, visible(", ".join(one.values))) for one in hint.parameters]
        yield Table(columns, rows, "What differs in the aligned statements, the first copy first", sortable=False)


def _comparison(member: CloneMember, number: int) -> str:
    text = member.differences if number else "all others are compared with this one"
    return text if member.new else f"{text} (not new)"


def _side(member: CloneMember) -> Side:
    return Side(
        excerpt(member.text), member.title or member.path, member.language, _location(member), member.first_line
    )


def _title(member: CloneMember) -> str:
    if member.kind == "block":
        return f"{_location(member)} {member.title}".rstrip()
    return member.title or _location(member)


def _location(member: CloneMember) -> str:
    return f"{member.path}:{member.first_line}–{member.last_line}"


def _scope(report: CloneReport) -> Iterator[Content]:
    yield key_facts(
        {
            "files": count(report.files),
            "lines": count(report.lines),
            "functions": count(report.functions),
            **{f"pairs by {finder}": count(pairs) for finder, pairs in report.pairs.items()},
        }
    )
    left_out = [(one.what, one.count, ", ".join(one.examples)) for one in report.left_out]
    if left_out:
        columns = (Column("what"), Column("number", "count"), Column("for example", "prose"))
        yield Table(columns, left_out, "Left out on purpose", sortable=False)
    if report.skipped:
        rows = [(one.path, one.why) for one in report.skipped]
        yield Table((Column("file", "code"), Column("why", "prose")), rows, "Files that could not be read")
    if report.unparsed:
        rows = [(one.path, one.why) for one in report.unparsed]
        yield Table((Column("file", "code"), Column("why", "prose")), rows, "Files that could mostly not be parsed")


def _option_text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


# A map of the folders that share code.

_FOLDERS = 14
"""Maximum number of folders on the map."""
_OTHERS = "all other folders"

Folder = tuple[str, ...]


def clone_map(classes: Sequence[CloneClass]) -> Figure:
    """A plot of the lines that each two folders share, and of those that a folder repeats within itself."""
    shared = shared_lines(classes)
    names = sorted({name for names in shared for name in names}, key=lambda name: (name == _OTHERS, name))
    amounts = {(names.index(first), names.index(second)): lines for (first, second), lines in shared.items()}
    labels = Labels("Lines that folders share", x="lines")
    rows = [(*folders, lines) for folders, lines in sorted(shared.items(), key=lambda item: -item[1])]
    return Figure(
        share_map(names, amounts, labels),
        "The larger a square, the more lines the folder of its row shares with the folder of its column. The diagonal "
        "shows what a folder repeats within itself.",
        Table((Column("folder", "code"), Column("and", "code"), Column("lines", "count")), rows, "Shared lines"),
    )


def shared_lines(classes: Sequence[CloneClass]) -> dict[tuple[str, str], int]:
    """The lines that each two folders share, and those that a folder repeats within itself.

    Between two folders, a class counts as often as the folder with fewer copies has a copy.
    """
    folder_of = folders([member.path for one in classes for member in one.members])
    lines: Counter[tuple[str, str]] = Counter()
    for one in classes:
        copies = Counter(folder_of[member.path] for member in one.members)
        for folder, number in copies.items():
            lines[folder, folder] += one.representative.lines * (number - 1)
        for first, second in combinations(sorted(copies, key=lambda name: (name == _OTHERS, name)), 2):
            lines[first, second] += one.representative.lines * min(copies[first], copies[second])
    return {names: amount for names, amount in lines.items() if amount}


def folders(paths: Iterable[str]) -> dict[str, str]:
    """The folder under which each file is shown, without the path that all have in common.

    The folders with the most files are divided into their subfolders until the map is full. If the first division
    already has too many folders, the largest are shown and the others are combined.
    """
    files = Counter(paths)
    groups: dict[Folder, Counter[str]] = {}
    waiting: dict[Folder, Counter[str]] = {(): files}
    while waiting:
        largest = max(waiting, key=lambda folder: (waiting[folder].total(), folder))
        held = waiting.pop(largest)
        parts = _divided(largest, held)
        if len(groups) + len(waiting) + len(parts) <= _FOLDERS:
            groups |= {folder: files for folder, files in parts.items() if folder == largest}
            waiting |= {folder: files for folder, files in parts.items() if folder != largest}
        elif groups or waiting:
            groups[largest] = held
        else:
            groups = dict(sorted(parts.items(), key=lambda part: (-part[1].total(), part[0]))[: _FOLDERS - 1])
    common = _common(list(groups)) if len(groups) > 1 else 0
    names = {path: "/".join(folder[common:]) or "." for folder, held in groups.items() for path in held}
    return {path: names.get(path, _OTHERS) for path in files}


def _divided(folder: Folder, files: Counter[str]) -> dict[Folder, Counter[str]]:
    """The files by subfolder; those directly in the folder stay with it."""
    parts: dict[Folder, Counter[str]] = {}
    for path, number in files.items():
        parts.setdefault(_parents(path)[: len(folder) + 1], Counter())[path] = number
    return parts


def _parents(path: str) -> Folder:
    return PurePosixPath(path).parent.parts


def _common(groups: Sequence[Folder]) -> int:
    """Number of leading path parts that all folders have in common."""
    first, last = min(groups), max(groups)
    return next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
