"""Datasets coming in: one file per dataset, each with a card of what to know before believing it.

A dataset's module is loaded when it is asked for, so that the room stays light however many it holds.
"""

from clonetruth.sources.importing import ImportReport, import_dataset, recognise
from clonetruth.sources.registry import SOURCES
from clonetruth.sources.source import ImportLog, Skipped, Source, SourceCard

__all__ = [
    "SOURCES",
    "ImportLog",
    "ImportReport",
    "Skipped",
    "Source",
    "SourceCard",
    "import_dataset",
    "recognise",
]
