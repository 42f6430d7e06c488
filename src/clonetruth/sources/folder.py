"""A source tree, split into functions or files: fragments without labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from clonetruth.code import (
    ExtractedFile,
    ExtractOptions,
    available_cores,
    decode,
    extract,
    extract_files,
    language,
    language_of_path,
    read_source,
    source_files,
)
from clonetruth.errors import InputError
from clonetruth.formats.reads import report_read
from clonetruth.formats.trees import is_tree, read_tree
from clonetruth.model import Card, Dataset, Fragment, FragmentKind, Judge, JudgeKind
from clonetruth.sources.columns import check_options
from clonetruth.sources.source import ImportLog, SourceCard

CARD = Card(
    name="folder",
    version="1",
    description="The functions (or files) of a source tree, without labels.",
    licence="as the files say",
    citation="none stated",
    criterion="functionally-similar",
    languages=("any",),
    known_flaws=("There are no pairs: build them, or let detectors find them.",),
)
_PARALLEL_FROM = 500
"""The number of files from which worker processes pay off."""

_SWITCH = {"yes": True, "no": False}


class FolderSource:
    """The registered source."""

    card = SourceCard(
        card=CARD,
        claimed_by=Judge("rule:folder", JudgeKind.RULE, "Nobody", "No label is claimed."),
        label_means="There are no labels.",
        accepts=(
            "folders, archives and single source files. Options: unit=function|file, project=yes (the first level of "
            "folders names the project), language=NAME (only this one), nested=yes and lambdas=yes (also functions "
            "within functions, anonymous ones), processes=N, name=NAME"
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> None:
        """Never recognised: the source tree of any dataset would match."""

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ("unit", "project", "language", "nested", "lambdas", "processes", "name"))
        if not paths:
            raise InputError("No folder was given.")
        unit = str(options.get("unit", "function"))
        if unit not in ("function", "file"):
            raise InputError("The option unit must be 'function' or 'file'.")
        only = language(str(options["language"])).name if "language" in options else None
        reader = _Reader(
            log=log,
            whole=unit == "file",
            by_project=_switch(options, "project"),
            language=only,
            extraction=ExtractOptions(nested=_switch(options, "nested"), lambdas=_switch(options, "lambdas")),
            processes=_count(options),
        )
        card = replace(CARD, name=str(options.get("name", CARD.name)))
        return Dataset(card=card, fragments=reader.fragments(paths))


@dataclass
class _Reader:
    """Reads trees according to the options: whole files or functions, in one language or all."""

    log: ImportLog
    whole: bool
    by_project: bool
    language: str | None
    extraction: ExtractOptions
    processes: int | None
    _ids: set[str] = field(default_factory=set)

    def fragments(self, paths: Sequence[Path]) -> Iterator[Fragment]:
        for path in paths:
            yield from self._archive(path) if path.is_file() and is_tree(path) else self._tree(path)
        if not self._ids:
            raise InputError("No fragment was found.", where=", ".join(map(str, paths)))

    def _tree(self, root: Path) -> Iterator[Fragment]:
        files = list(source_files([root], [self.language] if self.language else []))
        base = root if root.is_dir() else root.parent
        if self.whole:
            for file in files:
                report_read(file)
                try:
                    text = read_source(file).text
                except InputError as error:
                    self.log.skip(file, None, _plain(error.what))
                    continue
                yield from self._file(_relative(file, base), text, file)
            return
        processes = self.processes or (available_cores() if len(files) >= _PARALLEL_FROM else 1)
        for found in extract_files(files, self.extraction, processes=processes):
            report_read(found.path)
            yield from self._functions(_relative(found.path, base), found)

    def _archive(self, path: Path) -> Iterator[Fragment]:
        for member in read_tree(path):
            found = language_of_path(member.name)
            if found is None or (self.language and found.name != self.language):
                continue
            data, where = member.read(), f"{path}/{member.name}"
            if b"\0" in data[:8192]:
                self.log.skip(where, None, "this is a binary file, not source text")
                continue
            text = decode(data).text
            if self.whole:
                yield from self._file(member.name, text, where)
                continue
            extraction = extract(text, found, self.extraction)
            functions = ExtractedFile(Path(where), found.name, extraction.functions, extraction.problems)
            yield from self._functions(member.name, functions)

    def _file(self, name: PurePosixPath, text: str, where: object) -> Iterator[Fragment]:
        self.log.read("files")
        found = language_of_path(name)
        if found is None:
            self.log.skip(where, None, "the language of this file name is unknown")
        elif not text.strip():
            self.log.skip(where, None, "the file is empty")
        elif self._new(str(name), where):
            lines = text.count("\n") + (not text.endswith("\n"))
            yield Fragment(
                str(name), found.name, text, FragmentKind.FILE, None, self._project(name), str(name), 1, lines
            )

    def _functions(self, name: PurePosixPath, found: ExtractedFile) -> Iterator[Fragment]:
        self.log.read("files")
        if found.error:
            self.log.skip(found.path, None, _plain(found.error))
            return
        for function in found.functions:
            id_ = f"{name}:{function.first_line}-{function.last_line}"
            if id_ in self._ids:
                # Functions may share their lines; the start offset distinguishes them.
                id_ = f"{id_}@{function.start}"
            if self._new(id_, f"{found.path}:{function.first_line}"):
                yield Fragment(
                    id_,
                    found.language,
                    function.text,
                    FragmentKind.FUNCTION,
                    function.qualified_name,
                    self._project(name),
                    str(name),
                    function.first_line,
                    function.last_line,
                )

    def _new(self, id_: str, where: object) -> bool:
        if id_ in self._ids:
            self.log.skip(where, None, "a fragment at this location was read before")
            return False
        self._ids.add(id_)
        self.log.read("fragments")
        return True

    def _project(self, name: PurePosixPath) -> str | None:
        return name.parts[0] if self.by_project and len(name.parts) > 1 else None


def _relative(file: Path, base: Path) -> PurePosixPath:
    return PurePosixPath(file.relative_to(base).as_posix())


def _plain(sentence: str) -> str:
    return f"{sentence[:1].lower()}{sentence[1:]}".rstrip(".")


def _switch(options: Mapping[str, Any], name: str) -> bool:
    value = str(options.get(name, "no")).lower()
    if value not in _SWITCH:
        raise InputError(f"The option {name} must be 'yes' or 'no'.")
    return _SWITCH[value]


def _count(options: Mapping[str, Any]) -> int | None:
    value = str(options.get("processes", ""))
    if value and not (value.isdigit() and 0 < int(value[:4]) < 1000):
        raise InputError("The option processes must be a positive integer.")
    return int(value) if value else None


SOURCE = FolderSource()
