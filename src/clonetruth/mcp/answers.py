"""What a coding assistant may ask about a project, answered in few words.

Every answer is short, because an assistant pays for each word and reads all of them. Only files below one folder are
read; no code is run. Names come from the project, which may be a stranger's: they are shown on one line, escaped.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from clonetruth.code import clone_type, extract, fragment_forms, language
from clonetruth.code.discovery import DiscoveryOptions, shown_name
from clonetruth.code.languages import languages_of_path
from clonetruth.code.pieces import read_piece
from clonetruth.errors import InputError
from clonetruth.find import clones_in
from clonetruth.find.differences import differences
from clonetruth.find.function_index import FunctionIndex
from clonetruth.find.output import compact
from clonetruth.find.reading import MAX_FILE_BYTES
from clonetruth.find.report import CloneReport
from clonetruth.options.find import FindOptions
from clonetruth.options.mcp import McpOptions
from clonetruth.safe_text import visible
from clonetruth.store.display import plural

MAX_CODE = 100_000
"""Maximum number of characters of a piece of code."""
MAX_ANSWER = 12_000
"""Maximum number of characters of an answer."""
MAX_TOP = 50
_NAME = 300
"""Characters that are shown of a name."""
_LOCATION = 1_000
"""Characters up to which a text may be a location."""
_PLACE = re.compile(r"(?P<file>[^\s:;=()\[\]{}\"'`]+\.\w+)(?::\d+(?:-\d+)?|::[^\s:;=()\[\]{}\"'`]+)")
"""What can only be meant as a location, although there is no such file."""


class ProjectAnswers:
    """Answers questions about the code below a folder.

    Args:
        options: the folder, and which of its files count.

    Raises:
        InputError: the folder does not exist.
    """

    def __init__(self, options: McpOptions) -> None:
        self._options = options
        discovery = DiscoveryOptions(
            (), options.exclude, options.gitignore, options.include_generated, options.include_vendored
        )
        self.index = FunctionIndex(options.folder, discovery, options.min_tokens)
        self.folder = self.index.folder

    def find_similar_function(self, code: str, language: str | None = None, top: int = 5) -> str:
        """Return the functions of the project that are most similar to a piece of code, a line for each.

        Args:
            code: a function or statements, finished or a draft.
            language: its language (default: the one of the project in which it parses best).
            top: the maximum number of functions.

        Raises:
            InputError: the code is empty or too long, or there is no source file.
            UnknownNameError: the language is unknown.
        """
        found = self.index.similar(_checked(code), language, _bounded(top))
        head = f"{plural(found.searched, 'function')} searched, code read as {found.language}"
        if not found.functions:
            return f"No similar function. ({head})"
        lines = [
            f"{visible(one.location, _NAME)} {visible(one.name, _NAME)}: {_alike(one.clone_type)}"
            f"{one.similarity:.0%} of tokens, {one.shared_words:.0%} of words; {one.differences}"
            for one in found.functions
        ]
        return _cut([*lines, f"({head})"])

    def find_clones(self, path: str = ".", top: int = 10, min_tokens: int = 50) -> str:
        """Return the clone classes of a file or folder, a line for each, largest waste first.

        Args:
            path: a file or folder of the project.
            top: the maximum number of classes.
            min_tokens: skip functions with fewer tokens.

        Raises:
            InputError: the path is not in the project, or has no source file.
        """
        chosen = self._options
        options = FindOptions(
            paths=(self._inside(path),),
            min_tokens=max(min_tokens, 1),
            exclude=chosen.exclude,
            include_generated=chosen.include_generated,
            include_vendored=chosen.include_vendored,
            gitignore=chosen.gitignore,
            processes=1,
        )
        with clones_in(options, within=self.folder) as clones:
            report = self._from_folder(clones.report(_bounded(top), processes=1))
        lines = compact(report).splitlines()
        if report.skipped or report.unparsed:
            lines.append(f"({len(report.skipped)} files unreadable, {len(report.unparsed)} mostly unparsable)")
        return _cut(lines)

    def compare_code(self, left: str, right: str, language: str | None = None) -> str:
        """Return how two pieces of code differ: clone type, similarities, and the edits in words.

        Args:
            left: code, or where it is in the project: FILE, FILE:FIRST-LAST or FILE::FUNCTION.
            right: the same.
            language: the language of code that is given as text (default: that of the other side, or a guess).

        Raises:
            InputError: a piece is empty, too long, or does not exist.
            UnknownNameError: the language is unknown.
        """
        sides = [self._piece(text, language) for text in (left, right)]
        known = next((name for name, _ in sides if name is not None), None)
        (first, one), (second, other) = [
            (name or known or self.index.guess_language(text), text) for name, text in sides
        ]
        if first != second:
            return f"Different languages ({first}, {second}): texts are not compared."
        return _comparison(one, other, first)

    def _piece(self, text: str, language_name: str | None) -> tuple[str | None, str]:
        """A piece of code: its language, if known, and its text."""
        if len(text) <= _LOCATION and "\n" not in text.strip():
            place = text.strip()
            parts = (place, place.rpartition("::")[0], place.rpartition(":")[0])
            if file := next(filter(self._is, parts), ""):
                path = self._inside(file)
                if not path.is_file() or path.stat().st_size > MAX_FILE_BYTES:
                    raise InputError(
                        "This is not a file of source code, or it is too large.", where=visible(file, _NAME)
                    )
                # The name of a file says more about it than a word for both sides.
                piece = read_piece(f"{path}{place[len(file) :]}", None if languages_of_path(file) else language_name)
                return piece.language, _checked(piece.text)
            if (named := _PLACE.fullmatch(place)) and languages_of_path(named["file"]):
                raise InputError("There is no such file in the project.", where=visible(named["file"], _NAME))
        return language_name and language(language_name).name, _checked(text)

    def _is(self, name: str) -> bool:
        try:
            return bool(name) and (self.folder / name).exists()
        except (OSError, ValueError):  # no file can have such a name
            return False

    def _inside(self, name: str) -> Path:
        """The real path of a file or folder of the project.

        Raises:
            InputError: there is none, or it lies or leads outside.
        """
        try:
            path = (self.folder / name).resolve()
            found = path.exists()
        except (OSError, ValueError) as error:
            raise InputError("This is not the name of a file.", where=visible(name, _NAME)) from error
        if not path.is_relative_to(self.folder):
            raise InputError("Only what is below the folder of the server can be read.", where=visible(name, _NAME))
        if not found:
            raise InputError("There is no such file or folder in the project.", where=visible(name, _NAME))
        return path

    def _from_folder(self, report: CloneReport) -> CloneReport:
        """The report with names from the folder on, wherever the process works."""
        prefix = f"{shown_name(self.folder)}/"
        classes = tuple(
            replace(
                one,
                members=tuple(replace(member, path=member.path.removeprefix(prefix)) for member in one.members),
            )
            for one in report.classes
        )
        return replace(report, classes=classes)


def _comparison(left: str, right: str, name: str) -> str:
    own = language(name)
    forms = [fragment_forms(text, own) for text in (left, right)]
    measured = clone_type(forms[0], forms[1], "min")
    broken = [
        side for side, text in (("left", left), ("right", right)) if extract(text, own, lone=True).parsed.problems
    ]
    unsound = f" ({' and '.join(broken)} does not parse completely)" if broken else ""
    return (
        f"{measured.name}: {measured.similarity.token:.0%} of tokens and {measured.similarity.line:.0%} of lines alike "
        f"without names and values; right compared with left: {differences(left, right, own)}{unsound}"
    )


def _alike(kind: str) -> str:
    """The clone type, if it is one that a reader can act on."""
    return {"T1": "same code, ", "T2": "same code with other names or values, "}.get(kind, "")


def _checked(code: str) -> str:
    if len(code) > MAX_CODE:
        raise InputError(f"The code has {len(code):,} characters; at most {MAX_CODE:,} are compared.")
    if not code.strip():
        raise InputError("There is no code.")
    return code


def _bounded(top: int) -> int:
    return min(max(top, 1), MAX_TOP)


def _cut(lines: list[str]) -> str:
    """The first lines that fit into an answer; a line may be cut."""
    free, kept = MAX_ANSWER, []
    for number, line in enumerate(lines):
        if len(line) > free:
            kept += [f"{line[:free]}…", f"… {len(lines) - number - 1} more lines; ask for less."]
            break
        kept.append(line)
        free -= len(line) + 1
    return "\n".join(kept)
