"""The sources: one file each, one line here."""

from __future__ import annotations

from clonetruth.registry import Registry
from clonetruth.sources.source import Source

SOURCES: Registry[Source] = Registry(
    "source",
    {
        "embedded": "clonetruth.sources.embedded:SOURCE",
        "bigclonebench": "clonetruth.sources.bigclonebench:SOURCE",
        "bigclonebench-functions": "clonetruth.sources.bigclonebench_functions:SOURCE",
        "astnn": "clonetruth.sources.astnn:SOURCE",
        "toma": "clonetruth.sources.toma:SOURCE",
        "zhengly1": "clonetruth.sources.zhengly1:SOURCE",
        "codexglue-bcb": "clonetruth.sources.codexglue_bcb:SOURCE",
        "absbigclonebench": "clonetruth.sources.absbigclonebench:SOURCE",
        "graphmatch": "clonetruth.sources.graphmatch:SOURCE",
        "bcb-extract": "clonetruth.sources.bcb_extract:SOURCE",
        "bcb406": "clonetruth.sources.bcb406:SOURCE",
        "iwsc100": "clonetruth.sources.iwsc100:SOURCE",
        "oreo-precision": "clonetruth.sources.oreo_precision:SOURCE",
        "gptclonebench": "clonetruth.sources.gptclonebench:SOURCE",
        "semanticclonebench": "clonetruth.sources.semanticclonebench:SOURCE",
        "sesame": "clonetruth.sources.sesame:SOURCE",
        "openai-log": "clonetruth.sources.openai_log:SOURCE",
        "table": "clonetruth.sources.table:SOURCE",
        "folder": "clonetruth.sources.folder:SOURCE",
        "huggingface": "clonetruth.sources.huggingface:SOURCE",
        "codexglue-poj104": "clonetruth.sources.poj104:SOURCE",
        "gcj": "clonetruth.sources.gcj:SOURCE",
        "clcdsa": "clonetruth.sources.clcdsa:SOURCE",
        "codenet": "clonetruth.sources.codenet:SOURCE",
        "code4bench": "clonetruth.sources.code4bench:SOURCE",
        "cf500": "clonetruth.sources.cf500:SOURCE",
        "ocd": "clonetruth.sources.ocd:SOURCE",
        "soco": "clonetruth.sources.soco:SOURCE",
        "fcdetector": "clonetruth.sources.fcdetector:SOURCE",
        "clone-oracle": "clonetruth.sources.clone_oracle:SOURCE",
        "eqbench": "clonetruth.sources.eqbench:SOURCE",
        "mutantbench": "clonetruth.sources.mutantbench:SOURCE",
        "quixbugs": "clonetruth.sources.quixbugs:SOURCE",
        "fempd": "clonetruth.sources.fempd:SOURCE",
        "gcj2": "clonetruth.sources.gcj2:SOURCE",
    },
    group="clonetruth.sources",
)
