"""What a prover says: that two functions are equal within bounds, or inputs on which they may differ.

One file and one line in `registry.PROVERS` add a prover.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from clonetruth.execution.harness.harness import CallInput, Code
from clonetruth.execution.inputs.types import InputType


@dataclass(frozen=True)
class Proof:
    """What a prover found. Nothing in it is a verdict: witnesses count only when they are replayed natively, and what
    is proved holds within the bounds that it names.

    Attributes:
        proved: what was proved, such as "all paths" or "loops up to 8 iterations"; None if nothing was.
        witness_inputs: inputs on which the two may differ, in the order of the types that were asked for.
        detail: why nothing was found, or what the prover said.
    """

    proved: str | None = None
    witness_inputs: tuple[CallInput, ...] = ()
    detail: str = ""


class Prover(Protocol):
    """Reasons about two functions instead of running them with inputs. It runs in a sandbox, too.

    Attributes:
        name: of the program that does it.
        languages: the languages that it reads; both functions are in the same one.
    """

    name: ClassVar[str]
    languages: ClassVar[frozenset[str]]

    def missing(self) -> str | None:
        """How to install what is missing; None if it can run."""
        ...

    def prove(self, left: Code, right: Code, types: Sequence[InputType], seconds: float) -> Proof:
        """Try to prove that two functions are equal, or find inputs on which they differ.

        Args:
            left: one function.
            right: the other, with its parameters in the same order.
            types: of the parameters, as the search chose them.
            seconds: at most.

        Raises:
            MissingExtraError: the sandbox is not complete.
        """
        ...
