"""Small files for every source in its original format, which the conformance suite imports and damages.

One line per source; the functions are in modules next to the tests of the sources.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.sources import bcb_fixtures, contest_fixtures, equivalence_fixtures, pair_samples

FIXTURES: dict[str, Callable[[Path], list[Path]]] = {
    "embedded": lambda folder: [],
    "trueclones": lambda folder: [],
    "bigclonebench": bcb_fixtures.bigclonebench,
    "bigclonebench-functions": bcb_fixtures.bigclonebench_functions,
    "astnn": bcb_fixtures.astnn,
    "toma": bcb_fixtures.toma,
    "zhengly1": bcb_fixtures.zhengly1,
    "codexglue-bcb": bcb_fixtures.codexglue_bcb,
    "absbigclonebench": bcb_fixtures.absbigclonebench,
    "graphmatch": bcb_fixtures.graphmatch,
    "conbigclonebench": contest_fixtures.conbigclonebench,
    "bcb-extract": bcb_fixtures.bcb_extract,
    "bcb406": bcb_fixtures.bcb406,
    "iwsc100": bcb_fixtures.iwsc100,
    "oreo-precision": bcb_fixtures.oreo_precision,
    "gptclonebench": pair_samples.gptclonebench,
    "semanticclonebench": pair_samples.semanticclonebench,
    "sesame": pair_samples.sesame,
    "openai-log": pair_samples.openai_log,
    "table": pair_samples.table,
    "folder": pair_samples.folder_of_sources,
    "huggingface": pair_samples.huggingface,
    "codexglue-poj104": contest_fixtures.poj104,
    "gcj": contest_fixtures.gcj,
    "gcj2": contest_fixtures.gcj2,
    "gcj-archive": contest_fixtures.gcj_archive,
    "clcdsa": contest_fixtures.clcdsa,
    "codenet": contest_fixtures.codenet,
    "code4bench": contest_fixtures.code4bench,
    "cf500": contest_fixtures.cf500,
    "fcdetector": contest_fixtures.fcdetector,
    "ocd": equivalence_fixtures.ocd,
    "soco": equivalence_fixtures.soco,
    "clone-oracle": equivalence_fixtures.clone_oracle,
    "eqbench": equivalence_fixtures.eqbench,
    "mutantbench": equivalence_fixtures.mutantbench,
    "mbxp": equivalence_fixtures.mbxp,
    "quixbugs": equivalence_fixtures.quixbugs,
    "fempd": equivalence_fixtures.fempd,
}

OPTIONS: dict[str, dict[str, str]] = {name: {"criterion": "functionally-similar"} for name in ("table", "huggingface")}
"""The options that sources require."""
