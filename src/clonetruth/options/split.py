"""`clonetruth split`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import WORD, argument, option
from clonetruth.options.shared import EngineOptions, JsonOptions


@dataclass(frozen=True, kw_only=True)
class SplitOptions(EngineOptions, JsonOptions, command="split", function="split_benchmark"):
    """Divide the fragments of a benchmark into train, valid and test so that nothing leaks.

    Writes splits/NAME.parquet into the benchmark. A pair is in a part if both its fragments are; no pair crosses parts.
    The leakage rules of the audit run before anything is written.
    """

    benchmark: Path = argument(accepts="Benchmark", help="The benchmark folder.")
    view: str | None = option(
        None,
        metavar="NAME",
        positional=True,
        project=WORD,
        help="How to divide: random, cross-project, cross-functionality … (docs/views.md).",
    )
    seed: int = option(0, help="Random seed.")
    ratio: str = option("3:1:1", help="Sizes of train:valid:test; 4:0:1 for no valid part.")
    variant: str | None = option(
        None, metavar="NAME", project=WORD, help="Variant of the view: li2023 of cross-functionality and cross-all."
    )
    folds: int | None = option(None, help="Number of folds; needs --fold.")
    fold: int | None = option(None, help="The fold that is test, counted from 1; the next one is valid.")
    assignment: str = option(
        "drawn",
        choices=("drawn", "balanced"),
        help="How groups are assigned: drawn at random within the tolerance, or as near to the ratio as possible.",
    )
    tolerance: float = option(
        0.5, help="How far a part's share of fragments may be from the ratio, relative to it, where groups are drawn."
    )
    train_functionalities: int | None = option(
        None, minimum=1, help="Number of functionalities in train (default: by the ratio)."
    )
    train_functionality: tuple[str, ...] = option(
        (), metavar="ID", project=WORD, help="Functionality that is in train, and no other than those named is."
    )
    max_functionality_fragments: int | None = option(
        None, minimum=1, help="Leave out functionalities with more fragments."
    )
    min_functionality_fragments: int | None = option(
        None, minimum=1, help="Leave out functionalities with fewer fragments."
    )
    policy: str = option("default", project=WORD, help="How judgements become verdicts.")
    criterion: str | None = option(
        None, project=WORD, help="What the judges were asked (default: the policy's criterion, or else the card's)."
    )
    near_duplicates: str = option(
        "together", choices=("together", "apart"), help="Whether near-duplicate texts stay in one part."
    )
    one_class: bool = option(False, help="Permit parts without clones or without non-clones.")
    min_fragments: int = option(1, minimum=0, help="Minimum number of fragments in a part.")
    min_pairs: int = option(1, minimum=0, help="Minimum number of pairs in a part.")
    train_pairs: int | None = option(None, minimum=1, help="Maximum number of training pairs.")
    valid_pairs: int | None = option(None, minimum=1, help="Maximum number of validation pairs.")
    test_pairs: int | None = option(None, minimum=1, help="Maximum number of test pairs.")
    clone_share: float | None = option(None, help="Draw pairs so that this share of them are clones.")
    all_pairs: bool = option(
        False, help="Where the benchmark stores no pairs: use all pairs of a part, not at most 100,000."
    )
    balance: bool = option(False, help="Draw equally many pairs of each functionality, as far as there are enough.")
    against: tuple[Path, ...] = option(
        (), help="List of pairs, or benchmark, whose fragments count as seen (for the views unseen-*)."
    )
    name: str | None = option(None, help="Name of the split (default: view and seed).")
    replace: bool = option(False, setting=False, help="Replace a split of the same name.")
    verify: str | None = option(
        None, metavar="SPLIT", setting=False, help="Rebuild this split and compare, instead of making a new one."
    )
    shift: str | None = option(
        None, metavar="SPLIT", terminal=True, setting=False, help="Write the page of this split to --html, and stop."
    )
    html: Path | None = option(
        None,
        terminal=True,
        setting=False,
        old=("--report", "--output", "-o"),
        help="Write a page of what the split changes to this file (HTML).",
    )
