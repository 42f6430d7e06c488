"""Manifests: what produced a number, so that it can be reproduced."""

from __future__ import annotations

import dataclasses
import json
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from clonetruth import __version__
from clonetruth.errors import InputError
from clonetruth.model import Manifest
from clonetruth.parsing import parse_json
from clonetruth.store.hashing import hash_json

PACKAGES = ("duckdb", "numpy", "pyarrow", "rapidfuzz", "tree-sitter")
"""Packages whose version may affect a number."""


def build_manifest(inputs: Mapping[str, str], configuration: Mapping[str, Any], seed: int | None = None) -> Manifest:
    """The manifest of the current run.

    Args:
        inputs: content hashes by name.
        configuration: every option that affects the result, as JSON values.
        seed: random seed.
    """
    try:
        digest = hash_json(dict(configuration))
    except (TypeError, ValueError) as error:
        raise InputError(f"The configuration cannot be written as JSON: {error}") from error
    return Manifest(
        inputs=dict(sorted(inputs.items())),
        configuration=dict(configuration),
        configuration_digest=digest,
        seed=seed,
        versions=_versions(),
        time=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def manifest_text(manifest: Manifest) -> str:
    """A manifest as JSON text with sorted keys."""
    return json.dumps(dataclasses.asdict(manifest), sort_keys=True, indent=2, ensure_ascii=False)


def read_manifest(text: str, where: object = None) -> Manifest:
    """Read a manifest written by `manifest_text`.

    Raises:
        InputError: the text is not a manifest.
    """
    try:
        return Manifest(**parse_json(text))
    except (ValueError, TypeError) as error:
        raise InputError(f"Not a manifest: {error}", where=where) from error


def _versions() -> dict[str, str]:
    versions = {"clonetruth": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions
