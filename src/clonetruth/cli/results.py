"""Results as they are named on the command line."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clonetruth.store.results import Result


def given_result(text: str) -> Result:
    """The result in a file that `clonetruth evaluate` wrote, or in a text report of BigCloneEval.

    Args:
        text: the file; or NAME=FILE, which gives the detector another name.

    Raises:
        InputError: the file is neither, or damaged.
    """
    from clonetruth.evaluate.locations.published import published_result
    from clonetruth.formats.bigcloneeval_report import recognise_report
    from clonetruth.store.results import read_result

    name, equals, file = text.partition("=")
    renamed = bool(equals) and not Path(text).exists()
    path = Path(file) if renamed else Path(text)
    result = published_result(path) if recognise_report(path) else read_result(path)
    return dataclasses.replace(result, detector=name) if renamed else result
