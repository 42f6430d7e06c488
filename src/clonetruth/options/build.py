"""`clonetruth build …`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import WORD, Options, argument, option
from clonetruth.options.shared import EngineOptions, JsonOptions


@dataclass(frozen=True, kw_only=True)
class OutputOptions(Options):
    """Where the new benchmark goes."""

    output: Path = option(names=("-o",), setting=False, help="The new benchmark folder.")


@dataclass(frozen=True, kw_only=True)
class SeedOptions(Options):
    """What determines the draws."""

    seed: int = option(0, help="Random seed.")


@dataclass(frozen=True, kw_only=True)
class BcbPairsOptions(OutputOptions, EngineOptions, JsonOptions, command="build bcb-pairs", function="build_bcb_pairs"):
    """Replace the pairs of a benchmark by those of BigCloneBench's own rule."""

    benchmark: Path = argument(accepts="Benchmark", help="The benchmark folder.")
    true: bool = option(True, help="Make the pairs within exemplars and fragments tagged true.")
    false: bool = option(True, help="Make the pairs of exemplars and fragments tagged false.")


@dataclass(frozen=True, kw_only=True)
class ConfidenceBcbOptions(
    SeedOptions,
    OutputOptions,
    EngineOptions,
    JsonOptions,
    command="build confidence-bcb",
    function="build_confidence_bcb",
):
    """Make ConBigCloneBench (Li et al. 2023) from a BigCloneBench, step by step.

    The steps: agreed tags, expansion by the call graph, merging with the exemplars, a cap, and pairs made again. What
    the paper leaves open is a recorded option here.
    """

    benchmark: Path = argument(accepts="Benchmark", help="The benchmark folder.")
    judges: int = option(2, help="Number of people who must agree on a tag; 1 skips the step.")
    agreement: str = option(
        "at-least", choices=("at-least", "unanimous"), help="Whether other people may disagree with them."
    )
    evidence: str | None = option(
        None,
        choices=("judgements", "claims"),
        help="Where the judges are known from (default: judgements if there are any, else claims).",
    )
    keep_exemplars: bool = option(True, names=(" /--judge-exemplars",), help="Keep exemplars without agreeing judges.")
    files: Path | None = option(
        None, help="Folder or archive of source files for the expansion by the call graph (default: skip the step)."
    )
    scope: str = option("file", choices=("file", "project"), help="Where called functions are searched.")
    depth: int | None = option(None, help="Maximum depth of calls (default: unlimited).")
    threshold: float = option(0.2, help="Line similarity above which a tagged fragment is merged with the exemplars.")
    merge: bool = option(True, help="Merge tagged fragments with the exemplars.")
    likeness: str = option(
        "measured", choices=("measured", "claimed"), help="Which line similarity counts: ours, or the source's."
    )
    reference: str = option(
        "exemplars",
        choices=("exemplars", "merged"),
        help="What a fragment must be similar to: an exemplar, or also a fragment merged before.",
    )
    expanded: bool = option(True, names=(" /--unexpanded",), help="Measure the similarity of the expanded texts.")
    tagged_pairs: bool = option(False, help="Keep pairs of two fragments that are only tagged true.")
    cap: int | None = option(500, help="Maximum number of fragments of a functionality.")
    no_cap: bool = option(False, terminal=True, help="Do not limit the number of fragments of a functionality.")
    capped: str = option(
        "fragments",
        choices=("fragments", "sides"),
        help="What the cap counts: all fragments, or true and false ones separately.",
    )
    negatives: str = option("all", choices=("all", "original"), help="Which exemplars are used in false pairs.")


@dataclass(frozen=True, kw_only=True)
class AssumedNegativesOptions(
    SeedOptions,
    OutputOptions,
    EngineOptions,
    JsonOptions,
    command="build assumed-negatives",
    function="build_assumed_negatives",
):
    """Make the set that the papers warn of: members of different functionalities as non-clones (CDLH, TBCCD).

    Its labels are wrong on purpose: train and evaluate on it to measure what the assumption does to a number. The
    audit reports it (CT101).
    """

    benchmark: Path = argument(accepts="Benchmark", help="The benchmark folder.")
    train: int = option(8134, minimum=0, help="Number of methods of the training part.")
    valid: int = option(500, minimum=0, help="Number of methods of the validation part.")
    test: int = option(500, minimum=0, help="Number of methods of the test part.")
    pairs: int | None = option(None, minimum=1, help="Maximum number of pairs of a part, drawn by hash (default: all).")


@dataclass(frozen=True, kw_only=True)
class ContestOptions(
    SeedOptions, OutputOptions, EngineOptions, JsonOptions, command="build contest", function="build_contest"
):
    """Balance a contest source and pair its solutions, by the recipe of GoogleCodeJam2 (Li et al. 2023).

    The pairs have no labels: the policy 'members' decides on them from what the online judge accepted.
    """

    benchmark: Path = argument(accepts="Benchmark", help="The benchmark folder of a contest source.")
    at_least: int = option(500, help="Minimum number of accepted solutions of a problem.")
    cap: int | None = option(None, help="Maximum number of solutions of a problem, drawn by hash (default: all).")
    overlapping_problems: str = option(
        "keep",
        choices=("keep", "merge", "leave-out"),
        help="Problems that share a program: keep them, make one of them, or leave them out. Other problems then count "
        "as disjoint.",
    )
    contradictory: bool = option(
        True, names=(" /--keep-contradictory",), help="Leave out texts that occur in two problems."
    )
    copies: bool = option(True, names=(" /--keep-copies",), help="Leave out further copies of a text in its problem.")
    pairs: bool = option(True, help="Make pairs; without them, they are drawn when they are needed.")
    positives: int | None = option(None, help="Maximum number of pairs within problems, drawn by hash (default: all).")
    ratio: float = option(1.0, help="Number of pairs across problems for each pair within one.")
    across_languages: bool = option(
        False, help="Only pairs of solutions in two languages; the problems must have solutions in several."
    )


@dataclass(frozen=True, kw_only=True)
class ApplyFixesOptions(OutputOptions, EngineOptions, JsonOptions, command="build apply", function="apply_fixes"):
    """Apply the mechanical steps of a fix plan, which `clonetruth audit --fix-plan` printed for this benchmark."""

    plan: Path = argument(accepts="Mapping[str, object]", help="The fix plan, a JSON file.")
    benchmark: Path = argument(accepts="Benchmark", help="The benchmark folder.")
    code: tuple[str, ...] = option((), help="Apply only the steps of this rule.")


@dataclass(frozen=True, kw_only=True)
class LabelQualityOptions(EngineOptions, JsonOptions, command="build label-quality", function="measure_label_quality"):
    """Compare a dataset's clone labels with the judgements on them, above and below a line similarity.

    JUDGED is a benchmark of judged pairs, such as bcb406: does the threshold of ConBigCloneBench improve labels?
    """

    judged: Path = argument(accepts="Benchmark", help="A benchmark of judged pairs.")
    threshold: float = option(0.2, positional=True, help="Line similarity that divides the pairs.")
    exemplars: Path | None = option(
        None,
        positional=True,
        metavar="BENCHMARK",
        accepts="Benchmark",
        help="Divide the pairs by their similarity to the exemplars of this benchmark instead.",
    )


@dataclass(frozen=True, kw_only=True)
class RecoverFunctionalitiesOptions(
    SeedOptions, EngineOptions, JsonOptions, command="build functionalities", function="recover_functionalities"
):
    """Recover the functionalities of fragments from ids, pairs and texts.

    Functionalities that others know for fragments with the same id are adopted; the rest is inferred. Each assignment
    has its evidence and a confidence that was measured on hidden members; what is too uncertain stays unknown.
    """

    benchmark: Path = argument(accepts="Benchmark", help="The benchmark folder.")
    output: Path | None = option(
        None, names=("-o",), setting=False, help="The new benchmark folder; not needed for a check."
    )
    with_: tuple[Path, ...] = option(
        (),
        metavar="BENCHMARK|TABLE",
        help="A benchmark folder, or a table with function_id and functionality_id, with known functionalities.",
    )
    confidence: float = option(0.9, above=0, maximum=1, help="Minimum measured confidence of an assignment.")
    pairs: bool = option(True, help="Use positive and negative pairs.")
    twins: bool = option(True, help="Use fragments with nearly equal texts.")
    check_folds: int | None = option(
        None, minimum=2, help="Measure coverage and accuracy by hiding known members in this number of folds."
    )


@dataclass(frozen=True, kw_only=True)
class MutantsOptions(
    SeedOptions, OutputOptions, EngineOptions, JsonOptions, command="build mutants", function="build_mutants"
):
    """Make Type-1, Type-2 and Type-3 clones of the functions of SOURCE by known edits.

    SOURCE is a folder or file of source code, an archive, or a benchmark folder. Each function is edited by one of the
    operators of Roy and Cordy's taxonomy; every mutant parses, and is checked to differ as its operator says.
    """

    source: tuple[Path, ...] = argument(
        accepts="Benchmark", help="Folders, files or archives of source code, or a benchmark folder."
    )
    operators: tuple[str, ...] = option(
        (),
        metavar="NAME[,NAME]...",
        commas=True,
        project=WORD,
        help="Operators by name (docs/mutation.md), or T1, T2, T3 (default: all).",
    )
    per_fragment: int = option(1, help="Number of mutants of each function, by different operators.")
    originals: int = option(1000, help="Maximum number of functions to mutate, drawn by hash.")
    negatives: float = option(1.0, help="Number of near misses, which are not clones, for each mutant.")
    min_tokens: int = option(50, help="Skip functions with fewer tokens.")
    min_lines: int = option(6, help="Skip functions with fewer lines.")


@dataclass(frozen=True, kw_only=True)
class InjectClonesOptions(
    SeedOptions, OutputOptions, EngineOptions, JsonOptions, command="build inject", function="inject_clones"
):
    """Insert the fragments of a benchmark into the files of a copy of SYSTEM, a folder of source code.

    The copy is part of the new folder, as system/: run any clone detector on it, and give its report to
    `clonetruth evaluate REPORT --on FOLDER`. The two fragments of a pair are never in one file.
    """

    system: Path = argument(help="A folder of source code.")
    fragments: Path = option(metavar="BENCHMARK", accepts="Benchmark", help="The benchmark whose pairs are inserted.")
