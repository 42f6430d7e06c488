"""Objective-C. Directives, literals and declarators are those of `c.py`.

A method is named by its selector without the colons of its parts but the first: ``- (int)grow:… named:…`` is the
function ``grow`` of the class path of its ``@implementation``. An Objective-C string is one token with its ``@``.
"""

from __future__ import annotations

import re

from clonetruth.code.language import IDENTIFIER, Language, Lexicon, TokenKind, keywords
from clonetruth.code.languages.c import (
    CHARACTER,
    COMMENT,
    NUMBER,
    PREFIXED_LITERAL,
    PUNCTUATION,
    STRING,
    UNNAMED_PARAMETER,
    WORDS,
    declared,
)

_OPERATORS = b"-> ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^= <<= >>= ... ##"
_AT_WORDS = (
    "@interface @implementation @protocol @end @property @synthesize @dynamic @class @optional @required @selector "
    "@encode @try @catch @finally @throw @synchronized @autoreleasepool @public @private @protected @package @import "
    "@available @defs @compatibility_alias"
)
_STATEMENTS = """
    (expression_statement) (return_statement) (break_statement) (continue_statement) (goto_statement) (if_statement)
    (while_statement) (do_statement) (for_statement) (switch_statement) (try_statement) (throw_statement)
    (synchronized_statement)
"""
_REGION = re.compile(rb"^[ \t]*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:BEGIN|END)[ \t]*\r?$", re.MULTILINE)
_NOT_BREAKS = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))


def _without_regions(source: bytes) -> bytes:
    """Return a text with blanks in place of macros like ``NS_ASSUME_NONNULL_BEGIN`` that are alone on a line.

    The grammar takes one for the type of what follows, and loses the class there with all of its methods.
    """
    return _REGION.sub(lambda match: match[0].translate(_NOT_BREAKS), source)


def _functions(declarator: str) -> str:
    return f"(function_definition declarator: {declared(f'(function_declarator {declarator})')})"


OBJC = Language(
    name="objc",
    title="Objective-C",
    extensions=(".m", ".mm"),
    grammar="tree_sitter_objc:language",
    extra="languages",
    lexicon=Lexicon(
        comment=COMMENT,
        string=rb"@?" + STRING + rb"|<[\w./+-]+\.h>",
        character=CHARACTER,
        number=NUMBER,
        identifier=IDENTIFIER,
        operators=(*_OPERATORS.split(), *_AT_WORDS.encode().split()),
        words=keywords(WORDS + " instancetype id BOOL SEL Class IMP in self super")
        | keywords(_AT_WORDS)
        | keywords("YES NO true false TRUE FALSE", TokenKind.BOOLEAN)
        | keywords("nil Nil NULL nullptr", TokenKind.NULL),
        punctuation=PUNCTUATION,
        word_like_literal=PREFIXED_LITERAL,
    ),
    structure=f"""
        (preproc_include ["#include" "#import"] @opaque.keyword)
        (preproc_def "#define" @opaque.keyword)
        (preproc_function_def "#define" @opaque.keyword)
        (preproc_directive) @opaque.keyword
        (preproc_if ["#if" "#endif"] @opaque.keyword)
        (preproc_ifdef ["#ifdef" "#ifndef" "#endif"] @opaque.keyword)
        (preproc_elif "#elif" @opaque.keyword)
        (preproc_else "#else" @opaque.keyword)
        (system_lib_string) @opaque.string
        (string_literal) @opaque.string
        {_functions("declarator: (identifier) @name")} @function
        {_functions("parameters: (parameter_list (parameter_declaration type: (_) @parameter declarator: (_)))")}
        ({_functions(f"parameters: (parameter_list {UNNAMED_PARAMETER})")} (#not-eq? @parameter "void"))
        (method_definition . (method_type) . (identifier) @name) @function
        (method_definition (method_parameter (method_type (type_name) @parameter)))
        (class_implementation . "@implementation" . (identifier) @scope.name) @scope
        (block_literal) @lambda
        (property_attribute (identifier) @opaque.keyword)
        ((type_identifier) @type (#not-match? @type "^(BOOL|Class|IMP|SEL|id|instancetype)$"))
    """,
    layout=f"""
        (preproc_include ["#include" "#import"] @line.begin path: (_) @line.end)
        (preproc_def "#define" @line.begin)
        (preproc_def name: (_) @line.end !value)
        (preproc_def value: (_) @line.end)
        (preproc_function_def "#define" @line.begin name: (_) @tie)
        (preproc_function_def parameters: (_) @line.end !value)
        (preproc_function_def value: (_) @line.end)
        (preproc_call directive: (_) @line.begin)
        (preproc_call directive: (_) @line.end !argument)
        (preproc_call argument: (_) @line.end)
        (preproc_if "#if" @line.begin condition: (_) @line.end)
        (preproc_elif "#elif" @line.begin condition: (_) @line.end)
        (preproc_ifdef ["#ifdef" "#ifndef"] @line.begin name: (_) @line.end)
        (preproc_else "#else" @line.begin @line.end)
        (preproc_if "#endif" @line.begin @line.end)
        (preproc_ifdef "#endif" @line.begin @line.end)
        (compound_statement "{{" @after @open "}}" @close)
        (field_declaration_list "{{" @after @open "}}" @close)
        [{_STATEMENTS} (type_definition) (function_definition) (field_declaration)] @after
        (compound_statement (declaration) @after)
        (translation_unit (declaration) @after)
        (case_statement (declaration) @after)
        (case_statement ":" @after)
        [(method_definition) (method_declaration) (property_declaration) (class_declaration)] @after
        (class_interface "@end" @before @after)
        (class_implementation "@end" @before @after)
        (protocol_declaration "@end" @before @after)
        (class_implementation . "@implementation" . (identifier) @after)
    """,
    names=f"""
        (init_declarator declarator: {declared("(identifier) @variable")})
        (declaration declarator: {declared("(identifier) @variable")})
        (parameter_declaration declarator: {declared("(identifier) @variable")})
        (array_declarator declarator: (identifier) @variable)
        (block_pointer_declarator declarator: (identifier) @variable)
        (for_statement (pointer_declarator declarator: (identifier) @variable))
        (method_parameter (method_type) (identifier) @variable)
        (struct_declarator (identifier) @field)
        (field_expression field: (field_identifier) @keep)
        (type_definition declarator: (type_identifier) @own.type)
        (class_interface . "@interface" . (identifier) @own.type)
        (class_implementation . "@implementation" . (identifier) @own.type)
        (type_identifier) @type
        ((type_identifier) @fixed (#match? @fixed "^(BOOL|Class|IMP|SEL|id|instancetype)$"))
        (function_declarator declarator: (identifier) @own.function)
        (method_definition (identifier) @own.function @keep)
        (method_declaration (identifier) @own.function @keep)
        (message_expression method: (identifier) @call @keep)
        (call_expression function: (identifier) @call)
        (property_attribute (identifier) @keep)
        (selector_expression (identifier) @keep)
        (preproc_def name: (identifier) @fixed)
        (preproc_function_def name: (identifier) @fixed)
        (preproc_params (identifier) @keep)
        ((identifier) @fixed (#any-of? @fixed "main" "self" "super" "nil" "YES" "NO" "NS_ENUM" "NS_OPTIONS"))
    """,
    metrics=f"""
        [{_STATEMENTS}] @statement
        (compound_statement (declaration) @statement)
        [(while_statement) (do_statement) (for_statement)] @loop
        (cast_expression) @cast
        (throw_statement) @throw
        (catch_clause) @exception
        (parameter_list) @parameters
        (parameter_list (parameter_declaration) @parameter)
        (method_definition (method_parameter) @parameter)
    """,
    statements_end=True,
    wrappers=((b"", b"\n"), (b"@implementation X\n", b"@end\n")),
    script=_without_regions,
    own_names=frozenset({b"self", b"super"}),
    branches=frozenset(
        {
            "if_statement",
            "while_statement",
            "do_statement",
            "for_statement",
            "case_statement",
            "catch_clause",
            "conditional_expression",
        }
    ),
    branch_operators=frozenset({b"&&", b"||"}),
    nesting=frozenset(
        {
            "if_statement",
            "while_statement",
            "do_statement",
            "for_statement",
            "switch_statement",
            "try_statement",
            "block_literal",
        }
    ),
)
