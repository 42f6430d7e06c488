"""`clonetruth build …`: benchmarks derived from benchmarks, one verb for each recipe."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from clonetruth.cli.build_output import show_label_quality, show_recovery_check, show_report
from clonetruth.cli.output import progress_bar, show_json
from clonetruth.cli.verb import verb_command
from clonetruth.options.build import (
    ApplyFixesOptions,
    AssumedNegativesOptions,
    BcbPairsOptions,
    ConfidenceBcbOptions,
    ContestOptions,
    InjectClonesOptions,
    LabelQualityOptions,
    MutantsOptions,
    RecoverFunctionalitiesOptions,
)

if TYPE_CHECKING:
    from clonetruth.build import BuildReport


def _show(report: BuildReport, as_json: bool) -> None:
    if as_json:
        show_json(report)
    else:
        show_report(report)


@verb_command(BcbPairsOptions)
def bcb_pairs(options: BcbPairsOptions) -> None:
    """Make the pairs, and print the report."""
    from clonetruth.build import build_bcb_pairs

    _show(build_bcb_pairs(options), options.json)


@verb_command(ConfidenceBcbOptions)
def confidence_bcb(options: ConfidenceBcbOptions) -> None:
    """Make ConBigCloneBench, and print the report."""
    from clonetruth.build import build_confidence_bcb

    chosen = replace(options, cap=None) if options.no_cap else options
    _show(build_confidence_bcb(chosen), options.json)


@verb_command(AssumedNegativesOptions)
def assumed_negatives(options: AssumedNegativesOptions) -> None:
    """Make the set that rests on the assumption, and print the report."""
    from clonetruth.build import build_assumed_negatives

    _show(build_assumed_negatives(options), options.json)


@verb_command(ContestOptions)
def contest(options: ContestOptions) -> None:
    """Make a benchmark of a contest, and print the report."""
    from clonetruth.build import build_contest

    _show(build_contest(options), options.json)


@verb_command(ApplyFixesOptions)
def apply(options: ApplyFixesOptions) -> None:
    """Apply a fix plan, and print the report."""
    from clonetruth.build import apply_fixes

    _show(apply_fixes(options), options.json)


@verb_command(LabelQualityOptions)
def label_quality(options: LabelQualityOptions) -> None:
    """Measure label quality, and print it."""
    from clonetruth.build import measure_label_quality

    found = measure_label_quality(options)
    if options.json:
        show_json(found)
    else:
        show_label_quality(found)


@verb_command(RecoverFunctionalitiesOptions)
def functionalities(options: RecoverFunctionalitiesOptions) -> None:
    """Recover functionalities, and print the check and the report."""
    from clonetruth.build import recover_functionalities

    if options.output is None and options.check_folds is None:
        raise click.UsageError("Give an output folder (-o), a check (--check-folds), or both.")
    with progress_bar() as progress:
        found = recover_functionalities(options, progress=progress)
    if options.json:
        show_json(found)
        return
    if found.check is not None:
        show_recovery_check(found.check, options.confidence)
    if found.build is not None:
        show_report(found.build)


@verb_command(MutantsOptions)
def mutants(options: MutantsOptions) -> None:
    """Make mutants, and print the report."""
    from clonetruth.build import build_mutants

    with progress_bar() as progress:
        report = build_mutants(options, progress=progress)
    _show(report, options.json)


@verb_command(InjectClonesOptions)
def inject(options: InjectClonesOptions) -> None:
    """Insert fragments into a system, and print the report."""
    from clonetruth.build import inject_clones

    with progress_bar() as progress:
        report = inject_clones(options, progress=progress)
    _show(report, options.json)
