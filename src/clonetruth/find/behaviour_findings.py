"""What running the functions of a source tree showed, as plain data: a part of the report of a clone search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class FunctionPlace:
    """A function that was run. Lines are 1-based and inclusive.

    Attributes:
        path: the name of its file.
        first_line: its first line.
        last_line: its last line.
        name: its name with its enclosing classes.
        language: its language's name.
    """

    path: str
    first_line: int
    last_line: int
    name: str
    language: str

    @property
    def location(self) -> str:
        """Its path and lines: `src/a.py:3-12`."""
        return f"{self.path}:{self.first_line}-{self.last_line}"


@dataclass(frozen=True)
class InconsistentCopy:
    """Two functions that look like copies and behave differently.

    Attributes:
        first: the representative of their clone class.
        other: its copy.
        call: the smallest input on which they differ, as a call of the first.
        first_did: what the first did with it.
        other_did: what the other did with it.
        runs: inputs that ran on both.
        differing: inputs on which they differ.
        key: a digest of the code of both without layout and comments: it survives moves.
    """

    first: FunctionPlace
    other: FunctionPlace
    call: str
    first_did: str
    other_did: str
    runs: int
    differing: int
    key: str = ""

    @property
    def share(self) -> float:
        """The share of the inputs on which they differ: a copy that missed a fix has a small one."""
        return self.differing / self.runs if self.runs else 1.0


@dataclass(frozen=True)
class SemanticClone:
    """A function that does what the first one of its class does, by all inputs that were tried.

    Attributes:
        function: the function.
        runs: inputs on which both came to an end without an exception.
        outputs: different results among them.
        call: an example, as a call of the first function.
        did: what both did with it.
    """

    function: FunctionPlace
    runs: int
    outputs: int
    call: str = ""
    did: str = ""


@dataclass(frozen=True)
class SemanticClass:
    """Functions that are not textual clones, and behave alike: each was compared with the first.

    Attributes:
        first: the first function, by path and line.
        others: the others, with the evidence.
    """

    first: FunctionPlace
    others: tuple[SemanticClone, ...]


@dataclass(frozen=True)
class BehaviourFindings:
    """What running functions showed.

    Attributes:
        copies: edited or renamed copies that were compared with the first member of their class.
        inconsistent: those that behave differently, the fewest differing inputs first.
        consistent: the number of those without a difference.
        copies_undecided: the number of the others, by reason.
        functions: functions that are large enough to be run.
        ran: those that gave a result for some of the shared inputs.
        not_run: the number of the others, by reason.
        candidates: pairs of functions that agree on rare results, and are not in one clone class.
        semantic: classes of functions that behave alike.
        refuted: the number of candidates that differ on another input.
        candidates_undecided: the number of candidates of which nothing can be said, by reason.
    """

    copies: int = 0
    inconsistent: tuple[InconsistentCopy, ...] = ()
    consistent: int = 0
    copies_undecided: Mapping[str, int] = field(default_factory=dict)
    functions: int = 0
    ran: int = 0
    not_run: Mapping[str, int] = field(default_factory=dict)
    candidates: int = 0
    semantic: tuple[SemanticClass, ...] = ()
    refuted: int = 0
    candidates_undecided: Mapping[str, int] = field(default_factory=dict)
