"""From a pilot to the main study: what the main study records of its pilot, and which pairs it leaves to it.

The votes of a pilot are never counted in the main study: the protocol was changed because of them. The pairs of the
pilot are left out of the main study's population (the default), or may be drawn again; either way every other pair has
the same chance within its stratum, and the weights say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from clonetruth.errors import InputError
from clonetruth.store import Benchmark
from clonetruth.store.study import PilotStudy, Study, study_identity
from clonetruth.store.study_protocol import Protocol
from clonetruth.studies.agreement import study_agreement
from clonetruth.studies.protocols import ChosenProtocol
from clonetruth.studies.study_folder import Votes


def describe_pilot(
    pilot: Study, benchmark: Benchmark, chosen: ChosenProtocol, seed: int, *, excluded: bool, votes: Votes
) -> PilotStudy:
    """What a main study records of its pilot.

    Args:
        pilot: the pilot.
        benchmark: the benchmark of the main study.
        chosen: the protocol of the main study.
        seed: the seed of the main study.
        excluded: whether the pairs of the pilot are left out of the main study's population.
        votes: the pilot's votes.

    Raises:
        InputError: the pilot was drawn from another benchmark, has no pairs, or its pairs would be drawn again.
    """
    studied = pilot.plan.benchmark
    if studied is None or studied.content_hash != benchmark.content_hash:
        raise InputError(
            "The pilot was not drawn from this benchmark.", where=pilot.path, hint="Name the pilot of this study."
        )
    if not pilot.subjects.num_rows:
        raise InputError("The pilot has no pairs.", where=pilot.path)
    if not excluded and seed == pilot.plan.seed:
        raise InputError(
            f"With the pilot's seed {seed}, its pairs would be drawn first again.",
            where=pilot.path,
            hint="Choose another --seed, or leave the pilot's pairs out.",
        )
    try:
        agreement = study_agreement(pilot, votes=votes).pairs
    except InputError:
        # Fewer than two judges have judged it.
        agreement = None
    return PilotStudy(
        title=pilot.plan.title,
        identity=study_identity(pilot.path),
        pairs=pilot.subjects.num_rows,
        excluded=excluded,
        judged=0 if agreement is None else agreement.subjects,
        agreement=None if agreement is None else agreement.agreement,
        krippendorff_alpha=None if agreement is None else agreement.krippendorff_alpha,
        changed=tuple(_changes(pilot, chosen)),
    )


def _changes(pilot: Study, chosen: ChosenProtocol) -> Iterator[str]:
    """The entries of the protocol that differ from the pilot's."""
    if pilot.plan.criterion != chosen.criterion:
        yield "criterion"
    for entry in fields(Protocol):
        if getattr(pilot.plan.protocol, entry.name) != getattr(chosen.protocol, entry.name):
            yield entry.name
