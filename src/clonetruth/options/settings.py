"""Settings files: those of a project, which may be a stranger's, and the user's own.

A project has `[tool.clonetruth.VERB]` in pyproject.toml, or `[VERB]` in clonetruth.toml; the user has `[VERB]` in
`clonetruth/config.toml` of the configuration folder. What a project may set is declared with each option
(`options.declaration.option`).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.budgets import read_text
from clonetruth.errors import InputError
from clonetruth.options.declaration import Option, Options
from clonetruth.parsing import parse_toml

SETTINGS_FILES: Mapping[str, tuple[str, ...]] = {"clonetruth.toml": (), "pyproject.toml": ("tool", "clonetruth")}
"""The settings files of a project, and the table with the settings in each."""
_SHOWN = 60
"""Characters of a refused value that the message shows."""


@dataclass(frozen=True)
class Settings:
    """The settings of a verb.

    Attributes:
        values: by field name; paths are relative to the folder of the file that they stand in.
        files: the file of each value.
    """

    values: Mapping[str, Any]
    files: Mapping[str, Path]


def read_settings(options_type: type[Options], start: Path, *, trust: bool | None = None) -> Settings:
    """The settings that apply in a folder: the project's, and those of the user that the project does not set.

    The project's settings are the nearest ones, up to the root of the repository; outside a repository, only the folder
    itself is searched.

    Args:
        options_type: the options of the verb.
        start: the folder.
        trust: whether a project may set anything. False ignores what it may not set, None makes that an error.

    Raises:
        InputError: a file is not TOML, the section is not a table, the verb does not have a setting, or the project may
            not set it to this value.
    """
    values: dict[str, Any] = {}
    files: dict[str, Path] = {}
    for path, prefix, project in _sections(options_type, start):
        for one, value in _given(options_type, path, prefix):
            if project is not None and not trust and not _permitted(one, value, path.parent, project):
                if trust is None:
                    raise _refusal(one, value, path)
                continue
            values[one.name] = _placed(one, value, path.parent)
            files[one.name] = path
    return Settings(values, files)


def user_settings() -> Path | None:
    """The user's own settings file, whether it exists or not; None for a user without a home folder."""
    variable, folder = ("APPDATA", "AppData/Roaming") if sys.platform == "win32" else ("XDG_CONFIG_HOME", ".config")
    base = Path(os.environ.get(variable, ""))
    try:
        # A relative folder could be one of a project.
        return (base if base.is_absolute() else Path.home() / folder) / "clonetruth" / "config.toml"
    except RuntimeError:
        return None


def _sections(options_type: type[Options], start: Path) -> Iterator[tuple[Path, tuple[str, ...], Path | None]]:
    """The files with settings of a verb, the one that takes precedence last.

    Yields:
        The file, the names of its outer tables, and the root of the project that it belongs to, None for the user's.
    """
    own = user_settings()
    if own is not None and own.is_file():
        yield own, (), None
    around = [start.absolute(), *start.absolute().parents]
    root = next((folder for folder in around if (folder / ".git").exists()), around[0])
    for folder in around[: around.index(root) + 1]:
        for file, prefix in SETTINGS_FILES.items():
            if (folder / file).is_file() and _section(options_type, folder / file, prefix) is not None:
                yield folder / file, prefix, root
                return


def _section(options_type: type[Options], path: Path, prefix: tuple[str, ...]) -> Mapping[str, Any] | None:
    tables = (*prefix, *options_type.command.split())
    try:
        content: Any = parse_toml(read_text(path))
    except (OSError, ValueError) as error:
        raise InputError(f"The settings cannot be read: {error}", where=path) from error
    for table in tables:
        content = content.get(table) if isinstance(content, dict) else None
    if content is not None and not isinstance(content, dict):
        raise InputError(f"'{'.'.join(tables)}' is not a table.", where=path)
    return content


def _given(options_type: type[Options], path: Path, prefix: tuple[str, ...]) -> Iterator[tuple[Option, Any]]:
    """The options that a file sets, with the values in their shape: single, several, or by name.

    Raises:
        InputError: an unknown setting, or a value of another shape.
    """
    known = {one.word: one for one in options_type.declared() if one.declaration.setting}
    for word, value in (_section(options_type, path, prefix) or {}).items():
        if word not in known:
            raise InputError(
                f"The command '{options_type.command}' has no setting '{word}'.",
                where=path,
                hint=f"Known: {', '.join(known)}.",
            )
        one = known[word]
        if one.many and not isinstance(value, list):
            value = [value]
        if (one.kind is dict) != isinstance(value, dict) or one.many != isinstance(value, list):
            raise InputError(f"The setting '{word}' cannot be used: {_shown(value)}.", where=path)
        for item in _items(value):
            if not isinstance(item, str if one.kind is Path else str | bool | int | float):
                raise InputError(f"The setting '{word}' cannot be used: {_shown(item)}.", where=path)
        yield one, value


def _items(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else [value]


def _permitted(one: Option, value: Any, folder: Path, root: Path) -> bool:
    """Whether a project may set an option to a value; see `option`."""
    project = one.declaration.project
    items = _items(value)
    if isinstance(project, str):
        texts = [str(item) for item in items]
        if one.declaration.commas:
            texts = [text.strip() for several in texts for text in several.split(",")]
        return all(re.fullmatch(project, text) for text in texts)
    if not project:
        return False
    if one.kind is Path:
        return all(_is_inside(folder / item, root) for item in items)
    return one.kind in (bool, int, float) or bool(one.declaration.choices)


def _is_inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):  # a loop of links, a name that no file can have
        return False


def _refusal(one: Option, value: Any, path: Path) -> InputError:
    own = user_settings()
    return InputError(
        f"A project may not set '{one.word}' to {_shown(value)}: this could start a program, load code, or reach the "
        "network or other folders.",
        where=path,
        hint="If you trust the project, add --trust; --no-trust ignores such settings. "
        f"Settings in {own or 'your own configuration'} are always trusted.",
    )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _placed(one: Option, value: Any, folder: Path) -> Any:
    """Paths relative to the file that they stand in; other values as they are."""
    if one.kind is not Path:
        return value
    return [str(folder / item) for item in value] if isinstance(value, list) else str(folder / value)
