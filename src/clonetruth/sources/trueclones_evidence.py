"""What execution showed of a functionality of TrueClones: `evidence.json`, read and checked against the texts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.errors import BenchmarkError
from clonetruth.parsing import parse_json
from clonetruth.sources.functionality_folders import FunctionalityFolder, canonical, digest

EVIDENCE_FORMAT = 1
EASY_FROM, MEDIUM_FROM = 0.2, 0.02
"""A near miss is easy if it differs on at least a fifth of the generated inputs, medium from one in fifty on."""
_HINT = "Execute the fragments again: clonetruth make evidence FOLDER --write"


def difficulty_of(rate: float) -> str:
    """The difficulty of a near miss that differs on this share of the permitted inputs."""
    if rate >= EASY_FROM:
        return "easy"
    return "medium" if rate >= MEDIUM_FROM else "hard"


@dataclass(frozen=True)
class NearMissWitness:
    """An input on which a near miss leaves the specification.

    Attributes:
        arguments: the input.
        expected: the result of all implementations.
        actual: the result of the near miss.
        shared: on how many of the shared inputs it differs.
        generated: on how many of the generated ones.
    """

    arguments: Sequence[Any]
    expected: Any
    actual: Any
    shared: int
    generated: int


@dataclass(frozen=True)
class ExecutedFragment:
    """What a fragment did.

    Attributes:
        sha256: of its text.
        entry: the function that was called.
        functions: number of its functions.
        digest: of its results on the shared inputs.
        generated_digest: of its results on the generated inputs.
        reached: points of the code that the inputs reached.
        points: points that can be reached; 0 where that is not measured.
        witness: of a near miss; None for an implementation.
    """

    sha256: str
    entry: str
    functions: int
    digest: str
    generated_digest: str
    reached: int
    points: int
    witness: NearMissWitness | None = None


@dataclass(frozen=True)
class ForeignResult:
    """The result on an input of another functionality with the same signature, which this one permits, too."""

    functionality: str
    arguments: Sequence[Any]
    result: Any


@dataclass(frozen=True)
class FolderEvidence:
    """What execution showed of a functionality.

    Attributes:
        format: of the file.
        inputs_sha256: of the shared inputs.
        generated: number of generated inputs, all different and permitted.
        seed: that they were drawn with.
        expected: the results of all implementations on the shared inputs.
        fragments: what each fragment did.
        foreign: results on inputs of functionalities with the same signature.
    """

    format: int
    inputs_sha256: str
    generated: int
    seed: int
    expected: Sequence[Any]
    fragments: Mapping[str, ExecutedFragment] = field(hash=False)
    foreign: tuple[ForeignResult, ...] = ()

    def rate(self, fragment: str) -> float:
        """The share of the generated inputs on which a near miss differs."""
        witness = self.fragments[fragment].witness
        return witness.generated / self.generated if witness and self.generated else 0.0

    def difficulty(self, fragment: str) -> str:
        """The measured difficulty of a near miss."""
        return difficulty_of(self.rate(fragment))

    @property
    def text(self) -> str:
        """The content of `evidence.json`: one result or fragment a line, so that changes are small."""
        expected = ",\n  ".join(json.dumps(one, sort_keys=True) for one in self.expected)
        fragments = ",\n  ".join(
            f"{json.dumps(name)}: {json.dumps(_fragment(one))}" for name, one in self.fragments.items()
        )
        foreign = ",".join(f"\n  {json.dumps(vars(one))}" for one in self.foreign)
        return (
            f'{{\n "format": {self.format},\n "inputs_sha256": "{self.inputs_sha256}",\n'
            f' "generated": {self.generated},\n "seed": {self.seed},\n "expected": [\n  {expected}\n ],\n'
            f' "fragments": {{\n  {fragments}\n }},\n "foreign": [{foreign}]\n}}\n'
        )


def _fragment(one: ExecutedFragment) -> dict[str, Any]:
    shown = {name: value for name, value in vars(one).items() if name != "witness"}
    return shown if one.witness is None else {**shown, "witness": vars(one.witness)}


def parse_evidence(text: str | bytes, where: object = None) -> FolderEvidence:
    """Read the content of an `evidence.json`.

    Raises:
        BenchmarkError: it is not evidence of this format.
    """
    try:
        content = parse_json(text if isinstance(text, str) else text.decode("utf-8"))
        fragments = {
            name: ExecutedFragment(**{**entry, "witness": NearMissWitness(**entry["witness"])})
            if "witness" in entry
            else ExecutedFragment(**entry)
            for name, entry in content["fragments"].items()
        }
        foreign = tuple(ForeignResult(**entry) for entry in content["foreign"])
        found = FolderEvidence(**{**content, "fragments": fragments, "foreign": foreign})
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise BenchmarkError(f"This is not evidence: {error}.", where=where, hint=_HINT) from error
    if found.format != EVIDENCE_FORMAT:
        raise BenchmarkError(f"The evidence has the format {found.format}.", where=where, hint=_HINT)
    return found


def read_evidence(folder: FunctionalityFolder) -> FolderEvidence:
    """The evidence of a functionality, which must belong to its texts and inputs.

    Raises:
        BenchmarkError: it is missing, belongs to other texts or inputs, or contradicts the folders.
    """
    file = folder.root / "evidence.json"
    if not file.is_file():
        raise BenchmarkError("There is no evidence for this functionality.", where=file, hint=_HINT)
    found = parse_evidence(file.read_bytes(), file)
    current = {source.id: digest(source.text) for source in folder.sources}
    recorded = {name: entry.sha256 for name, entry in found.fragments.items()}
    if found.inputs_sha256 != digest(canonical(folder.inputs)) or recorded != current:
        raise BenchmarkError(
            "The evidence belongs to other texts or inputs than the stored ones.", where=file, hint=_HINT
        )
    for source in folder.sources:
        entry = found.fragments[source.id]
        if (entry.witness is None) is (source.near_miss is not None):
            raise BenchmarkError(f"The evidence contradicts the folder of '{source.id}'.", where=file, hint=_HINT)
        if entry.witness and canonical(entry.witness.expected) == canonical(entry.witness.actual):
            raise BenchmarkError(f"The witness of '{source.id}' shows no difference.", where=file, hint=_HINT)
    return found


def evidence_file(folder: FunctionalityFolder) -> Path:
    """Where the evidence of a functionality in the file system is."""
    return Path(str(folder.root)) / "evidence.json"
