"""Plots as inline SVG, drawn without a plotting library."""

from clonetruth.html.plots.bars import Dot, Series, bar_chart, dot_chart, histogram, share_map
from clonetruth.html.plots.canvas import Labels, Svg
from clonetruth.html.plots.outcomes import ConfusionWords, PlottedEstimate, confusion_matrix, interval_plot
from clonetruth.html.plots.points import Cloud, PlottedCurve, Point, Region, line_chart, scatter_plane
from clonetruth.html.plots.slopes import Slope, SlopeStage, slope_chart

__all__ = [
    "Cloud",
    "ConfusionWords",
    "Dot",
    "Labels",
    "PlottedCurve",
    "PlottedEstimate",
    "Point",
    "Region",
    "Series",
    "Slope",
    "SlopeStage",
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
