"""Runs inside the sandbox: refuses to go on anywhere else.

The programs of this package execute code of strangers. Started by hand, or called as a library, they would do so with
all rights of the user. So each asks here first for what every sandbox of this project leaves in a process: another
user than root, no rights and no way to get any, a filter of system calls, and a root folder that cannot be written.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

WORK = Path("/box")
_STATUS = Path("/proc/self/status")
_WANTED = {"NoNewPrivs": "1", "Seccomp": "2", "CapEff": "0000000000000000"}


@cache
def require_box() -> None:
    """End this process unless it is in the sandbox. Processes that it forks need not look again.

    Raises:
        SystemExit: it is not.
    """
    missing = missing_marks()
    if missing:
        raise SystemExit(
            f"This program runs code of strangers, in the sandbox only: {', '.join(missing)}. "
            "Use clonetruth.run, or clonetruth.execution.compare_behaviour, which start it there."
        )


def missing_marks() -> list[str]:
    """What shows that this process is not in the sandbox; empty inside."""
    missing = []
    if os.getuid() == 0 or os.geteuid() == 0:
        missing.append("the user is root")
    try:
        said = dict(line.split(":\t", 1) for line in _STATUS.read_text().splitlines() if ":\t" in line)
    except OSError:
        said = {}
    missing += [f"{name} is not {value}" for name, value in _WANTED.items() if said.get(name, "").strip() != value]
    if not os.statvfs("/").f_flag & os.ST_RDONLY:
        missing.append("the root folder can be written")
    if Path.cwd() != WORK:
        missing.append(f"the working folder is not {WORK}")
    return missing
