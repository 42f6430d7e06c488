"""Manifests: what produced a number, so that it can be produced again."""

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
from clonetruth.store.hashing import hash_json

PACKAGES = ("duckdb", "numpy", "pyarrow", "rapidfuzz", "tree-sitter")
"""Packages whose version may change a number."""


def build_manifest(inputs: Mapping[str, str], configuration: Mapping[str, Any], seed: int | None = None) -> Manifest:
    """The manifest of a run that happens now.

    Args:
        inputs: names to content hashes.
        configuration: every option that has an influence, as JSON values.
        seed: the seed of what is random.
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
    """Read what `manifest_text` wrote.

    Raises:
        InputError: the text is no manifest.
    """
    try:
        return Manifest(**json.loads(text))
    except (ValueError, TypeError) as error:
        raise InputError(f"This is no manifest: {error}", where=where) from error


def _versions() -> dict[str, str]:
    found = {"clonetruth": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
