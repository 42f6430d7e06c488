"""Whole pages, each a self-contained HTML file, and exports of benchmarks and studies."""

from clonetruth.report.compare import ComparisonView, comparison_page
from clonetruth.report.demo import demo_page
from clonetruth.report.demo_view import (
    Demo,
    DemoExample,
    DemoFunctionality,
    DemoPair,
    DemoRate,
    DemoView,
    ThresholdOutcome,
)
from clonetruth.report.execution import execution_page
from clonetruth.report.export import ExportReport, export_benchmark
from clonetruth.report.leaderboard_site import LeaderboardSite, write_leaderboard_site
from clonetruth.report.make import make_page
from clonetruth.report.pages import run_demo, write_report
from clonetruth.report.run import run_page

__all__ = [
    "ComparisonView",
    "Demo",
    "DemoExample",
    "DemoFunctionality",
    "DemoPair",
    "DemoRate",
    "DemoView",
    "ExportReport",
    "LeaderboardSite",
    "ThresholdOutcome",
    "comparison_page",
    "demo_page",
    "execution_page",
    "export_benchmark",
    "make_page",
    "run_demo",
    "run_page",
    "write_leaderboard_site",
    "write_report",
]
