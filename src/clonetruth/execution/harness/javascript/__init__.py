"""Fragments of JavaScript and TypeScript run in the sandbox."""

from clonetruth.execution.harness.javascript.harness import JavaScriptHarness, TypeScriptHarness

__all__ = ["JavaScriptHarness", "TypeScriptHarness"]
