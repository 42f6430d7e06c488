"""The fragments of a benchmark or of source code, as a benchmark."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from clonetruth.errors import CloneTruthWarning
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark, open_benchmark


@contextmanager
def open_fragments(
    sources: Sequence[Path | Benchmark], engine: str | None, memory_limit: str | None
) -> Iterator[Benchmark]:
    """The benchmark of the fragments; source code is imported for as long as the block lasts."""
    (first, *more) = sources
    if not more and (isinstance(first, Benchmark) or (first / "benchmark.json").exists()):
        yield open_benchmark(first, engine=engine, memory_limit=memory_limit)
        return
    paths = [one.path if isinstance(one, Benchmark) else one for one in sources]
    with tempfile.TemporaryDirectory(prefix="clonetruth-sources-") as folder:
        name = "-".join(path.resolve().name for path in paths)
        imported = import_dataset("folder", paths, output=Path(folder, "fragments"), option={"name": name})
        for reason, count in imported.reasons.items():
            warnings.warn(f"{count:,} files were skipped: {reason}", CloneTruthWarning, stacklevel=4)
        yield open_benchmark(imported.path, engine=engine, memory_limit=memory_limit)
