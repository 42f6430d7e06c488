"""Whole pages and datasheets, each one HTML file that needs nothing but itself."""

from clonetruth.report.compare import ComparisonView, comparison_page
from clonetruth.report.demo import demo_page
from clonetruth.report.demo_view import DemoExample, DemoFunctionality, DemoPair, DemoRate, DemoView, ThresholdOutcome

__all__ = [
    "ComparisonView",
    "DemoExample",
    "DemoFunctionality",
    "DemoPair",
    "DemoRate",
    "DemoView",
    "ThresholdOutcome",
    "comparison_page",
    "demo_page",
]
