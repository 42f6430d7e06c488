"""The sources: one file each, one line here."""

from __future__ import annotations

from clonetruth.registry import Registry
from clonetruth.sources.source import Source

SOURCES: Registry[Source] = Registry(
    "source",
    {
        "embedded": "clonetruth.sources.embedded:SOURCE",
        "bigclonebench": "clonetruth.sources.bigclonebench:SOURCE",
        "gptclonebench": "clonetruth.sources.gptclonebench:SOURCE",
        "semanticclonebench": "clonetruth.sources.semanticclonebench:SOURCE",
        "sesame": "clonetruth.sources.sesame:SOURCE",
        "openai-log": "clonetruth.sources.openai_log:SOURCE",
    },
    group="clonetruth.sources",
)
