"""Records the queries of the library: every SELECT with its tables and its result, to run again elsewhere."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from clonetruth.store import DuckDBEngine, TableLike

_SQL = re.compile(r"\b(SELECT|JOIN|CASE WHEN|GROUP BY|ORDER BY|UNION ALL)\b")
_PLACE = re.compile(r"\0|\{\w*\}")
_SHORTEST = 12
"""Shorter pieces of a text (", '" between two values) say nothing."""


@dataclass(frozen=True)
class Question:
    """One SELECT, the tables that it read, and DuckDB's result."""

    text: str
    tables: Mapping[str, TableLike]
    answer: pa.Table


@dataclass
class Recorder:
    """Keeps one question per SELECT: the first with rows, otherwise the first.

    Args:
        folder: where the Parquet files that were read are kept, as links: the library never rewrites what it reads.
    """

    folder: Path
    questions: dict[str, Question] = field(default_factory=dict)

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record every query of any DuckDB engine within the block."""
        ask, write = DuckDBEngine.sql, DuckDBEngine.write

        def recorded_sql(engine: DuckDBEngine, text: str, tables: Mapping[str, TableLike]) -> pa.Table:
            answer = ask(engine, text, tables)
            self._keep(text, tables, answer)
            return answer

        def recorded_write(
            engine: DuckDBEngine, text: str, tables: Mapping[str, TableLike], path: Path, **more: Any
        ) -> int:
            # The result comes first: a query may replace a file that it reads.
            self._keep(text, tables, ask(engine, text, tables))
            return write(engine, text, tables, path, **more)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(DuckDBEngine, "sql", recorded_sql)
            patch.setattr(DuckDBEngine, "write", recorded_write)
            yield

    def _keep(self, text: str, tables: Mapping[str, TableLike], answer: pa.Table) -> None:
        known = self.questions.get(one_line(text))
        if known is None or (answer.num_rows and not known.answer.num_rows):
            kept = {name: self._link(table) for name, table in tables.items()}
            self.questions[one_line(text)] = Question(text, kept, answer)

    def _link(self, table: TableLike) -> TableLike:
        if isinstance(table, pa.Table):
            return table
        return [self._link_file(path) for path in ([table] if isinstance(table, Path) else table)]

    def _link_file(self, path: Path) -> Path:
        link = self.folder / f"{path.stat().st_ino}.parquet"
        if not link.exists():
            os.link(path, link)
        return link


def one_line(text: str) -> str:
    """A text with every run of white space as one blank."""
    return " ".join(text.split())


@dataclass(frozen=True)
class Piece:
    """A piece of SQL in a module, between placeholders."""

    line: int
    text: str


def pieces(module: Path) -> Iterator[Piece]:
    """The pieces of SQL in a module's strings, without docstrings."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    passed: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            passed |= {id(part) for part in node.values if isinstance(part, ast.Constant)}
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "\0" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in passed:
            text = node.value
        else:
            continue
        if _SQL.search(text):
            found = (one_line(piece) for piece in _PLACE.split(text))
            yield from (Piece(node.lineno, piece) for piece in found if len(piece) >= _SHORTEST)
