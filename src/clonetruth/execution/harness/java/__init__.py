"""Fragments of Java run in the sandbox."""

from clonetruth.execution.harness.java.harness import JavaHarness

__all__ = ["JavaHarness"]
