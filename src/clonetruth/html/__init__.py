"""Tables, code blocks, plots and templates that notebooks, study pages and reports share.

A `Page` of `Section`s becomes a self-contained file; `notebook` builds what an object shows in a notebook; `plots`
draws SVG; `numbers` formats numbers.
"""

from clonetruth.html import notebook, numbers, plots
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
from clonetruth.html.code_blocks import Side, excerpt, highlight, side_by_side
from clonetruth.html.page import Page, Section, render, write
from clonetruth.html.tables import Column, Table
from clonetruth.html.templating import asset, page_style

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
    "asset",
    "bullets",
    "callouts",
    "cautions",
    "columns",
    "details",
    "excerpt",
    "figures",
    "heading",
    "highlight",
    "key_facts",
    "lead",
    "listing",
    "note",
    "notebook",
    "numbers",
    "page_style",
    "paragraph",
    "plots",
    "render",
    "side_by_side",
    "split_lines",
    "write",
]
