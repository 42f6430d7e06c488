"""Canonical trees: one set of labels for all languages, and the views of a fragment that are compared."""

from clonetruth.code.canonical.features import VIEWS, statement_hashes
from clonetruth.code.canonical.forest import Forest, read_forest
from clonetruth.code.canonical.grams import GRAM_BINS, GramCounts, read_grams
from clonetruth.code.canonical.labels import DETAILS, Label
from clonetruth.code.canonical.views import BINS, ViewCounts, read_views

__all__ = [
    "BINS",
    "DETAILS",
    "GRAM_BINS",
    "VIEWS",
    "Forest",
    "GramCounts",
    "Label",
    "ViewCounts",
    "read_forest",
    "read_grams",
    "read_views",
    "statement_hashes",
]
