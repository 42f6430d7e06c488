"""The field's file formats: tables, predictions, labels, archives, and reports of clone detectors (`reports`).

Readers accept plain and compressed files, stream rows, and raise `InputError` with the file and the line.
"""

from clonetruth.formats.codexglue import LabelledPair, read_labels, write_codexglue
from clonetruth.formats.documents import read_document
from clonetruth.formats.predictions import PREDICTIONS, Predictions, read_predictions
from clonetruth.formats.predictions_in_memory import PredictionSource, load_predictions
from clonetruth.formats.streams import open_stream, read_lines
from clonetruth.formats.tables import Row, read_csv, read_json_lines, read_rows
from clonetruth.formats.trees import ArchiveMember, is_tree, read_tree
from clonetruth.formats.writers import write_bigcloneeval, write_csv

__all__ = [
    "PREDICTIONS",
    "ArchiveMember",
    "LabelledPair",
    "PredictionSource",
    "Predictions",
    "Row",
    "is_tree",
    "load_predictions",
    "open_stream",
    "read_csv",
    "read_document",
    "read_json_lines",
    "read_labels",
    "read_lines",
    "read_predictions",
    "read_rows",
    "read_tree",
    "write_bigcloneeval",
    "write_codexglue",
    "write_csv",
]
