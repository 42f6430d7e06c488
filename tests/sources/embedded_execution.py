"""Executes the fragments of the embedded benchmark and records the results as evidence.

    python tests/sources/embedded_execution.py            # says what is out of date; then the exit code is 1
    python tests/sources/embedded_execution.py --write    # writes evidence.json files and the docs' table

The entry point of a fragment is the first function of its file. Python fragments run in a child process for
each functionality, Java fragments all in one: one run of `javac`, one of `java`. A language is one function
in `RUNNERS`.
"""

from __future__ import annotations

import argparse
import functools
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.sources.embedded import EmbeddedFile, EmbeddedFolder, canonical, digest, folders

Inputs = Mapping[str, Sequence[Sequence[Any]]]
"""Argument lists by functionality id."""

RAISED = {"raises": True}
"""The result of a call that ended in an exception."""

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "embedded-benchmark.md"
TABLE_BEGIN, TABLE_END = "<!-- table: begin -->\n", "<!-- table: end -->\n"

TIMEOUT_SECONDS = 60


@dataclass(frozen=True)
class Run:
    """The run of one fragment: its entry point, its number of functions, and one result per input."""

    entry: str
    functions: int
    results: list[Any]

    @property
    def digest(self) -> str:
        """The digest of the results."""
        return digest("\n".join(map(canonical, self.results)))


def execute(language: str, wanted: Sequence[EmbeddedFolder], inputs: Inputs | None = None) -> dict[str, Run]:
    """Runs all fragments of a language.

    Args:
        language: the language; other fragments are left out.
        wanted: the functionalities.
        inputs: the argument lists for each functionality; the stored ones unless told.

    Returns:
        A run for each fragment id.
    """
    given = inputs if inputs is not None else {folder.id: folder.inputs for folder in wanted}
    return RUNNERS[language](wanted, given)


@functools.cache
def has_jdk() -> bool:
    """Whether Java fragments can be executed on this machine: the harness needs version 17."""
    if shutil.which("javac") is None or shutil.which("java") is None:
        return False
    done = subprocess.run(["javac", "-version"], capture_output=True, text=True)
    version = re.search(r"javac (\d+)", done.stdout + done.stderr)
    return version is not None and int(version.group(1)) >= 17


_PYTHON_CHILD = """
import ast, json, sys
for request in json.load(sys.stdin):
    names = [node.name for node in ast.parse(request["text"]).body if isinstance(node, ast.FunctionDef)]
    space = {"__name__": "fragment"}
    exec(compile(request["text"], request["id"], "exec"), space)
    results = []
    for arguments in request["inputs"]:
        try:
            result = space[names[0]](*arguments)
        except Exception:
            result = {"raises": True}
        results.append(result)
    print(json.dumps({"entry": names[0], "functions": len(names), "results": results}))
"""


def _run_python(wanted: Sequence[EmbeddedFolder], inputs: Inputs) -> dict[str, Run]:
    runs = {}
    for folder in wanted:
        sources = _of_language(folder, "python")
        # every request carries its own copy of the inputs: fragments may change what they are given
        requests = [{"id": s.id, "text": s.text, "inputs": inputs[folder.id]} for s in sources]
        answers = _call([sys.executable, "-I", "-c", _PYTHON_CHILD], json.dumps(requests), folder.id)
        for source, line in zip(sources, answers.splitlines(), strict=True):
            runs[source.id] = Run(**json.loads(line))
    return runs


_JAVA_IMPORTS = "".join(
    f"import {package}.*;\n"
    for package in (
        "java.math",
        "java.nio.charset",
        "java.time",
        "java.time.format",
        "java.time.temporal",
        "java.util",
        "java.util.function",
        "java.util.regex",
        "java.util.stream",
    )
)


def _run_java(wanted: Sequence[EmbeddedFolder], inputs: Inputs) -> dict[str, Run]:
    harness = Path(__file__).with_name("EmbeddedHarness.java")
    requests: list[str] = []
    entries: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for number, folder in enumerate(wanted):
            nested = []
            for index, source in enumerate(_of_language(folder, "java")):
                # a class for each fragment: the same method name may occur in several of them
                nested.append(f"static class Fragment{index} {{\n{source.text}\n}}\n")
                entries[source.id] = _java_entry(source.text)
                request = {
                    "class": f"Functionality{number}$Fragment{index}",
                    "entry": entries[source.id],
                    "arity": len(folder.parameters),
                    "inputs": inputs[folder.id],
                }
                requests.append(json.dumps(request))
            text = f"{_JAVA_IMPORTS}final class Functionality{number} {{\n{''.join(nested)}}}\n"
            (directory / f"Functionality{number}.java").write_text(text, encoding="utf-8")
        files = [str(harness), *(str(file) for file in sorted(directory.glob("*.java")))]
        _call(["javac", "-proc:none", "-nowarn", "-encoding", "UTF-8", "-d", name, *files], "", "javac")
        answers = _call(["java", "-Xshare:auto", "-cp", name, "EmbeddedHarness"], "\n".join(requests), "java")
    runs = {}
    for (identity, entry), line in zip(entries.items(), answers.splitlines(), strict=True):
        runs[identity] = Run(entry, **json.loads(line))
    return runs


RUNNERS: dict[str, Callable[[Sequence[EmbeddedFolder], Inputs], dict[str, Run]]] = {
    "java": _run_java,
    "python": _run_python,
}


def _java_entry(text: str) -> str:
    bare = re.sub(r"/\*.*?\*/|//[^\n]*|@\w+(\([^)]*\))?", " ", text, flags=re.DOTALL)
    found = re.search(r"(\w+)\s*\(", bare)
    if found is None:
        raise ValueError(f"no method in: {text}")
    return found.group(1)


def _of_language(folder: EmbeddedFolder, language: str) -> list[EmbeddedFile]:
    return [source for source in folder.sources if source.language == language]


def _call(command: Sequence[str], text: str, what: str) -> str:
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, encoding="utf-8", timeout=TIMEOUT_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"{what}: no end after {TIMEOUT_SECONDS} s") from error
    if done.returncode:
        raise RuntimeError(f"{what} failed:\n{done.stderr}")
    return done.stdout


def evidence_text(folder: EmbeddedFolder, runs: Mapping[str, Run]) -> str:
    """The content of a functionality's `evidence.json`.

    Raises:
        ValueError: the implementations do not agree, or a near miss does what the specification says. Such
            a functionality has no evidence, and must be mended.
    """
    implementations = [source for source in folder.sources if source.near_miss is None]
    expected = runs[implementations[0].id].results
    if RAISED in expected:
        raise ValueError(f"{folder.id}: {implementations[0].id} raises an exception")
    fragments = []
    for source in folder.sources:
        run = runs[source.id]
        differences = [
            {"input": index, "expected": wanted, "actual": actual}
            for index, (wanted, actual) in enumerate(zip(expected, run.results, strict=True))
            if canonical(wanted) != canonical(actual)
        ]
        if bool(differences) != bool(source.near_miss):
            said = "differs from nothing" if source.near_miss else f"differs: {differences[:3]}"
            raise ValueError(f"{folder.id}: {source.id} {said}")
        entry = {
            "sha256": digest(source.text),
            "entry": run.entry,
            "functions": run.functions,
            "inputs": len(run.results),
            "digest": run.digest,
            "differences": differences,
        }
        fragments.append((source.id, entry))
    return _laid_out(digest(canonical(folder.inputs)), expected, fragments)


def _laid_out(inputs: str, expected: Sequence[Any], fragments: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """JSON with one result or difference per line: readable, with small diffs."""
    blocks = []
    for identity, entry in fragments:
        lines = [f"{json.dumps(key)}: {json.dumps(entry[key])}" for key in entry if key != "differences"]
        listed = ",\n    ".join(json.dumps(difference) for difference in entry["differences"])
        lines.append(f'"differences": [\n    {listed}\n   ]' if listed else '"differences": []')
        blocks.append(f"  {json.dumps(identity)}: {{\n   " + ",\n   ".join(lines) + "\n  }")
    results = ",\n  ".join(json.dumps(result) for result in expected)
    return (
        f'{{\n "inputs_sha256": "{inputs}",\n "expected": [\n  {results}\n ],\n "fragments": {{\n'
        + ",\n".join(blocks)
        + "\n }\n}\n"
    )


def table(wanted: Sequence[EmbeddedFolder]) -> str:
    """The table of functionalities for the documentation, in Markdown."""
    languages = sorted({source.language for folder in wanted for source in folder.sources})
    heads = [
        "functionality",
        "topic",
        "signature",
        *languages,
        *(f"near misses {name}" for name in languages),
        "inputs",
    ]
    rows: list[list[Any]] = []
    for folder in wanted:
        parameters = ", ".join(f"{parameter.name}: {parameter.type}" for parameter in folder.parameters)
        counts = [
            sum(1 for source in _of_language(folder, language) if (source.near_miss is not None) is near)
            for near in (False, True)
            for language in languages
        ]
        signature = f"`({parameters}) -> {folder.returns}`"
        rows.append([f"`{folder.id}`: {folder.name}", folder.topic, signature, *counts, len(folder.inputs)])
    totals = [sum(row[column] for row in rows) for column in range(3, len(heads))]
    lines = [heads, ["---"] * len(heads), *rows, [f"{len(rows)} functionalities", "", "", *totals]]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def documentation_with(content: str) -> str:
    """The documentation page with the table replaced."""
    page = DOCUMENTATION.read_text(encoding="utf-8")
    before, _, rest = page.partition(TABLE_BEGIN)
    return before + TABLE_BEGIN + content + TABLE_END + rest.partition(TABLE_END)[2]


def _products() -> Iterator[tuple[Path, str]]:
    everything = folders()
    runs: dict[str, Run] = {}
    for language in sorted({source.language for folder in everything for source in folder.sources}):
        runs |= execute(language, everything)
    for folder in everything:
        yield Path(str(folder.root)) / "evidence.json", evidence_text(folder, runs)
    yield DOCUMENTATION, documentation_with(table(everything))


def main() -> int:
    """Check the files that are generated from execution; with --write, update them."""
    parser = argparse.ArgumentParser(description="Execute the embedded benchmark.")
    parser.add_argument("--write", action="store_true", help="write evidence and the table in the docs")
    options = parser.parse_args()
    if not has_jdk():
        parser.error("javac and java are needed: install a JDK, version 17 or newer")
    stale = 0
    for path, content in list(_products()):
        if path.exists() and path.read_text(encoding="utf-8") == content:
            continue
        stale += 1
        print(f"{'written' if options.write else 'out of date'}: {path}")
        if options.write:
            path.write_text(content, encoding="utf-8")
    return 1 if stale and not options.write else 0


if __name__ == "__main__":
    sys.exit(main())
