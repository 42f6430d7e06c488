"""JavaScript, with JSX.

* A template string without substitutions is one token; with them, it is the tokens of its literal pieces and of
  the code in ``${…}``. A regular expression is a literal. Text between JSX tags is one token per piece, its white
  space collapsed, as a browser shows it.
* Omitted semicolons are inserted, so that both styles have equal tokens; empty statements are dropped.
* A function expression or arrow function that is assigned to a name is a function of that name, and its text begins
  with the name: ``add = (a, b) => a + b``. Others are lambdas.
"""

from __future__ import annotations

from clonetruth.code.language import IDENTIFIER, SLASH_COMMENT, Language, Lexicon, TokenKind, keywords, words_as_names

OPERATORS = (
    b"... => ?. ?? ??= ** **= >>> >>>= >> >>= << <<= <= >= == != === !== && &&= || ||= ++ -- += -= *= /= %= &= |= ^= "
    b"</ />"
)
_NUMBER = (
    rb"0[xXoObB][0-9a-fA-F_]+n?"
    rb"|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9][0-9_]*)?n?"
)
RESERVED = (
    "async await break case catch class const continue debugger default delete do else export extends finally for "
    "function if import in instanceof let new return static super switch this throw try typeof var void while with "
    "yield"
)
VALUES = "[(arrow_function) (function_expression) (generator_function)]"
"""Expressions that define a function when they are assigned to a name."""


def lexicon(reserved: str, operators: bytes = b"") -> Lexicon:
    """The tokens of JavaScript or, with more reserved words and operators, of TypeScript."""
    return Lexicon(
        comment=SLASH_COMMENT + rb"|\#![^\n]*",
        string=rb'"(?:[^"\\\n]|\\.)*"|' + rb"'(?:[^'\\\n]|\\.)*'",
        character=None,
        number=_NUMBER,
        identifier=rb"\#?" + IDENTIFIER,
        operators=tuple((OPERATORS + operators).split()),
        words=keywords(reserved)
        | keywords("true false", TokenKind.BOOLEAN)
        | keywords("null undefined", TokenKind.NULL),
        # Template strings, regular expressions, and what is left of a string that does not end.
        code_inside=rb"[`\\]|/=?\Z|['\"]\Z",
        markup=rb"</|/>",
        words_vary=True,
    )


def property_words(reserved: str) -> str:
    """A query pattern for members with the name of a reserved word (``promise.catch``)."""
    return words_as_names("(property_identifier) @opaque.identifier", reserved + " true false null undefined")


STRUCTURE = f"""
    (function_declaration name: (identifier) @name) @function
    (generator_function_declaration name: (identifier) @name) @function
    (function_expression name: (identifier) @name) @function
    (generator_function name: (identifier) @name) @function
    (method_definition name: (_) @name) @function
    (variable_declarator name: (identifier) @name value: {VALUES} @value) @function
    (assignment_expression left: (identifier) @name right: {VALUES} @value) @function
    (assignment_expression left: (member_expression property: (_) @name) right: {VALUES} @value) @function
    (pair key: (_) @name value: {VALUES} @value) @function
    (arrow_function) @lambda
    (function_expression !name) @lambda
    (generator_function !name) @lambda
    (template_string . [(string_fragment) (escape_sequence)]* .) @opaque.string
    (template_string . "`" @opaque.string (template_substitution))
    (template_string (template_substitution) "`" @opaque.string .)
    (template_string [(string_fragment) (escape_sequence)] @opaque.string (template_substitution))
    (template_string (template_substitution) [(string_fragment) (escape_sequence)] @opaque.string)
    (template_substitution "${{" @opaque.punctuation)
    (regex) @opaque.string
    (meta_property) @opaque.keyword
    (for_in_statement operator: "of" @opaque.keyword)
    (method_definition ["get" "set"] @opaque.keyword)
    (import_statement "from" @opaque.keyword)
    (export_statement "from" @opaque.keyword)
    (import_specifier "as" @opaque.keyword)
    (export_specifier "as" @opaque.keyword)
    (namespace_import "as" @opaque.keyword)
    (new_expression constructor: (identifier) @type)
"""
"""The part of the structure query that JavaScript and TypeScript share."""

JSX = r"""
    ((jsx_text) @opaque.text (#match? @opaque.text "\\S"))
    (html_character_reference) @opaque.text
"""

LAYOUT = """
    (statement_block "{" @after @open "}" @close)
    (class_body "{" @after @open "}" @close @after2)
    (switch_body "{" @after @open "}" @close)
    [
      (expression_statement) (lexical_declaration) (variable_declaration) (return_statement) (throw_statement)
      (break_statement) (continue_statement) (debugger_statement) (import_statement) (export_statement)
      (if_statement) (while_statement) (do_statement) (for_statement) (for_in_statement) (switch_statement)
      (try_statement) (with_statement) (function_declaration) (generator_function_declaration)
    ] @after
    (class_body (method_definition) @after)
    (class_declaration (decorator) @after)
    [
      (lexical_declaration) (variable_declaration) (return_statement) (throw_statement) (break_statement)
      (continue_statement) (debugger_statement) (import_statement) (do_statement)
      (export_statement !declaration)
    ] @terminate
    (switch_case ":" @after)
    (switch_default ":" @after)
    (class_body (class_static_block) @before @after2)
    (statement_block (empty_statement) @drop)
    (switch_case (empty_statement) @drop)
    (switch_default (empty_statement) @drop)
    (program (empty_statement) @drop)
    (class_body ";" @drop)
"""
"""The part of the layout query that JavaScript and TypeScript share."""

NAMES = f"""
    (variable_declarator name: (identifier) @variable)
    (array_pattern (identifier) @variable)
    (pair_pattern value: (identifier) @variable)
    (rest_pattern (identifier) @variable)
    (assignment_pattern left: (identifier) @variable)
    (shorthand_property_identifier_pattern) @variable @shorthand
    (shorthand_property_identifier) @shorthand
    (arrow_function parameter: (identifier) @variable)
    (catch_clause parameter: (identifier) @variable)
    (for_in_statement left: (identifier) @variable)
    (function_declaration name: (identifier) @own.function)
    (generator_function_declaration name: (identifier) @own.function)
    (function_expression name: (identifier) @own.function)
    (generator_function name: (identifier) @own.function)
    (variable_declarator name: (identifier) @own.function value: {VALUES})
    (method_definition name: [(property_identifier) (private_property_identifier)] @own.function @keep)
    (pair key: (property_identifier) @own.function @keep value: {VALUES})
    (assignment_expression
      left: (member_expression property: (property_identifier) @own.function @keep) right: {VALUES})
    (call_expression function: (identifier) @call)
    (call_expression function: (member_expression
      property: [(property_identifier) (private_property_identifier)] @call @keep))
    (new_expression constructor: (identifier) @type)
    (binary_expression operator: "instanceof" right: (identifier) @type)
    (member_expression object: (this) property: (property_identifier) @own.member)
    (member_expression property: (private_property_identifier) @own.member)
    (import_specifier (identifier) @keep)
    (import_clause (identifier) @keep)
    (namespace_import (identifier) @keep)
    (export_specifier alias: (identifier) @keep)
    ((property_identifier) @fixed (#eq? @fixed "constructor"))
"""
"""The part of the names query that JavaScript and TypeScript share."""

JSX_LAYOUT = """
    (jsx_expression . "{" . (comment)* . "}" .) @drop
"""
"""Empty braces are how JSX writes a comment."""

JSX_NAMES = """
    ((jsx_opening_element name: (identifier) @fixed) (#match? @fixed "^[A-Z]"))
    ((jsx_self_closing_element name: (identifier) @fixed) (#match? @fixed "^[A-Z]"))
    (jsx_opening_element name: (identifier) @keep)
    (jsx_closing_element name: (identifier) @keep)
    (jsx_self_closing_element name: (identifier) @keep)
"""
"""JSX distinguishes components from elements by their capital, so component names stay unchanged."""

METRICS = """
    [
      (expression_statement) (return_statement) (throw_statement) (break_statement) (continue_statement)
      (debugger_statement) (import_statement) (labeled_statement) (if_statement) (while_statement)
      (do_statement) (for_statement) (for_in_statement) (switch_statement) (try_statement) (with_statement)
    ] @statement
    (program [(lexical_declaration) (variable_declaration)] @statement)
    (export_statement declaration: [(lexical_declaration) (variable_declaration)] @statement)
    (statement_block [(lexical_declaration) (variable_declaration)] @statement)
    (switch_case [(lexical_declaration) (variable_declaration)] @statement)
    (switch_default [(lexical_declaration) (variable_declaration)] @statement)
    [(expression) (primary_expression)] @expression
    (assignment_expression left: (_) @expression)
    (augmented_assignment_expression left: (_) @expression)
    [(while_statement) (do_statement) (for_statement) (for_in_statement)] @loop
    (throw_statement) @throw
    (catch_clause) @exception
    (formal_parameters) @parameters
    (arrow_function parameter: (identifier) @parameters @parameter)
"""
"""The part of the metrics query that JavaScript and TypeScript share."""

WRAPPERS = ((b"class X{", b"}"), (b"({", b"})"))
BRANCHES = frozenset(
    {
        "if_statement",
        "while_statement",
        "do_statement",
        "for_statement",
        "for_in_statement",
        "catch_clause",
        "switch_case",
        "ternary_expression",
    }
)
NESTING = frozenset(
    {
        "if_statement",
        "while_statement",
        "do_statement",
        "for_statement",
        "for_in_statement",
        "switch_statement",
        "try_statement",
        "with_statement",
        "arrow_function",
        "function_expression",
        "generator_function",
    }
)

JAVASCRIPT = Language(
    name="javascript",
    title="JavaScript",
    extensions=(".js", ".jsx", ".mjs", ".cjs"),
    grammar="tree_sitter_javascript:language",
    lexicon=lexicon(RESERVED),
    structure=f"""
        {STRUCTURE}
        {JSX}
        {property_words(RESERVED)}
        (field_definition property: (_) @name value: {VALUES} @value) @function
        (class_heritage (identifier) @type)
        (class_declaration name: (identifier) @scope.name) @scope
        (class name: (identifier) @scope.name) @scope
        (variable_declarator name: (identifier) @scope.name value: (class !name)) @scope
    """,
    layout=f"""
        {LAYOUT}
        {JSX_LAYOUT}
        (expression_statement) @terminate
        (method_definition (decorator) @after)
        (field_definition (decorator) @after)
        (field_definition) @terminate @after
    """,
    names=f"""
        {NAMES}
        {JSX_NAMES}
        (formal_parameters (identifier) @variable)
        (class_heritage (identifier) @type)
        (field_definition property: [(property_identifier) (private_property_identifier)] @variable @field)
        (field_definition property: (property_identifier) @own.function @keep value: {VALUES})
        (class_declaration name: (identifier) @own.type)
        (class name: (identifier) @own.type)
    """,
    metrics=f"""
        {METRICS}
        (formal_parameters [
          (identifier) (assignment_pattern) (object_pattern) (array_pattern) (rest_pattern)
        ] @parameter)
    """,
    wrappers=WRAPPERS,
    terminator=b";",
    own_names=frozenset({b"this", b"super"}),
    callbacks=True,
    branches=BRANCHES,
    branch_operators=frozenset({b"&&", b"||", b"??"}),
    nesting=NESTING,
)
