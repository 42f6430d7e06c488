"""Programs for the sandbox are compiled on the host."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from clonetruth.execution.harness.bytecode import with_bytecode


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
