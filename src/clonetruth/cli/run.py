"""`clonetruth run`: two pieces of code with the same inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clonetruth.cli.output import progress_bar, show, show_json, show_table, show_written, styled
from clonetruth.cli.verb import verb_command
from clonetruth.errors import UNDECIDED_EXIT_CODE
from clonetruth.options.run import RunOptions

if TYPE_CHECKING:
    from clonetruth.execution import BehaviourComparison, CodeRun

_STYLES = {"different": "bold red", "undecided": "bold yellow"}
_LONGEST_CELL = 120
_EXIT_CODES = {"different": 1, "undecided": UNDECIDED_EXIT_CODE}


@verb_command(RunOptions)
def run(options: RunOptions) -> int:
    """Run the code, print what was found or write a page, and say by the exit code which verdict it is."""
    from clonetruth.execution import run_code

    with progress_bar() as progress:
        found = run_code(options, progress=progress)
    if options.json:
        show_json(found.to_dict())
    if options.html is not None:
        from clonetruth.html import write
        from clonetruth.report import run_page

        path = write(run_page(found), options.html)
        if not options.json:
            show_written(path)
    elif not options.json:
        _show(found)
    return _EXIT_CODES.get(found.verdict, 0)


def _show(found: CodeRun) -> None:
    if found.since is not None:
        _show_changes(found)
    elif found.pairs[0].comparison is not None:
        show_behaviour(found.pairs[0].comparison)


def show_behaviour(found: BehaviourComparison) -> None:
    """Print what running two pieces of code showed."""
    from clonetruth.execution.description import describe_verdict, effort_facts, observed_rows

    head, colon, rest = describe_verdict(found).partition(":")
    show([styled(head, _STYLES.get(found.verdict, "bold green")), colon, rest])
    rows = list(observed_rows(found))
    if found.witness is not None and rows:
        _show_witness(found)
    if rows:
        cells = [(_cut(one.call), _cut(one.left), _cut(one.right), one.comment) for one in rows]
        show_table("Observations", ("input", "left", "right", ""), cells)
    facts = effort_facts(found)
    if facts:
        show_table("How hard it looked", ("", ""), list(facts.items()))


def _cut(text: str) -> str:
    """A text for a cell; the page and JSON have all of it."""
    return text if len(text) <= _LONGEST_CELL else f"{text[: _LONGEST_CELL - 1]}…"


def _show_witness(found: BehaviourComparison) -> None:
    from clonetruth.execution.description import describe_call, describe_observation

    assert found.witness is not None
    for name, side, seen in (("left ", found.left, found.witness.left), ("right", found.right, found.witness.right)):
        call, did = describe_call(side, found.witness.call), describe_observation(side, seen)
        show([f"  {name}  ", styled(call), f" {did}"])


def _show_changes(found: CodeRun) -> None:
    show([styled(found.summary, _STYLES.get(found.verdict, "bold green"))])
    if found.pairs:
        show_table("", ("function", "result", ""), [(one.name, one.outcome, one.explanation) for one in found.pairs])
    for line in found.remarks:
        show(line)
