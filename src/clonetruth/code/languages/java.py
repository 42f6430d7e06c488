"""Java. Its layout is BigCloneBench's pretty-printer, checked against the published similarities."""

from __future__ import annotations

from clonetruth.code.language import IDENTIFIER, SLASH_COMMENT, Language, Lexicon, TokenKind, keywords

# `>` is never merged with another `>`: this is how BigCloneBench's lexer kept generics unambiguous.
_OPERATORS = b"... -> :: >= <<= << <= == != && || ++ -- += -= *= /= %= &= |= ^="

JAVA = Language(
    name="java",
    title="Java",
    extensions=(".java",),
    grammar="tree_sitter_java:language",
    lexicon=Lexicon(
        comment=SLASH_COMMENT,
        string=rb'"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+"""|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"',
        character=rb"'(?:[^'\\\n]|\\.)+'",
        number=rb"\.?[0-9](?:[eEpP][+-](?<!0[xX][eE][+-])|[\w.])*",
        identifier=IDENTIFIER,
        operators=tuple(_OPERATORS.split()),
        words=keywords(
            "abstract assert boolean break byte case catch char class const continue default do double else enum "
            "extends final finally float for goto if implements import instanceof int interface long native new "
            "package private protected public return short static strictfp super switch synchronized this throw throws "
            "transient try void volatile while"
        )
        | keywords("true false", TokenKind.BOOLEAN)
        | keywords("null", TokenKind.NULL),
    ),
    structure="""
        (method_declaration name: (identifier) @name) @function
        (constructor_declaration name: (identifier) @name) @function
        (compact_constructor_declaration name: (identifier) @name) @function
        (formal_parameter type: (_) @parameter)
        (spread_parameter [
          (type_identifier) (scoped_type_identifier) (generic_type) (array_type)
          (integral_type) (floating_point_type) (boolean_type)
        ] @parameter)
        (class_declaration name: (identifier) @scope.name) @scope
        (interface_declaration name: (identifier) @scope.name) @scope
        (enum_declaration name: (identifier) @scope.name) @scope
        (record_declaration name: (identifier) @scope.name) @scope
        (annotation_type_declaration name: (identifier) @scope.name) @scope
        (object_creation_expression type: (_) @scope.name (class_body)) @scope
        (lambda_expression) @lambda
        (type_identifier) @type
        (record_declaration "record" @opaque.keyword)
        (yield_statement "yield" @opaque.keyword)
        (modifiers ["sealed" "non-sealed"] @opaque.keyword)
        (permits "permits" @opaque.keyword)
        (guard "when" @opaque.keyword)
    """,
    layout="""
        (block "{" @after @open "}" @close)
        (constructor_body "{" @after @open "}" @close)
        (class_body "{" @after @open "}" @close @after2)
        (interface_body "{" @after @open "}" @close @after2)
        (annotation_type_body "{" @after @open "}" @close @after2)
        (enum_body "{" @after @open "}" @close @after2)
        (switch_block "{" @after @open "}" @close)
        [
          (expression_statement) (local_variable_declaration) (return_statement) (throw_statement)
          (break_statement) (continue_statement) (assert_statement) (yield_statement) (field_declaration)
          (constant_declaration) (explicit_constructor_invocation) (package_declaration) (import_declaration)
          (if_statement) (while_statement) (do_statement) (for_statement) (enhanced_for_statement)
          (switch_expression) (synchronized_statement) (try_statement) (try_with_resources_statement)
          (annotation) (marker_annotation)
        ] @after
        (while_statement body: ";" @after)
        (for_statement body: ";" @after)
        (enhanced_for_statement body: ";" @after)
        (if_statement consequence: ";" @after)
        (if_statement alternative: ";" @after)
        (switch_block_statement_group ":" @after)
        (method_declaration ";" @after2)
        (class_body (block) @before @after2)
        (static_initializer) @before @after2
        (block ";" @drop)
        (constructor_body ";" @drop)
        (switch_block_statement_group ";" @drop)
        (class_body ";" @drop)
        (interface_body ";" @drop)
        (program ";" @drop)
    """,
    names="""
        (variable_declarator name: (identifier) @variable)
        (formal_parameter name: (identifier) @variable)
        (catch_formal_parameter name: (identifier) @variable)
        (enhanced_for_statement name: (identifier) @variable)
        (resource name: (identifier) @variable)
        (lambda_expression parameters: (identifier) @variable)
        (inferred_parameters (identifier) @variable)
        (instanceof_expression name: (identifier) @variable)
        (type_pattern (identifier) @variable)
        (record_pattern_component (identifier) @variable)
        (field_declaration declarator: (variable_declarator name: (identifier) @field))
        (constant_declaration declarator: (variable_declarator name: (identifier) @field))
        (record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @field)))
        (field_access object: (this) field: (identifier) @own.member)
        (class_declaration name: (identifier) @own.type @keep)
        (interface_declaration name: (identifier) @own.type @keep)
        (enum_declaration name: (identifier) @own.type @keep)
        (record_declaration name: (identifier) @own.type @keep)
        (annotation_type_declaration name: (identifier) @own.type @keep)
        (constructor_declaration name: (identifier) @type @keep)
        (compact_constructor_declaration name: (identifier) @type @keep)
        (type_identifier) @type
        ((method_invocation object: (identifier) @type) (#match? @type "^[A-Z]"))
        ((field_access object: (identifier) @type) (#match? @type "^[A-Z]"))
        ((method_reference . (identifier) @type) (#match? @type "^[A-Z]"))
        (method_declaration name: (identifier) @own.function @keep)
        (annotation_type_element_declaration name: (identifier) @keep)
        (method_invocation name: (identifier) @call @keep)
        (method_reference (_) (identifier) @call @keep .)
        (field_access field: (identifier) @keep)
        (scoped_identifier (identifier) @keep)
        (import_declaration (identifier) @keep)
        (marker_annotation name: (identifier) @keep)
        (annotation name: (identifier) @keep)
        (element_value_pair key: (identifier) @keep)
        (enum_constant name: (identifier) @keep)
        (labeled_statement . (identifier) @keep)
        (break_statement (identifier) @keep)
        (continue_statement (identifier) @keep)
        (package_declaration) @package
        ((type_identifier) @fixed (#eq? @fixed "var"))
        ((method_declaration name: (identifier) @fixed) (#eq? @fixed "main"))
    """,
    metrics="""
        [
          (expression_statement) (explicit_constructor_invocation) (return_statement) (throw_statement)
          (break_statement) (continue_statement) (assert_statement) (yield_statement) (labeled_statement)
          (if_statement) (while_statement) (do_statement) (for_statement) (enhanced_for_statement)
          (switch_expression) (synchronized_statement) (try_statement) (try_with_resources_statement)
        ] @statement
        (block (local_variable_declaration) @statement)
        (constructor_body (local_variable_declaration) @statement)
        (switch_block_statement_group (local_variable_declaration) @statement)
        [(expression) (primary_expression)] @expression
        (assignment_expression left: (_) @expression)
        [(while_statement) (do_statement) (for_statement) (enhanced_for_statement)] @loop
        (cast_expression) @cast
        (throw_statement) @throw
        (catch_type [(type_identifier) (scoped_type_identifier)] @exception)
        (method_declaration parameters: (formal_parameters) @parameters)
        (constructor_declaration parameters: (formal_parameters) @parameters)
        (formal_parameters [(formal_parameter) (spread_parameter)] @parameter)
        (lambda_expression parameters: (_) @lambda.parameters)
    """,
    calls="""
        (method_invocation !object name: (identifier) @call.member arguments: (argument_list) @call.arguments)
        (method_invocation object: (_) @call.object name: (identifier) @call.named
          arguments: (argument_list) @call.arguments)
        (method_reference . (_) @call.object (identifier) @call.named .)
        (object_creation_expression type: (type_identifier) @call.type arguments: (argument_list) @call.arguments)
        (explicit_constructor_invocation constructor: (this) @call.own arguments: (argument_list) @call.arguments)
        (formal_parameters) @parameters
        (spread_parameter) @parameter.rest
        (receiver_parameter) @parameter.none
    """,
    statements_end=True,
    wrappers=((b"class X{", b"}"), (b"class X{void x(){", b"}}"), (b"class X{Object x=", b";}")),
    own_names=frozenset({b"this", b"super"}),
    branches=frozenset(
        {
            "if_statement",
            "while_statement",
            "do_statement",
            "for_statement",
            "enhanced_for_statement",
            "catch_clause",
            "switch_label",
            "ternary_expression",
        }
    ),
    branch_operators=frozenset({b"&&", b"||"}),
    nesting=frozenset(
        {
            "if_statement",
            "while_statement",
            "do_statement",
            "for_statement",
            "enhanced_for_statement",
            "switch_expression",
            "try_statement",
            "try_with_resources_statement",
            "synchronized_statement",
            "lambda_expression",
        }
    ),
)
