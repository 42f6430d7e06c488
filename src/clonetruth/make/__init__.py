"""Benchmarks from nothing: recipes of stages that mine a code base, or generate clones with a language model."""

from clonetruth.make.heuristic import Heuristic, parse_heuristic
from clonetruth.make.maker import make_benchmark, plan_make, show_make
from clonetruth.make.recipe import MakeRecipe, read_recipe, recipe_names
from clonetruth.make.registry import STAGES
from clonetruth.make.report import MakeReport, StageProgress, StageReport, StageState
from clonetruth.make.stage import Stage, StageEstimate, StageOutcome, StageWork, WaitingError
from clonetruth.make.trueclones import EvidenceReport, make_evidence

__all__ = [
    "STAGES",
    "EvidenceReport",
    "Heuristic",
    "MakeRecipe",
    "MakeReport",
    "Stage",
    "StageEstimate",
    "StageOutcome",
    "StageProgress",
    "StageReport",
    "StageState",
    "StageWork",
    "WaitingError",
    "make_benchmark",
    "make_evidence",
    "parse_heuristic",
    "plan_make",
    "read_recipe",
    "recipe_names",
    "show_make",
]
