"""`benchmark.json`: Croissant metadata, with the benchmark's header under a separate key.

Croissant (https://docs.mlcommons.org/croissant/) is JSON-LD that dataset hubs and `mlcroissant` read. The
header is opaque JSON to them (`"@type": "@json"`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.budgets import read_text
from clonetruth.errors import BenchmarkError
from clonetruth.parsing import parse_json
from clonetruth.store.hashing import hash_file
from clonetruth.store.header import Header
from clonetruth.store.schemas import CORE, IMMUTABLE, TABLES

FILE_NAME = "benchmark.json"
HEADER_KEY = "ct:benchmark"

_PARQUET = "application/x-parquet"

_CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "ct": "urn:clonetruth:",
    HEADER_KEY: {"@id": HEADER_KEY, "@type": "@json"},
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant_text(header: Header, folder: Path) -> str:
    """The text of `benchmark.json` for a folder whose tables have been written."""
    card = header.card
    document: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": card.name,
        "version": card.version,
        "description": card.description,
        "license": card.licence,
        "citeAs": card.citation,
        **({"url": card.url} if card.url else {}),
        "isLiveDataset": True,
        "distribution": _files(folder) + _file_sets(),
        "recordSet": [_record_set(name) for name in CORE],
        HEADER_KEY: header.to_json(),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def read_header(folder: Path) -> Header:
    """The header in a folder's `benchmark.json`.

    Raises:
        BenchmarkError: the file is missing, not JSON, of another kind, or of a newer version.
    """
    path = folder / FILE_NAME
    try:
        document = parse_json(read_text(path))
    except FileNotFoundError as error:
        hint = "Give the folder that `clonetruth import` created." if folder.is_dir() else "There is no such folder."
        raise BenchmarkError("Not a benchmark folder.", where=path, hint=hint) from error
    except (OSError, ValueError) as error:
        raise BenchmarkError(
            "The file cannot be read as JSON.",
            where=path,
            hint=f"Copy the benchmark folder again from its origin. ({error})",
        ) from error
    return Header.from_json(document.get(HEADER_KEY) if isinstance(document, dict) else None, path)


def _files(folder: Path) -> list[dict[str, Any]]:
    return [
        {
            "@type": "cr:FileObject",
            "@id": path.relative_to(folder).as_posix(),
            "name": path.relative_to(folder).as_posix(),
            "contentUrl": path.relative_to(folder).as_posix(),
            "contentSize": f"{path.stat().st_size} B",
            "encodingFormat": _PARQUET,
            "sha256": hash_file(path),
        }
        for path in sorted(folder.rglob("*.parquet"))
    ]


def _file_sets() -> list[dict[str, Any]]:
    """The tables that grow by parts: files added later belong to them without a change here."""
    return [
        {
            "@type": "cr:FileSet",
            "@id": f"{name}-parts",
            "name": f"{name}-parts",
            "encodingFormat": _PARQUET,
            "includes": TABLES[name].files,
        }
        for name in CORE
        if name not in IMMUTABLE
    ]


def _record_set(name: str) -> dict[str, Any]:
    table = TABLES[name]
    origin = {"fileObject": {"@id": table.files}} if name in IMMUTABLE else {"fileSet": {"@id": f"{name}-parts"}}
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": table.row,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{field.name}",
                "name": f"{name}/{field.name}",
                "description": field.metadata[b"description"].decode(),
                "dataType": _data_type(field.type),
                "source": {**origin, "extract": {"column": field.name}},
            }
            for field in table.schema
        ],
    }


def _data_type(kind: pa.DataType) -> str:
    if pa.types.is_integer(kind):
        return "sc:Integer"
    if pa.types.is_floating(kind):
        return "sc:Float"
    return "sc:DateTime" if pa.types.is_timestamp(kind) else "sc:Text"
