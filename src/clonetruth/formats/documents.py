"""A JSON file that is one document, read whole within bounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.streams import open_stream

MOST_BYTES = 256 * 1024 * 1024
"""A larger document is refused: whatever is larger should come as lines."""


def read_document(path: Path) -> Any:
    """The value in a JSON file, plain or compressed.

    Raises:
        InputError: it cannot be read, is no JSON, or is absurdly large.
    """
    with open_stream(path) as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise InputError(f"The document is larger than {MOST_BYTES:,} bytes.", where=path)
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"The file is not JSON: {error}", where=path) from error
