"""Makes fragments run, one file per language."""

from clonetruth.execution.harness.python import FragmentRun, ObservedCall, PythonWorker

__all__ = ["FragmentRun", "ObservedCall", "PythonWorker"]
