"""`clonetruth train` and `predict`: detectors that learn from one part of a benchmark and score another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clonetruth.cli.output import progress_bar, show, show_json, show_table
from clonetruth.cli.verb import VerbCommand, verb_command
from clonetruth.options.training import PredictOptions, TrainOptions

if TYPE_CHECKING:
    from clonetruth.training import TrainedDetector


class _TrainCommand(VerbCommand):
    """`clonetruth train`, whose help also lists the options of the learner that is named before `--help`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember the learner, which click does not know yet when it prints the help."""
        ctx.meta[_LEARNER] = next((one for one in args if not one.startswith("-")), None)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """See `click.Command.format_options`."""
        super().format_options(ctx, formatter)
        if (name := ctx.meta.get(_LEARNER)) is None:
            return
        from clonetruth.training import LEARNERS, options_type
        from clonetruth.training.learner_options import permitted

        rows = [
            (f"--set {one.word}=…", f"{one.declaration.help} {permitted(one).capitalize()}.")
            for one in options_type(LEARNERS[name]).declared()
        ]
        with formatter.section(f"Options of {name}"):
            formatter.write_dl(rows or [("", "It has no further options.")])


_LEARNER = "clonetruth.learner"


@verb_command(TrainOptions, command=_TrainCommand)
def train(options: TrainOptions) -> None:
    """Train, and print the epochs."""
    from clonetruth.evaluate import train_detector

    if options.output is None:
        raise click.UsageError("Missing option '-o' / '--output'.")
    with progress_bar() as progress:
        detector = train_detector(options, progress=progress)
    best = max(detector.history, key=lambda epoch: epoch.f1, default=None)
    if options.json:
        facts = {
            "detector": detector.name,
            "threshold": detector.default_threshold,
            "threshold_from": _origin(detector),
            "f1": best.f1 if best else None,
        }
        show_json({**facts, "history": detector.history, "output": options.output})
        return
    show_table(
        f"Training of {detector.name}",
        ("epoch", "loss", "F1 on valid", "threshold", ""),
        [
            (number, f"{epoch.loss:.4f}", f"{epoch.f1:.3f}", f"{epoch.threshold:.3f}", "kept" if epoch is best else "")
            for number, epoch in enumerate(detector.history, start=1)
        ],
    )
    origin = _origin(detector)
    show(f"{_decision(detector)[:-1]}{f', {origin}' if origin else ''}. Written: {options.output}")


@verb_command(PredictOptions)
def predict(options: PredictOptions) -> None:
    """Score pairs, and print how many."""
    from clonetruth.evaluate import predict_pairs
    from clonetruth.training import load_detector

    if options.output is None:
        raise click.UsageError("Missing option '-o' / '--output'.")
    detector = load_detector(options.model)
    with progress_bar() as progress:
        table = predict_pairs(options, progress=progress)
    if options.json:
        show_json({"predictions": table.num_rows, "threshold": detector.default_threshold, "output": options.output})
        return
    show(f"{table.num_rows:,} pairs scored. {_decision(detector)} Written: {options.output}")


def _origin(detector: TrainedDetector) -> str | None:
    """On what the threshold was chosen."""
    manifest = detector.manifest
    return None if manifest is None else manifest.configuration.get("threshold_from")


def _decision(detector: TrainedDetector) -> str:
    threshold = detector.default_threshold
    return "It has no threshold." if threshold is None else f"Clones score at least {threshold:.4g}."
