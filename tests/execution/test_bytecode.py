"""Programs for the sandbox are compiled on the host."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from clonetruth.execution.harness.bytecode import with_bytecode

_SETTINGS = {"PYTHONPYCACHEPREFIX": "/elsewhere", "PYTHONOPTIMIZE": "2", "PYTHONDONTWRITEBYTECODE": "1"}


def test_what_was_compiled_is_taken_instead_of_the_source(tmp_path: Path) -> None:
    files = with_bytecode({"one/__init__.py": b"", "one/two.py": b"print('compiled')"})
    assert len(files) == 3
    files["one/two.py"] = b"print('source')"
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    command = [sys.executable, "-S", "-B", "-m", "one.two"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout == "compiled\n"


def test_settings_of_the_user_change_nothing() -> None:
    program = (
        "from clonetruth.execution.harness.bytecode import with_bytecode\n"
        "print(sorted(with_bytecode({'one/two.py': b'assert False'}).items()))"
    )

    def printed(settings: dict[str, str]) -> str:
        kept = {name: value for name, value in os.environ.items() if name not in _SETTINGS}
        command = [sys.executable, "-c", program]
        return subprocess.run(command, env=kept | settings, capture_output=True, text=True, check=True).stdout

    assert printed(_SETTINGS) == printed({})
