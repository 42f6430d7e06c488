"""Hashes of tables that are computed once, and remembered until a file changes.

A file counts as unchanged while its stamp stays the same (`user_cache`). A file that changed only just now could change
again within one tick of the file system's clock, and is not remembered yet.
What is remembered stands in the user's cache, never in the benchmark: a copy of a folder is checked anew, and a
read-only folder is remembered too. Without a cache that can be written, each process checks once.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import secrets
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from clonetruth.budgets import read_text
from clonetruth.errors import BenchmarkError
from clonetruth.parsing import parse_json
from clonetruth.store.hashing import ColumnDigests, digest_parquet
from clonetruth.user_cache import Stamp, cache_folder, file_stamp

_TICK, _COARSE_TICK = 50_000_000, 2_000_000_000
"""Longer than a tick of the clock of file systems, in nanoseconds; the coarse ones count whole seconds."""


@dataclass(frozen=True)
class _Remembered:
    stamps: tuple[Stamp, ...]
    digests: ColumnDigests


class HashCache:
    """The hashes of the tables of one benchmark folder.

    Args:
        folder: the benchmark folder.
    """

    def __init__(self, folder: Path) -> None:
        self._given, self._folder = folder, folder.resolve()
        self._remembered: dict[str, _Remembered] | None = None

    def hash(self, paths: Sequence[Path], columns: Sequence[str], among: Sequence[str] | None = None) -> str:
        """The hash of the rows of Parquet files as one table.

        Args:
            paths: the files.
            columns: the columns to hash.
            among: the columns to read at once, if other choices of them will be hashed too.

        Raises:
            BenchmarkError: a file is missing or damaged.
        """
        read = list(among or columns)
        key = json.dumps([[path.relative_to(self._given).as_posix() for path in paths], read])
        started, stamps = time.time_ns(), _stamps(paths)
        if self._remembered is None:
            self._remembered = self._load()
        known = self._remembered.get(key)
        if known is None or known.stamps != stamps:
            known = _Remembered(stamps, digest_parquet(paths, read))
            if stamps == _stamps(paths) and all(_settled(stamp, started) for stamp in stamps):
                self._remembered[key] = known
                self._save()
        return known.digests.hash(columns)

    @property
    def _file(self) -> Path | None:
        cache = cache_folder()
        return cache and cache / "hashes" / f"{sha256(os.fsencode(self._folder)).hexdigest()[:32]}.json"

    def _load(self) -> dict[str, _Remembered]:
        # Whatever is wrong with the cache: the hashes are computed again.
        try:
            stored = parse_json(read_text(self._file)) if self._file else {}
            return {
                key: _Remembered(
                    tuple((int(a), int(b), int(c), int(d), int(e)) for a, b, c, d, e in one["stamps"]),
                    ColumnDigests(int(one["rows"]), {str(name): str(text) for name, text in one["columns"].items()}),
                )
                for key, one in stored["tables"].items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}

    def _save(self) -> None:
        file = self._file
        if file is None:
            return
        tables = {
            key: {"stamps": one.stamps, **dataclasses.asdict(one.digests)}
            for key, one in (self._remembered or {}).items()
        }
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            for other in file.parent.iterdir():
                if not _needed(other):
                    other.unlink(missing_ok=True)
            # Not synced, unlike a benchmark's files: what a crash leaves of it is no JSON, and computed again.
            unfinished = file.with_suffix(f".{os.getpid()}-{secrets.token_hex(4)}")
            unfinished.write_text(json.dumps({"folder": str(self._folder), "tables": tables}), encoding="utf-8")
            unfinished.replace(file)


def _stamps(paths: Sequence[Path]) -> tuple[Stamp, ...]:
    stamps = []
    for path in paths:
        try:
            stamps.append(file_stamp(path))
        except OSError as error:
            raise BenchmarkError(
                "The file is missing.", where=path, hint="Copy the benchmark folder again from its origin."
            ) from error
    return tuple(stamps)


def _settled(stamp: Stamp, now: int) -> bool:
    """Whether a later change must get another time than the one in the stamp."""
    changed = stamp[2] if sys.platform != "win32" else stamp[1]  # on Windows, the third is the time of creation
    return changed + (_TICK if changed % 10**9 else _COARSE_TICK) < now


def _needed(file: Path) -> bool:
    """Whether the folder that a file of the cache is about exists, or the file may still be written."""
    if file.suffix != ".json":
        return time.time() - file.stat().st_mtime < 60
    try:
        return Path(parse_json(read_text(file))["folder"]).is_dir()
    except (OSError, ValueError, KeyError, TypeError):
        return False
