"""C++. Directives, literals and most of the layout come from `c.py`."""

from __future__ import annotations

import re

from clonetruth.code.declaration_macros import without_declaration_macros
from clonetruth.code.language import IDENTIFIER, Language, Lexicon, TokenKind, keywords
from clonetruth.code.languages.c import (
    BRANCHES,
    CHARACTER,
    COMMENT,
    DIRECTIVE_TOKENS,
    LAYOUT,
    METRICS,
    NAMES,
    NESTING,
    NUMBER,
    PREFIXED_LITERAL,
    PUNCTUATION,
    STRING,
    UNNAMED_PARAMETER,
    WORDS,
    declared,
)

# `>` is never merged with another `>`: in `vector<vector<int>>` each closes a list.
_OPERATORS = b"-> ->* .* ++ -- << <= <=> >= == != && || += -= *= /= %= &= |= ^= <<= ... :: ##"

_NAME = "[(identifier) (field_identifier) (destructor_name) (operator_name)] @name"
_TEMPLATE_NAME = "[(template_function name: (identifier) @name) (template_method name: (field_identifier) @name)]"
_OWNER = "[(namespace_identifier) @owner (template_type name: (type_identifier) @owner)]"


def _functions(declarator: str) -> str:
    """A query for function definitions by the pattern of their own declarator, not one in their parameters."""
    return f"(function_definition declarator: {declared(f'(function_declarator {declarator})', references=True)})"


def _qualified(name: str) -> list[str]:
    """Queries for a name with up to three qualifiers: ``f``, ``A::f``, ``a::A::f``, ``a::b::A::f``."""
    names = [name]
    for _ in range(3):
        names.append(f"(qualified_identifier name: {names[-1]})")
    return names


_PARAMETERS = """
    [(parameter_declaration type: (_) @parameter declarator: (_))
     (optional_parameter_declaration type: (_) @parameter)
     (variadic_parameter_declaration type: (_) @parameter)]
"""

# Tests are functions that a macro declares: `TEST_F(Suite, name) {` is the function `name` of the class path `Suite`.
TEST_MACRO = "^(TYPED_)?TEST(_[FP])?$|^TYPED_TEST_P$|^BENCHMARK_(TEMPLATE_)?(F|DEFINE_F)$|^(FUZZ|GTEST)_TEST(_F)?$"
_SECOND_UNNAMED = (
    "parameters: (parameter_list . (parameter_declaration type: (_) @owner) . (parameter_declaration type: (_) @name))"
)

_HINTS = (
    b"REQUIRE",
    b"EXCLUDE",
    b"ACQUIRE",
    b"RELEASE",
    b"GUARDED_BY",
    b"LOCK_RETURNED",
    b"LOCK_FUNCTION",
    b"EXCLUSIVE_LOCK",
    b"SHARED_LOCK",
    b"_CAPABILITY",
    b"NO_THREAD_SAFETY_ANALYSIS",
)
"""One of them is in the name of every annotation."""
_CAPITALS = re.compile(rb"[A-Z](?<!\w.)[A-Z0-9_]++", re.DOTALL)
_ARGUMENTS = rb"\s*\((?:[^()]|\([^()]*\))*\)"
_ANNOTATION = re.compile(
    rb"(?<!define )\b(?:[A-Z][A-Z0-9]*_)?(?:"
    rb"(?:(?:EXCLUSIVE_|SHARED_)?LOCKS_REQUIRED|LOCKS_EXCLUDED|(?:PT_)?GUARDED_BY|ACQUIRED_(?:AFTER|BEFORE)|LOCK_RETURNED"
    rb"|(?:EXCLUSIVE_|SHARED_)(?:TRY)?LOCK_FUNCTION|UNLOCK_FUNCTION|ASSERT_(?:EXCLUSIVE|SHARED)_LOCK)"
    + _ARGUMENTS
    + rb"|NO_THREAD_SAFETY_ANALYSIS\b)"
    rb"|(?<=\))\s*(?:[A-Z][A-Z0-9]*_)?(?:REQUIRES|EXCLUDES|ACQUIRE|RELEASE|TRY_ACQUIRE|ASSERT_CAPABILITY|RETURN_CAPABILITY)"
    rb"(?:_SHARED|_GENERIC)?" + _ARGUMENTS + rb"(?=\s*\{)"
)
"""The macros of Clang's thread safety analysis, which stand between the parameters of a function and its body, or after
the name of a member."""
_NOT_BREAKS = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))


def without_annotations(source: bytes) -> bytes:
    """Return a text with blanks in place of thread annotations, which are not C++ without their macros.

    Example:
        >>> without_annotations(b"void f() LOCKS_EXCLUDED(mu) { }")
        b'void f()                      { }'
    """
    if not any(hint in source for hint in _HINTS):
        return source
    # An annotation begins with its name, or with the white space after a parenthesis: the other places need no look.
    pieces: list[bytes] = []
    copied = 0
    for name in _CAPITALS.finditer(source):
        if not any(hint in name[0] for hint in _HINTS):
            continue
        after = source.rfind(b")", max(copied - 1, 0), name.start()) + 1
        starts = (after, name.start()) if after and not source[after : name.start()].strip() else (name.start(),)
        found = next((one for at in starts if (one := _ANNOTATION.match(source, at))), None)
        if found and found.start() >= copied:
            pieces += source[copied : found.start()], found[0].translate(_NOT_BREAKS)
            copied = found.end()
    return b"".join((*pieces, source[copied:])) if pieces else source


def _without_macros(source: bytes) -> bytes:
    return without_declaration_macros(without_annotations(source))


_OWN_FUNCTION = "[(identifier) @own.function (qualified_identifier name: (identifier) @own.function)]"
# A function without a return type is a constructor, named like its type.
_CONSTRUCTOR = "[(identifier) @own.type (qualified_identifier name: (identifier) @own.type)]"

CPP = Language(
    name="cpp",
    title="C++",
    extensions=(".cpp", ".cc", ".cxx", ".c++", ".C", ".hpp", ".hh", ".hxx", ".h++", ".H", ".ipp", ".tpp", ".h"),
    grammar="tree_sitter_cpp:language",
    lexicon=Lexicon(
        comment=COMMENT,
        # The grammar delimits raw strings; without a delimiter, a regular expression can do so too.
        string=rb'(?:u8|[uUL])?R"\(.*?\)"|' + STRING,
        character=CHARACTER,
        number=NUMBER,
        identifier=IDENTIFIER,
        operators=tuple(_OPERATORS.split()),
        words=keywords(
            WORDS + " catch char8_t char16_t char32_t class co_await co_return co_yield concept const_cast consteval "
            "constinit decltype delete dynamic_cast explicit export friend mutable namespace new noexcept operator "
            "private protected public reinterpret_cast requires static_cast template this throw try typeid typename "
            "using virtual wchar_t and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq"
        )
        | keywords("true false", TokenKind.BOOLEAN)
        | keywords("nullptr NULL", TokenKind.NULL),
        punctuation=PUNCTUATION,
        word_like_literal=rb'(?:u8|[uUL])?R"\(.*?\)"|' + PREFIXED_LITERAL,
        # Directives, and raw strings with a delimiter.
        code_inside=rb"\#|(?:u8|[uUL])?R\Z",
        words_vary=True,
    ),
    structure=f"""
        {DIRECTIVE_TOKENS}
        (raw_string_literal) @opaque.string
        (user_defined_literal (string_literal)) @opaque.string
        (user_defined_literal (raw_string_literal)) @opaque.string
        (user_defined_literal (char_literal)) @opaque.character
        (virtual_specifier) @opaque.keyword
        (function_definition body: (_)) @function
        (function_definition (try_statement)) @function
        ((function_declarator declarator: {_NAME}) (#not-match? @name "{TEST_MACRO}"))
        {" ".join(f"(function_declarator declarator: {name})" for name in _qualified(_NAME)[1:])}
        ((function_definition !type declarator: (function_declarator
          declarator: (identifier) @_macro {_SECOND_UNNAMED})) (#match? @_macro "{TEST_MACRO}"))
        {" ".join(f"(function_declarator declarator: {name})" for name in _qualified(_TEMPLATE_NAME))}
        (function_definition declarator: (operator_cast "operator" @name type: (_) @name.last))
        {_functions(f"parameters: (parameter_list {_PARAMETERS})")}
        ({_functions(f"parameters: (parameter_list {UNNAMED_PARAMETER})")} (#not-eq? @parameter "void"))
        {
        " ".join(
            f"(function_declarator declarator: {name})"
            for name in _qualified(f"(qualified_identifier scope: {_OWNER})")[:3]
        )
    }
        (namespace_definition name: (_) @scope.name) @scope
        (class_specifier name: (_) @scope.name body: (_)) @scope
        (struct_specifier name: (_) @scope.name body: (_)) @scope
        (union_specifier name: (_) @scope.name body: (_)) @scope
        (lambda_expression) @lambda
        (type_identifier) @type
    """,
    layout=f"""
        {LAYOUT}
        [
          (for_range_loop) (try_statement) (throw_statement) (co_return_statement) (co_yield_statement)
          (using_declaration) (alias_declaration) (static_assert_declaration) (namespace_alias_definition)
          (concept_definition) (template_instantiation)
        ] @after
        (friend_declaration (declaration) @after)
        (friend_declaration ";" @after)
        (template_declaration [(declaration) (type_definition)] @after)
        (template_declaration ";" @after)
        (field_declaration_list (declaration) @after)
        (field_declaration_list ":" @after)
        (field_declaration_list ";" @drop)
        (template_declaration parameters: (_) @after)
        (for_range_loop body: (expression_statement . ";" .) @after)
    """,
    names=f"""
        {NAMES}
        (optional_parameter_declaration declarator: (identifier) @variable)
        (reference_declarator (identifier) @variable)
        (reference_declarator (field_identifier) @field)
        (variadic_declarator (identifier) @variable)
        (for_range_loop declarator: (identifier) @variable)
        (structured_binding_declarator (identifier) @variable)
        (lambda_capture_initializer left: (identifier) @variable)
        (field_initializer (field_identifier) @own.member)
        (class_specifier name: (type_identifier) @own.type body: (_))
        (struct_specifier name: (type_identifier) @own.type body: (_))
        (union_specifier name: (type_identifier) @own.type body: (_))
        (enum_specifier name: (type_identifier) @own.type body: (_))
        (alias_declaration name: (type_identifier) @own.type)
        (type_parameter_declaration (type_identifier) @own.type)
        (optional_type_parameter_declaration name: (type_identifier) @own.type)
        (variadic_type_parameter_declaration (type_identifier) @own.type)
        (concept_definition name: (identifier) @own.type)
        (namespace_identifier) @identifier
        (qualified_identifier name: (identifier) @own.member)
        (using_declaration (identifier) @keep)
        (attribute name: (identifier) @keep)
        (function_declarator declarator: (field_identifier) @own.function)
        (_ type: (_) declarator: {declared(f"(function_declarator declarator: {_OWN_FUNCTION})", references=True)})
        (function_definition !type declarator: (function_declarator declarator: {_CONSTRUCTOR}))
        (declaration !type declarator: (function_declarator declarator: {_CONSTRUCTOR}))
        (call_expression function: (qualified_identifier name: (identifier) @call))
        ((call_expression function: (template_function name: (identifier) @call)) (#not-match? @call "_cast$"))
        (call_expression function: (qualified_identifier name: (template_function name: (identifier) @call)))
        (call_expression function: (field_expression field: (template_method name: (field_identifier) @call)))
    """,
    # The plain text comes first: the added line break ends a directive on the last line.
    metrics=f"""
        {METRICS}
        [
          (for_range_loop) (try_statement) (throw_statement) (co_return_statement) (co_yield_statement)
        ] @statement
        (for_range_loop) @loop
        ((call_expression function: (template_function name: (identifier) @_name)) @cast (#match? @_name "_cast$"))
        (throw_statement) @throw
        (catch_clause parameters: (parameter_list (parameter_declaration) @exception))
        (catch_clause parameters: (parameter_list "..." @exception))
        (parameter_list [(optional_parameter_declaration) (variadic_parameter_declaration)] @parameter)
        (lambda_expression
          declarator: (abstract_function_declarator parameters: (parameter_list) @lambda.parameters))
    """,
    statements_end=True,
    script=_without_macros,
    wrappers=((b"", b"\n"), (b"class X{", b"};"), (b"void x(){", b"}")),
    own_names=frozenset({b"this"}),
    branches=BRANCHES | {"for_range_loop", "catch_clause"},
    branch_operators=frozenset({b"&&", b"||", b"and", b"or"}),
    nesting=NESTING | {"for_range_loop", "try_statement", "lambda_expression"},
)
