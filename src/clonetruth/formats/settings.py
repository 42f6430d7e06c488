"""What a project wants of a command: `[tool.clonetruth.NAME]` in pyproject.toml, or `[NAME]` in clonetruth.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError

_FILES = (("clonetruth.toml", ()), ("pyproject.toml", ("tool", "clonetruth")))


@dataclass(frozen=True)
class Settings:
    """A section, and the file that it stands in."""

    path: Path
    values: Mapping[str, Any]


def read_settings(name: str, start: Path) -> Settings | None:
    """The nearest section of a name, looking in a folder and the folders around it; None where there is none.

    Raises:
        InputError: a file is no TOML, or the section is no table.
    """
    folder = start.absolute()
    for place in (folder, *folder.parents):
        for file, tables in _FILES:
            path = place / file
            if path.is_file() and (found := _section(path, (*tables, name))) is not None:
                return Settings(path, found)
    return None


def _section(path: Path, tables: tuple[str, ...]) -> Mapping[str, Any] | None:
    try:
        content: Any = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"The configuration cannot be read: {error}", where=path) from error
    for table in tables:
        content = content.get(table) if isinstance(content, dict) else None
    if content is not None and not isinstance(content, dict):
        raise InputError(f"'{'.'.join(tables)}' is no table.", where=path)
    return content
