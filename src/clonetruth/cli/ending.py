"""How the process of a command ends: at once, if nothing but memory is left to give back."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from typing import NoReturn

from clonetruth.cli.output import all_written


class _Ending:
    """Whether this process may end at once; see `allow_quick_end`."""

    quick = False


def allow_quick_end() -> None:
    """Let the process end without taking apart its modules and results, which takes a tenth of a short run.

    Only for a command that has closed its files and connections, and that started no thread which must finish.
    """
    _Ending.quick = True


def end_process(status: int) -> NoReturn:
    """End the process: what is registered for its end is called, and what is printed is written.

    Raises:
        SystemExit: Python itself has to end the process.
    """
    threads = [one for one in threading.enumerate() if not one.daemon and one is not threading.main_thread()]
    # A profiler or a debugger prints its results when Python ends.
    if not _Ending.quick or threads or sys.getprofile() or sys.gettrace():
        sys.exit(status)
    atexit._run_exitfuncs()
    if not all_written():
        sys.exit(status)
    os._exit(status)
