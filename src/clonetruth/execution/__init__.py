"""What code does: run strangers' code in a sandbox, and compare what it did."""

from clonetruth.execution.doctor import examine_execution

__all__ = ["examine_execution"]
