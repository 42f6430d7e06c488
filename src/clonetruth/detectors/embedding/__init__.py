"""Embeddings: fragments as vectors, and detectors, retrieval and candidates made of them."""

from clonetruth.detectors.embedding.detector import EmbeddingDetector
from clonetruth.detectors.embedding.embedder import EmbeddedTexts, Embedder
from clonetruth.detectors.embedding.neighbours import EXACT_ROWS, nearest_rows
from clonetruth.detectors.embedding.vector_cache import VectorCache

__all__ = ["EXACT_ROWS", "EmbeddedTexts", "Embedder", "EmbeddingDetector", "VectorCache", "nearest_rows"]
