"""The registry of sources, and its listing. A source is one file and one line in the registry."""

from __future__ import annotations

from clonetruth.options.declaration import verb
from clonetruth.options.sources import SourcesOptions
from clonetruth.registry import Registry
from clonetruth.sources.source import Source, SourceCard

SOURCES: Registry[Source] = Registry(
    "source",
    {
        "embedded": "clonetruth.sources.embedded:SOURCE",
        "trueclones": "clonetruth.sources.trueclones:SOURCE",
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
        "mbxp": "clonetruth.sources.mbxp:SOURCE",
        "quixbugs": "clonetruth.sources.quixbugs:SOURCE",
        "fempd": "clonetruth.sources.fempd:SOURCE",
        "gcj2": "clonetruth.sources.gcj2:SOURCE",
    },
    group="clonetruth.sources",
    of=Source,
)


@verb(SourcesOptions)
def list_sources(options: SourcesOptions) -> tuple[SourceCard, ...]:
    """List the datasets that can be imported, each with a card of what to know before you trust it.

    Returns:
        The cards of all sources, or of the named one.

    Raises:
        UnknownNameError: there is no source with this name.

    Example:
        >>> clonetruth.list_sources("bcb406")[0].label_means
        'T: both methods implement the functionality as their main purpose, ...'
    """
    names = SOURCES if options.name is None else (options.name,)
    return tuple(SOURCES[name].card for name in names)
