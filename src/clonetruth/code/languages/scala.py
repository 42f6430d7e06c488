"""Scala. A statement ends with its line; here every statement has the ``;``. A string is one token, with whatever is
interpolated. Blocks may be shown by braces or, as Scala 3 allows, by indentation, which layout tokens then mark.
Functions without a body do not count.
"""

from __future__ import annotations

from clonetruth.code.language import NESTED_COMMENT, Language, Lexicon, TokenKind, keywords

_OPERATORS = b"=> <- -> <: >: :: ::: ++ -- += -= *= /= %= <= >= == != && || << #::"
_CODE = '(#not-match? @after "^/[/*]")'  # comments are nodes too

SCALA = Language(
    name="scala",
    title="Scala",
    extensions=(".scala", ".sc", ".sbt"),
    grammar="tree_sitter_scala:language",
    extra="languages",
    lexicon=Lexicon(
        comment=NESTED_COMMENT + rb"|\#![^\n]*",
        string=rb'""".*?"""+|"(?:[^"\\\n]|\\.)*"',
        character=rb"'(?:[^'\\\n\x80-\xff]|[\xc0-\xff][\x80-\xbf]*|\\(?:u+[0-9a-fA-F]{4}|.))'",
        number=rb"0[xX][0-9a-fA-F_]+L?|(?:[0-9][0-9_]*(?:\.[0-9][0-9_]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFdDL]?",
        identifier=rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*|`[^`\n]+`",
        operators=tuple(_OPERATORS.split()),
        words=keywords(
            "abstract case catch class def do else enum extends final finally for given if implicit import lazy match "
            "new object override package private protected return sealed super then this throw trait try type val var "
            "while with yield _"
        )
        | keywords("true false", TokenKind.BOOLEAN)
        | keywords("null", TokenKind.NULL),
        punctuation=frozenset(b"( ) { } [ ] ; , . : @ #".split()),
    ),
    structure="""
        (function_definition name: (_) @name body: (_)) @function
        (parameter type: (_) @parameter)
        (class_definition name: (_) @scope.name) @scope
        (trait_definition name: (_) @scope.name) @scope
        (object_definition name: (_) @scope.name) @scope
        (enum_definition name: (_) @scope.name) @scope
        (instance_expression . (_) @scope.name (template_body)) @scope
        (lambda_expression) @lambda
        (type_identifier) @type
        (string) @opaque.string
        (interpolated_string_expression) @opaque.string
        (extension_definition "extension" @opaque.keyword)
        (using_directive) @opaque.keyword
        (parameters "using" @opaque.keyword)
        (inline_modifier) @opaque.keyword
        (opaque_modifier) @opaque.keyword
        (open_modifier) @opaque.keyword
        (transparent_modifier) @opaque.keyword
        (infix_modifier) @opaque.keyword
    """,
    layout=f"""
        (block "{{" @after @open "}}" @close)
        (template_body "{{" @after @open "}}" @close)
        (case_block "{{" @after @open "}}" @close)
        (indented_block) @block
        (indented_cases) @block
        ((compilation_unit (_) @terminate @after) {_CODE})
        ((block (_) @terminate @after) {_CODE})
        ((indented_block (_) @terminate @after) {_CODE})
        ((template_body (_) @terminate @after) {_CODE})
        (compilation_unit ";" @drop)
        (block ";" @drop)
        (indented_block ";" @drop)
        (template_body ";" @drop)
        (case_clause ";" @drop)
        (case_clause) @after
        ((case_clause body: (_) @terminate @after) {_CODE})
        (annotation) @after
    """,
    names="""
        (val_definition pattern: (identifier) @variable)
        (var_definition pattern: (identifier) @variable)
        (val_declaration name: (identifier) @variable)
        (var_declaration name: (identifier) @variable)
        (parameter name: (identifier) @variable)
        (class_parameter name: (identifier) @field)
        (template_body (val_definition pattern: (identifier) @field))
        (template_body (var_definition pattern: (identifier) @field))
        (binding name: (identifier) @variable)
        (lambda_expression parameters: (identifier) @variable)
        (enumerator . (identifier) @variable)
        (tuple_pattern (identifier) @variable)
        ((case_class_pattern pattern: (identifier) @variable) (#match? @variable "^[a-z]"))
        (typed_pattern pattern: (identifier) @variable)
        (capture_pattern name: (identifier) @variable)
        ((case_clause pattern: (identifier) @variable) (#match? @variable "^[a-z]"))
        (class_definition name: (identifier) @own.type)
        (trait_definition name: (identifier) @own.type)
        (object_definition name: (identifier) @own.type)
        (type_definition name: (type_identifier) @own.type)
        (type_parameters name: (identifier) @own.type)
        (type_identifier) @type
        (function_definition name: (identifier) @own.function)
        (function_declaration name: (identifier) @own.function)
        (call_expression function: (identifier) @call)
        (call_expression function: (field_expression field: (identifier) @call @keep))
        (field_expression field: (identifier) @keep)
        (infix_expression operator: (identifier) @keep)
        (package_identifier (identifier) @keep)
        (import_declaration (identifier) @keep)
        (namespace_selectors (identifier) @keep)
        (arrow_renamed_identifier (identifier) @keep)
        (interpolated_string_expression interpolator: (identifier) @keep)
        ((identifier) @fixed (#any-of? @fixed "this" "super" "main" "_"))
    """,
    metrics="""
        ((block (_) @statement) (#not-match? @statement "^/[/*]"))
        ((indented_block (_) @statement) (#not-match? @statement "^/[/*]"))
        [(for_expression) (while_expression) (do_while_expression)] @loop
        (throw_expression) @throw
        (catch_clause) @exception
        (parameters) @parameters
        (parameters (parameter) @parameter)
        (bindings) @lambda.parameters
    """,
    wrappers=((b"", b"\n"), (b"class X{", b"}")),
    terminator=b";",
    own_names=frozenset({b"this", b"super"}),
    branches=frozenset({"if_expression", "for_expression", "while_expression", "do_while_expression", "case_clause"}),
    branch_operators=frozenset({b"&&", b"||"}),
    nesting=frozenset(
        {
            "if_expression",
            "for_expression",
            "while_expression",
            "do_while_expression",
            "match_expression",
            "try_expression",
            "lambda_expression",
        }
    ),
)
