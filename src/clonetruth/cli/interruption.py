"""Ctrl-C: a command ends within a second, with exit code 130 and without a traceback.

The interrupt is raised as `KeyboardInterrupt`, so that everything on the way is closed and removed. That alone is not
enough. Python drops an exception that is raised in a destructor or a callback, some libraries replace one that is
raised while they are imported, and none is raised while a long call into C runs. So a thread ends the process if it is
still there after a grace period.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

EXIT_CODE = 130
_GRACE = 0.7
"""Seconds in which a command can clean up."""


class Interruption:
    """Handles Ctrl-C for one command, from its creation until `finish`.

    Attributes:
        heard: whether Ctrl-C was pressed.
    """

    def __init__(self) -> None:
        self.heard = False
        self._finished = threading.Event()
        # A process in the background ignores Ctrl-C, and elsewhere only the main thread can handle signals.
        self._main = threading.current_thread() is threading.main_thread()
        if not self._main or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            return
        signal.signal(signal.SIGINT, self._handle)
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        threading.Thread(target=self._watch, args=(reader,), daemon=True).start()
        sys.unraisablehook = self._unless_heard(sys.unraisablehook)
        threading.excepthook = self._unless_heard(threading.excepthook)

    def finish(self) -> None:
        """The command is over: from now on Ctrl-C changes nothing."""
        if self._main:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._finished.set()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        # Pressing it again must not interrupt the cleaning up.
        if not self.heard:
            self.heard = True
            raise KeyboardInterrupt

    def _watch(self, reader: int) -> None:
        """Read the numbers of signals; they arrive here even while the main thread is busy."""
        while number := os.read(reader, 1):
            # A server has a handler of its own, and takes its time to finish open requests.
            if number[0] == signal.SIGINT and signal.getsignal(signal.SIGINT) == self._handle:
                if not self._finished.wait(_GRACE):
                    stop()
                return

    def _unless_heard(self, hook: Callable[[Any], object]) -> Callable[[Any], object]:
        return lambda problem: None if self.heard else hook(problem)


def stop(*_: object) -> None:
    """End this process at once. Its workers end with it, and the next command removes its unfinished files."""
    os.write(2, b"Stopped.\n")
    os._exit(EXIT_CODE)
