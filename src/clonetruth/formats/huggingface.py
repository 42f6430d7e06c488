"""Folders of Hugging Face datasets, read without the library: the output of `save_to_disk`, and Parquet exports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from clonetruth.arrow_files import arrow_batches, parquet_batches, python_rows
from clonetruth.errors import InputError
from clonetruth.formats.documents import read_document
from clonetruth.formats.reads import report_read
from clonetruth.formats.tables import Row

_ROWS = 1000
_SHARD = re.compile(r"(?P<split>\w+?)(?:-\d{5}-of-\d{5}(?:-\w+)?)?\.parquet")
_NUMBERED = re.compile(r"\d{4,5}\.parquet|(?:part|data)[-_.]?\d+\.parquet")
_SPLITS = ("train", "training", "test", "testing", "valid", "validation", "val", "dev")
_MOST_FILES = 100_000


@dataclass(frozen=True)
class Shard:
    """A file of rows, and the name of its split if it has one."""

    path: Path
    split: str | None


def is_saved(folder: Path) -> bool:
    """Whether `save_to_disk` wrote a folder, with one split or several."""
    return (folder / "dataset_dict.json").is_file() or (
        (folder / "state.json").is_file() and (folder / "dataset_info.json").is_file()
    )


def is_export(folder: Path) -> bool:
    """Whether a folder holds Parquet files that are named after splits."""
    return any(True for _ in _parquet_shards(folder))


def shards(folder: Path) -> list[Shard]:
    """The files of a dataset, ordered by split and name.

    Raises:
        InputError: the folder is not a dataset, or a file that it names is missing.
    """
    if (folder / "dataset_dict.json").is_file():
        names = _field(folder / "dataset_dict.json", "splits")
        return [shard for name in names for shard in _saved(_inside(folder, name), str(name))]
    if is_saved(folder):
        return _saved(folder, None)
    found = sorted(_parquet_shards(folder), key=lambda shard: str(shard.path))
    if not found:
        raise InputError(
            "The folder is not a dataset.",
            where=folder,
            hint="Expected: the output of save_to_disk, or Parquet files named train-00000-of-00001.parquet.",
        )
    return found


def read_shard(shard: Shard) -> Iterator[Row]:
    """The rows of a file, with their numbers from 1.

    Raises:
        InputError: the file is damaged.
    """
    number = 0
    report_read(shard.path)
    is_parquet = shard.path.suffix == ".parquet"
    for batch in parquet_batches(shard.path, _ROWS) if is_parquet else arrow_batches(shard.path):
        for start in range(0, batch.num_rows, _ROWS):
            for values in python_rows(batch.slice(start, _ROWS), shard.path):
                number += 1
                yield Row(number, values)


def _saved(folder: Path, split: str | None) -> list[Shard]:
    files = _field(folder / "state.json", "_data_files")
    named = split or _text(read_document(folder / "state.json"), "_split")
    return [
        Shard(_inside(folder, entry.get("filename") if isinstance(entry, Mapping) else None), named) for entry in files
    ]


def _inside(folder: Path, name: object) -> Path:
    """A child of a folder, by a name from a file; the name must not lead out of the folder."""
    if not isinstance(name, str) or not name or name in (".", "..") or "\0" in name or PurePath(name).name != name:
        raise InputError("A name in the dataset's description is not a plain file name.", where=folder)
    path = folder / name
    if not path.exists():
        raise InputError("A file that the dataset's description names is missing.", where=path)
    return path


def _field(path: Path, name: str) -> list[Any]:
    if not path.is_file():
        raise InputError("The dataset's description is missing.", where=path)
    document = read_document(path)
    value = document.get(name) if isinstance(document, dict) else None
    if not isinstance(value, list) or not value:
        raise InputError(f"The dataset's description has no list '{name}'.", where=path)
    return value


def _text(document: Any, name: str) -> str | None:
    value = document.get(name) if isinstance(document, dict) else None
    return value if isinstance(value, str) else None


def _parquet_shards(folder: Path) -> Iterator[Shard]:
    """Files named after a split, or numbered files in a folder that is named after one."""
    for count, path in enumerate(folder.glob("**/*.parquet")):
        if count >= _MOST_FILES:
            return
        shard, parent = _SHARD.fullmatch(path.name), path.parent.name
        if parent.lower() in _SPLITS and _NUMBERED.fullmatch(path.name):
            yield Shard(path, parent)
        elif shard and ("-of-" in path.name or shard["split"].lower() in _SPLITS):
            yield Shard(path, shard["split"])
