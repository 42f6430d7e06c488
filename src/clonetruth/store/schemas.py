"""The tables of a benchmark folder: columns, types, nullability and meaning, in one place.

`docs/schema.md` is generated from here (`schema_markdown`), the writer casts to these schemas, and the reader checks
against them. A new version may only add tables or nullable columns; it increments `SCHEMA_VERSION`, and a folder of the
previous version stays in `tests/golden/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from clonetruth.model import CRITERIA, FragmentKind, JudgeKind, Role, VerdictValue

SCHEMA_VERSION = 2
"""2: the tables `claims`, `descriptions`, `tests`, `domains`, `samples`."""

TIMESTAMP = pa.timestamp("us", tz="UTC")


@dataclass(frozen=True)
class TableSchema:
    """One kind of table: what a row is, where it is stored, and its columns."""

    name: str
    files: str
    row: str
    schema: pa.Schema


def _column(name: str, kind: pa.DataType, meaning: str, *, nullable: bool = False) -> pa.Field:
    return pa.field(name, kind, nullable=nullable, metadata={"description": meaning})


def _optional(name: str, kind: pa.DataType, meaning: str) -> pa.Field:
    return _column(name, kind, meaning, nullable=True)


_INT, _TEXT, _REAL = pa.int64(), pa.string(), pa.float64()

TABLES: Mapping[str, TableSchema] = {
    table.name: table
    for table in (
        TableSchema(
            "fragments",
            "fragments.parquet",
            "A piece of source text.",
            pa.schema(
                [
                    _column("fragment", _INT, "Dense key, from 0 in order of arrival."),
                    _column("id", _TEXT, "The source's own id; unique."),
                    _column("language", _TEXT, "Programming language, lower case."),
                    _column("text", _TEXT, "The code, as the source gives it."),
                    _column("kind", _TEXT, "How much code it is."),
                    _optional("name", _TEXT, "Name of the function or class."),
                    _optional("project", _TEXT, "Project or repository it comes from."),
                    _optional("path", _TEXT, "File within the project."),
                    _optional("first_line", pa.int32(), "First line in that file, from 1."),
                    _optional("last_line", pa.int32(), "Last line in that file, inclusive."),
                ]
            ),
        ),
        TableSchema(
            "functionalities",
            "functionalities.parquet",
            "What fragments are said to do.",
            pa.schema(
                [
                    _column("functionality", _INT, "Dense key, from 0 in order of arrival."),
                    _column("id", _TEXT, "The source's own id; unique."),
                    _column("name", _TEXT, "Short name."),
                    _optional("specification", _TEXT, "What an implementation must do."),
                    _optional("heuristic", _TEXT, "How candidates were searched for."),
                ]
            ),
        ),
        TableSchema(
            "memberships",
            "memberships.parquet",
            "A source's statement about a fragment in a functionality.",
            pa.schema(
                [
                    _column("fragment", _INT, "Key in `fragments`."),
                    _column("functionality", _INT, "Key in `functionalities`."),
                    _column("role", _TEXT, "What the source says."),
                ]
            ),
        ),
        TableSchema(
            "pairs",
            "pairs.parquet",
            "One row of a source, in the source's order; multiplicity is kept.",
            pa.schema(
                [
                    _column("pair", _INT, "Row key, from 0 in order of arrival."),
                    _column("left", _INT, "Key in `fragments`: the source's first fragment."),
                    _column("right", _INT, "Key in `fragments`: the source's second fragment."),
                    _column(
                        "pair_key",
                        _INT,
                        "Unordered identity: least(left, right) * 4294967296 + greatest(left, right).",
                    ),
                    _optional("functionality", _INT, "Key in `functionalities` that the source names."),
                    _optional("claimed_type", _TEXT, "Clone type that the source claims."),
                    _optional("claimed_similarity_line", _REAL, "Similarity by line that the source claims."),
                    _optional("claimed_similarity_token", _REAL, "Similarity by token that the source claims."),
                    _optional("claimed_cut_rule", _TEXT, "Rule by which the source cut types by similarity."),
                    _optional("claimed_part", _TEXT, "Part of the split that the source puts the row in."),
                ]
            ),
        ),
        TableSchema(
            "judges",
            "judges/*.parquet",
            "A judge. Each part holds the judges that arrived with the judgement part of the same name.",
            pa.schema(
                [
                    _column("judge", _TEXT, "Id of the judge; each id has one definition."),
                    _column("kind", _TEXT, "What kind of judge."),
                    _column("name", _TEXT, "Display name."),
                    _optional("description", _TEXT, "How the judge works."),
                    _column("settings", _TEXT, "JSON object with sorted keys: model, prompt, parameters."),
                ]
            ),
        ),
        TableSchema(
            "judgements",
            "judgements/*.parquet",
            "One judge's answer to one criterion on one subject: a pair, or a fragment in a functionality. "
            "Append-only; the part `part-0` came with the source.",
            pa.schema(
                [
                    _column("judge", _TEXT, "Id in `judges`."),
                    _column("criterion", _TEXT, "What was asked."),
                    _column("value", _TEXT, "The answer, one of the values that the criterion permits."),
                    _optional("pair", _INT, "Key in `pairs`, if the subject is a pair."),
                    _optional("fragment", _INT, "Key in `fragments`, if the subject is a fragment."),
                    _optional("functionality", _INT, "Key in `functionalities`, if the subject is a fragment."),
                    _optional("confidence", _REAL, "The judge's own confidence, 0 to 1."),
                    _optional("reason", _TEXT, "Why, in the judge's words."),
                    _optional("evidence", _TEXT, "What the answer is based on: a log, an input, a transcript."),
                    _optional("time", TIMESTAMP, "When it was given."),
                    _optional("source_row", _INT, "Row in the source's own file."),
                    _column(
                        "sequence",
                        _INT,
                        "Order of arrival: larger is later. Judgements that arrive together have no order (decision "
                        "0018).",
                    ),
                ]
            ),
        ),
        TableSchema(
            "claims",
            "claims/<source>.parquet",
            "What a source publishes about its pairs beyond the `claimed_*` columns; written at import, one row per "
            "pair. BigCloneEval's filters read it.",
            pa.schema(
                [
                    _column("pair", _INT, "Key in `pairs`; one row for each."),
                    _column("clone", pa.bool_(), "Whether the source lists the pair as a clone."),
                    _optional("syntactic_type", pa.int32(), "1, 2 (consistently renamed) or 3 (everything else)."),
                    _optional("min_lines", pa.int32(), "Lines of the smaller function."),
                    _optional("max_lines", pa.int32(), "Lines of the larger function."),
                    _optional("min_pretty_lines", pa.int32(), "Pretty-printed lines of the smaller function."),
                    _optional("max_pretty_lines", pa.int32(), "Pretty-printed lines of the larger function."),
                    _optional("min_tokens", pa.int32(), "Tokens of the smaller function."),
                    _optional("max_tokens", pa.int32(), "Tokens of the larger function."),
                    _optional("min_judges", pa.int32(), "Judges of the function that fewer looked at."),
                    _optional("min_confidence", pa.int32(), "Agreement on the function that fewer agreed on."),
                    _optional("internal", pa.bool_(), "Whether the source keeps the pair out of its evaluations."),
                ]
            ),
        ),
        TableSchema(
            "descriptions",
            "descriptions/<file>.parquet",
            "A name or specification of a functionality that was attached later. Where SQL asks `functionalities`, the "
            "latest replaces what came with the source.",
            pa.schema(
                [
                    _column("functionality", _INT, "Key in `functionalities`; at most one row for each."),
                    _optional("name", _TEXT, "Short name."),
                    _optional("specification", _TEXT, "What an implementation must do."),
                    _column("sequence", _INT, "Order of arrival: larger is later."),
                ]
            ),
        ),
        TableSchema(
            "tests",
            "tests/<source>.parquet",
            "How a source tests fragments of a functionality: a program around the fragment, or calls with their "
            "results; written at import. Inputs to an execution, not evidence.",
            pa.schema(
                [
                    _column("functionality", _INT, "Key in `functionalities`."),
                    _optional(
                        "language", _TEXT, "Language of the program; null for calls, which any language can make."
                    ),
                    _optional("before", _TEXT, "The text of the program before the fragment."),
                    _optional("after", _TEXT, "The text after the fragment, which fails if the fragment is wrong."),
                    _optional(
                        "calls", _TEXT, "JSON list of [arguments, result], or for programs of {stdin, stdout, agreed}."
                    ),
                ]
            ),
        ),
        TableSchema(
            "domains",
            "domains/<source>.parquet",
            "Which inputs the specification of a functionality permits, where a source states it in a form that "
            "programs can read; written at import. Inputs outside are not tried by an execution.",
            pa.schema(
                [
                    _column("functionality", _INT, "Key in `functionalities`."),
                    _column("parameters", _TEXT, "JSON list with the name and the domain of each parameter."),
                ]
            ),
        ),
        TableSchema(
            "measures",
            "measures/<rule>.parquet",
            "Our own measures of a pair under a named rule.",
            pa.schema(
                [
                    _column("pair", _INT, "Key in `pairs`; at most one row for each."),
                    _optional("similarity_line", _REAL, "Similarity by line, 0 to 1."),
                    _optional("similarity_token", _REAL, "Similarity by token, 0 to 1."),
                    _optional("clone_type", _TEXT, "Clone type under the rule."),
                    _optional("problem", _TEXT, "Why the pair could not be measured."),
                ]
            ),
        ),
        TableSchema(
            "verdicts",
            "verdicts/<policy>-<hash>.parquet",
            "The conclusion of a named policy on a pair.",
            pa.schema(
                [
                    _column("pair", _INT, "Key in `pairs`; one row for each."),
                    _column("verdict", _TEXT, "The conclusion; unknown is never counted as known."),
                    _optional(
                        "confidence",
                        _REAL,
                        "Share of the counted judgements that agree with the verdict, or the policy's posterior.",
                    ),
                    _column("judgements", pa.int32(), "Number of judgements that counted."),
                    _column("reason", _TEXT, "Why, in one sentence."),
                ]
            ),
        ),
        TableSchema(
            "splits",
            "splits/<view>-<seed>.parquet",
            "The part that a view puts a fragment in.",
            pa.schema(
                [
                    _column("fragment", _INT, "Key in `fragments`; at most one row for each."),
                    _column("part", _TEXT, "Part of the split."),
                ]
            ),
        ),
        TableSchema(
            "samples",
            "samples/<view>-<seed>.parquet",
            "The pairs that were drawn within the parts of the split of that name; without such a table, all pairs.",
            pa.schema(
                [
                    _column("pair", _INT, "Key in `pairs`; at most one row for each."),
                    _column("part", _TEXT, "Part of the split that both fragments are in."),
                ]
            ),
        ),
        TableSchema(
            "detections",
            "detections/<detector>.parquet",
            "What a detector reports: a pair of the benchmark, or two places in source files.",
            pa.schema(
                [
                    _optional("pair", _INT, "Key in `pairs`."),
                    _optional("score", _REAL, "The detector's score; larger is more alike."),
                    _optional("left_path", _TEXT, "File of the first place."),
                    _optional("left_first_line", pa.int32(), "Its first line, from 1."),
                    _optional("left_last_line", pa.int32(), "Its last line, inclusive."),
                    _optional("right_path", _TEXT, "File of the second place."),
                    _optional("right_first_line", pa.int32(), "Its first line, from 1."),
                    _optional("right_last_line", pa.int32(), "Its last line, inclusive."),
                ]
            ),
        ),
    )
}

FIRST_APPENDED = 10**12
"""The least `sequence` of a judgement that was appended; smaller ones came with the source."""

IMMUTABLE = ("fragments", "functionalities", "memberships", "pairs")
"""Tables that never change after creation; the content hash covers them."""

CORE = (*IMMUTABLE, "judges", "judgements")
"""Tables of every benchmark."""

DERIVED = ("claims", "descriptions", "tests", "domains", "measures", "verdicts", "splits", "samples", "detections")
"""Folders of tables that are added later, one file each."""

SYSTEM = "system"
"""The folder of source files, for a benchmark whose fragments were injected into a system; `path` is relative to it."""

PARTS = ("train", "valid", "test")

LEFT_OUT = "left-out"
"""The part of a fragment that a split leaves out."""

VOCABULARIES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("fragments", "kind"): tuple(FragmentKind),
    ("memberships", "role"): tuple(Role),
    ("pairs", "claimed_part"): PARTS,
    ("judges", "kind"): tuple(JudgeKind),
    ("judgements", "criterion"): tuple(CRITERIA),
    ("verdicts", "verdict"): tuple(VerdictValue),
    ("splits", "part"): (*PARTS, LEFT_OUT),
    ("samples", "part"): PARTS,
}
"""Columns with a closed vocabulary."""

REFERENCES: Mapping[str, Mapping[str, str]] = {
    "memberships": {"fragment": "fragments", "functionality": "functionalities"},
    "pairs": {"left": "fragments", "right": "fragments", "functionality": "functionalities"},
    "judgements": {"fragment": "fragments", "functionality": "functionalities"},
}
"""Columns that arrive as a source's string ids and are stored as keys."""

_ASSIGNED_BY_THE_STORE = {
    "fragments": {"fragment"},
    "functionalities": {"functionality"},
    "pairs": {"pair", "pair_key"},
}


def incoming_schema(table: str) -> pa.Schema:
    """The columns of incoming content: string ids, without the keys that the store assigns.

    Judgements that were copied from another benchmark keep their `sequence`; others have none.
    """
    references = REFERENCES.get(table, {})
    return pa.schema(
        field.with_type(pa.string())
        if field.name in references
        else field.with_nullable(True)
        if field.name == "sequence"
        else field
        for field in TABLES[table].schema
        if field.name not in _ASSIGNED_BY_THE_STORE.get(table, ())
    )
