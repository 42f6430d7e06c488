"""Functions of whole source trees, file by file, on all cores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clonetruth.code.fragments import ExtractOptions, Function, extract
from clonetruth.code.headers import file_languages
from clonetruth.code.languages import language, languages_of_path
from clonetruth.code.parallel import map_parallel
from clonetruth.code.parsing import Problem
from clonetruth.code.source import read_source
from clonetruth.errors import CloneTruthError, InputError

_BATCH = 16
"""Files sent to a process at a time: few enough for a smooth progress bar, enough to hide the cost of sending."""


@dataclass(frozen=True)
class ExtractedFile:
    """The functions extracted from one file.

    Args:
        path: the file.
        language: its language's name.
        functions: its functions.
        problems: the places that did not parse.
        error: why the file could not be read, if so.
    """

    path: Path
    language: str
    functions: tuple[Function, ...] = ()
    problems: tuple[Problem, ...] = ()
    error: str | None = None


def source_files(roots: Iterable[str | os.PathLike[str]], languages: Sequence[str] = ()) -> Iterator[Path]:
    """Iterate over the source files at and below some paths, sorted within each folder.

    Files given by name always count; in folders, those whose extension belongs to a language (one of `languages`, if
    any are given). Links to folders are not followed, so loops of links do no harm.

    Raises:
        InputError: a path does not exist.
    """
    wanted = {language(name).name for name in languages}
    for root in map(Path, roots):
        if root.is_file():
            yield root
            continue
        if not root.is_dir():
            raise InputError("There is no such file or folder.", where=root)
        for folder, folders, names in os.walk(root, onerror=_raise):
            folders.sort()
            for name in sorted(names):
                own = {one.name for one in languages_of_path(name)}
                if (own & wanted if wanted else own) and Path(folder, name).is_file():
                    yield Path(folder, name)


def extract_files(
    paths: Iterable[str | os.PathLike[str]],
    options: ExtractOptions | None = None,
    *,
    language_name: str | None = None,
    processes: int = 1,
) -> Iterator[ExtractedFile]:
    """Extract the functions of each file, in order. A file that cannot be read has an `error`; the others continue.

    Args:
        paths: the files.
        options: what counts as a function.
        language_name: the language of all files (default: each by its extension, and headers by the files around).
        processes: number of worker processes.
    """
    files = _with_languages([Path(path) for path in paths], language_name)
    for batch in map_parallel(_extract_batch, options or ExtractOptions(), _batched(files), processes):
        yield from batch


def _with_languages(paths: Sequence[Path], language_name: str | None) -> list[tuple[Path, str]]:
    """Each file with its language, which is empty if its name says nothing."""
    if language_name:
        return [(path, language_name) for path in paths]
    candidates = [(path, [one.name for one in languages_of_path(path)] or [""]) for path in paths]
    return list(zip(paths, file_languages(candidates), strict=True))


def _extract_batch(options: ExtractOptions, files: list[tuple[Path, str]]) -> list[ExtractedFile]:
    results = []
    for path, name in files:
        if not name:
            results.append(ExtractedFile(path, "", error="no language is known for this file name"))
            continue
        file_language = language(name)
        try:
            extraction = extract(read_source(path).text, file_language, options)
        except CloneTruthError as error:
            results.append(ExtractedFile(path, file_language.name, error=error.what))
            continue
        results.append(ExtractedFile(path, file_language.name, extraction.functions, extraction.problems))
    return results


def _batched(files: Sequence[tuple[Path, str]]) -> Iterator[list[tuple[Path, str]]]:
    for start in range(0, len(files), _BATCH):
        yield list(files[start : start + _BATCH])


def _raise(error: OSError) -> None:
    raise InputError(f"Cannot read the folder: {error.strerror or error}.", where=error.filename) from error
