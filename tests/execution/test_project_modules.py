"""Files of a JavaScript project that require or import each other run together."""

from __future__ import annotations

import shutil

import pytest

from clonetruth.execution.harness import CallInput, Code, Reason
from clonetruth.execution.harness.javascript import JavaScriptHarness, TypeScriptHarness
from clonetruth.execution.harness.javascript.fragment import prepare_script
from clonetruth.execution.harness.javascript.modules import as_module
from clonetruth.execution.harness.javascript.project_modules import project_modules, resolved
from clonetruth.execution.project_files import surroundings
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.values import Value
from tests.execution.sandboxed import needs_sandbox

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")

COMMON = {
    "lib/limit.js": b"var twice = require('../twice');\nmodule.exports = { most: 10, twice: twice };\n",
    "twice/index.js": b"module.exports = function twice (x) { return 2 * x };\n",
    "lib/unused.js": b"throw new Error('never required')\n",
    "lib/broken.js": b"function (\n",
}
MODULES = {
    "a.mjs": b"import twice, { one as first } from './b.mjs'\nexport const values = [first, twice(first)]\n"
    b"export default class Box { size () { return 4 } }\nexport { values as list, first as 'quoted' }\n",
    "b.mjs": b"import { values } from './a.mjs'\nexport default function twice (x) { return 2 * x }\n"
    b"export let one = 1\nexport function later () { return values.length }\n",
    "c.mjs": b"export * from './a.mjs'\nexport * as all from './b.mjs'\n"
    b"export { default as Box, list } from './a.mjs'\n",
}


def number(value: int) -> Value:
    return {"int": str(value)}


@pytest.mark.parametrize(
    ("name", "path"),
    [("./b", "lib/b.js"), ("../b", "b/index.js"), ("./c.js", "lib/c.ts"), ("./none", None), ("../../out", None)],
)
def test_names_of_modules_mean_files(name: str, path: str | None) -> None:
    assert resolved("lib/a.js", name, {"lib/b.js", "b/index.js", "lib/c.ts"}) == path


def test_only_what_is_required_is_sent() -> None:
    code = Code(
        "const { most } = require('./limit')\nfunction f () { return most }", "javascript", "f", "lib/f.js", COMMON
    )
    found = project_modules(code.text, code)
    assert found.own == {"./limit": "lib/limit.js"}
    assert {path: required for path, (_, required) in found.modules.items()} == {
        "lib/limit.js": {"../twice": "twice/index.js"},
        "twice/index.js": {},
    }


def test_types_are_those_of_the_files_that_are_imported() -> None:
    files = {
        "src/types.ts": b"import { Role } from './roles'\nexport interface User { id: number; role: Role }\n",
        "src/roles.ts": b"export type Role = 'a' | 'b'\nexport type Other = string\n",
        "src/index.ts": b"export { User as Person } from './types'\n",
    }
    source = (
        "import type { Person as P, Other } from '.'\nimport { Other as O } from './roles'\nfunction f(p: P, o: O) {}"
    )
    found = prepare_script(Code(source, "typescript", "f", "src/main.ts", files)).parameters
    assert [str(one.types[0]) for one in found] == ['P{id: int, role: choice["a", "b"]}', "str"]


def test_files_of_a_project_are_around_each_other() -> None:
    names = ["package.json", "lib/a.js", "test/b.js", "c.ts", "other/package.json", "other/d.js"]
    assert surroundings("lib/a.js", names, "javascript").names == ("other/d.js", "test/b.js")
    assert surroundings("other/d.js", names, "javascript").names == ()
    # Without the file that describes the project, only those of the folder are.
    assert surroundings("lib/a.js", ["lib/a.js", "lib/e.js", "test/b.js"], "javascript").names == ("e.js",)


def test_a_script_without_imports_stays_as_it_is() -> None:
    assert as_module("exports.a = 1 // import b") == "exports.a = 1 // import b"


@needs_sandbox
@needs_node
def test_functions_use_what_they_require() -> None:
    def returned(harness: JavaScriptHarness, text: str, path: str, files: dict[str, bytes]) -> object:
        run = harness.run(Code(text, harness.language, "f", path, files), [CallInput((number(3),))])
        return run.undecided or run.observations[0].returned or run.observations[0].raised

    with JavaScriptHarness(Bubblewrap()) as harness:
        text = "const { most, twice } = require('./limit')\nfunction f (x) { return most + twice(x) }"
        assert returned(harness, text, "lib/f.js", COMMON) == number(16)
        text = "const broken = require('./broken')\nfunction f (x) { return x }"
        assert returned(harness, text, "lib/f.js", COMMON) is Reason.PACKAGE
        text = (
            "import Default, { list, all } from './c.mjs'\nimport * as space from './c.mjs'\n"
            "import twice from './b.mjs'\nimport { quoted } from './a.mjs'\n"
            "function f (x) { return [x, twice(x), list, all.later(), new space.Box().size(), quoted, Default] }"
        )
        assert returned(harness, text, "d.mjs", MODULES) == {
            "list": [number(3), number(6), {"list": [number(1), number(2)]}, number(2), number(4), number(1), None]
        }
    with TypeScriptHarness(Bubblewrap()) as harness:
        files = {
            "b.ts": b"export interface Size { n: number }\nexport const most: number = 5\nexport type Alias = Size\n"
        }
        text = (
            "import { Size, most } from './b.js'\n"
            "function f(x: number): number { const s: Size = { n: x }; return s.n + most }"
        )
        assert returned(harness, text, "a.ts", files) == number(8)
