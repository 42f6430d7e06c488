"""The index of a code base: its functions, and the terms that each of them contains.

`functions` has a row for each function, `terms` one for each distinct term of a function, sorted by term, so that a
search reads only the parts with its own terms. Millions of functions fit: everything is streamed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

import pyarrow as pa

from clonetruth.code import TokenKind, TokenStream, available_cores, extract, language, map_parallel, read_source
from clonetruth.code.files import source_files
from clonetruth.errors import CloneTruthError, InputError
from clonetruth.make.heuristic import TermKind
from clonetruth.make.stage import Stage, StageEstimate, StageOutcome, StageWork
from clonetruth.store.parquet import ParquetSink

FUNCTIONS = pa.schema(
    [
        pa.field("function", pa.int64(), nullable=False),
        pa.field("id", pa.string(), nullable=False),
        pa.field("project", pa.string()),
        pa.field("path", pa.string(), nullable=False),
        pa.field("first_line", pa.int32(), nullable=False),
        pa.field("last_line", pa.int32(), nullable=False),
        pa.field("language", pa.string(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("tokens", pa.int32(), nullable=False),
        pa.field("terms", pa.int32(), nullable=False),
        pa.field("digest", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)
TERMS = pa.schema(
    [
        pa.field("term", pa.string(), nullable=False),
        pa.field("kinds", pa.int32(), nullable=False),
        pa.field("function", pa.int64(), nullable=False),
    ]
)
SORTED_SQL = "SELECT t.term AS term, t.kinds AS kinds, t.function AS function FROM terms t ORDER BY t.term, t.function"

EMBEDDED = "@embedded"
"""Stands for the sources of the embedded benchmark, in place of a path."""
_EMBEDDED = Path(str(files("clonetruth.sources") / "embedded_data"))

_BATCH = 64
_LONGEST_TERM = 120
_WORDS = (int(TokenKind.IDENTIFIER), int(TokenKind.TYPE), int(TokenKind.KEYWORD))
_ROWS = 20_000


@dataclass(frozen=True)
class IndexOptions:
    """The keys of the stage.

    Attributes:
        paths: source trees. The folders directly below a path are its projects. `@embedded` stands for the sources
            of the embedded benchmark.
        language: the language that is indexed.
        least_tokens: shorter functions are left out.
        most_tokens: longer functions are left out.
        processes: number of worker processes (default: all cores).
    """

    paths: tuple[str, ...]
    language: str = "java"
    least_tokens: int = 0
    most_tokens: int = 100_000
    processes: int | None = None


@dataclass(frozen=True)
class IndexedFunction:
    """A function with its terms.

    Attributes:
        name: its name.
        first_line, last_line: where it is.
        tokens: its number of tokens.
        text: its text.
        terms: what it contains, and how.
    """

    name: str
    first_line: int
    last_line: int
    tokens: int
    text: str
    terms: Mapping[str, int]


def function_terms(stream: TokenStream, name: str) -> dict[str, int]:
    """The terms of a function, each with its kinds (`TermKind`): words, calls, types, keywords and qualified names.

    A qualified name is two words with a dot between them. Literals and comments are not terms: a function that only
    mentions something in a string does not contain it.
    """
    texts, kinds = stream.texts, stream.kinds
    found: dict[str, int] = {}
    for at, (text, kind) in enumerate(zip(texts, kinds, strict=True)):
        if kind not in _WORDS or len(text) > _LONGEST_TERM:
            continue
        word = text.decode("utf-8", errors="replace")
        flags = int(TermKind.TOKEN)
        if kind == TokenKind.KEYWORD:
            flags |= TermKind.KEYWORD
        elif kind == TokenKind.TYPE:
            flags |= TermKind.TYPE
        called = kind != TokenKind.KEYWORD and at + 1 < len(texts) and texts[at + 1] == b"("
        if called and word != name:
            flags |= TermKind.CALL
        found[word] = found.get(word, 0) | flags
        if at > 1 and texts[at - 1] in (b".", b"::") and kinds[at - 2] in _WORDS:
            qualified = f"{texts[at - 2].decode('utf-8', errors='replace')}.{word}"
            found[qualified] = found.get(qualified, 0) | (flags & ~int(TermKind.KEYWORD))
    if name:
        found[name] = found.get(name, 0) | int(TermKind.TOKEN | TermKind.NAME)
    return found


def indexed_functions(text: str, language_name: str, *, lone: bool = False) -> list[IndexedFunction]:
    """The functions of a text, with their terms; those that do not parse are left out."""
    extraction = extract(text, language(language_name), lone=lone)
    streams = extraction.token_streams()
    return [
        IndexedFunction(
            one.name, one.first_line, one.last_line, len(stream), one.text, function_terms(stream, one.name)
        )
        for one, stream in zip(extraction.functions, streams, strict=True)
        if one.sound
    ]


def text_digest(text: str) -> str:
    """Identifies a text up to white space."""
    return hashlib.sha256("".join(text.split()).encode("utf-8", errors="replace")).hexdigest()[:32]


@dataclass(frozen=True)
class _IndexedFile:
    project: str | None
    path: str
    functions: tuple[IndexedFunction, ...] = ()
    broken: bool = False


def _index_batch(options: IndexOptions, files: Sequence[tuple[str, str | None, str]]) -> list[_IndexedFile]:
    """Read a batch of files: the path, the project and the path within it."""
    found = []
    for path, project, inner in files:
        try:
            functions = indexed_functions(read_source(Path(path)).text, options.language)
        except CloneTruthError:
            found.append(_IndexedFile(project, inner, broken=True))
            continue
        kept = tuple(one for one in functions if options.least_tokens <= one.tokens <= options.most_tokens)
        found.append(_IndexedFile(project, inner, kept))
    return found


class IndexWriter:
    """Writes `functions` and the unsorted terms, a few thousand functions at a time.

    Args:
        functions: the file of the functions.
        terms: the file of the unsorted terms.
    """

    def __init__(self, functions: Path, terms: Path) -> None:
        self.count = 0
        self.postings = 0
        self._sinks = (ParquetSink(functions, FUNCTIONS), ParquetSink(terms, TERMS, staged=True))
        self._functions: list[dict[str, object]] = []
        self._terms: tuple[list[str], list[int], list[int]] = ([], [], [])

    def add(self, id: str, project: str | None, path: str, language_name: str, one: IndexedFunction) -> None:
        """Add a function."""
        words, kinds, functions = self._terms
        words.extend(one.terms.keys())
        kinds.extend(one.terms.values())
        functions.extend([self.count] * len(one.terms))
        self._functions.append(
            {
                "function": self.count,
                "id": id,
                "project": project,
                "path": path,
                "first_line": one.first_line,
                "last_line": one.last_line,
                "language": language_name,
                "name": one.name,
                "tokens": one.tokens,
                "terms": len(one.terms),
                "digest": text_digest(one.text),
                "text": one.text.encode("utf-8", errors="replace").decode(),
            }
        )
        self.count += 1
        self.postings += len(one.terms)
        if len(self._functions) >= _ROWS:
            self._flush()

    def close(self) -> None:
        """Write the rest."""
        self._flush()
        for sink in self._sinks:
            sink.__exit__(None, None, None)

    def _flush(self) -> None:
        functions, terms = self._sinks
        for batch in pa.Table.from_pylist(self._functions, schema=FUNCTIONS).to_batches():
            functions.write(batch)
        columns = [pa.array(values, field.type) for values, field in zip(self._terms, TERMS, strict=True)]
        terms.write(pa.record_batch(columns, schema=TERMS))
        self._functions, self._terms = [], ([], [], [])


def _files(work: StageWork, options: IndexOptions) -> Iterator[tuple[str, str | None, str]]:
    for given in options.paths:
        root = _EMBEDDED if given == EMBEDDED else work.path(given)
        for path in source_files([root], [options.language]):
            inner = path.relative_to(root) if root.is_dir() else Path(path.name)
            project = inner.parts[0] if len(inner.parts) > 1 else None
            yield str(path), project, inner.as_posix()


def _run(work: StageWork) -> StageOutcome:
    options: IndexOptions = replace(work.options, language=language(work.options.language).name)
    unsorted = work.output / "unsorted.parquet"
    writer = IndexWriter(work.output / "functions", unsorted)
    named = list(_files(work, options))
    processes = options.processes or (available_cores() if len(named) > 500 else 1)
    broken, projects = 0, set[str | None]()
    for batch in map_parallel(
        _index_batch, options, (named[at : at + _BATCH] for at in range(0, len(named), _BATCH)), processes
    ):
        for file in batch:
            broken += file.broken
            projects.add(file.project)
            seen = Counter[str]()
            for one in file.functions:
                id = f"{file.path}:{one.first_line}-{one.last_line}"
                seen[id] += 1
                unique = id if seen[id] == 1 else f"{id}#{seen[id]}"
                writer.add(unique, file.project, file.path, options.language, one)
        work.progress("files", len(batch), len(named))
    writer.close()
    if not writer.count:
        raise InputError("There is no function to index.", where=", ".join(options.paths), hint="Check the language.")
    work.engine.write(SORTED_SQL, {"terms": unsorted}, work.output / "terms", schema=TERMS)
    unsorted.unlink()
    return StageOutcome(
        taken={"files": len(named)},
        given={"functions": writer.count, "terms": writer.postings, "projects": len(projects)},
        left_out={"unreadable files": broken} if broken else {},
    )


def _estimate(work: StageWork) -> StageEstimate:
    return StageEstimate({"files": sum(1 for _ in _files(work, work.options))})


def _check(options: IndexOptions) -> None:
    language(options.language)
    if not options.paths:
        raise InputError("The stage 'index' has no paths.", hint='Give: paths = ["FOLDER"].')


STAGE = Stage(
    name="index",
    description="Index the functions of source trees, with the terms that each contains.",
    options=IndexOptions,
    run=_run,
    writes=("functions", "terms"),
    effort=("processes",),
    estimate=_estimate,
    check=_check,
)
