"""Runs inside the sandbox: the files that a fragment finds in its working folder, and what it did to them.

The folder is the same for each call and for both sides, and lives in memory. Inputs name its files
(`execution.inputs.telling_values.FILE_NAMES`); what a call wrote, made or removed there is part of its output.
"""

from __future__ import annotations

import ast
import os
import stat
from pathlib import Path

from clonetruth.execution.harness.inside.python_walk import walk

FOLDER = Path("/box/files")

FILES = {
    "a.txt": "hello world\n",
    "b.txt": "hello\nworld\nhello again\n",
    "empty.txt": "",
    "words.txt": "apple banana cherry\nbanana date\n\napple fig Grape\n",
    "numbers.txt": "1\n2\n3\n10\n-4\n3\n",
    "table.csv": "name,age,city\nAnn,30,Oslo\nBob,25,Rome\nCid,41,Bern\n",
    "table.tsv": "id\tother\tstart\tend\tfrom\tto\n1\t2\t3\t4\t5\t6\n7\t8\t9\t10\t11\t12\n",
    "data.json": '{"a": 1, "b": [1, 2, {"c": "x"}], "text": "hello"}\n',
    "log.txt": "2024-02-29 12:00:00 INFO start\n2024-02-29 12:00:05 ERROR failed: code 3\n",
    "text.txt": "The quick brown fox jumps over the lazy dog.\nIt was a sunny day, wasn't it?\n   indented\nlast line",
    "config.ini": "[main]\nname = value\ncount = 3\n# comment\n",
    "code.py": "import os\n\ndef f(x):\n    return x + 1\n",
    "page.html": "<html><body><a href='x'>link</a></body></html>\n",
    "pairs.txt": "a=1\nb=2\na=3\n",
    "folder/inner.txt": "inside\n",
    "folder/numbers.csv": "1,2,3\n4,5,6\n",
    "folder/deep/leaf.txt": "leaf\n1 2 3\n",
}
EMPTY_FOLDERS = ("data",)
CHANGED = 1_000_000_000
"""When all of it was changed last, in seconds since 1970."""

_MODULES = ("os", "shutil", "glob", "pathlib", "fileinput", "linecache", "zipfile", "tarfile", "gzip")
_NAMES = ("open", "Path", "listdir", "makedirs", "walk", "glob", "ZipFile")
_LONGEST = 20_000
_IS_FOLDER = "(folder)"


def uses_files(tree: ast.AST) -> bool:
    """Whether code may look at files."""
    return any(isinstance(node, ast.Name) and node.id in (*_MODULES, *_NAMES) for node in walk(tree))


class WorkingFolder:
    """The folder, made anew where a call changed it.

    All files and folders have the same old time of their last change, so that one look at each shows whether a call
    touched them: only then are they read again.
    """

    def __init__(self, *, trusts_times: bool = True) -> None:
        """Nothing is made yet.

        Args:
            trusts_times: whether what is written changes the time of a file, which is not so in mapped memory.
        """
        self.before: dict[str, str] = {}
        self.after: dict[str, str] | None = None
        self.trusts_times = trusts_times
        self._marks: dict[str, tuple[int, ...]] = {}

    def reset(self) -> None:
        """Make the folder as it should be, and go there."""
        if not self.before:
            self._make()
            self.before = self._read()
            self._mark()
        elif not self._is_untouched():
            after = self._read() if self.after is None else self.after
            is_undone = after != self.before and self._undone(after)
            if after != self.before and not is_undone:
                self._make()
            self._mark(only_folders=is_undone)
        self.after = None
        os.chdir(FOLDER)

    def _make(self) -> None:
        if FOLDER.is_symlink() or FOLDER.exists():
            remove(FOLDER)
        for name, content in FILES.items():
            path = FOLDER / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())
        for name in EMPTY_FOLDERS:
            (FOLDER / name).mkdir()

    def _undone(self, after: dict[str, str]) -> bool:
        """Remove what a call added, if it did nothing else; whether that was all."""
        if any(after.get(name) != content for name, content in self.before.items()):
            return False
        added = after.keys() - self.before.keys()
        for name in added:
            if name.rpartition("/")[0] not in added:
                remove(FOLDER / name)
        return True

    def changes(self) -> str:
        """What a call did to the folder, a line for each file; empty if nothing."""
        if self._is_untouched():
            return ""
        after = self.after = self._read()
        lines = [f"removed {name}" for name in sorted(self.before.keys() - after.keys())]
        lines += [f"wrote {name}: {text}" for name, text in sorted(after.items()) if self.before.get(name) != text]
        return "\n".join(lines)

    def _mark(self, *, only_folders: bool = False) -> None:
        """Give what was touched the same old time again, and remember how it looks; folders first, because most that
        calls do shows there."""
        folders = [f"{FOLDER}/{name}" for name, content in self.before.items() if content == _IS_FOLDER]
        files = [f"{FOLDER}/{name}" for name, content in self.before.items() if content != _IS_FOLDER]
        for path in (str(FOLDER), *folders, *(() if only_folders else files)):
            if _look(path) != self._marks.get(path):
                os.utime(path, (CHANGED, CHANGED), follow_symlinks=False)
                self._marks[path] = _look(path)

    def _is_untouched(self) -> bool:
        try:
            return self.trusts_times and all(_look(path) == mark for path, mark in self._marks.items())
        except OSError:
            return False

    def _read(self) -> dict[str, str]:
        """The content of each file and folder; of folders, that they are one."""
        found: dict[str, str] = {}
        waiting = [(str(FOLDER), "")]
        while waiting:
            folder, prefix = waiting.pop()
            try:
                with os.scandir(folder) as entries:
                    listed = list(entries)
            except OSError:
                continue
            for entry in listed:
                name = prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    found[name] = _IS_FOLDER
                    waiting.append((entry.path, name + "/"))
                else:
                    found[name] = _content(entry.path) if entry.is_file(follow_symlinks=False) else "(link)"
        return found


def _look(path: str) -> tuple[int, ...]:
    seen = os.lstat(path)
    return seen.st_ino, seen.st_mode, seen.st_size, seen.st_mtime_ns


def _content(path: str) -> str:
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return "(not readable)"
    try:
        return repr(os.read(file, _LONGEST))
    except OSError:
        return "(not readable)"
    finally:
        os.close(file)


def remove(path: Path) -> None:
    """Remove a file or a folder, whatever its permissions are."""
    if path.is_symlink() or not path.is_dir():
        path.unlink()
        return
    path.chmod(stat.S_IRWXU)
    for one in path.iterdir():
        remove(one)
    path.rmdir()
