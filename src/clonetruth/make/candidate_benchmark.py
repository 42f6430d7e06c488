"""Candidates as a benchmark that judges can work on: each next to an exemplar of its functionality, not yet tagged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from clonetruth.errors import InputError
from clonetruth.make.candidate_search import FOUND_OUTSIDE, SearchOptions
from clonetruth.make.function_index import text_digest
from clonetruth.make.functionality_file import FunctionalityFile, read_functionality
from clonetruth.make.stage import Stage, StageOutcome, StageWork
from clonetruth.model import Card, Fragment, Functionality, Membership, Pair, Recipe, Role
from clonetruth.store import BenchmarkWriter

_FOUND = """
SELECT c.functionality AS functionality, c.found_by AS found_by, f.id AS id, f.project AS project, f.path AS path,
    f.first_line AS first_line, f.last_line AS last_line, f.language AS language, f.name AS name, f.text AS text
FROM found c
JOIN functions f ON c.function = f.function
ORDER BY c.functionality, c.found_by, f.function
"""


@dataclass(frozen=True)
class CandidateOptions:
    """The keys of the stage.

    Attributes:
        exemplars: with which exemplars a candidate is paired for judges: `first`, or `all`.
    """

    exemplars: str = "first"


def exemplar_id(functionality: str, number: int) -> str:
    """The id of an exemplar, from 1."""
    return f"exemplar:{functionality}:{number}"


def searched_functionalities(work: StageWork) -> list[FunctionalityFile]:
    """The functionalities of the recipe's search."""
    options = next(one.options for one in work.recipe.steps if isinstance(one.options, SearchOptions))
    return [read_functionality(name, work.recipe.folder) for name in options.functionalities]


def exemplar_fragments(wanted: FunctionalityFile) -> Iterator[Fragment]:
    """The exemplars of a functionality."""
    for number, text in enumerate(wanted.exemplars, 1):
        yield Fragment(exemplar_id(wanted.id, number), wanted.language, text.strip("\n") + "\n", project="exemplars")


def functionality_row(wanted: FunctionalityFile) -> Functionality:
    """A functionality as a benchmark holds it."""
    return Functionality(wanted.id, wanted.name, wanted.specification, wanted.heuristic)


def _fragment(row: Mapping[str, Any]) -> Fragment:
    lines = (row["first_line"], row["last_line"])
    return Fragment(
        row["id"],
        row["language"],
        row["text"],
        name=row["name"],
        project=row["project"],
        path=row["path"],
        first_line=lines[0],
        last_line=lines[1],
    )


def _run(work: StageWork) -> StageOutcome:
    wanted = {one.id: one for one in searched_functionalities(work)}
    if lacking := [one.id for one in wanted.values() if not one.exemplars]:
        raise InputError(f"The functionality '{lacking[0]}' has no exemplar.", hint="Add one to its file.")
    tables = {"found": work.artefact("found"), "functions": work.artefact("functions")}
    rows = work.engine.sql(_FOUND, tables).to_pylist()
    known = {(one.id, text_digest(text)) for one in wanted.values() for text in one.exemplars}
    kept = [row for row in rows if (row["functionality"], text_digest(row["text"])) not in known]
    card = Card(
        name=f"{work.recipe.card.name}-candidates",
        version=work.recipe.card.version,
        description="Candidates of a search, each paired with an exemplar of its functionality, not yet tagged.",
        licence=work.recipe.card.licence,
        citation=work.recipe.card.citation,
        criterion="shares-functionality",
        languages=tuple(sorted({one.language for one in wanted.values()})),
        known_flaws=("The pairs have no labels.",),
    )
    recipe = Recipe("make candidates", work.recipe.parameters)
    with BenchmarkWriter(work.output / "candidates", card, recipe=recipe, engine=work.engine) as writer:
        for one in wanted.values():
            writer.add("functionalities", [functionality_row(one)])
            exemplars = list(exemplar_fragments(one))
            writer.add("fragments", exemplars)
            writer.add("memberships", [Membership(each.id, one.id, Role.EXEMPLAR) for each in exemplars])
        distinct = {row["id"]: row for row in kept}
        writer.add("fragments", [_fragment(row) for row in distinct.values()])
        writer.add("memberships", [Membership(row["id"], row["functionality"], Role.UNDECIDED) for row in kept])
        writer.add("pairs", _pairs(wanted, kept, everything=work.options.exemplars == "all"))
        writer.add_tests(test for one in wanted.values() if (test := one.test) is not None)
    outside = sum(row["found_by"] == FOUND_OUTSIDE for row in kept)
    return StageOutcome(
        taken={"candidates": len(rows)},
        given={"candidates": len(kept) - outside, "from outside": outside, "functions": len(distinct)},
        left_out={"copies of an exemplar": len(rows) - len(kept)},
    )


def _pairs(wanted: Mapping[str, FunctionalityFile], rows: list[dict[str, Any]], *, everything: bool) -> Iterator[Pair]:
    for row in rows:
        name = row["functionality"]
        for number in range(1, (len(wanted[name].exemplars) if everything else 1) + 1):
            yield Pair(exemplar_id(name, number), row["id"], name)


def _check(options: CandidateOptions) -> None:
    if options.exemplars not in ("first", "all"):
        raise InputError(f"exemplars = '{options.exemplars}' is neither first nor all.")


STAGE = Stage(
    name="candidates",
    description="Put the candidates next to exemplars, as a benchmark that judges can work on.",
    options=CandidateOptions,
    run=_run,
    reads=("found", "functions"),
    writes=("candidates",),
    check=_check,
)
