"""Commands with placeholders, and tools that are nothing but a command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.formats.reports import REPORT_FORMATS
from clonetruth.tools.tool import ExternalTool

PLACEHOLDERS = {
    "program": "the tool's program (`java -jar …` where it is a .jar file)",
    "arguments": "what the tool's parameters add",
    "files": "the source files, each a word of its own",
    "source": "the folder of the source files",
    "report": "the file, or folder, that the tool is to write its report to",
    "work": "the work folder, which `source` and `report` are in",
    "home": "the folder of the program",
    "language": "the language of the files, in the tool's own word; such a command runs once for each language",
    "min_tokens": "the least tokens of a clone",
    "min_lines": "the least lines of a clone",
    "threshold": "the least similarity of a clone, 0 to 1",
    "dissimilarity": "1 less the threshold",
    "percent": "100 times the threshold",
}
"""What may stand in braces in a command, with its meaning."""

_LISTS = ("program", "arguments", "files")
"""Placeholders that stand for any number of words, and so must be words by themselves."""
_OF_TOOLS = ("program", "arguments", "home")
"""Placeholders that mean something for declared tools only."""
_THRESHOLDS = ("threshold", "dissimilarity", "percent")
_BRACES = re.compile(r"\{([a-z_]+)\}")
_COMMAND = re.compile(r"command(?:\[([^\]]*)\])?:(.*)", re.DOTALL)
_SHELL = "shell"

Values = Mapping[str, str | Sequence[str]]
"""What stands for each placeholder."""


def used_placeholders(tool: ExternalTool) -> set[str]:
    """The placeholders of a tool's commands and of the files that it needs."""
    texts = [*(word for step in tool.steps for word in step), *tool.inputs.values()]
    return {name for text in texts for name in _BRACES.findall(text)}


def takes_threshold(tool: ExternalTool) -> bool:
    """Whether the threshold makes a difference to what a tool finds."""
    return tool.lists_all_pairs or not used_placeholders(tool).isdisjoint(_THRESHOLDS)


def fill_text(text: str, values: Values) -> str:
    """A text with its placeholders filled in; of lists the words, with blanks between them."""

    def value(match: re.Match[str]) -> str:
        found = values[match[1]]
        return found if isinstance(found, str) else " ".join(found)

    return _BRACES.sub(value, text)


def fill_command(words: Sequence[str], values: Values, *, shell: bool = False) -> list[str]:
    """The words of a command with their placeholders filled in: a value never becomes several words by its blanks.

    Args:
        words: the command.
        values: what stands for each placeholder.
        shell: the command is one line for the shell; values are quoted for it.
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
    """Whether a tool is asked for as a command."""
    return _COMMAND.fullmatch(text) is not None


def command_tool(text: str) -> ExternalTool:
    """The tool that `command:mytool {source}` is, or `command[pmd]:…` with the format of its report.

    What the command prints is its report, unless it names `{report}` (`> {report}` at its end says the same). Without
    a format, it is recognised from the report. The command is split into words and run without a shell, in the current
    folder, unless `shell` stands beside the format: `command[bigcloneeval,shell]:a {source} | b`.

    Raises:
        InputError: there is no command, or a placeholder that does not exist.
        UnknownNameError: there is no such report format.
    """
    match = _COMMAND.fullmatch(text.strip())
    line = match[2].strip() if match else ""
    if match is None or not line:
        raise InputError("There is no command.", where=text, hint="Write: command:mytool {source}")
    marks = [mark.strip() for mark in (match[1] or "").split(",") if mark.strip()]
    formats = [mark for mark in marks if mark != _SHELL]
    if len(formats) > 1:
        raise InputError(f"A report has one format, not {len(formats)}: {', '.join(formats)}.", where=text)
    shell = _SHELL in marks
    words = (line,) if shell else _words(line, text)
    _check(words, text, shell)
    return ExternalTool(
        name="command",
        description="a command of the user's",
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
        raise InputError(f"The command cannot be split into words: {error}.", where=text) from error
    return tuple(words[:-2] if words[-2:] == [">", "{report}"] else words)


def _check(words: Sequence[str], text: str, shell: bool) -> None:
    known = [name for name in PLACEHOLDERS if name not in _OF_TOOLS]
    for word in words:
        for name in _BRACES.findall(word):
            if name not in known:
                raise InputError(
                    f"There is no placeholder {{{name}}}.", where=text, hint=f"There are: {', '.join(known)}."
                )
            if name in _LISTS and word != f"{{{name}}}" and not shell:
                raise InputError(f"{{{name}}} stands for several words, and must be one by itself.", where=text)
