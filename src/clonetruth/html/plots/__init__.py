"""Plots as inline SVG, drawn by hand on one small canvas."""

from clonetruth.html.plots.bars import Series, bar_chart, histogram
from clonetruth.html.plots.canvas import Labels, Svg
from clonetruth.html.plots.dots import Dot, dot_chart
from clonetruth.html.plots.outcomes import ConfusionWords, Estimate, confusion_matrix, interval_plot
from clonetruth.html.plots.points import Cloud, Curve, Point, Region, line_chart, scatter_plane
from clonetruth.html.plots.shares import share_map
from clonetruth.html.plots.slopes import Slope, Stage, slope_chart

__all__ = [
    "Cloud",
    "ConfusionWords",
    "Curve",
    "Dot",
    "Estimate",
    "Labels",
    "Point",
    "Region",
    "Series",
    "Slope",
    "Stage",
    "Svg",
    "bar_chart",
    "confusion_matrix",
    "dot_chart",
    "histogram",
    "interval_plot",
    "line_chart",
    "scatter_plane",
    "share_map",
    "slope_chart",
]
