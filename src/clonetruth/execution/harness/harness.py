"""What every harness does: make a piece of code callable, call it, and say what happened.

A harness runs one language. One file and one line in `registry.HARNESSES` add a language.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Protocol, Self

from clonetruth.execution.inputs.lengths import NO_LENGTH, ListLength
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.sandbox import Sandbox
from clonetruth.execution.values import Value


class Reason(StrEnum):
    """Why a pair is undecided: a closed list, so that the reasons can be counted."""

    PARSE = "does not parse"
    COMPILE = "does not compile"
    SYMBOL = "unresolved symbol"
    PACKAGE = "needs a package"
    FILE = "needs a file"
    NETWORK = "needs the network"
    SCREEN = "needs a screen"
    PROCESS = "starts a program"
    CLOCK = "depends on the time"
    MACHINE = "depends on the machine"
    RANDOM = "depends on chance"
    INPUT = "reads input"
    FUNCTION = "has no function"
    RECEIVER = "needs an object"
    LOADING = "fails while loading"
    TIME = "takes too long to load"
    TYPE = "takes values that cannot be made"
    PARAMETERS = "takes other parameters"
    LANGUAGE = "language without a harness"
    TOOLCHAIN = "language is not installed"
    TIMED_OUT = "calls take too long"
    NO_RUN = "no input runs on both"
    INCOMPARABLE = "results cannot be compared"
    UNSTABLE = "difference does not come again"
    WEAK = "too few different results"
    SANDBOX = "the sandbox ended"
    FAILED = "the harness failed"
    UNTESTED = "ends before its tests"
    FORM = "form of the input is not known"
    CONFIRMATION = "form of the input is not confirmed"
    DOMAIN = "stated inputs do not fit the parameters"


@dataclass(frozen=True)
class Placement:
    """Where one parameter of a function of C gets its value from.

    Attributes:
        kind: of its type: what another function must have in this place to be called alike.
        role: what it is.
        is_length: whether it is a list, or one of its numbers: what follows from names and loops.
        of: places of the arrays whose length it is.
        sizes: places of the numbers of rows and of columns, of a table that is written as one array.
    """

    kind: str
    role: str
    is_length: bool = False
    of: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()


def can_follow(own: Sequence[Placement], other: Sequence[Placement]) -> bool:
    """Whether a function with one layout can be called as another one is: they differ in nothing but which numbers are
    the lengths of which arrays.

    Example:
        >>> number, length = Placement("int", "an argument", True), Placement("int", "the length of a list", True)
        >>> can_follow([number], [length]), can_follow([number], []), can_follow([number], [Placement("int", "null")])
        (True, False, False)
    """
    return len(own) == len(other) and all(
        one.kind == another.kind and (one.role == another.role or (one.is_length and another.is_length))
        for one, another in zip(own, other, strict=True)
    )


@dataclass(frozen=True)
class Code:
    """A piece of code to run.

    Attributes:
        text: the fragment, or the whole file around it.
        language: its language.
        entry: what to call, `name` or `Class.name` (default: the last function that no other calls; the whole program
            where there is a main function or no function).
        path: of the file, relative to the project.
        files: further files of the project that it may import, by path.
        layout: where the parameters of a function of C get their values from, as another piece of code says; its own
            text decides if there is none, or if it does not fit.
    """

    text: str
    language: str
    entry: str | None = None
    path: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict, hash=False)
    layout: tuple[Placement, ...] = ()


@dataclass(frozen=True)
class CallInput:
    """One input.

    Attributes:
        arguments: of a function.
        stdin: what can be read from standard input; for a program this is the input.
        agreed: of an input that was made, how many other solutions of the problem agree on it; 0 if nobody was asked.
    """

    arguments: tuple[Value, ...] = ()
    stdin: str = ""
    agreed: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class Observation:
    """What one call did.

    Attributes:
        returned: the value; None also if it did not return.
        raised: the name of the exception, or "exit 3" of a program; None if there was none.
        changed: the arguments afterwards, if the call changed them.
        output: what it printed.
        ended: why it did not come to an end ("timed out", "out of memory", "signal 11", or "too slow" where it had less
            than the full time, because earlier calls had used theirs up); None if it did.
        missing: the symbol that was missing, if that is why it raised.
        reached: points of the code that this call reached, and no earlier call of the same run.
    """

    returned: Value = None
    raised: str | None = None
    changed: tuple[Value, ...] | None = None
    output: str = ""
    ended: str | None = None
    missing: str | None = None
    reached: tuple[int, ...] = ()

    @property
    def is_normal(self) -> bool:
        """Whether the call came to an end without an exception."""
        return self.ended is None and self.raised is None


@dataclass(frozen=True)
class EntryParameter:
    """A parameter of a function.

    Attributes:
        name: as written.
        types: what may be passed, the likeliest first; empty if nothing is known.
        optional: whether it has a default.
        implicit: whether it is not written as a parameter, but read by the code: the object of a method without a
            class, a variable or function of the file around. Both sides must read one of the same name.
        role: what it is given to, if not to the function: `constructor` of the class of a method; `before`, calls of
            methods that come first; `after`, one that follows.
        length: what says how long it is, where that is not part of a list.
        passed: how it is written in a call, if not by its place alone: `named`, if what is before it is left out;
            `keyword`, only by its name; `rest`, as many arguments as it has elements; `keywords`, as many names.
    """

    name: str
    types: tuple[InputType, ...] = ()
    optional: bool = False
    implicit: bool = False
    role: str = ""
    length: ListLength = NO_LENGTH
    passed: str = ""


BEFORE, AFTER = "calls before", "call behind"
"""Names of parameters that no function has: calls of methods that come before the call, and one that follows."""


class EntryKind(StrEnum):
    """What is run: a function with arguments, or a program with standard input."""

    FUNCTION = "function"
    PROGRAM = "program"


@dataclass(frozen=True)
class FragmentRun:
    """What a piece of code did with all inputs.

    Attributes:
        undecided: why it could not run; None if it ran.
        detail: more about that.
        kind: whether it is a function or a program.
        entry: what was called.
        parameters: its parameters.
        repairs: what was changed to make it run.
        observations: one for each call, as far as it came.
        points: how many points of the code can be reached; 0 if that was not measured.
        owner: the class of a method whose object is made for the call; empty if there is none.
        is_property: whether it is read like a field.
        layout: where the parameters of a function of C get their values from.
    """

    undecided: Reason | None = None
    detail: str = ""
    kind: EntryKind = EntryKind.FUNCTION
    entry: str = ""
    parameters: tuple[EntryParameter, ...] = ()
    repairs: tuple[str, ...] = ()
    observations: tuple[Observation, ...] = ()
    points: int = 0
    owner: str = ""
    is_property: bool = False
    layout: tuple[Placement, ...] = ()


class Harness(Protocol):
    """Runs pieces of code of one language in a sandbox; no piece knows anything of the others.

    Attributes:
        language: its name.
    """

    language: ClassVar[str]

    def run(self, code: Code, calls: Sequence[CallInput] = (), *, seed: int = 0, coverage: bool = False) -> FragmentRun:
        """Run a piece of code. Without calls, say only how it can be called.

        Args:
            code: what to run.
            calls: its inputs, in this order.
            seed: random seed, which also decides the order of sets; another seed gives a fresh process.
            coverage: whether to say which points of the code were reached.

        Raises:
            MissingExtraError: the sandbox or the toolchain is not complete.
        """
        ...

    def close(self) -> None:
        """End what is running; the next run starts it again."""
        ...


@dataclass
class SandboxedHarness(ABC):
    """What the harnesses of all languages share: a sandbox, limits, and a life as a context manager.

    Attributes:
        language: its name.
        sandbox: what encloses everything that runs.
        seconds: for all calls of a run.
        seconds_per_call: for one call.
        stops_when_late: whether calls after one that uses up its time need not run. The harnesses that start a process
            or give the full time for each of them, those of C# and JavaScript, follow it.
    """

    language: ClassVar[str]

    sandbox: Sandbox
    seconds: float = 10.0
    seconds_per_call: float = 1.0
    stops_when_late: bool = field(default=False, kw_only=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    @abstractmethod
    def run(self, code: Code, calls: Sequence[CallInput] = (), *, seed: int = 0, coverage: bool = False) -> FragmentRun:
        """Run a piece of code; see `Harness.run`."""

    @abstractmethod
    def close(self) -> None:
        """End what is running; the next run starts it again."""
