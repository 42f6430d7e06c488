"""Searching source trees for clones, with an index that remembers."""

from clonetruth.detectors.search.blocks import BLOCK_PAIRS, block_pairs
from clonetruth.detectors.search.index import Index
from clonetruth.detectors.search.result import FRAGMENTS_FOUND, PAIRS_FOUND, Found, SkippedFile, SourceFile
from clonetruth.detectors.search.searching import search

__all__ = [
    "BLOCK_PAIRS",
    "FRAGMENTS_FOUND",
    "PAIRS_FOUND",
    "Found",
    "Index",
    "SkippedFile",
    "SourceFile",
    "block_pairs",
    "search",
]
