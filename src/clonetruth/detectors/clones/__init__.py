"""Clone reports: what a search found, put into classes, described in words, compared with earlier reports."""

from clonetruth.detectors.clones.document import read_report, report_text
from clonetruth.detectors.clones.finding import CloneOptions, clones_in, find_clones
from clonetruth.detectors.clones.outcome import ClonePair, Clones
from clonetruth.detectors.clones.report import CLONE_TYPES, CloneClass, CloneReport, LeftOut, Member, Unread
from clonetruth.detectors.clones.wishes import DEFAULT_FINDERS

__all__ = [
    "CLONE_TYPES",
    "DEFAULT_FINDERS",
    "CloneClass",
    "CloneOptions",
    "ClonePair",
    "CloneReport",
    "Clones",
    "LeftOut",
    "Member",
    "Unread",
    "clones_in",
    "find_clones",
    "read_report",
    "report_text",
]
