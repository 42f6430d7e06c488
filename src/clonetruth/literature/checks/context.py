"""What a check function gets: the data that the user named, and benchmarks imported from them once."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from clonetruth.errors import InputError
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark


class CheckFunction(Protocol):
    """Computes the number of a claim."""

    def __call__(self, context: CheckContext, **parameters: Any) -> float:
        """The number. The parameters are those of the claim."""
        ...


class MissingDataError(Exception):
    """The data of a check is not in the folders that the user named; the argument says what is missing."""


@dataclass
class CheckContext:
    """The data at hand.

    Attributes:
        folders: the folders that the user named: each holds data folders, or is one.
        scratch: a folder for imported benchmarks, removed afterwards.
    """

    folders: Sequence[Path]
    scratch: Path
    _imported: dict[tuple[str, ...], Benchmark] = field(default_factory=dict)

    def find(self, name: str) -> Path | None:
        """The folder of some data, or None."""
        for folder in self.folders:
            for path in (folder / name, folder if folder.name == name else None):
                if path is not None and path.is_dir():
                    return path
        return None

    def path(self, name: str, *parts: str) -> Path:
        """A file or folder of some data.

        Raises:
            MissingDataError: there is none.
        """
        folder = self.find(name)
        path = None if folder is None else folder.joinpath(*parts)
        if path is None or not path.exists():
            raise MissingDataError("/".join((name, *parts)))
        return path

    def benchmark(self, source: str, *paths: Path, **options: str) -> Benchmark:
        """A dataset imported as a benchmark; the second request gets the same one."""
        key = (source, *map(str, paths), *sorted(f"{name}={value}" for name, value in options.items()))
        if key not in self._imported:
            folder = self.scratch / f"{source}-{len(self._imported)}"
            import_dataset(source, paths, output=folder, option=options)
            self._imported[key] = Benchmark.open(folder)
        return self._imported[key]


@contextmanager
def check_context(folders: Sequence[Path]) -> Iterator[CheckContext]:
    """A context for checks; what they import is removed afterwards.

    Raises:
        InputError: a folder does not exist.
    """
    for folder in folders:
        if not folder.is_dir():
            raise InputError("There is no such folder.", where=folder, hint="Name the folder of the data.")
    with tempfile.TemporaryDirectory(prefix="clonetruth-ledger-", ignore_cleanup_errors=True) as scratch:
        yield CheckContext([folder.resolve() for folder in folders], Path(scratch))


def listed(table: Any, *columns: str) -> list[tuple[Any, ...]]:
    """Columns of an Arrow table as rows."""
    chosen: Mapping[str, list[Any]] = table.select(list(columns)).to_pydict()
    return list(zip(*(chosen[name] for name in columns), strict=True))
