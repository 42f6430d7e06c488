"""Seals: the recorded hashes of the tables that a benchmark grows by, so that a changed or missing part is noticed.

The header records those of what came with the source (judges, judgements, claims, tests). Each later part of judges and
judgements has a file `seals/<part>.json`, written after it: a crash in between leaves a part without a seal, which
counts like the parts of earlier versions. They are read, and `info --verify` lists them. A part that a study owns is
unsealed while it is replaced (`owned_parts`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from clonetruth.budgets import read_text
from clonetruth.errors import BenchmarkError
from clonetruth.parsing import parse_json
from clonetruth.store.atomic import new_file, sync
from clonetruth.store.hash_cache import HashCache
from clonetruth.store.hashing import hash_parquet
from clonetruth.store.header import Header, check_part_hashes
from clonetruth.store.records import WrongShapeError
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


def seal(folder: Path, part: str, notes: Mapping[str, Any] | None = None) -> None:
    """Seal a part: `judges/<part>` and `judgements/<part>`, if they exist. `notes` are recorded with the hashes."""
    hashes = part_hashes(folder, [path for kind in GROWING if (path := folder / kind / part).exists()])
    if hashes or notes:
        with new_file(_file(folder, part)) as unfinished:
            content = {"part_hashes": hashes, **(notes or {})}
            unfinished.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def unseal(folder: Path, part: str) -> None:
    """Remove the seal of a part that is about to be replaced."""
    path = _file(folder, part)
    if path.exists():
        path.unlink()
        sync(path.parent)


def is_sealed(folder: Path, part: str, notes: Mapping[str, Any]) -> bool:
    """Whether a part has a seal with these notes."""
    path = _file(folder, part)
    try:
        found = parse_json(read_text(path))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and {**found, **notes} == found


def _file(folder: Path, part: str) -> Path:
    return folder / FOLDER / Path(part).with_suffix(".json").name


def read_seals(folder: Path, header: Header) -> dict[str, str]:
    """The recorded hashes of all sealed tables, by their paths in the folder.

    Raises:
        BenchmarkError: names the seal that is damaged.
    """
    sealed = dict(header.part_hashes)
    for path in sorted((folder / FOLDER).glob("*.json")):
        try:
            hashes = parse_json(read_text(path))["part_hashes"]
            check_part_hashes(hashes)
            sealed |= hashes
        except (OSError, ValueError, KeyError, TypeError, AttributeError, WrongShapeError) as error:
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
                hint="Only clonetruth may change a part: copy the folder again, or append judgements.",
            )
