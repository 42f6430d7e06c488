"""The generated datasheet: the `README.md` of a benchmark folder. The same content gives the same text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from clonetruth.model import CRITERIA, Recipe
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
    SELECT j.kind AS kind, g.criterion AS criterion, count(*) AS judgements
    FROM judgements g JOIN judges j ON g.judge = j.judge
    GROUP BY j.kind, g.criterion ORDER BY j.kind, g.criterion
"""


def datasheet(header: Header, engine: Engine, tables: Mapping[str, TableLike]) -> str:
    """The datasheet as Markdown.

    Args:
        header: the benchmark's header.
        engine: counts fragments by language, and judgements by kind of judge and criterion.
        tables: `fragments`, `judges` and `judgements`.
    """
    languages = engine.sql(_LANGUAGES, {"fragments": tables["fragments"]}).to_pylist()
    judgements = engine.sql(_JUDGEMENTS, {name: tables[name] for name in ("judges", "judgements")}).to_pylist()
    card = header.card
    criterion = CRITERIA.get(card.criterion)
    blocks = [
        f"# {markdown_line(card.name)} {markdown_line(card.version)}",
        markdown_paragraphs(card.description),
        "A code-clone benchmark in clonetruth's folder format. Its own labels are claims of a `rule`; "
        "only evidence, or a named policy, turns them into verdicts.",
        "## Card",
        _table(
            ["", ""],
            [
                ["Criterion of its labels", f"`{card.criterion}`: {criterion.meaning if criterion else ''}"],
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
            ["kind of judge", "criterion", "judgements"],
            ([row["kind"], row["criterion"], row["judgements"]] for row in judgements),
        ),
        "Judgements are counted at creation; later parts are new files in `judgements/`.",
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


def _recipe_text(recipe: Recipe | None) -> str:
    if recipe is None:
        return "Imported from its source without changes."
    parameters = visible_json(json.dumps(dict(recipe.parameters), sort_keys=True, ensure_ascii=False, indent=2))
    parents = "\n".join(f"- parent {markdown_code(parent)}" for parent in recipe.parents)
    done = f"Operation {markdown_code(recipe.operation)} with\n\n```json\n{parameters}\n```"
    return done + (f"\n\n{parents}" if parents else "")


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [markdown_row(head), markdown_rule(len(head)), *(markdown_row(row) for row in rows)]
    return "\n".join(lines)
