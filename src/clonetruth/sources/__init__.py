"""Importing datasets: one file per dataset, each with a card of what to know before you trust it.

A dataset's module is loaded on first use, so that importing this package stays cheap.
"""

from clonetruth.sources.attach import AttachedEvidence, AttachReport, attach_evidence
from clonetruth.sources.importer import ImportReport, import_dataset, recognise
from clonetruth.sources.registry import SOURCES, list_sources
from clonetruth.sources.source import ImportLog, Skipped, Source, SourceCard

__all__ = [
    "SOURCES",
    "AttachReport",
    "AttachedEvidence",
    "ImportLog",
    "ImportReport",
    "Skipped",
    "Source",
    "SourceCard",
    "attach_evidence",
    "import_dataset",
    "list_sources",
    "recognise",
]
