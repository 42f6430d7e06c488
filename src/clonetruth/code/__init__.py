"""What source text is: languages, fragments, tokens, normal forms, similarity, clone types."""

from clonetruth.code.abstraction import FunctionNames, abstract, collect_functions
from clonetruth.code.callgraph import CallGraph, CallGraphFile, call_graph
from clonetruth.code.clonetypes import CUT_RULES, TYPE_MEANINGS, CloneType, CutRule, clone_type
from clonetruth.code.files import ExtractedFile, extract_files, source_files
from clonetruth.code.forms import Form, FragmentForms, form_digest, form_lines, fragment_forms, normal_form
from clonetruth.code.fragments import Extraction, ExtractOptions, Function, extract
from clonetruth.code.language import Language, TokenKind
from clonetruth.code.languages import LANGUAGES, language, language_of_path
from clonetruth.code.metrics import FragmentMetrics, FragmentProfile, fragment_metrics, fragment_profile
from clonetruth.code.overlap import Bags, OverlapGroups, OverlapPairs, overlap_groups, overlap_join
from clonetruth.code.parallel import available_cores, map_parallel
from clonetruth.code.parsing import Parsed, Problem, parse
from clonetruth.code.similarity import FormTable, PairMeasures, SequenceTable, Similarity, similarity
from clonetruth.code.source import SourceText, decode, read_source
from clonetruth.code.tokens import Token, TokenStream, token_stream
from clonetruth.code.words import lexed_tokens, name_tokens, sign_tokens, subwords, words

__all__ = [
    "CUT_RULES",
    "LANGUAGES",
    "TYPE_MEANINGS",
    "Bags",
    "CallGraph",
    "CallGraphFile",
    "CloneType",
    "CutRule",
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
    "available_cores",
    "call_graph",
    "clone_type",
    "collect_functions",
    "decode",
    "extract",
    "extract_files",
    "form_digest",
    "form_lines",
    "fragment_forms",
    "fragment_metrics",
    "fragment_profile",
    "language",
    "language_of_path",
    "lexed_tokens",
    "map_parallel",
    "name_tokens",
    "normal_form",
    "overlap_groups",
    "overlap_join",
    "parse",
    "read_source",
    "sign_tokens",
    "similarity",
    "source_files",
    "subwords",
    "token_stream",
    "words",
]
