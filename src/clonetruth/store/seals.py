"""Seals: the recorded hashes of the tables that a benchmark grows by, so that a changed or missing part is noticed.

The header records those of what came with the source (judges, judgements, claims). Each later part of judges and
judgements has a file `seals/<part>.json`, written after it: a crash in between leaves a part without a seal, which
counts like the parts of earlier versions. They are read, and `info --verify` lists them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from clonetruth.errors import BenchmarkError
from clonetruth.store.atomic import new_file
from clonetruth.store.hash_cache import HashCache
from clonetruth.store.hashing import hash_parquet
from clonetruth.store.header import Header
from clonetruth.store.schemas import TABLES

FOLDER = "seals"
GROWING = ("judges", "judgements")


def part_hashes(folder: Path, paths: Iterable[Path]) -> dict[str, str]:
    """The hashes of tables of a folder, by their paths in it."""
    hashes = {}
    for path in paths:
        name = path.relative_to(folder).as_posix()
        hashes[name] = hash_parquet([path], TABLES[name.partition("/")[0]].schema.names)
    return hashes


def seal(folder: Path, part: str) -> None:
    """Seal a part that was appended: `judges/<part>` and `judgements/<part>`, if they exist."""
    hashes = part_hashes(folder, [path for kind in GROWING if (path := folder / kind / part).exists()])
    if hashes:
        with new_file(folder / FOLDER / Path(part).with_suffix(".json").name) as unfinished:
            unfinished.write_text(json.dumps({"part_hashes": hashes}, indent=2) + "\n", encoding="utf-8")


def read_seals(folder: Path, header: Header) -> dict[str, str]:
    """The recorded hashes of all sealed tables, by their paths in the folder.

    Raises:
        BenchmarkError: names the seal that is damaged.
    """
    sealed = dict(header.part_hashes)
    for path in sorted((folder / FOLDER).glob("*.json")):
        try:
            sealed |= {
                str(name): str(text) for name, text in json.loads(path.read_text("utf-8"))["part_hashes"].items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise BenchmarkError(
                "The seal cannot be read.", where=path, hint="Copy the benchmark folder again from its origin."
            ) from error
    return sealed


def broken_seals(folder: Path, sealed: Mapping[str, str], cache: HashCache | None = None) -> Iterable[BenchmarkError]:
    """What is wrong with sealed tables: one that is missing, damaged, or not what was sealed."""
    for name, recorded in sealed.items():
        path, columns = folder / name, TABLES[name.partition("/")[0]].schema.names
        try:
            found = hash_parquet([path], columns) if cache is None else cache.hash([path], columns)
        except BenchmarkError as error:
            yield error
            continue
        if found != recorded:
            yield BenchmarkError(
                "The content of the part is not what was sealed.",
                where=path,
                hint="Parts never change: copy the folder again, or append judgements.",
            )
