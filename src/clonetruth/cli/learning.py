"""`clonetruth train` and `predict`: detectors that learn from one part of a benchmark, and speak of another."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clonetruth.cli.engines import engine_options
from clonetruth.cli.output import json_option, progress_bar, show_json, show_table, show_warning
from clonetruth.errors import InputError

if TYPE_CHECKING:
    from clonetruth.store import Benchmark
    from clonetruth.training import TrainedDetector, TrainingOptions

_path = click.Path(path_type=Path)
_count = click.IntRange(min=1)


@dataclass(frozen=True)
class TrainCall:
    """The options of `train`, as it was called."""

    name: str
    on: Path
    output: Path
    view: str | None
    policy: str
    criterion: str | None
    level: int
    seed: int
    epochs: int
    patience: int
    batch: int | None
    rate: float
    threshold: str
    processes: int
    threads: int
    engine: str | None
    memory_limit: str | None
    as_json: bool

    @property
    def record(self) -> Path:
        """Where the training is recorded until it is done."""
        return self.output.with_name(f"{self.output.name}.training")

    def options(self) -> TrainingOptions:
        """What the library is asked for."""
        from clonetruth.training import ThresholdRule, TrainingOptions

        return TrainingOptions(
            seed=self.seed,
            level=self.level,
            epochs=self.epochs,
            patience=self.patience,
            batch=self.batch,
            rate=self.rate,
            threshold=ThresholdRule(self.threshold),
            folder=self.record,
            processes=self.processes,
            threads=self.threads,
        )


@click.command()
@click.argument("name", metavar="LEARNER")
@click.option("--on", type=_path, required=True, help="The benchmark folder.")
@click.option("-o", "--output", type=_path, required=True, help="The folder to write the trained detector into.")
@click.option("--view", help="The split whose train and valid parts are used; the source's own parts unless told.")
@click.option("--policy", default="default", show_default=True, help="How judgements become verdicts.")
@click.option("--criterion", help="What the judges were asked.")
@click.option("--level", type=click.IntRange(0, 3), default=0, show_default=True, help="How far code is abstracted.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of what is random.")
@click.option("--epochs", type=_count, default=20, show_default=True, help="How often pairs are seen, at most.")
@click.option("--patience", type=_count, default=3, show_default=True, help="Stop after so many falls of F1 in a row.")
@click.option("--batch", type=_count, help="Pairs between two steps; unless told, a hundredth of all, 16 to 1,024.")
@click.option("--rate", type=float, default=0.003, show_default=True, help="The learning rate.")
@click.option(
    "--threshold",
    type=click.Choice(["validation", "paper"]),
    default="validation",
    show_default=True,
    help="The best on the validation part, or the one that the paper states.",
)
@click.option("--processes", type=_count, default=1, show_default=True, help="Processes that read code.")
@click.option("--threads", type=_count, default=1, show_default=True, help="Threads that compute.")
@engine_options
@json_option
def train(**options: Any) -> None:
    """Train a detector on the train part of a view, and choose its threshold on the valid part.

    LEARNER is mlp, linear or identifiers. A training that was stopped continues where it was, when called again.
    """
    from clonetruth.evaluate.pairs.training import TrainingCourse, train_detector

    call = TrainCall(**options)
    _check_place(call.output)
    benchmark = _benchmark(call.on, call.engine, call.memory_limit)
    course = TrainingCourse(call.view, call.policy, call.criterion)
    with progress_bar() as progress:
        detector, manifest = train_detector(benchmark, call.name, course, call.options(), progress=progress)
    detector.save(call.output, manifest)
    shutil.rmtree(call.record, ignore_errors=True)
    _show_training(call, detector)


@click.command()
@click.argument("model", type=_path)
@click.option("--on", type=_path, required=True, help="The benchmark folder.")
@click.option("--view", help="The split that the part is of; the source's own parts unless told.")
@click.option("--part", help="Predict this part only ('test'); all pairs unless told.")
@click.option("-o", "--output", type=_path, required=True, help="The file to write: .parquet or .csv.")
@click.option("--processes", type=_count, default=1, show_default=True, help="Processes that read code.")
@engine_options
@json_option
def predict(
    model: Path,
    on: Path,
    view: str | None,
    part: str | None,
    output: Path,
    processes: int,
    engine: str | None,
    memory_limit: str | None,
    as_json: bool,
) -> None:
    """Let a trained detector score pairs, for `clonetruth evaluate`.

    MODEL is a folder that `clonetruth train` wrote.
    """
    from clonetruth.evaluate.pairs.prediction import check_ending, write_predictions
    from clonetruth.evaluate.pairs.prediction import predict as predict_pairs
    from clonetruth.training import load_detector

    check_ending(output)
    detector = load_detector(model)
    benchmark = _benchmark(on, engine, memory_limit)
    if _may_have_seen(detector, benchmark, view, part):
        show_warning("The detector was trained on this benchmark: it may have seen these pairs, with their answers.")
    with progress_bar() as progress:
        table = predict_pairs(benchmark, detector, view=view, part=part, processes=processes, progress=progress)
    write_predictions(table, output)
    if as_json:
        show_json({"predictions": table.num_rows, "threshold": detector.default_threshold, "output": output})
        return
    click.echo(
        f"{table.num_rows:,} pairs, clones from a score of {detector.default_threshold:.4g} on. Written: {output}"
    )


def _check_place(output: Path) -> None:
    """Tell before a long training what would be told after it."""
    if output.exists():
        raise InputError("Something with this name exists already.", where=output, hint="Choose another name.")
    if not output.absolute().parent.is_dir():
        raise InputError("The parent folder does not exist.", where=output.parent, hint="Create it first.")


def _benchmark(folder: Path, engine: str | None, memory_limit: str | None) -> Benchmark:
    from clonetruth.store import Benchmark
    from clonetruth.store.engine import open_engine

    return Benchmark.open(folder, engine=open_engine(engine, memory_limit=memory_limit))


def _may_have_seen(detector: TrainedDetector, benchmark: Benchmark, view: str | None, part: str | None) -> bool:
    """Whether pairs to be predicted may be among those that a detector was trained on."""
    manifest = detector.manifest
    if manifest is None or manifest.inputs.get("benchmark") != benchmark.content_hash:
        return False
    return part in (None, "train") or manifest.configuration.get("view") != view


def _show_training(call: TrainCall, detector: TrainedDetector) -> None:
    best = max(detector.history, key=lambda epoch: epoch.f1)
    if call.as_json:
        facts = {"detector": detector.name, "threshold": detector.default_threshold, "f1": best.f1}
        show_json({**facts, "history": detector.history, "output": call.output})
        return
    show_table(
        f"Training of {detector.name}",
        ("epoch", "loss", "F1 on valid", "threshold", ""),
        [
            (number, f"{epoch.loss:.4f}", f"{epoch.f1:.3f}", f"{epoch.threshold:.3f}", "kept" if epoch is best else "")
            for number, epoch in enumerate(detector.history, start=1)
        ],
    )
    click.echo(f"{_decision(detector)} Written: {call.output}")


def _decision(detector: TrainedDetector) -> str:
    threshold = detector.default_threshold
    return "It has no threshold." if threshold is None else f"Clones score at least {threshold:.4g}."
