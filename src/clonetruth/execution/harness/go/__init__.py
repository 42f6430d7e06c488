"""Functions of Go run in the sandbox."""

from clonetruth.execution.harness.go.harness import GoHarness

__all__ = ["GoHarness"]
