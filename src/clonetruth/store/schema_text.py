"""`docs/schema.md`, generated from the schemas so that it cannot go out of date."""

from __future__ import annotations

from clonetruth.model import CRITERIA
from clonetruth.store.schemas import CORE, IMMUTABLE, SCHEMA_VERSION, TABLES, VOCABULARIES, TableSchema

_HEAD = f"""# The tables of a benchmark, schema version {SCHEMA_VERSION}

Generated from `src/clonetruth/store/schemas.py` by `clonetruth.store.schema_text.schema_markdown`; a test
compares. [The benchmark folder](benchmark-folder.md) explains how the files are written. Types are Arrow types,
stored in Parquet with the descriptions below as field metadata. "null" says whether a value may be missing.
"""

_TAIL = """
## Parquet key-value metadata

Every table holds `clonetruth.table`, `clonetruth.schema_version` and `clonetruth.version`. Measures,
verdicts, splits, samples and detections hold `clonetruth.content_hash`, the hash of the benchmark that they belong to,
and what their writer adds: `clonetruth.rule` and `clonetruth.cut_rule` for measures; `clonetruth.policy`,
`clonetruth.criterion` and `clonetruth.judgements_hash` for verdicts; `clonetruth.options`, `clonetruth.digest` and
`clonetruth.verdicts` for splits and samples.
"""


def _table_lines(table: TableSchema) -> list[str]:
    if table.name in IMMUTABLE:
        change = "never changes after creation"
    elif table.name in CORE:
        change = "grows by new parts"
    else:
        change = "added later, one file each"
    lines = [
        f"\n## {table.name}\n",
        f"`{table.files}`: {change}. {table.row}\n",
        "| column | type | null | meaning |",
        "| --- | --- | --- | --- |",
    ]
    for field in table.schema:
        meaning = field.metadata[b"description"].decode()
        values = VOCABULARIES.get((table.name, field.name))
        if values:
            meaning += " One of " + ", ".join(f"`{value}`" for value in values) + "."
        lines.append(f"| `{field.name}` | {field.type} | {'yes' if field.nullable else 'no'} | {meaning} |")
    return lines


def _criterion_lines() -> list[str]:
    lines = [
        "\n## Criteria and the answers that they permit\n",
        "| criterion | subject | values | meaning |",
        "| --- | --- | --- | --- |",
    ]
    for criterion in CRITERIA.values():
        values = ", ".join(f"`{value}`" for value in criterion.values)
        lines.append(f"| `{criterion.name}` | {criterion.subject} | {values} | {criterion.meaning} |")
    return lines


def schema_markdown() -> str:
    """The text of `docs/schema.md`."""
    lines = [_HEAD.rstrip("\n")]
    for table in TABLES.values():
        lines += _table_lines(table)
    lines += _criterion_lines()
    return "\n".join(lines) + "\n" + _TAIL
