"""Canonical trees: one set of labels for all languages, and the views of a fragment that are compared."""

from clonetruth.code.canonical.features import VIEWS
from clonetruth.code.canonical.forest import Forest, read_forest
from clonetruth.code.canonical.labels import DETAILS, Label
from clonetruth.code.canonical.views import BINS, ViewCounts, read_views

__all__ = ["BINS", "DETAILS", "VIEWS", "Forest", "Label", "ViewCounts", "read_forest", "read_views"]
