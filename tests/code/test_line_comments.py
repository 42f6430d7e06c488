"""A backslash at the end of a line comment continues it in C and its dialects, and nowhere else."""

from __future__ import annotations

import pytest

from clonetruth.code import LANGUAGES, language, token_stream
from clonetruth.code.parsing import parse

SOURCES = {
    "c": "int f() {\n    // a \\\n    g();\n    return 1;\n}\n",
    "cpp": "int f() {\n    // a \\\n    g();\n    return 1;\n}\n",
    "objc": "int f() {\n    // a \\\n    g();\n    return 1;\n}\n",
    "csharp": "int f() {\n    // a \\\n    g();\n    return 1;\n}\n",
    "dart": "int f() {\n    // a \\\n    g();\n    return 1;\n}\n",
    "go": "func f() int {\n    // a \\\n    g()\n    return 1\n}\n",
    "java": "int f() {\n    // a \\\n    g();\n    return 1;\n}\n",
    "javascript": "function f() {\n    // a \\\n    g();\n    return 1;\n}\n",
    "kotlin": "fun f(): Int {\n    // a \\\n    g()\n    return 1\n}\n",
    "php": "<?php\nfunction f() {\n    // a \\\n    g();\n    return 1;\n}\n",
    "rust": "fn f() -> i32 {\n    // a \\\n    g();\n    return 1;\n}\n",
    "scala": "def f() = {\n    // a \\\n    g()\n    1\n}\n",
    "swift": "func f() -> Int {\n    // a \\\n    g()\n    return 1\n}\n",
    "typescript": "function f() {\n    // a \\\n    g();\n    return 1;\n}\n",
}


@pytest.mark.parametrize("name", SOURCES)
def test_only_c_continues_a_line_comment(name: str) -> None:
    if name not in LANGUAGES:
        pytest.skip(f"the grammar of {name} is not installed")
    called = b"g" in token_stream(parse(SOURCES[name].encode(), language(name))).texts
    assert called == (name not in ("c", "cpp", "objc"))
