"""Injection: fragments of a benchmark, placed into the files of a real system.

A tool that reports places needs files to look at. Each fragment goes into a copy of a file of its language, behind a
function that is drawn; the two of a pair never go into one file, so that nothing but the pair's likeness leads from one
to the other. The copy lies in the new benchmark (`system/`), and the lines of each fragment in its table of fragments.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pyarrow as pa

from clonetruth.build.derivation import DerivationPlan, DerivationRecipe, derive
from clonetruth.build.file_insertion import HostFile, InsertionSystem
from clonetruth.build.recipe import BuildRecipe, parameters_of
from clonetruth.build.report import BuildReport, BuildStep
from clonetruth.errors import InputError
from clonetruth.measures.classification import classify
from clonetruth.model import JudgeKind, Recipe
from clonetruth.progress import Progress
from clonetruth.store import Benchmark, BenchmarkWriter
from clonetruth.store.schemas import SYSTEM

OPERATION = "inject"

_FILES = 30
"""Files that are tried for a fragment."""

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
class InjectOptions:
    """Where fragments go.

    Attributes:
        system: the folder of source code; it is copied, and not touched.
        seed: of the draws.
    """

    system: Path
    seed: int = 0


def build_inject(
    parent: Benchmark, output: Path, options: InjectOptions, progress: Progress | None = None
) -> BuildReport:
    """Make a benchmark whose fragments stand in the files of a system.

    Args:
        parent: the benchmark whose pairs are placed.
        output: the benchmark folder to make, with the changed copy of the system in it.
        options: where they go.
        progress: told of fragments as they are placed.

    Raises:
        InputError: the system cannot be used, or has no place for a pair.
    """
    if not options.system.is_dir():
        raise InputError("There is no such folder.", where=options.system, hint="Give a folder of source code.")
    if output.resolve().is_relative_to(options.system.resolve()):
        raise InputError("The new benchmark would lie in the system.", where=output, hint="Choose another place.")
    system = InsertionSystem(options.system)
    placing = _Placing(parent, system, options.seed)
    placed = placing.run(progress or (lambda *_: None))
    pairs = parent.sql(f"SELECT count(*) AS n FROM ({_PAIRS}) made", placed=placed)["n"][0].as_py()
    if not pairs:
        raise InputError(
            "No pair could be placed.",
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
            extra={"placed": placed},
            order="made.parent",
            copied=True,
            kinds=tuple(JudgeKind),
            added=lambda writer: _attach(writer, system),
        ),
        DerivationRecipe(
            recipe=Recipe(OPERATION, {**parameters_of(options), "system_hash": system.digest}),
            steps=(
                BuildStep("placed", True, {"fragments": placed.num_rows, **placing.left_out}),
                BuildStep(
                    "pairs", True, {"kept": pairs, "dropped": parent.counts["pairs"] - pairs}, "both sides are placed"
                ),
                BuildStep("files", True, {"changed": len(system.changed), "of the system": len(system.files)}),
            ),
            seed=options.seed,
        ),
    )
    # Recall by place is told by clone type, and the types are those that we measure.
    classify(Benchmark.open(report.path, engine=parent.engine))
    return report


def _attach(writer: BenchmarkWriter, system: InsertionSystem) -> None:
    system.copy_to(writer.attach(SYSTEM))


class _Placing:
    """Finds a home for every fragment of a pair."""

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
        """Place the fragments, in an order that is drawn; their places."""
        for row in self._rng.sample(self._rows, len(self._rows)):
            files = self._system.files_in(row["language"])
            if not files:
                self.left_out["no file in its language"] += 1
            elif not self._placed(row["fragment"], row["text"], files):
                self.left_out["no place found"] += 1
            progress("Placing", 1, len(self._rows))
        return self._system.places()

    def _placed(self, fragment: int, text: str, files: list[str]) -> bool:
        for name in self._rng.sample(files, min(_FILES, len(files))):
            host = self._system.host(name)
            if host is not None and self._may_go(fragment, host) and host.take_in(fragment, text, self._rng):
                return True
        return False

    def _may_go(self, fragment: int, host: HostFile) -> bool:
        return self._partners[fragment].isdisjoint(guest.fragment for guest in host.guests)


RECIPE = BuildRecipe(
    operation=OPERATION,
    description="The fragments of a benchmark, placed into the files of a real system, for tools that report places.",
    reference=(
        "C. K. Roy and J. R. Cordy. A Mutation/Injection-based Automatic Framework for Evaluating Code Clone Detection "
        "Tools. Mutation 2009."
    ),
    options=InjectOptions,
    build=build_inject,
)
