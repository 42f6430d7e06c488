"""The generated datasheet: the `README.md` of a benchmark folder. The same content gives the same text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clonetruth.model import CRITERIA, JudgeKind, Recipe, Subject
from clonetruth.safe_text import (
    markdown_code,
    markdown_line,
    markdown_paragraphs,
    markdown_row,
    markdown_rule,
    visible_json,
)
from clonetruth.store.engine import Engine, TableLike
from clonetruth.store.header import Header
from clonetruth.store.schemas import CORE, TABLES

_LANGUAGES = """
    SELECT language, count(*) AS fragments FROM fragments GROUP BY language ORDER BY count(*) DESC, language
"""

_JUDGEMENTS = """
    SELECT j.kind AS kind, g.criterion AS criterion, g.value AS value, count(*) AS judgements
    FROM judgements g JOIN judges j ON g.judge = j.judge
    GROUP BY j.kind, g.criterion, g.value ORDER BY j.kind, g.criterion, g.value
"""
FUNNEL = "funnel"
"""The parameter of a recipe that says what each step of a process took in, gave out and left out."""


def datasheet(header: Header, engine: Engine, tables: Mapping[str, TableLike]) -> str:
    """The datasheet as Markdown.

    Args:
        header: the benchmark's header.
        engine: counts fragments by language, and judgements by kind of judge, criterion and answer.
        tables: `fragments`, `judges` and `judgements`.
    """
    languages = engine.sql(_LANGUAGES, {"fragments": tables["fragments"]}).to_pylist()
    judgements = engine.sql(_JUDGEMENTS, {name: tables[name] for name in ("judges", "judgements")}).to_pylist()
    card = header.card
    criterion = CRITERIA.get(card.criterion)
    blocks = [
        f"# {markdown_line(card.name)} {markdown_line(card.version)}",
        markdown_paragraphs(card.description),
        f"A code-clone benchmark in clonetruth's folder format. {_labels(judgements)}",
        "## Card",
        _table(
            ["", ""],
            [
                ["Criterion", f"`{card.criterion}`: {criterion.meaning if criterion else ''}"],
                ["Languages", ", ".join(card.languages)],
                [
                    "Problems disjoint",
                    "yes, as the source states" if card.problems_disjoint else "not stated",
                ],
                ["Licence", card.licence],
                ["Citation", card.citation],
                ["Home", card.url or "–"],
            ],
        ),
        "### Known flaws",
        "\n".join(f"- {markdown_line(flaw)}" for flaw in card.known_flaws) or "None recorded; there may be some.",
        "## Counts",
        _table(["table", "rows", "what a row is"], ([t, header.counts[t], TABLES[t].row] for t in CORE)),
        _table(["language", "fragments"], ([row["language"], row["fragments"]] for row in languages)),
        _table(
            ["kind of judge", "criterion", "judgements", "answers"],
            _by_criterion(judgements),
        ),
        "Judgements are counted at creation; later parts are new files in `judgements/`. `clonetruth verdicts FOLDER` "
        "shows what follows from them for the pairs; `--criterion` chooses what is asked, `--policy` who counts.",
        *_process(header.recipe),
        "## Recipe",
        _recipe_text(header.recipe),
        "## Reading it",
        "```python\n"
        "import duckdb\n"
        "import pandas\n\n"
        'pairs = pandas.read_parquet("pairs.parquet")\n'
        "duckdb.sql(\"SELECT criterion, value, count(*) FROM 'judgements/*.parquet' GROUP BY ALL\").show()\n"
        "```",
        f"Schema version {header.schema_version}. Content hash `{header.content_hash}`.",
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _labels(judgements: Sequence[Mapping[str, Any]]) -> str:
    """Whether a rule labels the pairs."""
    for row in judgements:
        criterion = CRITERIA.get(row["criterion"])
        if row["kind"] == JudgeKind.RULE and (criterion is None or criterion.subject is Subject.PAIR):
            return "Its own labels are claims of a `rule`; only evidence, or a named policy, turns them into verdicts."
    return "Its pairs have no labels: a named policy turns what judges said about pairs or fragments into verdicts."


def _by_criterion(judgements: Sequence[Mapping[str, Any]]) -> list[list[object]]:
    """The rows of the table: all answers of a kind of judge to a criterion in one."""
    rows: dict[tuple[str, str], dict[str, int]] = {}
    for row in judgements:
        rows.setdefault((row["kind"], row["criterion"]), {})[row["value"]] = row["judgements"]
    return [[kind, criterion, sum(values.values()), _numbers(values)] for (kind, criterion), values in rows.items()]


def _numbers(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "–"


def _process(recipe: Recipe | None) -> list[str]:
    """What each step of the process did, for a benchmark that was made by one."""
    given = None if recipe is None else recipe.parameters.get(FUNNEL)
    # Others may have edited the file.
    steps = [one for one in given if _is_step(one)] if isinstance(given, Sequence) else []
    if not steps:
        return []
    table = _table(
        ["step", "what it does", "in", "out", "left out"],
        ([one["step"], one["does"], *(_numbers(one[name]) for name in ("in", "out", "left out"))] for one in steps),
    )
    notes = [f"- {markdown_line(one['step'])}: {markdown_line(note)}" for one in steps for note in one["notes"]]
    shown = [block for one in steps for name, rows in _tables(one) for block in (f"### {name}", _nested(rows))]
    return ["## How it was made", table, "\n".join(notes), *shown]


def _tables(step: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Mapping[str, Any]]]]:
    """Tables of a step that a reader of the benchmark should see: rows of numbers by name."""
    given = step.get("tables")
    tables = given.items() if isinstance(given, Mapping) else ()
    sound = [
        (name, rows)
        for name, rows in tables
        if isinstance(rows, Mapping) and rows and all(isinstance(row, Mapping) for row in rows.values())
    ]
    return [(markdown_line(f"{step['step']}, {name}"), rows) for name, rows in sound]


def _nested(rows: Mapping[str, Mapping[str, Any]]) -> str:
    heads = list(dict.fromkeys(name for row in rows.values() for name in row))
    return _table(["", *heads], ([name, *(_number(row.get(head)) for head in heads)] for name, row in rows.items()))


def _number(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:,.3g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


def _is_step(given: Any) -> bool:
    if not isinstance(given, Mapping) or not all(isinstance(given.get(name), str) for name in ("step", "does")):
        return False
    counts = [given.get(name) for name in ("in", "out", "left out")]
    numbers = (isinstance(one, Mapping) and all(isinstance(each, int) for each in one.values()) for one in counts)
    notes = given.get("notes")
    return all(numbers) and isinstance(notes, list) and all(isinstance(note, str) for note in notes)


def _recipe_text(recipe: Recipe | None) -> str:
    if recipe is None:
        return "Imported from its source without changes."
    chosen = {name: value for name, value in recipe.parameters.items() if name != FUNNEL}
    parameters = visible_json(json.dumps(chosen, sort_keys=True, ensure_ascii=False, indent=2))
    parents = "\n".join(f"- parent {markdown_code(parent)}" for parent in recipe.parents)
    done = f"Operation {markdown_code(recipe.operation)} with\n\n```json\n{parameters}\n```"
    return done + (f"\n\n{parents}" if parents else "")


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [markdown_row(head), markdown_rule(len(head)), *(markdown_row(row) for row in rows)]
    return "\n".join(lines)
