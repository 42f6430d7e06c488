"""Functions of C and C++ run in the sandbox."""

from clonetruth.execution.harness.c.harness import CHarness, CppHarness

__all__ = ["CHarness", "CppHarness"]
