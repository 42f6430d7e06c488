"""The recipes: one file each, one line here."""

from __future__ import annotations

from clonetruth.build.recipe import BuildRecipe
from clonetruth.registry import Registry

RECIPES: Registry[BuildRecipe] = Registry(
    "recipe",
    {
        "bcb-pairs": "clonetruth.build.bcb_pairs:RECIPE",
        "confidence-bcb": "clonetruth.build.confidence_bcb:RECIPE",
        "assumed-negatives": "clonetruth.build.assumed_negatives:RECIPE",
        "contest": "clonetruth.build.contest:RECIPE",
        "functionalities": "clonetruth.build.functionalities:RECIPE",
        "mutants": "clonetruth.build.mutants:RECIPE",
        "inject": "clonetruth.build.inject:RECIPE",
        "apply": "clonetruth.build.fixes:RECIPE",
    },
    group="clonetruth.recipes",
    of=BuildRecipe,
)
