"""Makes pieces of code run: one file or package per language, one line in the registry."""

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
from clonetruth.execution.harness.program_languages import PROGRAM_LANGUAGES
from clonetruth.execution.harness.programs import ProgramRunner, ProgramSource, run_program
from clonetruth.execution.harness.registry import HARNESSES, Harnesses

__all__ = [
    "HARNESSES",
    "PROGRAM_LANGUAGES",
    "CallInput",
    "Code",
    "EntryKind",
    "EntryParameter",
    "FragmentRun",
    "Harness",
    "Harnesses",
    "Observation",
    "ProgramRunner",
    "ProgramSource",
    "Reason",
    "run_program",
]
