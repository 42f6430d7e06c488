"""SARIF 2.1.0: a result with two or more locations, in `locations` and `relatedLocations`, is a clone class."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from clonetruth.errors import InputError
from clonetruth.formats.documents import read_document
from clonetruth.formats.reports.classes import LAST_LINE, ClassReport, RawLocation, ReportedClass, clone_class
from clonetruth.formats.reports.report import ReadingLog
from clonetruth.formats.sniffing import head

_SIGNATURE = re.compile(rb'sarif|"runs"\s*:')
_FILE_SCHEME = re.compile(r"file://[^/]*(?:/(?=[A-Za-z]:))?")
"""The part of a file URI before the path: the host, and the slash before a Windows drive."""


def _matches(path: Path) -> bool:
    start = head(path)
    return start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and bool(_SIGNATURE.search(start))


def _classes(path: Path, log: ReadingLog) -> Iterator[ReportedClass]:
    document = read_document(path)
    runs = document.get("runs") if isinstance(document, dict) else None
    if not isinstance(runs, list):
        raise InputError("The file is not SARIF: it has no list of runs.", where=path)
    for run in map(_object, runs):
        artifacts = _objects(run, "artifacts")
        for result in _objects(run, "results"):
            locations = [*_objects(result, "locations"), *_objects(result, "relatedLocations")]
            # The main location may be repeated among the related ones.
            unique = dict.fromkeys(_location(location, artifacts) for location in locations)
            yield from clone_class(unique, path, None, log)


def _location(location: dict[str, Any], artifacts: list[dict[str, Any]]) -> RawLocation:
    physical = _object(location.get("physicalLocation"))
    region = _object(physical.get("region"))
    first = _plain(region.get("startLine", 1 if not region else None))
    last = _plain(region.get("endLine", first if region else LAST_LINE))
    return RawLocation(_path(_object(physical.get("artifactLocation")), artifacts), first, last)


def _path(artifact: dict[str, Any], artifacts: list[dict[str, Any]]) -> str | None:
    address, index = artifact.get("uri"), artifact.get("index")
    if address is None and isinstance(index, int) and 0 <= index < len(artifacts):
        address = _object(artifacts[index].get("location")).get("uri")
    return unquote(_FILE_SCHEME.sub("", address, count=1)) if isinstance(address, str) else None


def _plain(value: Any) -> str | int | None:
    """A hashable value, whatever the file contains."""
    return value if value is None or isinstance(value, (str, int)) else str(value)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(owner: dict[str, Any], name: str) -> list[dict[str, Any]]:
    values = owner.get(name)
    return [_object(value) for value in values] if isinstance(values, list) else []


FORMAT = ClassReport(
    name="sarif",
    description="SARIF 2.1.0, results with two or more locations",
    matches=_matches,
    classes=_classes,
)
