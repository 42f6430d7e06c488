"""`clonetruth execution …`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import Options, option
from clonetruth.options.shared import JsonOptions

SANDBOXES = ("bubblewrap", "docker", "podman")


@dataclass(frozen=True, kw_only=True)
class SandboxOptions(Options):
    """What encloses strangers' code while it runs."""

    sandbox: str = option(
        "bubblewrap",
        choices=SANDBOXES,
        setting=False,
        help="Sandbox that the code runs in: bubblewrap (Linux), or a docker or podman container.",
    )
    image: str | None = option(None, setting=False, help="Container image with the compilers and interpreters.")
    python: Path | None = option(
        None,
        setting=False,
        metavar="ENVIRONMENT",
        help="A virtual environment (its folder or interpreter) whose packages Python code may import (read-only).",
    )


@dataclass(frozen=True, kw_only=True)
class ExecutionDoctorOptions(SandboxOptions, JsonOptions, command="execution doctor", function="examine_execution"):
    """Show what can run on this machine: the layers of the sandbox, and the languages inside it.

    Where a needed layer is missing, nothing runs at all. Versions are asked inside the sandbox, so that a language in
    the table really runs there.
    """
