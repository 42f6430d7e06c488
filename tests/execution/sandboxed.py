"""What tests that run code have in common: where the sandbox is incomplete, they are skipped, with what is missing."""

from __future__ import annotations

import pytest

from clonetruth.execution.harness.harness import Reason
from clonetruth.execution.sandbox import Bubblewrap

LACKING = [f"{one.name}: {one.missing}" for one in Bubblewrap().layers() if one.needed and one.missing]

needs_sandbox = pytest.mark.skipif(bool(LACKING), reason=f"the sandbox is not complete: {LACKING}")


REFUSALS = frozenset(
    [
        *(Reason.PACKAGE, Reason.FILE, Reason.NETWORK, Reason.SCREEN, Reason.PROCESS),
        *(Reason.CLOCK, Reason.MACHINE, Reason.RANDOM, Reason.INPUT),
    ]
)
"""Why code is not run because of a name in its text: an attack with one of these has shown nothing."""
