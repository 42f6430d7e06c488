"""What leaves: pages that a person can read, each one HTML file that needs nothing but itself."""

from clonetruth.report.alignment import AlignedRow, align, columns, split_lines
from clonetruth.report.blocks import (
    Block,
    Callout,
    Figure,
    bullets,
    callouts,
    cautions,
    details,
    figures,
    heading,
    key_facts,
    lead,
    listing,
    note,
    paragraph,
)
from clonetruth.report.code import Side, highlight, side_by_side
from clonetruth.report.compare import ComparisonView, comparison_page
from clonetruth.report.demo import demo_page
from clonetruth.report.demo_view import (
    DemoExample,
    DemoFunctionality,
    DemoPair,
    DemoView,
    Rate,
    ThresholdOutcome,
)
from clonetruth.report.page import Page, Section, render, write
from clonetruth.report.tables import Column, Table

__all__ = [
    "AlignedRow",
    "Block",
    "Callout",
    "Column",
    "ComparisonView",
    "DemoExample",
    "DemoFunctionality",
    "DemoPair",
    "DemoView",
    "Figure",
    "Page",
    "Rate",
    "Section",
    "Side",
    "Table",
    "ThresholdOutcome",
    "align",
    "bullets",
    "callouts",
    "cautions",
    "columns",
    "comparison_page",
    "demo_page",
    "details",
    "figures",
    "heading",
    "highlight",
    "key_facts",
    "lead",
    "listing",
    "note",
    "paragraph",
    "render",
    "side_by_side",
    "split_lines",
    "write",
]
