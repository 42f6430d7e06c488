"""Dart. A string is one token, with whatever is interpolated. A comma before a closing bracket is dropped.

The grammar has a signature and a body, but no node for both; a function is the two of them. Those without a body
(abstract methods, external functions) do not count.
"""

from __future__ import annotations

from clonetruth.code.language import NESTED_COMMENT, Language, Lexicon, TokenKind, keywords, words_as_names

# `>` is never merged with another `>`: in `List<List<int>>` each closes a list.
_OPERATORS = b"=> ?. ?.. .. ... ...? ?? ??= ++ -- += -= *= /= ~/ ~/= %= &= |= ^= << <<= <= >= == != && ||"
_WORDS = (
    "abstract as assert async await base break case catch class const continue covariant default deferred do dynamic "
    "else enum export extends extension external factory final finally for Function get hide if implements import in "
    "interface is late library mixin new on operator part required rethrow return sealed set show static super switch "
    "sync this throw try typedef var void when while with yield bool double int num"
)
_MEMBERS = """
    (unconditional_assignable_selector (identifier) @opaque.identifier)
    (conditional_assignable_selector (identifier) @opaque.identifier)
    (cascade_selector (identifier) @opaque.identifier)
    (function_signature name: (identifier) @opaque.identifier)
"""
_STATEMENTS = """
    (expression_statement) (local_variable_declaration) (return_statement) (break_statement) (continue_statement)
    (assert_statement) (yield_statement) (if_statement) (for_statement) (while_statement) (do_statement)
    (switch_statement) (try_statement)
"""
_SIGNATURES = "[(function_signature) (getter_signature) (setter_signature)]"

DART = Language(
    name="dart",
    title="Dart",
    extensions=(".dart",),
    grammar="tree_sitter_dart:language",
    extra="languages",
    lexicon=Lexicon(
        comment=NESTED_COMMENT,
        string=rb'"""(?:\\.|[^\\])*?"""|'
        + rb"'''(?:\\.|[^\\])*?'''|"
        + rb'"(?:[^"\\\n]|\\.)*"|'
        + rb"'(?:[^'\\\n]|\\.)*'",
        character=None,
        number=rb"0[xX][0-9a-fA-F_]+|(?:[0-9][0-9_]*(?:\.[0-9][0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?",
        identifier=rb"[A-Za-z_$][\w$]*",
        operators=tuple(_OPERATORS.split()),
        words=keywords(_WORDS) | keywords("true false", TokenKind.BOOLEAN) | keywords("null", TokenKind.NULL),
        punctuation=frozenset(b"( ) { } [ ] ; , . : .. ... @ #".split()),
    ),
    structure=f"""
        ((function_signature name: (identifier) @name) @function . (function_body) @function.last)
        ((getter_signature name: (identifier) @name) @function . (function_body) @function.last)
        ((setter_signature name: (identifier) @name) @function . (function_body) @function.last)
        ((method_signature (function_signature name: (identifier) @name)) @function . (function_body) @function.last)
        ((method_signature (getter_signature name: (identifier) @name)) @function . (function_body) @function.last)
        ((method_signature (setter_signature name: (identifier) @name)) @function . (function_body) @function.last)
        ((method_signature (operator_signature (binary_operator) @name)) @function . (function_body) @function.last)
        ((method_signature (constructor_signature . name: (identifier) @name)) @function
          . (function_body) @function.last)
        ((method_signature (factory_constructor_signature . (identifier) @name)) @function
          . (function_body) @function.last)
        (constructor_signature name: (identifier) . "." . name: (identifier) @name.last)
        (factory_constructor_signature (identifier) . "." . (identifier) @name.last)
        (formal_parameter [(type_identifier) (void_type) (function_type)] @parameter)
        (class_definition name: (identifier) @scope.name) @scope
        (mixin_declaration (identifier) @scope.name) @scope
        (extension_declaration name: (identifier) @scope.name) @scope
        (enum_declaration name: (identifier) @scope.name) @scope
        (function_expression) @lambda
        ((type_identifier) @type (#not-match? @type "^(bool|double|dynamic|int|num|Function)$"))
        (string_literal) @opaque.string
        {words_as_names(_MEMBERS, _WORDS)}
    """,
    layout=f"""
        (block "{{" @after @open "}}" @close)
        (class_body "{{" @after @open "}}" @close)
        (extension_body "{{" @after @open "}}" @close)
        (switch_block "{{" @after @open "}}" @close)
        [{_STATEMENTS}] @after
        (for_statement (for_loop_parts init: (local_variable_declaration ";" @tie)))
        [
          (import_or_export) (library_name) (part_directive) (part_of_directive) (class_definition) (annotation)
          (mixin_declaration) (extension_declaration) (enum_declaration) (type_alias) (local_function_declaration)
        ] @after
        (program (function_body) @after)
        (program ";" @after)
        (class_body (function_body) @after)
        (extension_body (function_body) @after)
        (class_body ";" @after)
        (extension_body ";" @after)
        (switch_statement_case ":" @after)
        (switch_statement_default ":" @after)
    """,
    names="""
        (initialized_variable_definition name: (identifier) @variable)
        (initialized_identifier (identifier) @variable)
        (static_final_declaration (identifier) @variable)
        (formal_parameter name: (identifier) @variable)
        (formal_parameter (identifier) @variable)
        (for_loop_parts name: (identifier) @variable)
        (catch_parameters (identifier) @variable)
        (declaration (initialized_identifier_list (initialized_identifier (identifier) @field)))
        (constructor_param (identifier) @own.member)
        (field_initializer (identifier) @own.member)
        (class_definition name: (identifier) @own.type)
        (mixin_declaration (identifier) @own.type)
        (enum_declaration name: (identifier) @own.type)
        (extension_declaration name: (identifier) @keep)
        (type_parameter (type_identifier) @own.type)
        (type_alias . (type_identifier) @own.type)
        ((type_identifier) @type (#not-match? @type "^(bool|double|dynamic|int|num|Function)$"))
        ((type_identifier) @fixed (#match? @fixed "^(bool|double|dynamic|int|num|Function)$"))
        (constructor_signature . name: (identifier) @type)
        (constructor_signature name: (identifier) . "." . name: (identifier) @keep)
        (factory_constructor_signature . (identifier) @type)
        (factory_constructor_signature (identifier) . "." . (identifier) @keep)
        (function_signature name: (identifier) @own.function)
        (getter_signature name: (identifier) @own.function)
        (setter_signature name: (identifier) @own.function)
        ((identifier) @call . (selector (argument_part)))
        ((selector (unconditional_assignable_selector (identifier) @call)) . (selector (argument_part)))
        (unconditional_assignable_selector (identifier) @keep)
        (conditional_assignable_selector (identifier) @keep)
        (cascade_selector (identifier) @keep)
        (named_argument (label (identifier) @keep))
        (annotation name: (identifier) @keep)
        (enum_constant name: (identifier) @keep)
        (import_specification (identifier) @keep)
        (combinator (identifier) @keep)
        (library_name (dotted_identifier_list (identifier) @keep))
        ((function_signature name: (identifier) @fixed) (#eq? @fixed "main"))
    """,
    metrics=f"""
        [{_STATEMENTS}] @statement
        [(for_statement) (while_statement) (do_statement)] @loop
        (type_cast_expression) @cast
        [(throw_expression) (rethrow_expression)] @throw
        (catch_clause) @exception
        (formal_parameter_list) @parameters
        (formal_parameter) @parameter
    """,
    statements_end=True,
    wrappers=((b"", b"\n"), (b"class X{", b"}"), (b"class X extends Y{", b"}")),
    own_names=frozenset({b"this", b"super"}),
    branches=frozenset(
        {
            "if_statement",
            "for_statement",
            "while_statement",
            "do_statement",
            "switch_statement_case",
            "catch_clause",
            "conditional_expression",
        }
    ),
    branch_operators=frozenset({b"&&", b"||", b"??"}),
    nesting=frozenset(
        {
            "if_statement",
            "for_statement",
            "while_statement",
            "do_statement",
            "switch_statement",
            "try_statement",
            "function_expression",
        }
    ),
)
