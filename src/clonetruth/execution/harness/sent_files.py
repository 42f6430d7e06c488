"""Which files of projects the processes in the sandbox have already: each is sent once to each of them."""

from __future__ import annotations

import base64
import hashlib
import json
from collections import OrderedDict, defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from clonetruth.execution.harness.harness import Code

_KEPT = 64
"""Projects whose digests are remembered."""
_MOST_BYTES = 64 << 20
"""What one process gets before a new one takes its place."""


@dataclass
class _Process:
    sent: set[str] = field(default_factory=set)
    size: int = 0


@dataclass
class SentFiles:
    """What each process has, by whatever names the processes."""

    _processes: defaultdict[Hashable, _Process] = field(default_factory=lambda: defaultdict(_Process))
    _projects: OrderedDict[int, tuple[Mapping[str, bytes], str, dict[str, str]]] = field(default_factory=OrderedDict)

    def forget(self, process: Hashable) -> None:
        """A process is new, and has nothing."""
        self._processes.pop(process, None)

    def is_full(self, process: Hashable) -> bool:
        """Whether a process has got so much that a new one should take its place."""
        return self._processes[process].size > _MOST_BYTES

    def to_send(self, code: Code, process: Hashable) -> dict[str, Any]:
        """What a job says about the files around its code: the name of the `project` (None if there are no files),
        its `files` and their `contents`, both only as far as the process does not have them."""
        if not code.files:
            return {"project": None, "files": None, "contents": {}}
        key, digests = self._digests(code.files)
        known = self._processes[process]
        contents = {}
        for name, digest in digests.items():
            if digest not in known.sent:
                known.sent.add(digest)
                known.size += len(code.files[name])
                contents[digest] = base64.b64encode(code.files[name]).decode()
        files = None if key in known.sent else digests
        known.sent.add(key)
        return {"project": key, "files": files, "contents": contents}

    def project_key(self, files: Mapping[str, bytes]) -> str:
        """A name for files and what is in them; empty if there are none."""
        return self._digests(files)[0] if files else ""

    def _digests(self, files: Mapping[str, bytes]) -> tuple[str, dict[str, str]]:
        """A name for all files, and one for what is in each. The same mapping is not read again, so it must stay as it
        is: holding it here keeps its identity."""
        found = self._projects.get(id(files))
        if found is None:
            digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
            key = hashlib.sha256(json.dumps(digests).encode()).hexdigest()
            found = self._projects[id(files)] = files, f"project {key}", digests
            while len(self._projects) > _KEPT:
                self._projects.popitem(last=False)
        return found[1:]
