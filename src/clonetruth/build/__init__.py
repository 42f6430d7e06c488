"""Benchmarks derived from benchmarks: pairing, repairing, contests, mutants, injection."""

from clonetruth.build.assumed_negatives import build_assumed_negatives
from clonetruth.build.balance import Balance, balance_of, balances
from clonetruth.build.bcb_pairs import build_bcb_pairs
from clonetruth.build.confidence_bcb import build_confidence_bcb
from clonetruth.build.contest import build_contest
from clonetruth.build.fixes import apply_fixes
from clonetruth.build.functionalities import RecoveredFunctionalities, recover_functionalities
from clonetruth.build.inject import inject_clones
from clonetruth.build.label_quality import JudgedLabelQuality, measure_label_quality
from clonetruth.build.mutants import build_mutants
from clonetruth.build.recipe import BuildRecipe, read_options
from clonetruth.build.registry import RECIPES
from clonetruth.build.report import BuildReport, BuildStep, PublishedComparison

__all__ = [
    "RECIPES",
    "Balance",
    "BuildRecipe",
    "BuildReport",
    "BuildStep",
    "JudgedLabelQuality",
    "PublishedComparison",
    "RecoveredFunctionalities",
    "apply_fixes",
    "balance_of",
    "balances",
    "build_assumed_negatives",
    "build_bcb_pairs",
    "build_confidence_bcb",
    "build_contest",
    "build_mutants",
    "inject_clones",
    "measure_label_quality",
    "read_options",
    "recover_functionalities",
]
