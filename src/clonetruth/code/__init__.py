"""Source text: discovery, languages, parsing, fragments, tokens, normal forms, similarity, clone types, abstraction.

Mutation is in `clonetruth.code.mutation`, questions to git in `clonetruth.code.git`. What few programs need is loaded
when it is first used: a search for clones starts sooner without it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from clonetruth.code.clonetypes import CUT_RULES, TYPE_MEANINGS, CloneType, CutRule, clone_type
from clonetruth.code.discovery import DiscoveredFile, Discovery, DiscoveryOptions, discover
from clonetruth.code.forms import Form, FragmentForms, form_digest, form_lines, fragment_forms, normal_form
from clonetruth.code.fragments import Extraction, ExtractOptions, Function, extract
from clonetruth.code.language import Language, TokenKind
from clonetruth.code.languages import LANGUAGES, language, language_of_path
from clonetruth.code.overlap import Bags, OverlapGroups, OverlapPairs, overlap_groups, overlap_join, overlap_parts
from clonetruth.code.parallel import available_cores, map_parallel
from clonetruth.code.parsing import Parsed, Problem, parse
from clonetruth.code.similarity import FormTable, PairMeasures, SequenceTable, Similarity, similarity
from clonetruth.code.source import SourceText, decode, read_source
from clonetruth.code.tokens import Token, TokenStream, token_stream
from clonetruth.code.words import lexed_tokens, name_tokens, subword_estimate, subwords, symbol_tokens, words

if TYPE_CHECKING:
    from clonetruth.code.abstraction import AbstractionReading, FunctionNames, abstract, collect_functions
    from clonetruth.code.callgraph import CallGraph, CallGraphFile, call_graph
    from clonetruth.code.files import ExtractedFile, extract_files, source_files
    from clonetruth.code.inspection import (
        LanguageSummary,
        MeasuredFunction,
        abstract_code,
        extract_functions,
        list_languages,
        measure_code,
        normalise_code,
        read_code,
        tokenize_code,
    )
    from clonetruth.code.metrics import FragmentMetrics, FragmentProfile, fragment_metrics, fragment_profile

__all__ = [
    "CUT_RULES",
    "LANGUAGES",
    "TYPE_MEANINGS",
    "AbstractionReading",
    "Bags",
    "CallGraph",
    "CallGraphFile",
    "CloneType",
    "CutRule",
    "DiscoveredFile",
    "Discovery",
    "DiscoveryOptions",
    "ExtractOptions",
    "ExtractedFile",
    "Extraction",
    "Form",
    "FormTable",
    "FragmentForms",
    "FragmentMetrics",
    "FragmentProfile",
    "Function",
    "FunctionNames",
    "Language",
    "LanguageSummary",
    "MeasuredFunction",
    "OverlapGroups",
    "OverlapPairs",
    "PairMeasures",
    "Parsed",
    "Problem",
    "SequenceTable",
    "Similarity",
    "SourceText",
    "Token",
    "TokenKind",
    "TokenStream",
    "abstract",
    "abstract_code",
    "available_cores",
    "call_graph",
    "clone_type",
    "collect_functions",
    "decode",
    "discover",
    "extract",
    "extract_files",
    "extract_functions",
    "form_digest",
    "form_lines",
    "fragment_forms",
    "fragment_metrics",
    "fragment_profile",
    "language",
    "language_of_path",
    "lexed_tokens",
    "list_languages",
    "map_parallel",
    "measure_code",
    "name_tokens",
    "normal_form",
    "normalise_code",
    "overlap_groups",
    "overlap_join",
    "overlap_parts",
    "parse",
    "read_code",
    "read_source",
    "similarity",
    "source_files",
    "subword_estimate",
    "subwords",
    "symbol_tokens",
    "token_stream",
    "tokenize_code",
    "words",
]

_LATER = {
    "AbstractionReading": "abstraction",
    "FunctionNames": "abstraction",
    "abstract": "abstraction",
    "collect_functions": "abstraction",
    "CallGraph": "callgraph",
    "CallGraphFile": "callgraph",
    "call_graph": "callgraph",
    "ExtractedFile": "files",
    "extract_files": "files",
    "source_files": "files",
    "LanguageSummary": "inspection",
    "MeasuredFunction": "inspection",
    "abstract_code": "inspection",
    "extract_functions": "inspection",
    "list_languages": "inspection",
    "measure_code": "inspection",
    "normalise_code": "inspection",
    "read_code": "inspection",
    "tokenize_code": "inspection",
    "FragmentMetrics": "metrics",
    "FragmentProfile": "metrics",
    "fragment_metrics": "metrics",
    "fragment_profile": "metrics",
}
"""Names that are loaded when they are first used, with their modules."""


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
