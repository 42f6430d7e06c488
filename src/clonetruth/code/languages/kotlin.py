"""Kotlin. A statement ends with its line; here every statement has the ``;``. A string is one token, with whatever is
interpolated. Functions without a body (abstract ones, those of interfaces) do not count; accessors do not either.
"""

from __future__ import annotations

import re

from clonetruth.code.language import NESTED_COMMENT, Language, Lexicon, TokenKind, keywords

# `>` is never merged with another `>`: in `List<List<T>>` each closes a list.
_OPERATORS = b"-> => :: .. ..< ?. ?: !! ++ -- += -= *= /= %= <= >= == != === !== && ||"
_CODE = '(#not-match? @after "^(/[/*]|@file)")'  # comments are nodes too
_LAMBDA_STATEMENTS = """[
    (expression) (property_declaration) (assignment) (for_statement) (while_statement) (do_while_statement)
]"""

_COMMENT = NESTED_COMMENT + rb"|\#![^\n]*"
_STRING = rb'""".*?"""+|"(?:[^"\\\n]|\\.)*"'
_CHARACTER = rb"'(?:[^'\\\n]|\\.)[^'\n]*'"
_EMPTY_LIST = re.compile(_COMMENT + b"|" + _STRING + b"|" + _CHARACTER + rb"|(?P<empty>\[\])", re.DOTALL)


def _without_empty_lists(source: bytes) -> bytes:
    """Return a text with ``""`` in place of ``[]``, which annotations may have and the grammar does not know.

    Without that, the class after ``@Permission(strings = [])`` is lost, with all of its functions.
    """
    if b"[]" not in source:
        return source
    return _EMPTY_LIST.sub(lambda match: b'""' if match["empty"] else match[0], source)


KOTLIN = Language(
    name="kotlin",
    title="Kotlin",
    extensions=(".kt", ".kts"),
    grammar="tree_sitter_kotlin:language",
    extra="languages",
    lexicon=Lexicon(
        comment=_COMMENT,
        string=_STRING,
        character=_CHARACTER,
        number=(
            rb"0[xXbB][0-9a-fA-F_]+[uUL]*"
            rb"|(?:[0-9][0-9_]*(?:\.[0-9][0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?[fFuUL]*"
        ),
        identifier=rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*|`[^`\n]+`",
        operators=tuple(_OPERATORS.split()),
        words=keywords(
            "as break class continue do else for fun if in interface is object package return super this throw try "
            "typealias val var when while"
        )
        | keywords("true false", TokenKind.BOOLEAN)
        | keywords("null", TokenKind.NULL),
    ),
    structure="""
        (function_declaration name: (identifier) @name (function_body)) @function
        (secondary_constructor "constructor" @name (block)) @function
        (parameter (identifier) . ":" . (_) @parameter)
        (class_declaration name: (identifier) @scope.name) @scope
        (object_declaration name: (identifier) @scope.name) @scope
        (companion_object "companion" @scope.name) @scope
        (object_literal (delegation_specifiers . (delegation_specifier (user_type) @scope.name))) @scope
        (object_literal
          (delegation_specifiers . (delegation_specifier (constructor_invocation . (user_type) @scope.name)))) @scope
        (object_literal "object" @scope.name . (class_body)) @scope
        [(lambda_literal) (anonymous_function)] @lambda
        (user_type (identifier) @type)
        (string_literal) @opaque.string
        (multiline_string_literal) @opaque.string
        [
          (visibility_modifier) (member_modifier) (class_modifier) (function_modifier) (inheritance_modifier)
          (parameter_modifier) (platform_modifier) (property_modifier) (reification_modifier) (variance_modifier)
        ] @opaque.keyword
        (anonymous_initializer "init" @opaque.keyword)
        (secondary_constructor "constructor" @opaque.keyword)
        (primary_constructor "constructor" @opaque.keyword)
        (companion_object "companion" @opaque.keyword)
        (getter "get" @opaque.keyword)
        (setter "set" @opaque.keyword)
        (catch_block "catch" @opaque.keyword)
        (finally_block "finally" @opaque.keyword)
        (import "import" @opaque.keyword)
        (file_annotation "file" @opaque.keyword)
        (property_delegate "by" @opaque.keyword)
        (explicit_delegation "by" @opaque.keyword)
        (type_constraints "where" @opaque.keyword)
        (constructor_delegation_call ["this" "super"] @opaque.keyword)
    """,
    layout=f"""
        (block "{{" @after @open "}}" @close)
        (class_body "{{" @after @open "}}" @close)
        (enum_class_body "{{" @after @open "}}" @close)
        (when_expression "{{" @after @open "}}" @close)
        ((source_file (_) @terminate @after) {_CODE})
        ((block (_) @terminate @after) {_CODE})
        ((class_body (_) @terminate @after) {_CODE})
        (when_entry) @terminate @after
        (lambda_literal {_LAMBDA_STATEMENTS} @terminate @after)
        (lambda_literal "->" @after)
        (property_declaration [(getter) (setter)] @before)
        (modifiers (annotation) @after)
        (file_annotation) @after
    """,
    names="""
        (variable_declaration (identifier) @variable)
        (parameter . (identifier) @variable)
        (class_parameter (identifier) @field)
        (class_body (property_declaration (variable_declaration (identifier) @field)))
        (catch_block (identifier) @variable)
        (navigation_expression (this_expression) (identifier) @own.member)
        (navigation_expression (_) (identifier) @keep)
        (class_declaration name: (identifier) @own.type)
        (object_declaration name: (identifier) @own.type)
        (type_alias type: (identifier) @own.type)
        (type_parameter (identifier) @own.type)
        (user_type (identifier) @type)
        (function_declaration name: (identifier) @own.function)
        (call_expression . (identifier) @call)
        (call_expression . (navigation_expression (_) (identifier) @call .))
        (infix_expression (_) . (identifier) @keep . (_))
        (qualified_identifier (identifier) @keep)
        (enum_entry (identifier) @keep)
        (value_argument (identifier) @keep . "=")
        (label) @keep
        ((identifier) @fixed (#any-of? @fixed "it" "this" "super" "true" "false" "null" "main"))
    """,
    metrics=f"""
        ((block (_) @statement) (#not-match? @statement "^/[/*]"))
        (lambda_literal {_LAMBDA_STATEMENTS} @statement)
        (expression) @expression
        [(for_statement) (while_statement) (do_while_statement)] @loop
        (as_expression) @cast
        (throw_expression) @throw
        (catch_block (user_type) @exception)
        (function_value_parameters) @parameters
        (function_value_parameters (parameter) @parameter)
        (lambda_parameters) @lambda.parameters
    """,
    wrappers=((b"", b"\n"), (b"class X{", b"}")),
    terminator=b";",
    script=_without_empty_lists,
    own_names=frozenset({b"this", b"super"}),
    branches=frozenset(
        {"if_expression", "for_statement", "while_statement", "do_while_statement", "when_entry", "catch_block"}
    ),
    branch_operators=frozenset({b"&&", b"||", b"?:"}),
    nesting=frozenset(
        {
            "if_expression",
            "for_statement",
            "while_statement",
            "do_while_statement",
            "when_expression",
            "try_expression",
            "lambda_literal",
        }
    ),
)
