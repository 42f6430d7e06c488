"""Java functions run with the classes of their project."""

from __future__ import annotations

import shutil

import pytest

from clonetruth.execution.harness import CallInput, Code
from clonetruth.execution.harness.java import JavaHarness
from clonetruth.execution.project_files import surroundings
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

LIMIT = b"package shop.base;\npublic class Limit { public static int most() { return Inner.MOST; } }\n"
INNER = b"package shop.base;\nclass Inner { static final int MOST = 10; }\n"
BESIDE = b"package shop;\nclass Beside { static int twice(int x) { return 2 * x; } }\n"
FILES = {
    "shop/base/Limit.java": LIMIT,
    "shop/base/Inner.java": INNER,
    "shop/Beside.java": BESIDE,
    "shop/Broken.java": b"package shop;\nclass Broken { int (; }\n",
}
TEXT = (
    "package shop;\n\nimport shop.base.Limit;\n\npublic class Cart {\n"
    "    static int total(int x) { return Beside.twice(x) + Limit.most(); }\n}\n"
)


def test_files_of_a_source_folder_are_around_each_other() -> None:
    names = ["src/shop/Cart.java", "src/shop/base/Limit.java", "src/other/A.java", "test/shop/B.java"]
    found = surroundings("src/shop/Cart.java", names, "java", TEXT)
    assert (found.root.as_posix(), found.names) == ("src", ("shop/base/Limit.java", "other/A.java"))
    # A file that is not where its package says has only its folder.
    assert surroundings("src/Cart.java", ["src/Cart.java", "src/B.java", "src/a/C.java"], "java", TEXT).names == (
        "B.java",
    )


@pytest.mark.slow
@needs_sandbox
@pytest.mark.skipif(shutil.which("javac") is None, reason="javac is not installed")
def test_a_function_uses_other_classes_of_its_project() -> None:
    with JavaHarness(Bubblewrap()) as harness:

        def returned(text: str, files: dict[str, bytes]) -> object:
            run = harness.run(Code(text, "java", "Cart.total", "shop/Cart.java", files), [CallInput(({"int": "3"},))])
            return run.undecided or run.observations[0].returned

        assert returned(TEXT, FILES) == {"int": "16"}
        # What the compiler learnt of other files with these names is forgotten.
        assert returned(TEXT, FILES | {"shop/base/Inner.java": INNER.replace(b"10", b"20")}) == {"int": "26"}
        assert returned(TEXT.replace("Beside.twice(x)", "x"), FILES) == {"int": "13"}
        # Where a class around it does not compile, the file runs alone, if it can.
        assert returned(TEXT.replace("Limit.most()", "Broken.SIZE"), FILES) == "unresolved symbol"
        # An abstract class has no objects.
        abstract = TEXT.replace("public class", "public abstract class").replace("static int", "int")
        assert returned(abstract, FILES) == "needs an object"
        alone = "package shop;\nclass Cart { static Broken no; static int total(int x) { return x + 1; } }\n"
        assert returned(alone.replace("static Broken no; ", ""), FILES) == {"int": "4"}
