"""The tables of a study folder: columns, types, nullability."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

import pyarrow as pa

from clonetruth.arrow_files import read_parquet
from clonetruth.errors import InputError
from clonetruth.store.parquet import ParquetSink, conform


class CheckKind(StrEnum):
    """What a pair with a known answer is for."""

    TRAINING = "training"
    ATTENTION = "attention"


def _side(side: str) -> list[pa.Field]:
    return [
        pa.field(f"{side}_id", pa.string()),
        pa.field(f"{side}_path", pa.string()),
        pa.field(f"{side}_first_line", pa.int32()),
        pa.field(f"{side}_last_line", pa.int32()),
        pa.field(f"{side}_language", pa.string()),
        pa.field(f"{side}_text", pa.string()),
    ]


SUBJECTS = pa.schema(
    [
        pa.field("subject", pa.int64(), nullable=False),
        pa.field("stratum", pa.string(), nullable=False),
        pa.field("weight", pa.float64(), nullable=False),
        pa.field("extra", pa.bool_(), nullable=False),
        pa.field("pair", pa.int64()),
        pa.field("score", pa.float64()),
        pa.field("functionality", pa.string()),
        pa.field("label", pa.string()),
        *_side("left"),
        *_side("right"),
    ]
)
"""A drawn pair: its number from 0 in the order of judging, its stratum, how many pairs it represents, whether it was
added to cover its stratum, its key in the benchmark and the detector's score if any, the id of the functionality that
the source names, the dataset's label (`clone` or `not-clone`; judges must not see it), and both sides."""

METHODS = pa.schema(
    [
        pa.field("method", pa.int64(), nullable=False),
        pa.field("fragment_id", pa.string(), nullable=False),
        pa.field("functionality", pa.string(), nullable=False),
        pa.field("language", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("stratum", pa.string(), nullable=False),
        pa.field("weight", pa.float64(), nullable=False),
        pa.field("extra", pa.bool_(), nullable=False),
    ]
)
"""A method of drawn pairs in a functionality: its number from 0 in the order of judging, its stratum, how many sides of
pairs it represents, and whether it occurs only in pairs that were added to cover their stratum."""

FUNCTIONALITIES = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("specification", pa.string()),
        pa.field("exemplars", pa.list_(pa.string()), nullable=False),
    ]
)
"""A functionality of drawn pairs: what an implementation must do, and the texts of its exemplars."""

CHECKS = pa.schema(
    [
        pa.field("check", pa.int64(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("left_language", pa.string(), nullable=False),
        pa.field("left_text", pa.string(), nullable=False),
        pa.field("right_language", pa.string(), nullable=False),
        pa.field("right_text", pa.string(), nullable=False),
        pa.field("expected", pa.string(), nullable=False),
        pa.field("feedback", pa.string(), nullable=False),
        pa.field("functionality", pa.string()),
        pa.field("specification", pa.string()),
        pa.field("left_label", pa.string()),
        pa.field("right_label", pa.string()),
        pa.field("pair", pa.int64()),
        pa.field("functionality_id", pa.string()),
    ]
)
"""A pair whose answer is known: its number from 0, its purpose, the texts, the answer and the feedback. A pair of the
studied benchmark has its key there and the id of its functionality, so that it is shown as the subjects are; other
pairs, and those of earlier versions, have the name and the specification of a functionality instead. Labels of its two
methods are known in training items of a protocol that asks for them. In studies of single functions the right text is
empty."""

STUDY_TABLES: Mapping[str, pa.Schema] = {
    "subjects": SUBJECTS,
    "methods": METHODS,
    "functionalities": FUNCTIONALITIES,
    "checks": CHECKS,
}


def study_table_file(folder: Path, name: str, extensions: int = 0) -> Path:
    """The file of a table. An extension of a study writes tables beside the old ones: `<name>-<number>.parquet`."""
    return folder / (f"{name}-{extensions}.parquet" if extensions else f"{name}.parquet")


def write_study_table(path: Path, name: str, content: pa.Table) -> None:
    """Write a table to a new file.

    Raises:
        InputError: the columns differ from the table's schema.
    """
    with ParquetSink(path, STUDY_TABLES[name], {"table": name}) as sink:
        for batch in content.to_batches():
            sink.write(batch)


def read_study_table(folder: Path, name: str, extensions: int = 0) -> pa.Table:
    """A table of a study folder; empty if an earlier version or a smaller study has none.

    Raises:
        InputError: it is damaged, or its columns differ from the table's schema.
    """
    file, schema = study_table_file(folder, name, extensions), STUDY_TABLES[name]
    if name != "subjects" and not file.exists():
        return schema.empty_table()
    table = read_parquet(file)
    try:
        batches = [conform(batch, schema) for batch in table.to_batches()]
    except InputError as error:
        raise InputError(
            f"The columns of the {name} differ from those of a study.", where=file, hint=error.what
        ) from error
    return pa.Table.from_batches(batches, schema=schema)
