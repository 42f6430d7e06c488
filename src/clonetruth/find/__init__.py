"""Clones in source trees: search, clone classes, described differences, and an index that later runs reuse."""

from clonetruth.find.blocks import BLOCK_PAIRS, block_pairs
from clonetruth.find.clone_class import (
    CLONE_TYPES,
    CloneClass,
    CloneMember,
    HintParameter,
    LastChange,
    RefactoringHint,
    RelatedClone,
)
from clonetruth.find.clones import annotated, clones_in, failed_gates, find_clones
from clonetruth.find.finder_specs import DEFAULT_FINDERS
from clonetruth.find.index import IndexFile
from clonetruth.find.outcome import ClonePair, Clones
from clonetruth.find.output import copies_badge
from clonetruth.find.report import (
    CloneReport,
    FolderCopies,
    OmittedClones,
    UnparsedFile,
    UnreadFile,
    read_report,
    report_pieces,
    report_text,
)
from clonetruth.find.search import search_files
from clonetruth.find.search_result import (
    FRAGMENTS_FOUND,
    PAIRS_FOUND,
    BrokenFile,
    SearchedFile,
    SearchResult,
    SkippedFile,
)

__all__ = [
    "BLOCK_PAIRS",
    "CLONE_TYPES",
    "DEFAULT_FINDERS",
    "FRAGMENTS_FOUND",
    "PAIRS_FOUND",
    "BrokenFile",
    "CloneClass",
    "CloneMember",
    "ClonePair",
    "CloneReport",
    "Clones",
    "FolderCopies",
    "HintParameter",
    "IndexFile",
    "LastChange",
    "OmittedClones",
    "RefactoringHint",
    "RelatedClone",
    "SearchResult",
    "SearchedFile",
    "SkippedFile",
    "UnparsedFile",
    "UnreadFile",
    "annotated",
    "block_pairs",
    "clones_in",
    "copies_badge",
    "failed_gates",
    "find_clones",
    "read_report",
    "report_pieces",
    "report_text",
    "search_files",
]
