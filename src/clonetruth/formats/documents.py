"""JSON files that hold a single document, read whole up to a size limit."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.streams import open_stream

MOST_BYTES = 256 * 1024 * 1024
"""Larger documents are refused: data of that size should come as JSON lines."""


def read_document(path: str | os.PathLike[str]) -> Any:
    """Read the value in a JSON file, plain or compressed.

    Raises:
        InputError: the file cannot be read, is not JSON, or is too large.
    """
    path = Path(path)
    with open_stream(path) as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise InputError(f"The document is larger than {MOST_BYTES:,} bytes.", where=path)
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"The file is not JSON: {error}", where=path) from error
