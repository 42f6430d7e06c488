"""Searching source files for clones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from clonetruth.code import Function, extract, language, lexed_tokens, map_parallel, read_source
from clonetruth.detectors.detector import Progress
from clonetruth.detectors.finder import FOUND, Finder, FindOptions
from clonetruth.detectors.search.index import Index
from clonetruth.detectors.search.result import FRAGMENTS_FOUND, Found, SkippedFile, SourceFile, found_pairs
from clonetruth.errors import CloneTruthError

_BATCH = 16
"""Files sent to a process at a time."""

_FileFunctions = tuple[int, tuple[Function, ...]]
"""Lines of a file, and its functions."""


def search(
    files: Sequence[SourceFile],
    finders: Sequence[Finder],
    options: FindOptions | None = None,
    *,
    index: Index | None = None,
    processes: int = 1,
    progress: Progress | None = None,
) -> Found:
    """Find the clones among the functions of files.

    Args:
        files: the files; what cannot be read is skipped, and said to be.
        finders: who looks for clones.
        options: which functions are compared, and which pairs are reported.
        index: what earlier searches learned; the result is the same with and without it.
        processes: how many processes may share the work.
        progress: told what is being done.
    """
    options = options or FindOptions()
    report = progress or (lambda what, done, total: None)
    batches = [list(files[start : start + _BATCH]) for start in range(0, len(files), _BATCH)]
    read: list[_FileFunctions | str] = []
    for results in map_parallel(_read_batch, None, batches, processes):
        report("Reading files", len(results), len(files))
        read += results
    rows, texts = _rows(files, read, options)
    fragments = pa.Table.from_pylist(rows, FRAGMENTS_FOUND)
    table = fragments.select(["fragment", "language"]).append_column("text", pa.array(texts, pa.string()))
    pairs = [
        (finder.name, pa.Table.from_batches(finder.find(table, options, processes=processes, progress=progress), FOUND))
        for finder in finders
    ]
    return Found(
        files=tuple(files),
        fragments=fragments,
        pairs=found_pairs(pairs),
        skipped=tuple(SkippedFile(f.name, got) for f, got in zip(files, read, strict=True) if isinstance(got, str)),
        lines=sum(got[0] for got in read if not isinstance(got, str)),
        functions=sum(len(got[1]) for got in read if not isinstance(got, str)),
    )


def _rows(
    files: Sequence[SourceFile], read: Sequence[_FileFunctions | str], options: FindOptions
) -> tuple[list[dict[str, object]], list[str]]:
    rows: list[dict[str, object]] = []
    texts: list[str] = []
    for number, (file, got) in enumerate(zip(files, read, strict=True)):
        for function in () if isinstance(got, str) else got[1]:
            tokens = len(lexed_tokens(function.text, language(file.language)))
            if tokens < options.min_tokens or function.text.strip().count("\n") + 1 < options.min_lines:
                continue
            values = (
                *(len(rows), number, function.qualified_name, function.first_line, function.last_line, tokens),
                *(function.start, function.end, file.language),
            )
            rows.append(dict(zip(FRAGMENTS_FOUND.names, values, strict=True)))
            texts.append(function.text)
    return rows, texts


def _read_batch(_: None, files: list[SourceFile]) -> list[_FileFunctions | str]:
    return list(_read(files))


def _read(files: list[SourceFile]) -> Iterator[_FileFunctions | str]:
    for file in files:
        try:
            text = read_source(file.path).text
            yield text.count("\n") + (not text.endswith("\n")), extract(text, language(file.language)).functions
        except CloneTruthError as error:
            yield error.what
