"""Errors that a user can fix: what happened, where, and what to do about it.

The command line prints them without a traceback and exits with the error's code. The codes are stable:
scripts can rely on them. 0 is success, 1 means "the command ran and found something" (an audit with
findings, two fragments that differ), 2 is click's code for wrong usage, 11 means "it ran, and could not decide", 130 is
Ctrl-C. `explained` makes one of these errors of whatever else ends a command.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

UNDECIDED_EXIT_CODE = 11
"""The exit code of a command that was asked whether something is the case, and could not find out."""


class CloneTruthError(Exception):
    """An error that the user can fix.

    Args:
        what: what happened, in one sentence.
        where: the file, row or argument.
        hint: what to do about it.
    """

    exit_code = 3

    def __init__(self, what: str, *, where: object = None, hint: str | None = None) -> None:
        super().__init__(what, where, hint)
        self.what = what
        self.where = None if where is None else str(where)
        self.hint = hint

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what}" + (f" {self.hint}" if self.hint else "")

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are pickled by their positional arguments, and these have keywords: a worker could not send them.
        return _rebuilt, (type(self), self.args), self.__dict__


def _rebuilt(kind: type[CloneTruthError], arguments: tuple[Any, ...]) -> CloneTruthError:
    return kind.__new__(kind, *arguments)


class InputError(CloneTruthError):
    """A file or value given by the user cannot be used."""

    exit_code = 3


class BenchmarkError(CloneTruthError):
    """A benchmark folder is damaged, foreign, or newer than this program."""

    exit_code = 4


class UnknownNameError(CloneTruthError):
    """An unknown name: a language, a rule, a policy, ..."""

    exit_code = 5

    @classmethod
    def suggest(cls, kind: str, name: str, known: Iterable[str], aliases: Iterable[str] = ()) -> Self:
        """The error for an unknown name, with a suggestion and the known names.

        Args:
            kind: what the names stand for ("language").
            name: the unknown name.
            known: the known names, which the hint lists.
            aliases: other accepted spellings, for the suggestion only.
        """
        import difflib

        names = sorted(known)
        similar = difflib.get_close_matches(name, [*names, *aliases], n=1, cutoff=0.6)
        suggestion = f"Did you mean '{similar[0]}'? " if similar else ""
        return cls(f"There is no {kind} '{name}'.", hint=f"{suggestion}Known: {', '.join(names)}.")


class MissingExtraError(CloneTruthError):
    """A feature needs an optional dependency or an external program that is not installed."""

    exit_code = 6

    @classmethod
    def extra(cls, feature: str, extra: str) -> MissingExtraError:
        """The error for a feature whose Python packages are in the optional extra `extra`."""
        return cls(f"{feature} needs the extra '{extra}'.", hint=f"Install it: pip install 'clonetruth[{extra}]'")


class ToolError(CloneTruthError):
    """An external program failed, or exceeded its time or memory limit."""

    exit_code = 7


class PluginError(ToolError):
    """Code of another package, which an entry point names, does not work."""


class OperatingSystemError(CloneTruthError):
    """The operating system refused to read or write: the disk is full, a permission is missing, ..."""

    exit_code = 8


class OutOfMemoryError(CloneTruthError):
    """The memory, or a limit on it, is exhausted."""

    exit_code = 9


class UnexpectedError(CloneTruthError):
    """An error that no user can fix: a bug, of clonetruth or of code that it was given."""

    exit_code = 10


class CloneTruthWarning(UserWarning):
    """What a user should know of a result that was computed all the same."""


_FREE = "Free some space, or choose another disk, and run the command again."
_ALLOW = "Change the permissions, or choose another place."
_CONDITIONS = {
    errno.ENOSPC: ("The disk is full", _FREE),
    errno.EDQUOT: ("The disk quota is used up", _FREE),
    errno.EFBIG: ("The file is larger than the file system or a limit allows", _FREE),
    errno.EACCES: ("Permission denied", _ALLOW),
    errno.EPERM: ("Permission denied", _ALLOW),
    errno.EROFS: ("The file system is read-only", "Choose another place."),
    errno.EMFILE: ("Too many open files", "Raise the limit: ulimit -n 4096"),
    errno.ENFILE: ("Too many open files on this machine", "Close other programs."),
    errno.ENAMETOOLONG: ("A file name is too long", "Choose a shorter name or path."),
    errno.ELOOP: ("Symbolic links form a loop", "Remove the link that points to itself."),
    errno.EIO: ("The device reports an input or output error", "Check the disk."),
    errno.ESTALE: ("The network file system lost the file", "Run the command again."),
}
"""Conditions of the machine, not of the input: what to say, and what to do."""

_LITTLE = 64 * 1024
"""Bytes of free space that are too few for a database."""
_LESS = "Use fewer processes or threads, a smaller input, or a machine with more memory."

# Libraries that wrap the operating system give the condition in words only.
_WORDS = {
    "no space left on device": errno.ENOSPC,
    "database or disk is full": errno.ENOSPC,
    "disk quota exceeded": errno.EDQUOT,
    "read-only file system": errno.EROFS,
    "readonly database": errno.EROFS,
    "too many open files": errno.EMFILE,
    "file name too long": errno.ENAMETOOLONG,
    "input/output error": errno.EIO,
    "disk i/o error": errno.EIO,
}
_MEMORY_WORDS = ("out of memory", "cannot allocate memory", "std::bad_alloc", "can't start new thread")


def explained(error: BaseException) -> CloneTruthError:
    """The error to show, with its exit code, for whatever ended a command.

    A condition of the machine counts wherever it is in the chain of causes: a full disk stays a full disk if a
    reader or writer on the way took it for bad input.
    """
    for cause in _causes(error):
        number = _condition(cause)
        if isinstance(cause, OutOfMemoryError | OperatingSystemError):
            return cause
        if number == errno.ENOMEM or _is_memory(cause):
            return OutOfMemoryError("Memory ran out.", where=_where(error, cause), hint=_LESS)
        if number == errno.EIO and _is_full(_where(error, cause)):
            number = errno.ENOSPC  # what SQLite makes of it
        if number in _CONDITIONS:
            what, hint = _CONDITIONS[number]
            if hint is _ALLOW and isinstance(error, CloneTruthError):
                # The code that asked for the permission says best what it is for.
                return OperatingSystemError(error.what, where=error.where, hint=error.hint or hint)
            return OperatingSystemError(f"{what}.", where=_where(error, cause), hint=hint)
    if isinstance(error, CloneTruthError):
        return error
    if isinstance(error, RecursionError):
        return OutOfMemoryError("The input is nested too deeply.", hint="Leave out the file with the deepest nesting.")
    if isinstance(error, OSError):
        what = error.strerror or str(error) or type(error).__name__
        return OperatingSystemError(f"The operating system reports: {what}.", where=_where(error, error))
    return UnexpectedError(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, what it was raised from, and so on.

    What was going on when one of our own errors was raised counts only if it is named as the cause.
    """
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        own = cause.__suppress_context__ or isinstance(cause, CloneTruthError)
        cause = cause.__cause__ or (None if own else cause.__context__)


def _condition(error: BaseException) -> int | None:
    """The number of an operating-system error; of libraries, it is recognised by its words."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    if isinstance(error, CloneTruthError) or not _is_wrapped(error):
        return None
    words = str(error).lower()
    return next((number for phrase, number in _WORDS.items() if phrase in words), None)


def _is_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError):
        return True
    words = str(error).lower()
    return _is_wrapped(error) and any(phrase in words for phrase in _MEMORY_WORDS)


def _is_wrapped(error: BaseException) -> bool:
    """Whether an error comes from a library that wraps the operating system's; its text is not data then."""
    library = type(error).__module__.partition(".")[0].lstrip("_")
    return library in {"duckdb", "pyarrow", "sqlite3", "torch", "psycopg"} or type(error) in (OSError, RuntimeError)


def _is_full(place: str | None) -> bool:
    """Whether there is hardly any space left where a file is."""
    import shutil

    try:
        return place is not None and shutil.disk_usage(Path(place).parent).free < _LITTLE
    except OSError:
        return False


def _where(error: BaseException, cause: BaseException) -> str | None:
    """The place that the shown error names, else the file of the cause."""
    if isinstance(error, CloneTruthError) and error.where:
        return error.where
    file = getattr(cause, "filename2", None) or getattr(cause, "filename", None)
    return None if file is None else str(file)
