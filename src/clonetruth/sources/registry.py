"""The sources: one file each, one line here."""

from __future__ import annotations

from clonetruth.registry import Registry
from clonetruth.sources.source import Source

SOURCES: Registry[Source] = Registry(
    "source",
    {
        "embedded": "clonetruth.sources.embedded:SOURCE",
    },
    group="clonetruth.sources",
)
