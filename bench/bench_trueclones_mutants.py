"""Mutation score of TrueClones' inputs: ``python -m bench.bench_trueclones_mutants [FOLDER] [--only ID] [--draw N]``.

``--journal FILE`` keeps the score of each functionality, so that a run that was stopped goes on where it was, and a
functionality that did not change since is not run again.

A mutant is an implementation with one operator, constant or condition changed (`clonetruth.execution.mutants`). It is
killed when a result on a shared or generated input differs from the expected one, or when a call does not come to its
end. Mutants that do not compile are no mutants. Those that survive are printed: an author adds an input that notices
them, or lists them in `functionality.toml` with the reason why no permitted input can:

    [[equivalent-mutant]]
    in = "python/two_pointers"
    line = 7
    before = "<"
    after = "<="
    reason = "Equal elements are exchanged, which nobody can see."

The exit code is 1 if a functionality is below --least.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from bench.measurement import machine
from clonetruth.code import language
from clonetruth.code.mutation import EditSites
from clonetruth.execution import Code, Harnesses
from clonetruth.execution.mutants import SeededChange, seeded_changes
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.make.trueclones.evidence import generated_inputs
from clonetruth.make.trueclones.fragment_runs import NotRunError, run_fragment
from clonetruth.sources.functionality_folders import FolderFile, FunctionalityFolder, canonical, digest, read_folders
from clonetruth.sources.trueclones import data_folder

GENERATED = 500
"""As many as the evidence rests on, with the same seed."""


Survivor = tuple[str, int, str, str, str]


@dataclass
class Score:
    """What became of the mutants of a functionality.

    Attributes:
        shared: killed by shared inputs.
        generated: killed by generated ones only.
        survivors: those that are not killed: fragment, line, before, after, and the line as it is now.
        equivalent: those of them that are listed as equivalent.
    """

    shared: int = 0
    generated: int = 0
    survivors: tuple[Survivor, ...] = ()
    equivalent: int = 0

    def judged(self, folder: FunctionalityFolder) -> Score:
        """The score without the mutants that the functionality lists as equivalent."""
        listed = {(one.fragment, one.line, one.before, one.after) for one in folder.equivalent_mutants}
        left = tuple(one for one in self.survivors if one[:4] not in listed)
        return Score(self.shared, self.generated, left, len(self.survivors) - len(left))

    @property
    def total(self) -> int:
        """Mutants that count."""
        return self.shared + self.generated + len(self.survivors)

    @property
    def value(self) -> float:
        """The share that is killed."""
        return (self.shared + self.generated) / self.total if self.total else 1.0


def mutants(source: FolderFile, count: int, seed: int) -> list[SeededChange]:
    """Mutants of an implementation that parse, drawn by the seed."""
    own = language(source.language)
    every = [one for one in seeded_changes(Code(source.text, source.language)) if EditSites.of(one.text, own).sound]
    return Random(f"{seed} {source.id}").sample(every, min(count, len(every)))


def notices(
    changed: FolderFile, inputs: Sequence[Sequence[Any]], expected: Sequence[str], returns: str, runs: Harnesses
) -> bool | None:
    """Whether inputs kill a mutant; None if it does not compile."""
    try:
        results = run_fragment(changed, inputs, runs, returns=returns, tries=2).results
    except NotRunError as error:
        return True if "did not come to its end" in str(error) else None
    return list(map(canonical, results)) != list(expected)


def score(folder: FunctionalityFolder, count: int, seed: int, runs: Harnesses) -> Score:
    """The mutation score of a functionality's inputs."""
    drawn = generated_inputs(folder, GENERATED, 0)
    found = Score()
    for source in folder.implementations():
        sets = (list(folder.inputs), drawn)
        wanted = [
            list(map(canonical, run_fragment(source, inputs, runs, returns=folder.returns).results)) for inputs in sets
        ]
        for change in mutants(source, count, seed):
            changed = FolderFile(source.id, source.language, source.path, change.text, None)
            by_shared = notices(changed, sets[0], wanted[0], folder.returns, runs)
            if by_shared is None:
                continue
            if by_shared:
                found.shared += 1
            elif notices(changed, sets[1], wanted[1], folder.returns, runs):
                found.generated += 1
            else:
                line = change.text.split("\n")[change.line - 1].strip()
                found.survivors += ((source.id, change.line, change.before, change.after, line),)
    return found


def key(folder: FunctionalityFolder, count: int, seed: int) -> str:
    """What the score of a functionality depends on, as a digest."""
    texts = [(one.id, one.text) for one in folder.implementations()]
    return digest(canonical([folder.id, count, seed, GENERATED, folder.domain, list(folder.inputs), texts]))


def known_scores(journal: Path | None) -> Mapping[str, Score]:
    """The scores in a journal, by key; a last line that was cut off does not count."""
    found = {}
    for line in journal.read_text().splitlines() if journal is not None and journal.exists() else ():
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue
        survivors = tuple((str(one), int(at), str(a), str(b), str(now)) for one, at, a, b, now in entry["survivors"])
        found[entry["key"]] = Score(entry["shared"], entry["generated"], survivors)
    return found


def scores(arguments: argparse.Namespace) -> Iterator[tuple[FunctionalityFolder, Score]]:
    """The score of each functionality, from the journal where it is known."""
    known = known_scores(arguments.journal)
    with Harnesses(Bubblewrap()) as runs:
        for folder in read_folders(arguments.folder, arguments.only):
            this = key(folder, arguments.draw, arguments.seed)
            found = known.get(this)
            if found is None:
                found = score(folder, arguments.draw, arguments.seed, runs)
                if arguments.journal is not None:
                    with arguments.journal.open("a") as file:
                        file.write(json.dumps({"key": this, **asdict(found)}) + "\n")
            yield folder, found.judged(folder)


def main() -> int:
    """Print the score of each functionality, and the mutants that survive."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=data_folder())
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--draw", type=int, default=4, help="mutants of each implementation")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=float, default=0.95)
    parser.add_argument("--journal", type=Path, help="keeps scores; a run that was stopped goes on")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}, {arguments.draw} mutants of each implementation ({machine()})\n")
    print("| functionality | mutants | by shared inputs | by generated ones | equivalent | survive | score |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    below, whole = 0, Score()
    for folder, one in scores(arguments):
        cells = (one.total, one.shared, one.generated, one.equivalent, len(one.survivors), f"{one.value:.3f}")
        print(f"| `{folder.id}` | {' | '.join(map(str, cells))} |", flush=True)
        below += one.value < arguments.least
        whole.shared += one.shared
        whole.generated += one.generated
        whole.equivalent += one.equivalent
        whole.survivors += one.survivors
    print(f"\nAll: {whole.total} mutants, {whole.value:.3f} killed; {below} functionalities below {arguments.least}.")
    print("\nNot killed:")
    for fragment, at, before, after, line in whole.survivors:
        print(f"- {fragment}:{at} {before} → {after}: `{line}`")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
