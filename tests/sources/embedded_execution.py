"""Executes the fragments of the embedded benchmark in the sandbox, and records the results as evidence.

    python -m tests.sources.embedded_execution            # says what is out of date; then the exit code is 1
    python -m tests.sources.embedded_execution --write    # writes evidence.json files and the docs' table

The entry point of a fragment is the first function of its file. What runs a language is its harness in
`clonetruth.execution`.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.execution import Harnesses
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.toolchains import toolchain_versions
from clonetruth.make.trueclones.fragment_runs import RAISED, FragmentResults, run_fragment
from clonetruth.sources.embedded import EmbeddedFolder, folders
from clonetruth.sources.functionality_folders import FolderFile, canonical, digest
from tests.execution.sandboxed import LACKING

Inputs = Mapping[str, Sequence[Sequence[Any]]]
"""Argument lists by functionality id."""

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "embedded-benchmark.md"
TABLE_BEGIN, TABLE_END = "<!-- table: begin -->\n", "<!-- table: end -->\n"


Run = FragmentResults
"""The run of one fragment: its entry point, its number of functions, and one result per input."""


def execute(name: str, wanted: Sequence[EmbeddedFolder], inputs: Inputs | None = None) -> dict[str, Run]:
    """Runs all fragments of a language.

    Args:
        name: the language; other fragments are left out.
        wanted: the functionalities.
        inputs: the argument lists for each functionality (default: the stored ones).

    Returns:
        A run for each fragment id.
    """
    given = inputs if inputs is not None else {folder.id: folder.inputs for folder in wanted}
    with Harnesses(Bubblewrap()) as harnesses:
        return {
            source.id: run_fragment(source, given[folder.id], harnesses)
            for folder in wanted
            for source in _of_language(folder, name)
        }


@functools.cache
def lacking(name: str) -> str:
    """What is missing on this machine to run a language; empty if nothing is."""
    if LACKING:
        return f"the sandbox is not complete: {LACKING}"
    return "" if name in toolchain_versions([name], Bubblewrap()) else f"{name} does not run in the sandbox"


def _of_language(folder: EmbeddedFolder, language: str) -> list[FolderFile]:
    return [source for source in folder.sources if source.language == language]


def evidence_text(folder: EmbeddedFolder, runs: Mapping[str, Run]) -> str:
    """The content of a functionality's `evidence.json`.

    Raises:
        ValueError: the implementations do not agree, or a near miss does what the specification says. Such
            a functionality has no evidence, and must be fixed.
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
    for name in sorted({source.language for folder in everything for source in folder.sources}):
        runs |= execute(name, everything)
    for folder in everything:
        yield Path(str(folder.root)) / "evidence.json", evidence_text(folder, runs)
    yield DOCUMENTATION, documentation_with(table(everything))


def main() -> int:
    """Check the files that are generated from execution; with --write, update them."""
    parser = argparse.ArgumentParser(description="Execute the embedded benchmark.")
    parser.add_argument("--write", action="store_true", help="write evidence and the table in the docs")
    options = parser.parse_args()
    if missing := lacking("java") or lacking("python"):
        parser.error(missing)
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
