"""Files of a project go into the sandbox once, and are what they were when they were sent."""

from __future__ import annotations

import pytest

from clonetruth.execution.harness import CallInput, Code, sent_files
from clonetruth.execution.harness.inside import python_entry
from clonetruth.execution.harness.python import PythonHarness
from clonetruth.execution.harness.sent_files import SentFiles
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

_FILES = {"pack/__init__.py": b"", "pack/a.py": b"LIMIT = 3\n", "pack/b.py": b"from pack.a import LIMIT\n"}


def _code(files: dict[str, bytes], path: str = "pack/c.py") -> Code:
    return Code("from .b import LIMIT\n\n\ndef f(x):\n    return x + LIMIT\n", "python", "f", path, files)


def test_a_file_is_sent_once_to_each_process(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = SentFiles()
    first = sent.to_send(_code(_FILES), 1)
    assert set(first["contents"]) == set(first["files"].values())
    assert sent.to_send(_code(_FILES), 1) == {"project": first["project"], "files": None, "contents": {}}
    # Another process has nothing, and a project that shares files needs only what is new.
    assert sent.to_send(_code(_FILES), 2) == first
    changed = sent.to_send(_code(_FILES | {"pack/a.py": b"LIMIT = 4\n"}), 1)
    assert changed["project"] != first["project"]
    assert list(changed["contents"]) == [changed["files"]["pack/a.py"]]
    sent.forget(1)
    assert sent.to_send(_code(_FILES), 1) == first
    assert sent.to_send(Code("x", "python"), 1) == {"project": None, "files": None, "contents": {}}
    assert not sent.is_full(1)
    monkeypatch.setattr(sent_files, "_MOST_BYTES", 20)
    assert sent.is_full(1)


@needs_sandbox
def test_code_sees_the_files_of_its_own_project(monkeypatch: pytest.MonkeyPatch) -> None:
    stateful = _FILES | {"pack/a.py": b"LIMIT = 3\nseen = []\n", "pack/broken.py": b"def (:\n"}
    counting = Code(
        "from pack.a import seen\ndef f(x):\n    seen.append(x)\n    return len(seen)\n",
        "python",
        "f",
        "pack/d.py",
        stateful,
    )
    broken = Code("import pack.broken\ndef f(x):\n    return pack.broken.y\n", "python", "f", "pack/e.py", stateful)

    with PythonHarness(Bubblewrap()) as harness:

        def returned(code: Code) -> object:
            run = harness.run(code, [CallInput(({"int": "1"},))])
            return run.undecided or run.observations[0].returned

        assert returned(_code(_FILES)) == {"int": "4"}
        assert returned(_code(_FILES | {"pack/a.py": b"LIMIT = 4\n"})) == {"int": "5"}
        assert returned(_code(_FILES)) == {"int": "4"}
        # A process that imports the files leaves nothing behind for the next one.
        assert [returned(counting), returned(counting)] == [{"int": "1"}, {"int": "1"}]
        assert returned(broken) == "does not parse"
        assert returned(_code(stateful)) == {"int": "4"}
        # A package that a module has by name is complete, though it imports that module; one that nobody asks is not.
        own = _FILES | {"pack/__init__.py": b"from .a import LIMIT\nfrom .c import f, twice\n"}
        named = "import pack as own\ndef twice(x):\n    return 2 * x\ndef f(x):\n    return own.twice(own.LIMIT)\n"
        assert returned(Code(named, "python", "f", "pack/c.py", own)) == {"int": "6"}
        needy = _FILES | {"pack/__init__.py": b"import no_such_package\n"}
        assert returned(Code(named, "python", "f", "pack/c.py", needy)) == "needs a package"
        assert returned(_code(needy)) == {"int": "4"}
        # A process that has got too much is replaced by one that gets everything again.
        monkeypatch.setattr(sent_files, "_MOST_BYTES", 1)
        assert [returned(_code(_FILES)), returned(_code(_FILES))] == [{"int": "4"}, {"int": "4"}]


def test_an_overload_is_not_what_runs() -> None:
    text = "def f(a, b):\n    return a\n@t.overload\ndef f(a: int): ...\n"
    assert [one.name for one in python_entry.prepare(text, "f").parameters] == ["a", "b"]
