"""`clonetruth matrix`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import WORD, option
from clonetruth.options.shared import JsonOptions, SpreadsheetOptions


@dataclass(frozen=True, kw_only=True)
class MatrixOptions(SpreadsheetOptions, JsonOptions, command="matrix", function="run_matrix"):
    """Does a detector generalise, or did it memorise? Detector × view × level × seed, and the drop.

    Every cell is a separate result in the folder's cells/. An interrupted run resumes without repeating finished cells;
    a cell that fails is recorded and does not stop the others, and the exit code is then 1.
    """

    on: Path = option(
        positional=True, accepts="Benchmark", help="The benchmark folder. Splits that it lacks are written into it."
    )
    detectors: str = option(
        "mlp,identifiers,token-similarity",
        accepts="Sequence[str]",
        help="Detectors and learners, separated by commas; learners are trained for each cell, with options if given "
        "(mlp,astnn:vocabulary=3000,epochs=5).",
    )
    train_on: tuple[str, ...] = option(
        (),
        project=WORD,
        metavar="FOLDER[+FOLDER]",
        help="Another benchmark, or several together, that learners are also trained on, under the same view; they are "
        "tested on this one, with the threshold of that training.",
    )
    views: str = option(
        "all",
        accepts="Sequence[str]",
        help="Views or view:variant, separated by commas; all: random, cross-project, cross-functionality, cross-all.",
    )
    levels: str = option(
        "0-3", accepts="Sequence[int]", help="Levels of abstraction, for example 0-3 or 0,2 (docs/abstraction.md)."
    )
    seeds: int = option(5, minimum=1, help="Number of seeds; a seed that repeats a division does not count again.")
    folds: int | None = option(
        None, minimum=3, help="Divide into this number of folds, each of which is the test part once, with every seed."
    )
    policy: str = option("default", project=WORD, help="How judgements become verdicts.")
    criterion: str | None = option(
        None, project=WORD, help="What the judges were asked (default: the policy's criterion, or else the card's)."
    )
    ratio: str = option("3:1:1", help="Sizes of train:valid:test.")
    tolerance: float = option(0.5, help="How far a part's share of fragments may be from the ratio, relative to it.")
    train_functionalities: int | None = option(
        None,
        minimum=1,
        help="Number of functionalities in train, under views that hold functionalities out (default: by the ratio).",
    )
    max_functionality_fragments: int | None = option(
        None, minimum=1, help="Leave out functionalities with more fragments."
    )
    min_functionality_fragments: int | None = option(
        None, minimum=1, help="Leave out functionalities with fewer fragments."
    )
    train_pairs: int | None = option(None, minimum=1, help="Maximum number of training pairs.")
    valid_pairs: int | None = option(None, minimum=1, help="Maximum number of validation pairs.")
    test_pairs: int | None = option(None, minimum=1, help="Maximum number of test pairs.")
    clone_share: float | None = option(
        None, help="Draw pairs so that this share of them are clones, in every part of every view."
    )
    all_pairs: bool = option(
        False, help="Where the benchmark stores no pairs: use all pairs of a part, not at most 100,000."
    )
    balance: bool = option(False, help="Draw equally many pairs of each functionality, as far as there are enough.")
    epochs: int = option(20, minimum=1, help="Maximum number of epochs of a training.")
    processes: int | None = option(None, minimum=1, help="Number of cells computed at a time (default: all cores).")
    output: Path | None = option(
        None,
        names=("-o",),
        setting=False,
        help="The folder of the matrix, which is resumed if it exists (default: matrix-BENCHMARK).",
    )
