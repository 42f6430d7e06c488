"""Which languages a test runs on by default: those of an extra have their expensive tests in the slow set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from clonetruth.code.languages import LANGUAGES


def by_cost(names: Iterable[str]) -> list[Any]:
    """Parameters for the languages with these names; those of an extra are marked as slow."""
    return [pytest.param(name, marks=[pytest.mark.slow] if _is_optional(name) else []) for name in sorted(names)]


def _is_optional(name: str) -> bool:
    return bool(LANGUAGES[name].extra) or name in ("vue", "svelte")
