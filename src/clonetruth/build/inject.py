"""Injection: the fragments of a benchmark, inserted into the files of a real system.

A tool that reports locations needs files to analyse. Each fragment goes into a copy of a file of its language, after a
random function; the two fragments of a pair never go into one file, so that only their similarity connects them. The
copy is part of the new benchmark (`system/`), whose table of fragments gives the lines of each fragment.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pyarrow as pa

from clonetruth.build.derivation import DerivationPlan, DerivationRecord, derive
from clonetruth.build.file_insertion import HostFile, InsertionSystem
from clonetruth.build.recipe import BuildRecipe, recipe_parameters
from clonetruth.build.report import BuildReport, BuildStep
from clonetruth.errors import InputError
from clonetruth.measures.classification import classify_pairs
from clonetruth.model import JudgeKind, Recipe
from clonetruth.options.build import InjectClonesOptions
from clonetruth.options.declaration import verb
from clonetruth.progress import Progress, no_progress
from clonetruth.store import Benchmark, BenchmarkWriter, open_benchmark
from clonetruth.store.schemas import SYSTEM

OPERATION = "inject"

_ATTEMPTS = 30
"""Files to try for a fragment."""

_PAIRED = """
SELECT f.fragment AS fragment, f.language AS language, f.text AS text
FROM fragments f
JOIN (SELECT a.left AS fragment FROM pairs a UNION SELECT b.right AS fragment FROM pairs b) p ON f.fragment = p.fragment
ORDER BY f.fragment
"""

_PAIRS = """
SELECT p.pair AS parent, p.left AS left, p.right AS right, p.functionality AS functionality,
    CAST(NULL AS STRING) AS value, CAST(NULL AS STRING) AS reason
FROM pairs p
JOIN placed l ON p.left = l.fragment
JOIN placed r ON p.right = r.fragment
"""

_MEMBERSHIPS = """
SELECT m.fragment AS fragment, m.functionality AS functionality, m.role AS role
FROM memberships m
JOIN placed k ON m.fragment = k.fragment
"""


@dataclass(frozen=True)
class InjectionParameters:
    """Where the fragments are inserted, as the recipe records it.

    Attributes:
        system: the folder of source code; it is copied, not changed.
        seed: random seed.
    """

    system: Path
    seed: int = 0


@verb(InjectClonesOptions)
def inject_clones(options: InjectClonesOptions, *, progress: Progress | None = None) -> BuildReport:
    """Insert the fragments of a benchmark into the files of a copy of a system.

    Args:
        progress: called for each fragment.

    Returns:
        The counts of each step; `path` is the new benchmark, whose folder `system` is the changed copy.

    Raises:
        InputError: the system cannot be used, no pair can be inserted, or the output folder exists.

    Example:
        >>> mutants = clonetruth.build_mutants("src", output="inserted-mutants", min_tokens=20)
        >>> clonetruth.inject_clones("src", fragments=mutants.path, output="my-system").step("files").counts["changed"]
        2
    """
    parent = open_benchmark(options.fragments, engine=options.engine, memory_limit=options.memory_limit)
    return derive_injection(parent, options.output, InjectionParameters(options.system, options.seed), progress)


def derive_injection(
    parent: Benchmark, output: Path, options: InjectionParameters, progress: Progress | None = None
) -> BuildReport:
    """Make a benchmark whose fragments are inserted into the files of a system.

    Args:
        parent: the benchmark whose pairs are inserted.
        output: the new benchmark folder, which contains the changed copy of the system.
        options: where to insert them.
        progress: called for each fragment.

    Raises:
        InputError: the system cannot be used, or no pair can be inserted.
    """
    if not options.system.is_dir():
        raise InputError("The folder does not exist.", where=options.system, hint="Give a folder of source code.")
    if output.resolve().is_relative_to(options.system.resolve()):
        raise InputError("The output is inside the system.", where=output, hint="Choose another output folder.")
    system = InsertionSystem(options.system)
    insertion = _Insertion(parent, system, options.seed)
    placed = insertion.run(progress or no_progress)
    pairs = parent.sql(f"SELECT count(*) AS n FROM ({_PAIRS}) made", placed=placed)["n"][0].as_py()
    if not pairs:
        raise InputError(
            "No pair could be inserted.",
            where=options.system,
            hint="The system needs files with functions in the language of the fragments.",
        )
    report = derive(
        parent,
        output,
        replace(
            parent.card,
            name=f"{parent.card.name}+{OPERATION}",
            description=f"{parent.card.description} Placed into the files of {system.name}.",
        ),
        DerivationPlan(
            fragments=placed,
            memberships=parent.sql(_MEMBERSHIPS, placed=placed),
            functionalities=parent.sql("SELECT functionality FROM functionalities"),
            pairs=_PAIRS,
            tables={"placed": placed},
            order="made.parent",
            copies_pairs=True,
            judge_kinds=tuple(JudgeKind),
            add_rows=lambda writer: _attach(writer, system),
        ),
        DerivationRecord(
            recipe=Recipe(OPERATION, {**recipe_parameters(options), "system_hash": system.digest}),
            steps=(
                BuildStep("placed", True, {"fragments": placed.num_rows, **insertion.left_out}),
                BuildStep(
                    "pairs", True, {"kept": pairs, "dropped": parent.counts["pairs"] - pairs}, "both sides are inserted"
                ),
                BuildStep("files", True, {"changed": len(system.changed), "of the system": len(system.files)}),
            ),
            seed=options.seed,
        ),
    )
    # Recall by location is reported per clone type, which we measure ourselves.
    classify_pairs(Benchmark.open(report.path, engine=parent.engine), processes=1)
    return report


def _attach(writer: BenchmarkWriter, system: InsertionSystem) -> None:
    system.copy_to(writer.attach(SYSTEM))


class _Insertion:
    """Finds a file for every fragment of a pair."""

    def __init__(self, parent: Benchmark, system: InsertionSystem, seed: int) -> None:
        self._rows = parent.sql(_PAIRED).to_pylist()
        self._partners: dict[int, set[int]] = defaultdict(set)
        pairs = parent.sql("SELECT p.left AS left, p.right AS right FROM pairs p")
        for left, right in zip(pairs["left"].to_pylist(), pairs["right"].to_pylist(), strict=True):
            self._partners[left].add(right)
            self._partners[right].add(left)
        self._system = system
        self._rng = Random(f"{seed} injection")
        self.left_out: Counter[str] = Counter()

    def run(self, progress: Progress) -> pa.Table:
        """Insert the fragments in a random order; returns their locations."""
        for row in self._rng.sample(self._rows, len(self._rows)):
            files = self._system.files_in(row["language"])
            if not files:
                self.left_out["no file in its language"] += 1
            elif not self._insert(row["fragment"], row["text"], files):
                self.left_out["no place found"] += 1
            progress("Inserting", 1, len(self._rows))
        return self._system.locations()

    def _insert(self, fragment: int, text: str, files: list[str]) -> bool:
        for name in self._rng.sample(files, min(_ATTEMPTS, len(files))):
            host = self._system.host(name)
            if host is not None and self._is_allowed(fragment, host) and host.insert(fragment, text, self._rng):
                return True
        return False

    def _is_allowed(self, fragment: int, host: HostFile) -> bool:
        return self._partners[fragment].isdisjoint(inserted.fragment for inserted in host.inserted)


RECIPE = BuildRecipe(
    operation=OPERATION,
    description="Insert the fragments of a benchmark into the files of a real system, for tools that report locations.",
    reference=(
        "C. K. Roy and J. R. Cordy. A Mutation/Injection-based Automatic Framework for Evaluating Code Clone Detection "
        "Tools. Mutation 2009."
    ),
    options=InjectionParameters,
    build=derive_injection,
)
