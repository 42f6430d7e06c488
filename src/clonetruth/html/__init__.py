"""Parts of pages: tables, code blocks, plots and templates that notebooks, study pages and reports share."""

from clonetruth.html.alignment import AlignedRow, align, columns, split_lines
from clonetruth.html.blocks import (
    Callout,
    Figure,
    HtmlBlock,
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
from clonetruth.html.code_blocks import Side, highlight, side_by_side
from clonetruth.html.page import Page, Section, render, write
from clonetruth.html.tables import Column, Table

__all__ = [
    "AlignedRow",
    "Callout",
    "Column",
    "Figure",
    "HtmlBlock",
    "Page",
    "Section",
    "Side",
    "Table",
    "align",
    "bullets",
    "callouts",
    "cautions",
    "columns",
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
