"""Makes pieces of code run, one file per language."""

from clonetruth.execution.harness.harness import (
    CallInput,
    Code,
    EntryKind,
    EntryParameter,
    FragmentRun,
    Harness,
    Observation,
    Reason,
)
from clonetruth.execution.harness.registry import HARNESSES, Harnesses

__all__ = [
    "HARNESSES",
    "CallInput",
    "Code",
    "EntryKind",
    "EntryParameter",
    "FragmentRun",
    "Harness",
    "Harnesses",
    "Observation",
    "Reason",
]
