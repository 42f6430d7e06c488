"""Command templates with placeholders, and tools given as a plain command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.formats.reports import REPORT_FORMATS
from clonetruth.tools.tool import ExternalTool

PLACEHOLDERS = {
    "program": "the tool's program (`java -jar …` for a .jar file)",
    "arguments": "the arguments that the tool's parameters add",
    "files": "the source files, each as a separate argument",
    "source": "the folder of the source files",
    "report": "the file or folder that the tool writes its report to",
    "work": "the work folder, which contains `source` and `report`",
    "home": "the folder of the program",
    "language": "the language of the files, in the tool's own spelling; such a command runs once per language",
    "min_tokens": "the minimum number of tokens in a clone",
    "min_lines": "the minimum number of lines in a clone",
    "threshold": "the minimum similarity of a clone, 0 to 1",
    "dissimilarity": "1 − the threshold",
    "percent": "100 × the threshold",
}
"""The placeholders that a command may contain in braces, with their meanings."""

_LISTS = ("program", "arguments", "files")
"""Placeholders for any number of arguments; each must be a separate argument."""
_DECLARED_ONLY = ("program", "arguments", "home")
"""Placeholders for declared tools only."""
_THRESHOLDS = ("threshold", "dissimilarity", "percent")
_BRACES = re.compile(r"\{([a-z_]+)\}")
_COMMAND = re.compile(r"command(?:\[([^\]]*)\])?:(.*)", re.DOTALL)
_SHELL = "shell"

Values = Mapping[str, str | Sequence[str]]
"""The value of each placeholder."""


def used_placeholders(tool: ExternalTool) -> set[str]:
    """The placeholders in a tool's commands and input files."""
    texts = [*(word for step in tool.steps for word in step), *tool.inputs.values()]
    return {name for text in texts for name in _BRACES.findall(text)}


def takes_threshold(tool: ExternalTool) -> bool:
    """Whether the threshold affects what a tool finds."""
    return tool.lists_all_pairs or not used_placeholders(tool).isdisjoint(_THRESHOLDS)


def fill_text(text: str, values: Values) -> str:
    """Fill in the placeholders of a text; the elements of a list are joined by spaces."""

    def value(match: re.Match[str]) -> str:
        filled = values[match[1]]
        return filled if isinstance(filled, str) else " ".join(filled)

    return _BRACES.sub(value, text)


def fill_command(words: Sequence[str], values: Values, *, shell: bool = False) -> list[str]:
    """Fill in the placeholders of a command. A value with spaces stays one argument.

    Args:
        words: the arguments of the command.
        values: the value of each placeholder.
        shell: the command is one line for the shell; values are quoted.
    """
    if shell:
        quoted = {name: shlex.join([value] if isinstance(value, str) else value) for name, value in values.items()}
        return ["/bin/sh", "-c", fill_text(words[0], quoted)]
    filled: list[str] = []
    for word in words:
        alone = _BRACES.fullmatch(word)
        if alone and alone[1] in _LISTS:
            filled.extend(values[alone[1]])
        else:
            filled.append(fill_text(word, values))
    return filled


def is_command(text: str) -> bool:
    """Whether a tool specification is a command (`command:…`)."""
    return _COMMAND.fullmatch(text) is not None


def command_tool(text: str) -> ExternalTool:
    """Parse a command such as `command:mytool {source}`, or `command[pmd]:…` with the format of its report.

    The report is what the command prints, unless the command contains `{report}`; a final `> {report}` is the same as
    none. Without a format, the format is detected from the report. The command is split into arguments and runs in the
    current folder, without a shell; `shell` after the format runs it in one: `command[bigcloneeval,shell]:a {source} |
    b`.

    Raises:
        InputError: the command is empty, or contains an unknown placeholder.
        UnknownNameError: an unknown report format.
    """
    match = _COMMAND.fullmatch(text.strip())
    line = match[2].strip() if match else ""
    if match is None or not line:
        raise InputError("The command is empty.", where=text, hint="Write: command:mytool {source}")
    marks = [mark.strip() for mark in (match[1] or "").split(",") if mark.strip()]
    formats = [mark for mark in marks if mark != _SHELL]
    if len(formats) > 1:
        raise InputError(f"A report has one format, not {len(formats)}: {', '.join(formats)}.", where=text)
    shell = _SHELL in marks
    words = (line,) if shell else _words(line, text)
    _check(words, text, shell)
    return ExternalTool(
        name="command",
        description="a user's command",
        homepage="",
        licence="",
        programs=(),
        install="",
        steps=(words,),
        folder=str(Path.cwd()),
        report_format=REPORT_FORMATS[formats[0]].name if formats else None,
        default_threshold=0.7,
        shell=shell,
    )


def _words(line: str, text: str) -> tuple[str, ...]:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise InputError(f"The command cannot be split into arguments: {error}.", where=text) from error
    return tuple(words[:-2] if words[-2:] == [">", "{report}"] else words)


def _check(words: Sequence[str], text: str, shell: bool) -> None:
    known = [name for name in PLACEHOLDERS if name not in _DECLARED_ONLY]
    for word in words:
        for name in _BRACES.findall(word):
            if name not in known:
                raise InputError(f"There is no placeholder {{{name}}}.", where=text, hint=f"Known: {', '.join(known)}.")
            if name in _LISTS and word != f"{{{name}}}" and not shell:
                raise InputError(
                    f"{{{name}}} stands for several arguments, and must be a separate argument.", where=text
                )
