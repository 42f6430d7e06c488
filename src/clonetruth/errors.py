"""Errors a user can mend: what happened, where, and what to do about it.

The command line prints them without a traceback and exits with the error's code. The codes are stable:
scripts may rely on them. 0 is success, 1 means "the command ran and found something" (an audit with
findings, two fragments that differ), 2 is click's code for wrong usage.
"""

from __future__ import annotations


class CloneTruthError(Exception):
    """Something the user can mend.

    Args:
        what: one sentence on what happened.
        where: the file, row or argument it happened at.
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


class InputError(CloneTruthError):
    """A file or value given by the user cannot be used."""

    exit_code = 3


class BenchmarkError(CloneTruthError):
    """A benchmark folder is damaged, foreign, or newer than this program."""

    exit_code = 4


class UnknownNameError(CloneTruthError):
    """A name that no registry knows (a language, a rule, a policy, ...)."""

    exit_code = 5


class MissingExtraError(CloneTruthError):
    """A feature needs an optional dependency or an outside program that is not installed."""

    exit_code = 6

    @classmethod
    def extra(cls, feature: str, extra: str) -> MissingExtraError:
        """The error for a feature whose Python packages are in the optional extra `extra`."""
        return cls(f"{feature} needs the extra '{extra}'.", hint=f"Install it: pip install 'clonetruth[{extra}]'")


class ToolError(CloneTruthError):
    """An outside program failed, or went over its time or memory."""

    exit_code = 7
