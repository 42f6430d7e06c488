"""Mutation score of TrueClones' inputs: ``python -m bench.bench_trueclones_mutants [FOLDER] [--only ID] [--draw N]``.

``--journal FILE`` keeps the score of each functionality in each language, so that a run that was stopped goes on where
it was, and what did not change since is not run again. Languages run one after the other, the cheapest first;
``--language NAME`` runs only some of them.

A mutant is an implementation with one operator, constant or condition changed (`clonetruth.execution.mutants`). It is
killed when a result on a shared or generated input differs from the expected one, or when a call does not come to its
end. What is expected is that of the evidence, on which all implementations agree. The inputs that killed most mutants
of a functionality so far come first, in small batches, and the first kill ends a mutant. Mutants that do not compile
are no mutants. Those that survive are printed: an author adds an input that notices them, or lists them in
`functionality.toml` with the reason why no permitted input can:

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
import itertools
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
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
from clonetruth.sources.trueclones_evidence import read_evidence

GENERATED = 500
"""As many as the evidence rests on, with the same seed."""
LANGUAGES = ("python", "java", "javascript", "cpp", "csharp")
"""In the order of what a mutant costs."""
BATCHES = (0, 1, 10, 70, None)
"""Where batches of inputs begin and end: most mutants, and those that do not end, are killed by the first input."""


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

    def __add__(self, other: Score) -> Score:
        """Both together."""
        return Score(
            self.shared + other.shared,
            self.generated + other.generated,
            self.survivors + other.survivors,
            self.equivalent + other.equivalent,
        )

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


@dataclass
class InputSet:
    """Inputs with the results that are expected.

    Attributes:
        inputs: argument lists.
        expected: the results, as texts.
        kills: how many mutants each input killed so far, by its position.
    """

    inputs: Sequence[Sequence[Any]]
    expected: Sequence[str]
    kills: Counter[int] = field(default_factory=Counter)

    def notices(self, changed: FolderFile, returns: str, runs: Harnesses) -> bool | None:
        """Whether these inputs kill a mutant; None if it does not compile."""
        order = sorted(range(len(self.inputs)), key=lambda at: (-self.kills[at], at))
        batches = [order[start:end] for start, end in itertools.pairwise(BATCHES)]
        for batch in filter(None, batches):
            try:
                results = run_fragment(changed, [self.inputs[at] for at in batch], runs, returns=returns, tries=2).texts
            except NotRunError as error:
                if "did not come to its end" not in str(error):
                    return None
                self.kills[batch[0]] += 1
                return True
            for at, result in zip(batch, results, strict=True):
                if result != self.expected[at]:
                    self.kills[at] += 1
                    return True
        return False


class InputSets:
    """The shared and the generated inputs of a functionality; the latter are made when they are needed."""

    def __init__(self, folder: FunctionalityFolder, runs: Harnesses) -> None:
        self.folder, self.runs = folder, runs
        self.shared = InputSet(folder.inputs, list(map(canonical, read_evidence(folder).expected)))
        self._generated: InputSet | None = None

    @property
    def generated(self) -> InputSet:
        """Those that the evidence rests on."""
        if self._generated is None:
            drawn = generated_inputs(self.folder, GENERATED, 0)
            sources = self.folder.implementations()
            source = next((one for one in sources if one.language == LANGUAGES[0]), sources[0])
            self._generated = InputSet(drawn, run_fragment(source, drawn, self.runs, returns=self.folder.returns).texts)
        return self._generated

    def score(self, language_name: str, count: int, seed: int) -> Score:
        """What becomes of the mutants of one language."""
        found = Score()
        for source in self.folder.implementations(language_name):
            for change in mutants(source, count, seed):
                changed = FolderFile(source.id, source.language, source.path, change.text, None)
                by_shared = self.shared.notices(changed, self.folder.returns, self.runs)
                if by_shared is None:
                    continue
                if by_shared:
                    found.shared += 1
                elif self.generated.notices(changed, self.folder.returns, self.runs):
                    found.generated += 1
                else:
                    line = change.text.split("\n")[change.line - 1].strip()
                    found.survivors += ((source.id, change.line, change.before, change.after, line),)
        return found


def key(folder: FunctionalityFolder, language_name: str | None, count: int, seed: int) -> str:
    """What the score of a functionality, in one language or in all, depends on, as a digest."""
    texts = [(one.id, one.text) for one in folder.implementations(language_name)]
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
    known = dict(known_scores(arguments.journal))
    wanted = [one for one in LANGUAGES if one in arguments.language or not arguments.language]
    with Harnesses(Bubblewrap()) as runs:
        sets = [InputSets(folder, runs) for folder in read_folders(arguments.folder, arguments.only)]
        for name in wanted:
            for one in sets:
                whole, this = (key(one.folder, of, arguments.draw, arguments.seed) for of in (None, name))
                if whole in known or this in known:
                    continue
                found = known[this] = one.score(name, arguments.draw, arguments.seed)
                print(f"  {one.folder.id}, {name}: {found.value:.3f} of {found.total}", file=sys.stderr, flush=True)
                if arguments.journal is not None:
                    with arguments.journal.open("a") as file:
                        file.write(json.dumps({"key": this, **asdict(found)}) + "\n")
    for one in sets:
        score = known.get(key(one.folder, None, arguments.draw, arguments.seed)) if not arguments.language else None
        for name in wanted if score is None else ():
            score = (score or Score()) + known[key(one.folder, name, arguments.draw, arguments.seed)]
        yield one.folder, (score or Score()).judged(one.folder)


def main() -> int:
    """Print the score of each functionality, and the mutants that survive."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=data_folder())
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--language", action="append", default=[], choices=LANGUAGES)
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
        whole += one
    print(f"\nAll: {whole.total} mutants, {whole.value:.3f} killed; {below} functionalities below {arguments.least}.")
    print("\nNot killed:")
    for fragment, at, before, after, line in whole.survivors:
        print(f"- {fragment}:{at} {before} → {after}: `{line}`")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
