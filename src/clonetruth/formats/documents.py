"""JSON files that hold a single document, read whole up to the budget."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.streams import read_whole
from clonetruth.parsing import parse_json


def read_document(path: str | os.PathLike[str]) -> Any:
    """Read the value in a JSON file, plain or compressed.

    Raises:
        InputError: the file cannot be read, is not JSON, or is too large.
    """
    path = Path(path)
    try:
        return parse_json(read_whole(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"The file is not JSON: {error}", where=path) from error
