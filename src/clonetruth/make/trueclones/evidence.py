"""The evidence of a functionality: everything is executed, and what does not agree is refused with the reason."""

from __future__ import annotations

import difflib
import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clonetruth.execution import CallInput, Harnesses
from clonetruth.execution.inputs.domains import InputDomain, domain_of
from clonetruth.make.trueclones.fragment_runs import FragmentResults, NotRunError, calls_of, conforms, run_fragment
from clonetruth.sources.functionality_folders import FolderFile, FunctionalityFolder, canonical, digest
from clonetruth.sources.trueclones_evidence import (
    EVIDENCE_FORMAT,
    ExecutedFragment,
    FolderEvidence,
    ForeignResult,
    NearMissWitness,
)

GENERATED = 500
"""Generated inputs of a functionality."""
FOREIGN = 3
"""Inputs of each functionality with the same signature."""
LEAST_INPUTS = 25
CLOSE = 0.8
"""Implementations of one language share less than this of their tokens; a near miss shares at least this much."""
_ATTEMPTS = 20


@dataclass(frozen=True)
class ExaminedFolder:
    """What execution showed of a functionality, or why it is refused.

    Attributes:
        folder: the functionality.
        evidence: the evidence; None if something is wrong.
        problems: what is wrong, by the id of the fragment, or of the functionality.
    """

    folder: FunctionalityFolder
    evidence: FolderEvidence | None
    problems: Mapping[str, str] = field(default_factory=dict)


def examine_folder(
    folder: FunctionalityFolder,
    harnesses: Harnesses,
    *,
    others: Sequence[FunctionalityFolder] = (),
    generated: int = GENERATED,
    seed: int = 0,
    leave_out: bool = False,
) -> ExaminedFolder:
    """Execute all fragments of a functionality on shared and on generated inputs.

    Implementations must agree on all inputs, in all languages, twice; results must be of the stated type; a near miss
    must differ on an input at least.

    Args:
        folder: the functionality.
        harnesses: run the languages.
        others: further functionalities; inputs of those with the same signature are run, too.
        generated: number of inputs to generate.
        seed: which ones.
        leave_out: leave out fragments that fail, as long as enough are left, instead of refusing the functionality.
    """
    problems = dict(_stated_problems(folder))
    if not leave_out:
        problems |= dict(_text_problems(folder))
    if problems:
        return ExaminedFolder(folder, None, problems)
    drawn = generated_inputs(folder, generated, seed)
    foreign = _foreign_inputs(folder, others)
    inputs = [*folder.inputs, *drawn, *(arguments for _, arguments in foreign)]
    calls = calls_of(inputs)
    runs: dict[str, FragmentResults] = {}
    for source in folder.sources:
        try:
            # A change of one token cannot make a stable program unstable; there are many, so they run once.
            again = source.near_miss is None or not leave_out
            runs[source.id] = _run_stable(folder, source, inputs, calls, harnesses, again=again)
        except NotRunError as error:
            problems[source.id] = str(error)
    # The results that most implementations give are taken for the expected ones, so that messages name the odd one.
    digests = Counter(runs[one.id].digest for one in folder.implementations() if one.id in runs)
    if digests:
        usual = digests.most_common(1)[0][0]
        expected = next(run for run in runs.values() if run.digest == usual)
        problems |= dict(_result_problems(folder, inputs, expected, runs, known=len(folder.inputs) + len(drawn)))
    if problems and leave_out:
        folder = _without(folder, problems)
        if any(folder.implementations(one) for one in folder.languages) and folder.near_misses():
            return ExaminedFolder(folder, _evidence(folder, drawn, foreign, expected, runs, seed), problems)
    if problems:
        return ExaminedFolder(folder, None, problems)
    return ExaminedFolder(folder, _evidence(folder, drawn, foreign, expected, runs, seed))


def generated_inputs(folder: FunctionalityFolder, count: int, seed: int) -> list[list[Any]]:
    """Permitted inputs, all different; fewer where the domain has no more."""
    domain = folder_domain(folder)
    rng = random.Random(f"{seed} {folder.id}")
    found: dict[str, list[Any]] = {}
    for _ in range(count * _ATTEMPTS):
        if len(found) == count:
            break
        arguments = domain.draw_plain(rng)
        found.setdefault(canonical(arguments), arguments)
    return list(found.values())


def folder_domain(folder: FunctionalityFolder) -> InputDomain:
    """The permitted inputs of a functionality."""
    return domain_of([{"name": one.name, "domain": one.domain} for one in folder.parameters])


def token_similarity(left: str, right: str) -> float:
    """The share of common tokens, in order, ignoring white space."""
    a, b = (re.findall(r"\w+|[^\w\s]", text) for text in (left, right))
    return difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()


def _stated_problems(folder: FunctionalityFolder) -> Iterator[tuple[str, str]]:
    """What is wrong before anything runs."""
    try:
        domain = folder_domain(folder)
    except ValueError as error:
        yield folder.id, f"the domain is not valid: {error}"
        return
    if len({canonical(one) for one in folder.inputs}) < LEAST_INPUTS:
        yield folder.id, f"there are fewer than {LEAST_INPUTS} different shared inputs"
    for arguments in folder.inputs:
        typed = len(arguments) == len(folder.parameters) and all(
            conforms(value, parameter.type) for parameter, value in zip(folder.parameters, arguments, strict=True)
        )
        if not typed or not domain.permits_plain(arguments):
            yield folder.id, f"the specification's domain does not permit the shared input {canonical(arguments)}"
    if not folder.implementations():
        yield folder.id, "there is no implementation"


def _text_problems(folder: FunctionalityFolder) -> Iterator[tuple[str, str]]:
    """Implementations that are nearly copies, and near misses that are not."""
    texts = {one.id: one.text for one in folder.sources}
    for name in folder.languages:
        for left, right in itertools.combinations(folder.implementations(name), 2):
            if (share := token_similarity(left.text, right.text)) >= CLOSE:
                yield right.id, f"it shares {share:.0%} of its tokens with {left.id}: it counts as the same one"
    for one in folder.near_misses():
        assert one.near_miss is not None
        share = token_similarity(one.text, texts[one.near_miss.origin])
        if share < CLOSE or one.text == texts[one.near_miss.origin]:
            yield one.id, f"it shares {share:.0%} of its tokens with {one.near_miss.origin}: not a small edit"


def _foreign_inputs(
    folder: FunctionalityFolder, others: Sequence[FunctionalityFolder]
) -> list[tuple[str, Sequence[Any]]]:
    domain = folder_domain(folder)
    found = []
    for other in others:
        if other.id != folder.id and other.signature == folder.signature:
            permitted = [one for one in other.inputs if domain.permits_plain(one)]
            found += [(other.id, one) for one in permitted[:: max(1, len(permitted) // FOREIGN)][:FOREIGN]]
    return found


def _run_stable(
    folder: FunctionalityFolder,
    source: FolderFile,
    inputs: Sequence[Sequence[Any]],
    calls: Sequence[CallInput],
    harnesses: Harnesses,
    *,
    again: bool,
) -> FragmentResults:
    """Run a fragment on all inputs, and again on the shared ones, in the opposite order, in another process."""
    run = run_fragment(
        source,
        inputs,
        harnesses,
        returns=folder.returns,
        coverage=True,
        tries=3 if again else 2,
        calls=calls,
        wary=not again,
    )
    if not again:
        return run
    count = len(folder.inputs)
    shared, shared_calls = list(folder.inputs), list(calls[:count])
    # An odd seed compiles C and C++ anew without optimisation, which is worth its time where a clone rests on it.
    seed = 2 if source.near_miss else 1
    repeated = run_fragment(
        source, shared[::-1], harnesses, returns=folder.returns, seed=seed, calls=shared_calls[::-1]
    ).texts[::-1]
    for arguments, one, other in zip(shared, run.texts[:count], repeated, strict=True):
        if one != other:
            raise NotRunError(f"it is not stable: {canonical(arguments)} gives {one}, then {other}")
    return run


def _result_problems(
    folder: FunctionalityFolder,
    inputs: Sequence[Sequence[Any]],
    expected: FragmentResults,
    runs: Mapping[str, FragmentResults],
    known: int,
) -> Iterator[tuple[str, str]]:
    for source in folder.sources:
        if source.id not in runs:
            continue
        run = runs[source.id]
        differing = [
            (arguments, wanted, actual)
            for arguments, wanted, actual in zip(inputs, expected.texts, run.texts, strict=True)
            if wanted != actual
        ]
        if source.near_miss is None:
            for arguments, wanted, actual in differing[:1]:
                share = f"{len(differing)} of {len(inputs)} inputs"
                yield (
                    source.id,
                    f"it disagrees with the others on {share}: {canonical(arguments)} gives {actual}, "
                    f"elsewhere {wanted}",
                )
            for arguments, actual in () if differing else zip(inputs, run.results, strict=True):
                if not conforms(actual, folder.returns):
                    yield (
                        source.id,
                        f"{canonical(arguments)} gives {canonical(actual)}, which is not of the type {folder.returns} "
                        "(an exception, or a number that overflows elsewhere)",
                    )
                    break
        elif expected.texts[:known] == run.texts[:known]:
            yield source.id, f"it differs from the specification on none of {known} inputs"


def _without(folder: FunctionalityFolder, problems: Mapping[str, str]) -> FunctionalityFolder:
    from dataclasses import replace

    bad = set(problems)
    kept = [
        one
        for one in folder.sources
        if one.id not in bad and (one.near_miss is None or one.near_miss.origin not in bad)
    ]
    return replace(folder, sources=tuple(kept))


def _evidence(
    folder: FunctionalityFolder,
    drawn: Sequence[Sequence[Any]],
    foreign: Sequence[tuple[str, Sequence[Any]]],
    expected: FragmentResults,
    runs: Mapping[str, FragmentResults],
    seed: int,
) -> FolderEvidence:
    shared, known = len(folder.inputs), len(folder.inputs) + len(drawn)
    inputs = [*folder.inputs, *drawn]
    fragments = {}
    for source in folder.sources:
        run = runs[source.id]
        differing = [at for at in range(known) if expected.texts[at] != run.texts[at]]
        witness = None
        if source.near_miss is not None:
            first = differing[0]
            of_shared = sum(at < shared for at in differing)
            witness = NearMissWitness(
                inputs[first], expected.results[first], run.results[first], of_shared, len(differing) - of_shared
            )
        fragments[source.id] = ExecutedFragment(
            sha256=digest(source.text),
            entry=run.entry,
            functions=run.functions,
            digest=_digest(run.texts[:shared]),
            generated_digest=_digest(run.texts[shared:known]),
            reached=run.reached,
            points=run.points,
            witness=witness,
        )
    return FolderEvidence(
        format=EVIDENCE_FORMAT,
        inputs_sha256=digest(canonical(folder.inputs)),
        generated=len(drawn),
        seed=seed,
        expected=expected.results[:shared],
        fragments=fragments,
        foreign=tuple(
            ForeignResult(other, arguments, result)
            for (other, arguments), result in zip(foreign, expected.results[known:], strict=True)
        ),
    )


def _digest(texts: Sequence[str]) -> str:
    return digest("\n".join(texts))
