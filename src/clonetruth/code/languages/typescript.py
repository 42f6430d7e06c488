"""TypeScript, as JavaScript with types; and its dialect with JSX, which has a separate grammar.

Functions without a body (overloads, abstract methods, interface members) are types, not fragments.
"""

from __future__ import annotations

from dataclasses import replace

from clonetruth.code.language import Language
from clonetruth.code.languages import javascript as js

_RESERVED = (
    js.RESERVED
    + " abstract declare enum implements interface keyof namespace override private protected public readonly"
)
_STRUCTURE = f"""
    {js.STRUCTURE}
    {js.property_words(_RESERVED)}
    (public_field_definition name: (_) @name value: {js.VALUES} @value) @function
    (_ parameters: (formal_parameters (_ type: (type_annotation (_) @parameter))) body: (_))
    (class_declaration name: (type_identifier) @scope.name) @scope
    (abstract_class_declaration name: (type_identifier) @scope.name) @scope
    (class name: (type_identifier) @scope.name) @scope
    (variable_declarator name: (identifier) @scope.name value: (class !name)) @scope
    (internal_module name: (_) @scope.name) @scope
    (module name: (_) @scope.name) @scope
    (extends_clause value: (identifier) @type)
    (type_identifier) @type
    ((predefined_type) @opaque.keyword (#not-match? @opaque.keyword " "))
    (template_literal_type) @opaque.string
    (import_specifier "type" @opaque.keyword)
    (export_statement "type" @opaque.keyword)
    (import_require_clause "require" @opaque.keyword)
    (type_alias_declaration "type" @opaque.keyword)
    (import_statement "type" @opaque.keyword)
    (as_expression "as" @opaque.keyword)
    (satisfies_expression "satisfies" @opaque.keyword)
    (type_predicate "is" @opaque.keyword)
    (asserts "asserts" @opaque.keyword)
    (infer_type "infer" @opaque.keyword)
    (module "module" @opaque.keyword)
"""
# In the grammar a namespace can be an expression statement, although it does not end in a semicolon.
_EXPRESSIONS = """
    array arrow_function as_expression assignment_expression augmented_assignment_expression await_expression
    binary_expression call_expression class false function_expression generator_function identifier
    instantiation_expression member_expression meta_property new_expression non_null_expression null number
    object parenthesized_expression regex satisfies_expression sequence_expression string subscript_expression
    super template_string ternary_expression this true unary_expression undefined update_expression
    yield_expression
"""


def _terminated(expressions: str) -> str:
    kinds = " ".join(f"({kind})" for kind in expressions.split())
    return f"(expression_statement [{kinds}]) @terminate"


_LAYOUT = f"""
    {js.LAYOUT}
    (interface_body "{{" @after @open "}}" @close @after2)
    (enum_body "{{" @after @open "}}" @close @after2)
    (class_body [
      (public_field_definition) (abstract_method_signature) (method_signature) (index_signature)
    ] @terminate @after)
    (interface_body [
      (property_signature) (method_signature) (index_signature) (call_signature) (construct_signature)
    ] @terminate @after)
    [(function_signature) (type_alias_declaration) (import_alias)] @terminate @after
    (ambient_declaration (module)) @after
    (class_body (decorator) @after)
    (abstract_class_declaration (decorator) @after)
    (public_field_definition (decorator) @after)
    (interface_body [";" ","] @drop)
"""
_NAMES = f"""
    {js.NAMES}
    (required_parameter pattern: (identifier) @variable)
    (optional_parameter pattern: (identifier) @variable)
    (required_parameter (accessibility_modifier) pattern: (identifier) @field)
    (optional_parameter (accessibility_modifier) pattern: (identifier) @field)
    (public_field_definition name: [(property_identifier) (private_property_identifier)] @variable @field)
    (public_field_definition name: (property_identifier) @own.function @keep value: {js.VALUES})
    (abstract_method_signature name: (property_identifier) @own.function @keep)
    (method_signature name: (property_identifier) @own.function @keep)
    (function_signature name: (identifier) @own.function)
    (class_declaration name: (type_identifier) @own.type)
    (abstract_class_declaration name: (type_identifier) @own.type)
    (class name: (type_identifier) @own.type)
    (enum_declaration name: (identifier) @own.type)
    (interface_declaration name: (type_identifier) @own.type @keep)
    (type_alias_declaration name: (type_identifier) @own.type @keep)
    (extends_clause value: (identifier) @type)
    (type_identifier) @type
    (index_signature name: (identifier) @keep)
    (import_require_clause (identifier) @keep)
    (import_alias (identifier) @keep)
"""
_METRICS = f"""
    {js.METRICS}
    (as_expression) @cast
    (formal_parameters [(required_parameter) (optional_parameter)] @parameter)
"""

TYPESCRIPT = Language(
    name="typescript",
    title="TypeScript",
    extensions=(".ts", ".mts", ".cts"),
    grammar="tree_sitter_typescript:language_typescript",
    lexicon=js.lexicon(_RESERVED, b" ?:"),
    structure=_STRUCTURE,
    layout=_LAYOUT + _terminated(_EXPRESSIONS + "type_assertion"),
    names=_NAMES,
    metrics=_METRICS + "(type_assertion) @cast",
    wrappers=js.WRAPPERS,
    terminator=b";",
    own_names=frozenset({b"this", b"super"}),
    callbacks=True,
    branches=js.BRANCHES,
    branch_operators=frozenset({b"&&", b"||", b"??"}),
    nesting=js.NESTING,
)

TSX = replace(
    TYPESCRIPT,
    name="tsx",
    title="TypeScript with JSX",
    extensions=(".tsx",),
    grammar="tree_sitter_typescript:language_tsx",
    structure=_STRUCTURE + js.JSX,
    layout=_LAYOUT + js.JSX_LAYOUT + _terminated(_EXPRESSIONS + "jsx_element jsx_self_closing_element"),
    names=_NAMES + js.JSX_NAMES,
    metrics=_METRICS,
)
