"""The page of `clonetruth run`: what two pieces of code did with the same inputs."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from clonetruth.execution import BehaviourComparison, BehaviourVerdict, CodeRun, ExecutedPair
from clonetruth.execution.description import (
    describe_call,
    describe_observation,
    describe_verdict,
    effort_facts,
    observed_rows,
)
from clonetruth.html.blocks import Callout, Content, bullets, callouts, details, key_facts, lead, note
from clonetruth.html.code_blocks import Side, excerpt, side_by_side
from clonetruth.html.numbers import count
from clonetruth.html.page import Page, Section
from clonetruth.html.tables import Column, Table

_LONG_CALL = 60
_NOTE = (
    "Both ran in a sandbox with the same inputs. A difference is shown only if it came again in fresh processes. "
    "That no difference was found is not a proof: it says how hard the search was."
)


def run_page(found: CodeRun) -> Page:
    """The page of a run: of two pieces of code, or of all functions that changed since a revision."""
    if found.since is None:
        return _pair_page(found)
    ran = [one for one in found.pairs if one.comparison is not None]
    sections = [Section("All functions", _functions(found), anchor="functions")]
    sections += [
        Section(one.name, _pair(one), anchor=f"function-{number}")
        for number, one in enumerate(sorted(ran, key=_rank), start=1)
        if one.verdict is not BehaviourVerdict.UNDECIDED
    ]
    return Page(
        title=f"What changed since {found.since}",
        subtitle="Functions as they were and as they are, run with the same inputs",
        opening=[lead(found.summary), _callouts(found), note(_NOTE)],
        sections=sections,
        manifest=_manifest(found),
    )


def _rank(pair: ExecutedPair) -> int:
    return list(BehaviourVerdict).index(pair.verdict) if pair.verdict else len(BehaviourVerdict)


def _pair_page(found: CodeRun) -> Page:
    (pair,) = found.pairs
    assert pair.comparison is not None
    sections = [Section("The code, side by side", [_code(pair)], anchor="code")]
    if rows := list(observed_rows(pair.comparison)):
        sections.insert(0, Section("Observations", [_observations(pair.comparison, len(rows))], anchor="observations"))
    return Page(
        title=pair.name,
        subtitle="Two pieces of code, run with the same inputs",
        opening=behaviour_blocks(pair.comparison),
        sections=sections,
        manifest=_manifest(found),
    )


def behaviour_blocks(found: BehaviourComparison) -> list[Content]:
    """The verdict, the witness, and how hard the search was."""
    blocks: list[Content] = [lead(describe_verdict(found))]
    if found.witness is not None:
        blocks.append(witness_table(found))
    if facts := effort_facts(found):
        blocks.append(key_facts(facts))
    blocks.append(note(_NOTE))
    return blocks


def witness_table(found: BehaviourComparison) -> Table:
    """The smallest input on which both differ, with what both do."""
    assert found.witness is not None
    sides = (("left", found.left, found.witness.left), ("right", found.right, found.witness.right))
    rows = [
        (name, _cell(describe_call(side, found.witness.call)), _cell(describe_observation(side, seen)))
        for name, side, seen in sides
    ]
    columns = [Column("code"), _call_column("call", [row[1] for row in rows]), Column("what it does", "code")]
    return Table(columns, rows, "The smallest input found on which they differ", sortable=False)


def _observations(found: BehaviourComparison, number: int) -> Table:
    rows = [(_cell(one.call), _cell(one.left), _cell(one.right), one.comment) for one in observed_rows(found)]
    first = _call_column("input", [row[0] for row in rows])
    columns = [first, Column("left", "code"), Column("right", "code"), Column("difference", "prose")]
    return Table(columns, rows, f"{number} of {found.strength.runs:,} inputs, those with a difference first")


def _call_column(title: str, calls: Sequence[str]) -> Column:
    """Calls on one line, unless one is so long that what comes of it would be out of sight."""
    return Column(title, "prose" if any(len(one) > _LONG_CALL for one in calls) else "code")


def _cell(text: str) -> str:
    return excerpt(text)


def _code(pair: ExecutedPair) -> Markup:
    sides = [
        Side(piece.text, piece.title, piece.language, note=piece.language, first_line=piece.first_line)
        for piece in (pair.left, pair.right)
        if piece is not None
    ]
    return side_by_side(sides[0], sides[1])


def _callouts(found: CodeRun) -> Markup:
    names = {
        "different": "behave differently",
        "no difference found": "without a difference",
        "undecided": "undecided",
        "only layout or comments": "with other layout or comments only",
        "only name or place": "with another name or place only",
        "added": "added",
        "removed": "removed",
    }
    outcomes = [one.outcome for one in found.pairs]
    return callouts([Callout(count(outcomes.count(one)), label) for one, label in names.items()])


def _functions(found: CodeRun) -> Sequence[Content]:
    blocks: list[Content] = []
    if found.pairs:
        columns = [Column("function", "code"), Column("result", "label"), Column("why", "prose")]
        rows = [(one.name, one.outcome, _cell(one.explanation)) for one in sorted(found.pairs, key=_rank)]
        blocks.append(Table(columns, rows, "Functions that differ come first", filterable=len(rows) > 20))
    if found.remarks:
        blocks.append(bullets(found.remarks))
    return blocks or ["No function changed."]


def _pair(pair: ExecutedPair) -> list[Content]:
    assert pair.comparison is not None
    found = pair.comparison
    blocks: list[Content] = [describe_verdict(found)]
    if found.witness is not None:
        blocks.append(witness_table(found))
    rows = list(observed_rows(found))
    more: list[Content] = [key_facts(effort_facts(found))]
    if rows:
        more.append(_observations(found, len(rows)))
    blocks.append(details("How hard it looked", *more))
    blocks.append(details("The code, side by side", _code(pair), is_open=found.witness is not None))
    return blocks


def _manifest(found: CodeRun) -> dict[str, str]:
    manifest = found.manifest
    return {
        "versions": ", ".join(f"{name} {version}" for name, version in manifest.versions.items()),
        "configuration": f"{manifest.configuration_digest[:12]}, seed {manifest.seed}",
        "time": manifest.time,
    }
