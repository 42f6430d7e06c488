"""Errors that a user can fix: what happened, where, and what to do about it.

The command line prints them without a traceback and exits with the error's code. The codes are stable:
scripts can rely on them. 0 is success, 1 means "the command ran and found something" (an audit with
findings, two fragments that differ), 2 is click's code for wrong usage.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self


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


class CloneTruthWarning(UserWarning):
    """What a user should know of a result that was computed all the same."""
