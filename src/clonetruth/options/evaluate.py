"""`clonetruth evaluate`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import WORD, argument, option
from clonetruth.options.shared import EngineOptions, JsonOptions, ProcessOptions

SIMILARITIES = ("both", "line", "token", "average", "avg")
CORRECTIONS = ("independent", "rogan-gladen", "design-based", "bounds", "sensitivity", "as-published", "none")
_PREDICTIONS = "Predictions | ArrowStream | Scores"


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions(EngineOptions, ProcessOptions, JsonOptions, command="evaluate", function="evaluate_detector"):
    """Measure a detector, with intervals, baselines, and what cannot be known.

    CANDIDATE is a tool's report on a code base (BigCloneEval's CSV, NiCad, SourcererCC, jscpd, PMD, SARIF …), matched
    with the locations of the benchmark's fragments; predictions for pairs (left, right, score or label); vectors of
    fragments, for retrieval; or the name of a detector. Without a CANDIDATE, the precision of the tools whose
    reported pairs were judged in the benchmark.
    """

    candidates: tuple[Path, ...] = argument(
        (),
        metavar="CANDIDATE",
        accepts=f"{_PREDICTIONS} | Detector | Callable[..., Any]",
        help="Reports, predictions or detectors.",
    )
    on: Path | None = option(
        None, accepts="Benchmark", help="The benchmark folder; or a dataset's own files, imported for this run."
    )
    answers: Path | None = option(
        None, accepts=_PREDICTIONS, help="A list of answers instead of a benchmark: left id, right id, 0 or 1."
    )
    detector: tuple[str, ...] = option(
        (),
        accepts="Detector | Callable[..., Any]",
        help="A detector to run on the pairs: a name (see `clonetruth detectors`), the folder of a detector, "
        "encoder:FOLDER, or llm:MODEL (docs/encoders.md).",
    )
    name: tuple[str, ...] = option(
        (), help="Name of the detector in the result; for several detectors, one name each, in order."
    )
    task: str = option(
        "pairs",
        choices=("pairs", "retrieval"),
        help="Score or classify pairs, or find for each fragment those of its functionality (docs/evaluation.md).",
    )
    reader: str | None = option(
        None, help="Format of the reports (docs/reports.md), or 'predictions' (default: recognised)."
    )
    together: bool = option(False, help="Treat the reports as parts of one report.")
    root: str | None = option(None, help="The folder that the tool was run on; it is removed from the reported paths.")
    strict: bool = option(False, help="Fail on an invalid row instead of skipping it.")
    bigcloneeval: str = option(
        "repaired",
        choices=("repaired", "as-shipped"),
        help="Numbers as BigCloneEval documents them, or as the published program computes them with its defects.",
    )
    matcher: str = option(
        "coverage:0.7",
        names=("-m", "--matcher-coverage"),
        help="Matcher: coverage:0.7[,line=2|,ratio=0.8], exact, near:2, subsume:line=3, subsume:ratio=0.2.",
    )
    min_lines: int | None = option(
        None, names=("--mil", "--minimum-lines"), minimum=0, help="Minimum number of lines of the smaller function."
    )
    max_lines: int | None = option(
        None, names=("--mal", "--maximum-lines"), minimum=0, help="Maximum number of lines of the larger function."
    )
    min_pretty_lines: int | None = option(
        None,
        names=("--mip", "--min-pretty", "--minimum-pretty"),
        minimum=0,
        help="Minimum number of pretty-printed lines of the smaller function.",
    )
    max_pretty_lines: int | None = option(
        None,
        names=("--map", "--max-pretty", "--maximum-pretty"),
        minimum=0,
        help="Maximum number of pretty-printed lines of the larger function.",
    )
    min_tokens: int | None = option(
        None, names=("--mit", "--minimum-tokens"), minimum=0, help="Minimum number of tokens of the smaller function."
    )
    max_tokens: int | None = option(
        None, names=("--mat", "--maximum-tokens"), minimum=0, help="Maximum number of tokens of the larger function."
    )
    min_judges: int | None = option(
        None, names=("-j", "--mij", "--minimum-judges"), minimum=0, help="Minimum number of judges."
    )
    min_confidence: int | None = option(
        None, names=("--mic", "--minimum-confidence"), minimum=0, help="Minimum agreement of the judges."
    )
    min_similarity: int = option(
        0, names=("-s", "--mis", "--minimum-similarity"), help="Hide rows below this similarity, 0 to 100."
    )
    similarity: str = option(
        "both",
        names=("--st", "--similarity-type"),
        choices=SIMILARITIES,
        help="The published similarity that sorts pairs; both means the smaller one.",
    )
    policy: str = option("default", project=WORD, help="For pairs: how judgements become verdicts.")
    criterion: str | None = option(None, project=WORD, help="For pairs: the question that the judges answered.")
    part: str | None = option(None, project=WORD, help="For pairs: measure only this part, for example test.")
    view: str | None = option(
        None, project=WORD, help="For pairs: the split that the part belongs to (default: the source's own parts)."
    )
    validation: Path | None = option(
        None, accepts=_PREDICTIONS, help="For pairs: predictions for the validation part, if they are in another file."
    )
    drawn_pairs: int | None = option(
        None,
        minimum=1,
        help="Where the benchmark stores no pairs: number of pairs to draw (default: 100,000; with --view, "
        "the number that the split records).",
    )
    clone_share: float | None = option(
        None,
        help="Where the benchmark stores no pairs: the share of clones among the drawn pairs (default: as among all).",
    )
    all_pairs: bool = option(False, help="Where the benchmark stores no pairs: use all pairs.")
    threshold: float | None = option(None, help="For pairs: the lowest score that counts as a clone.")
    threshold_metric: str = option(
        "f1", project=WORD, help="For pairs: the metric that the chosen threshold maximises."
    )
    missing: str = option(
        "exclude",
        choices=("exclude", "not-clone", "refuse"),
        help="For pairs: what happens to pairs without a prediction.",
    )
    correction: str | None = option(
        None,
        choices=CORRECTIONS,
        help="Use only this correction for wrong labels (default: every one that is possible).",
    )
    judged: Path | None = option(
        None,
        accepts="Benchmark",
        help="A benchmark with judgements on labels of the same source, for the correction (default: the judgements in "
        "the benchmark, or what is published about its source).",
    )
    judged_criterion: str | None = option(
        None,
        project=WORD,
        help="Criterion of the judgements on labels (default: the only one that fits the labels).",
    )
    queries: int | None = option(
        None,
        minimum=1,
        help="For retrieval: number of queries, drawn by hash (default: all, or as many as 150 million scores permit).",
    )
    recall_at: tuple[str, ...] = option(
        ("1", "10", "100"),
        metavar="K[,K]...",
        commas=True,
        help="For retrieval: the ranks at which recall is measured.",
    )
    vector_similarity: str = option(
        "cosine", choices=("cosine", "dot"), help="For retrieval: how the vectors of two fragments are compared."
    )
    device: str = option(
        "auto", choices=("auto", "cpu", "cuda", "mps"), help="For encoders: device to compute on (auto: a GPU if any)."
    )
    seed: int = option(0, help="Random seed.")
    study: Path | None = option(
        None,
        setting=False,
        help="For reports: write the sample of reported clones to be judged, from which the precision is estimated, "
        "to this folder.",
    )
    margin: float = option(0.05, help="For --study: half the width of the interval that the sample is planned for.")
    output: Path | None = option(
        None,
        names=("-o",),
        terminal=True,
        setting=False,
        help="Write the result to this file (JSON); for several results, a folder.",
    )
    html: Path | None = option(
        None, terminal=True, setting=False, old=("--page",), help="Write a page of the results to this file (HTML)."
    )
    format: str = option(
        "table",
        terminal=True,
        choices=("table", "bigcloneeval"),
        help="Output format; bigcloneeval is the text report that BigCloneEval writes.",
    )
