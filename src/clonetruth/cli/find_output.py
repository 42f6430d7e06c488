"""How `clonetruth find` prints clones: lines for people, formats for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from clonetruth.cli.output import Line, plain_text, show, show_warning, styled
from clonetruth.find import CloneClass, CloneMember, CloneReport, Clones, report_pieces
from clonetruth.find.behaviour_findings import BehaviourFindings, FunctionPlace
from clonetruth.find.output import bigcloneeval_lines, compact, gitlab, markdown, pairs_csv, sarif
from clonetruth.safe_text import visible, visible_json

_STYLES = {"T1": "bold red", "T2": "bold yellow", "T3": "bold cyan"}
_MEMBERS = 12
"""Number of members shown per class."""
_JSON = {"gitlab": gitlab, "sarif": sarif}
_WHOLE = {"markdown": markdown, "compact": compact}
"""Formats that a report becomes as one text."""
_CHANGE = 200
"""Characters that are shown of a last change."""
_RELATED = 3
"""Number of related clones named per class."""
_SKIPPED_SHOWN = 5
_FINDINGS, _REASONS = 20, 3
"""Number of findings of a kind, and of reasons, that are shown."""
_SHOWN = 200
"""Characters that are shown of a call and of what it did."""


def show_clones(report: CloneReport) -> None:
    """Print a report for a person."""
    show(*_lines(report))


def show_summary(report: CloneReport) -> None:
    """Print the totals."""
    show(*_summary(report))


def show_warnings(report: CloneReport, others: Iterable[str] = ()) -> None:
    """Warn about files that could not be read and other limits: a result is never silently partial."""
    for files, one, many in (
        (
            report.skipped,
            "file was skipped, so its clones are missing:",
            "files were skipped, so their clones are missing:",
        ),
        (
            report.unparsed,
            "file is mostly broken, or in another language:",
            "files are mostly broken, or in another language:",
        ),
    ):
        if files:
            show_warning(_counted(len(files), one, many))
        for file in files[:_SKIPPED_SHOWN]:
            show_warning(f"  {file.path}: {file.why}")
        if len(files) > _SKIPPED_SHOWN:
            show_warning(f"  … and {len(files) - _SKIPPED_SHOWN:,} more; --format json lists all")
    for note in (*report.notes, *others):
        show_warning(note)


def clones_text(
    form: str, clones: Clones, report: CloneReport, *, spreadsheet_safe: bool = False, processes: int = 1
) -> Iterator[str]:
    """The content of a file in a format, piece by piece."""
    if form == "json":
        yield from report_pieces(report, processes)
    elif form in _JSON:
        yield visible_json(_JSON[form](report))
    elif form in _WHOLE:
        yield _WHOLE[form](report)
    elif form == "csv":
        yield from pairs_csv(clones.pairs(), spreadsheet_safe=spreadsheet_safe)
    elif form == "bigcloneeval":
        unwritten: list[str] = []
        yield from bigcloneeval_lines(clones.pairs(), unwritten)
        if unwritten:
            count = _counted(len(unwritten), "pair was", "pairs were")
            show_warning(f"{count} left out: the format cannot hold the path {unwritten[0]}")
    elif form == "html":
        from clonetruth.html.page import render
        from clonetruth.report.clones import clones_page

        yield render(clones_page(report))
    else:
        yield plain_text(_lines(report))


def _lines(report: CloneReport) -> Iterator[Line]:
    for one in report.classes:
        yield from _class(one, limited=report.only_new is not None)
    hidden = report.classes_found - len(report.classes)
    if hidden:
        yield styled(f"… and {_counted(hidden, 'more class', 'more classes')}; --top all shows all.", "dim")
        yield ""
    if report.behaviour is not None:
        yield from _behaviour(report.behaviour)
    yield from _summary(report)


def _behaviour(found: BehaviourFindings) -> Iterator[Line]:
    """What running functions showed."""
    if found.inconsistent:
        yield styled("Copies that behave differently", "bold")
        yield ""
    for one in found.inconsistent[:_FINDINGS]:
        yield [
            styled("≠", "bold red"),
            f" {visible(_function(one.first))}  {visible(_function(one.other))}  ",
            styled(f"differ on {one.differing:,} of {_counted(one.runs, 'input')}", "dim"),
        ]
        yield f"    {visible(one.call, _SHOWN)}"
        yield f"      first:  {visible(one.first_did, _SHOWN)}"
        yield f"      second: {visible(one.other_did, _SHOWN)}"
        yield ""
    yield from _hidden(len(found.inconsistent))
    if found.semantic:
        yield styled("Functions that behave alike, and are not copies", "bold")
        yield ""
    for group in found.semantic[:_FINDINGS]:
        yield [styled("=", "bold green"), f" {visible(_function(group.first))}"]
        for other in group.others:
            tried = f"no difference with {_counted(other.runs, 'input')}, {_counted(other.outputs, 'different result')}"
            yield [f"  {visible(_function(other.function))}  ", styled(tried, "dim")]
        if group.others[0].call:
            yield f"    {visible(group.others[0].call, _SHOWN)} {visible(group.others[0].did, _SHOWN)}"
        yield ""
    yield from _hidden(len(found.semantic))
    copies = _counted(found.copies, "edited or renamed copy", "edited or renamed copies")
    yield (
        f"Ran {copies}: {len(found.inconsistent):,} different, {found.consistent:,} without a difference, "
        f"{sum(found.copies_undecided.values()):,} undecided{_reasons(found.copies_undecided)}."
    )
    same = sum(len(group.others) for group in found.semantic)
    yield (
        f"Ran {found.ran:,} of {_counted(found.functions, 'function')} on shared inputs{_reasons(found.not_run)}; "
        f"{_counted(found.candidates, 'pair')} agreed on rare results: {same:,} without a difference, "
        f"{found.refuted:,} different, "
        f"{sum(found.candidates_undecided.values()):,} undecided{_reasons(found.candidates_undecided)}."
    )
    yield ""


def _function(place: FunctionPlace) -> str:
    return f"{place.path}:{place.first_line} {place.name}"


def _hidden(count: int) -> Iterator[Line]:
    if count > _FINDINGS:
        yield styled(f"… and {count - _FINDINGS:,} more; --format json or html shows all.", "dim")
        yield ""


def _reasons(counts: Mapping[str, int]) -> str:
    few = [f"{reason} {count:,}" for reason, count in list(counts.items())[:_REASONS]]
    more = ["…"] if len(counts) > _REASONS else []
    return f" ({', '.join([*few, *more])})" if counts else ""


def _class(one: CloneClass, *, limited: bool) -> Iterator[Line]:
    alike = "" if one.similarity is None else f", {_percent(one.similarity)} alike"
    kinds = f"{one.kinds} of " if one.kinds else ""
    size = f"{len(one.members)} × {kinds}{one.representative.tokens} tokens"
    types = one.types if one.strongest_new == one.strongest else f"{one.types}, new {one.strongest_new}"
    found = styled(f"(found by {', '.join(one.finders)})", "dim")
    yield [styled(types, _STYLES[one.strongest_new]), " ", styled(size), f"{alike} ", found]
    # The representative comes first, then new members; those of a limited report are never hidden.
    ordered = sorted(one.members, key=lambda member: (member is not one.representative, not member.new))
    always = 1 + sum(member.new for member in ordered[1:]) if limited else 0
    shown = ordered[: max(_MEMBERS, always)]
    places, names = [visible(_place(member)) for member in shown], [visible(_name(member)) for member in shown]
    width, reach = max(map(len, places)), max(map(len, names))
    for member, place, name in zip(shown, places, names, strict=True):
        mark = styled("+", "green") if limited and member.new else " "
        named = [name.ljust(reach), "  ", styled(member.differences, "dim")] if member.differences else [name]
        yield ["  ", mark, f" {place.ljust(width)}  ", *named]
        if member.last_change is not None:
            yield styled(f"      {visible(member.last_change, _CHANGE)}", "dim")
    if len(shown) < len(ordered):
        yield styled(f"    … and {len(ordered) - len(shown):,} more; --format html or json shows all.", "dim")
    if one.related:
        few = ", ".join(visible(f"{other.path}:{other.first_line}") for other in one.related[:_RELATED])
        more = f" and {len(one.related) - _RELATED:,} more" if len(one.related) > _RELATED else ""
        yield styled(f"    related, but too far from the first: {few}{more}", "dim")
    if one.hint is not None:
        yield f"    hint: {visible(one.hint)}"
    yield ""


def _place(member: CloneMember) -> str:
    """The location of a member, as editors and terminals recognise it."""
    return f"{member.path}:{member.first_line}"


def _name(member: CloneMember) -> str:
    lines = f"lines {member.first_line}–{member.last_line}"
    if member.kind == "block":
        return f"{lines} {member.title}".rstrip()
    return member.name or lines


def _summary(report: CloneReport) -> Iterator[Line]:
    functions, files, lines = (
        _counted(report.functions, "function"),
        _counted(report.files, "file"),
        _counted(report.lines, "line"),
    )
    limited = f" {report.only_new}" if report.only_new else ""
    if report.classes_found:
        types = ", ".join(f"{count:,} {name}" for name, count in report.classes_by_type.items() if count)
        share = f" ({_percent(report.copied_lines / report.lines)})" if report.lines else ""
        yield [
            styled(f"{_counted(report.classes_found, 'clone class', 'clone classes')}{limited}"),
            f": {types}; {_counted(report.members, 'member')}, {_counted(report.copied_lines, 'copied line')}{share}.",
        ]
    else:
        yield styled(f"No clones{limited}.", "bold green")
    yield f"Looked at {functions} in {files}, {lines}."
    if report.left_out:
        yield styled(f"Left out: {'; '.join(f'{one.what} ({one.count:,})' for one in report.left_out)}.", "dim")


def _counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def _percent(share: float) -> str:
    """A share in percent; less than all is never rounded to 100 %."""
    return "100 %" if share == 1 else f"{min(round(100 * share, 1), 99.9):g} %"
