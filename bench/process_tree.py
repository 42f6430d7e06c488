"""CPU seconds and memory of this process's descendants, sampled: a cluster's processes outlive the commands that start
them, and are not all waited for.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

_SECONDS = 0.25
_TICKS = os.sysconf("SC_CLK_TCK")


class ProcessTree:
    """Samples all descendants of this process while its block runs (Linux).

    Attributes:
        peak: the largest sum of their memory in MB; memory that processes share counts once.
        largest: the largest memory of one of them, in MB.
    """

    def __init__(self) -> None:
        self.peak = 0.0
        self.largest = 0.0
        self._ticks: dict[tuple[int, int], int] = {}
        self._known: set[tuple[int, int]] = set()
        self._before: dict[tuple[int, int], int] = {}
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._sample()
        self._before = dict(self._ticks)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end.set()
        self._thread.join()

    @property
    def cpu(self) -> float:
        """CPU seconds, as far as seen: the last quarter of a second of a process may be missing."""
        return sum(ticks - self._before.get(key, 0) for key, ticks in self._ticks.items()) / _TICKS

    def _run(self) -> None:
        while not self._end.wait(_SECONDS):
            self._sample()
        self._sample()

    def _sample(self) -> None:
        parents: dict[int, tuple[int, tuple[int, int], int]] = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    fields = (entry / "stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                process = int(entry.name)
                key = process, int(fields[19])
                parents[process] = int(fields[1]), key, int(fields[11]) + int(fields[12])
        memory = []
        for process, (_, key, ticks) in parents.items():
            if process != os.getpid() and (key in self._known or self._descends(process, parents)):
                self._known.add(key)
                self._ticks[key] = ticks
                memory.append(_megabytes(process))
        self.peak = max(self.peak, sum(memory))
        self.largest = max(self.largest, *memory, 0.0)

    def _descends(self, process: int, parents: dict[int, tuple[int, tuple[int, int], int]]) -> bool:
        while process in parents:
            process = parents[process][0]
            if process == os.getpid():
                return True
        return False


def _megabytes(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
