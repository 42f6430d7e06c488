"""A mark for tests that run code: they are skipped, with what is missing, where the sandbox is not complete."""

from __future__ import annotations

import pytest

from clonetruth.execution.sandbox import Bubblewrap

LACKING = [f"{one.name}: {one.missing}" for one in Bubblewrap().layers() if one.needed and one.missing]

needs_sandbox = pytest.mark.skipif(bool(LACKING), reason=f"the sandbox is not complete: {LACKING}")
