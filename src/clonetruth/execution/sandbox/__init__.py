"""A sandbox that holds: no network, no files of the host, bounded time, memory, output and processes.

It fails closed: where a layer is missing, nothing runs, and the error names the layer and how to install it.
"""

from clonetruth.execution.sandbox.bubblewrap import Bubblewrap
from clonetruth.execution.sandbox.containers import Container
from clonetruth.execution.sandbox.process import Ending, Layer, Limits, Outcome, Sandbox, SandboxProcess, run, start

__all__ = [
    "Bubblewrap",
    "Container",
    "Ending",
    "Layer",
    "Limits",
    "Outcome",
    "Sandbox",
    "SandboxProcess",
    "run",
    "start",
]
