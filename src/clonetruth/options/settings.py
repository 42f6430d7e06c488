"""Settings files: `[tool.clonetruth.VERB]` in pyproject.toml, or `[VERB]` in clonetruth.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.options.declaration import Option, Options

_FILES = (("clonetruth.toml", ()), ("pyproject.toml", ("tool", "clonetruth")))


@dataclass(frozen=True)
class Settings:
    """The settings of a verb, and the file that holds them.

    Attributes:
        path: the file.
        values: by field name; paths are relative to the folder of the file.
    """

    path: Path
    values: Mapping[str, Any]


def read_settings(options_type: type[Options], start: Path) -> Settings | None:
    """The settings that apply in a folder: the nearest ones, up to the root of its repository and no further.

    Outside a repository all folders above are searched.

    Raises:
        InputError: a file is not TOML, the section is not a table, or the verb does not have a setting.
    """
    tables = tuple(options_type.command.split())
    for folder in _folders(start.absolute()):
        for file, prefix in _FILES:
            path = folder / file
            if path.is_file() and (section := _section(path, (*prefix, *tables))) is not None:
                return Settings(path, _values(options_type, section, path))
    return None


def _folders(start: Path) -> Iterator[Path]:
    around = [start, *start.parents]
    root = next((folder for folder in around if (folder / ".git").exists()), around[-1])
    yield from around[: around.index(root) + 1]


def _section(path: Path, tables: tuple[str, ...]) -> Mapping[str, Any] | None:
    try:
        content: Any = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"The settings cannot be read: {error}", where=path) from error
    for table in tables:
        content = content.get(table) if isinstance(content, dict) else None
    if content is not None and not isinstance(content, dict):
        raise InputError(f"'{'.'.join(tables)}' is not a table.", where=path)
    return content


def _values(options_type: type[Options], section: Mapping[str, Any], path: Path) -> dict[str, Any]:
    known = {one.word: one for one in options_type.declared() if one.declaration.setting}
    values: dict[str, Any] = {}
    for word, value in section.items():
        if word not in known:
            raise InputError(
                f"The command '{options_type.command}' has no setting '{word}'.",
                where=path,
                hint=f"Known: {', '.join(known)}.",
            )
        values[known[word].name] = _placed(known[word], value, path.parent)
    return values


def _placed(one: Option, value: Any, folder: Path) -> Any:
    """A path relative to the file that it stands in; a single value for what may be given several times."""
    if one.many and not isinstance(value, list):
        value = [value]
    if one.kind is not Path:
        return value
    return [str(folder / item) for item in value] if isinstance(value, list) else str(folder / value)
