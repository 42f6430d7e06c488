"""The provers, one line for each. None is loaded before it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from clonetruth.execution.proofs.proof import Prover
from clonetruth.execution.sandbox import Sandbox
from clonetruth.registry import Registry

PROVERS: Registry[Callable[[Sandbox], Prover]] = Registry(
    "prover",
    {
        "crosshair": "clonetruth.execution.proofs.crosshair:CrossHair",
        "esbmc": "clonetruth.execution.proofs.bounded_c:Esbmc",
        "cbmc": "clonetruth.execution.proofs.bounded_c:Cbmc",
    },
)
"""How to make a prover."""


def provers_of(language: str, sandbox: Sandbox) -> Iterator[Prover]:
    """The provers for a language that can run on this machine, in the order of the registry."""
    for name in PROVERS:
        prover = PROVERS[name](sandbox)
        if language in prover.languages and prover.missing() is None:
            yield prover
