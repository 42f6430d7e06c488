"""Benchmarks being made: pairing, repairing, contests, mutants."""

from clonetruth.build.balance import Balance, balance_of, balances
from clonetruth.build.recipe import BuildRecipe, read_options
from clonetruth.build.registry import RECIPES
from clonetruth.build.report import BuildReport, BuildStep, PublishedComparison

__all__ = [
    "RECIPES",
    "Balance",
    "BuildRecipe",
    "BuildReport",
    "BuildStep",
    "PublishedComparison",
    "balance_of",
    "balances",
    "read_options",
]
