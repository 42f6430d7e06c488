"""Clone reports: what a search found, put into classes, described in words, compared with earlier reports."""

from clonetruth.detectors.clones.report import CLONE_TYPES, CloneClass, CloneReport, LeftOut, Member, Unread

__all__ = ["CLONE_TYPES", "CloneClass", "CloneReport", "LeftOut", "Member", "Unread"]
