"""Rust.

* A lifetime is ``'`` and a name. Raw strings are one token each, for up to three ``#``.
* A comma before a closing bracket, which formatters add where the line ends there, is dropped.
* The tokens in a macro call are ordinary tokens; a name among them is whatever has that name.
"""

from __future__ import annotations

from clonetruth.code.language import NESTED_COMMENT, Language, Lexicon, TokenKind, keywords

# `>` is never merged with another `>`: in `Vec<Vec<T>>` each closes a list.
_OPERATORS = b"-> => :: .. ..= ... && || == != <= >= += -= *= /= %= ^= &= |= << <<="
_RAW = rb'r(?:"[^"]*"|\#".*?"\#|\#\#".*?"\#\#|\#\#\#".*?"\#\#\#)'
_PLAIN = rb'"(?:[^"\\]|\\.)*"'
TYPES = "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize"

_ITEMS = """
    (function_item) (function_signature_item) (struct_item) (enum_item) (union_item) (impl_item) (trait_item)
    (mod_item) (foreign_mod_item) (use_declaration) (extern_crate_declaration) (const_item) (static_item)
    (type_item) (associated_type) (macro_definition) (attribute_item) (inner_attribute_item)
"""
_COMMA_LISTS = (
    "arguments",
    "parameters",
    "field_declaration_list",
    "field_initializer_list",
    "enum_variant_list",
    "use_list",
    "array_expression",
    "type_parameters",
    "type_arguments",
)
_LOWER = '(#match? @variable "^[a-z_]")'

RUST = Language(
    name="rust",
    title="Rust",
    extensions=(".rs",),
    grammar="tree_sitter_rust:language",
    extra="languages",
    lexicon=Lexicon(
        comment=NESTED_COMMENT,
        string=rb"[bc]?(?:" + _RAW + rb"|" + _PLAIN + rb")",
        character=rb"b?'(?:[^'\\\n\x80-\xff]|[\xc0-\xff][\x80-\xbf]*|\\(?:u\{[^}']*\}|x[0-9a-fA-F]{2}|.))'",
        number=(
            rb"0[xXoObB][0-9a-fA-F_]+\w*"
            rb"|[0-9][0-9_]*(?:\.[0-9][0-9_]*|\.(?![.A-Za-z_]))?(?:[eE][+-]?[0-9_]+)?\w*"
        ),
        identifier=rb"(?:r\#(?=[A-Za-z_]))?[A-Za-z_\x80-\xff][\w\x80-\xff]*",
        operators=tuple(_OPERATORS.split()),
        words=keywords(
            "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move "
            "mut pub ref return self Self static struct super trait type unsafe use where while yield _"
        )
        | keywords(TYPES)
        | keywords("true false", TokenKind.BOOLEAN),
        punctuation=frozenset(b"( ) { } [ ] ; , . : :: .. ... @ # $".split()),
        word_like_literal=rb"(?:[bc]?" + _RAW + rb"|[bc]" + _PLAIN + rb"|b'(?:[^'\\\n]|\\x[0-9a-fA-F]{2}|\\.)')",
    ),
    structure="""
        (function_item name: (identifier) @name) @function
        (parameter type: (_) @parameter)
        (impl_item type: [
          (type_identifier) @scope.name
          (generic_type type: (_) @scope.name)
          (scoped_type_identifier) @scope.name
          (primitive_type) @scope.name
          (reference_type) @scope.name
        ]) @scope
        (trait_item name: (type_identifier) @scope.name) @scope
        (mod_item name: (identifier) @scope.name body: (_)) @scope
        (closure_expression) @lambda
        ((type_identifier) @type (#not-match? @type "^(Self|_)$"))
        (fragment_specifier) @opaque.keyword
        (macro_definition "macro_rules!" @opaque.keyword)
        (union_item "union" @opaque.keyword)
    """,
    layout=f"""
        (block "{{" @after @open "}}" @close)
        (declaration_list "{{" @after @open "}}" @close)
        (match_block "{{" @after @open "}}" @close)
        [(expression_statement) (let_declaration) {_ITEMS}] @after
        (match_arm) @after
        (match_arm value: (block) "," @drop)
        (empty_statement) @drop
        {" ".join(f'({node} "," @drop . [")" "]" "}}" ">"] .)' for node in _COMMA_LISTS)}
    """,
    names=f"""
        (let_declaration pattern: (identifier) @variable)
        (let_condition pattern: (identifier) @variable)
        (parameter pattern: (identifier) @variable)
        (closure_parameters (identifier) @variable)
        (for_expression pattern: (identifier) @variable)
        ((tuple_pattern (identifier) @variable) {_LOWER})
        ((slice_pattern (identifier) @variable) {_LOWER})
        ((tuple_struct_pattern type: (_) (identifier) @variable) {_LOWER})
        ((match_pattern (identifier) @variable) {_LOWER})
        ((or_pattern (identifier) @variable) {_LOWER})
        ((field_pattern pattern: (identifier) @variable) {_LOWER})
        (field_pattern name: (shorthand_field_identifier) @variable @shorthand)
        (shorthand_field_initializer (identifier) @shorthand)
        (mut_pattern (identifier) @variable)
        (ref_pattern (identifier) @variable)
        (reference_pattern (identifier) @variable)
        (captured_pattern . (identifier) @variable)
        (const_parameter name: (identifier) @variable)
        (const_item name: (identifier) @variable)
        (static_item name: (identifier) @variable)
        (field_declaration name: (field_identifier) @field)
        (field_initializer field: (field_identifier) @own.member)
        (field_expression value: (self) field: (field_identifier) @own.member)
        (struct_item name: (type_identifier) @own.type)
        (enum_item name: (type_identifier) @own.type)
        (union_item name: (type_identifier) @own.type)
        (trait_item name: (type_identifier) @own.type)
        (type_item name: (type_identifier) @own.type)
        (type_parameter name: (type_identifier) @own.type)
        (type_identifier) @type
        ((type_identifier) @fixed (#any-of? @fixed "Self" "_"))
        (function_item name: (identifier) @own.function)
        (function_signature_item name: (identifier) @own.function)
        (call_expression function: (identifier) @call)
        (call_expression function: (field_expression field: (field_identifier) @call))
        (call_expression function: (scoped_identifier name: (identifier) @call @keep))
        (generic_function function: (identifier) @call)
        (generic_function function: (field_expression field: (field_identifier) @call))
        ((scoped_identifier path: (identifier) @type) (#match? @type "^[A-Z]"))
        (use_declaration (_ (identifier) @keep))
        (use_list (identifier) @keep)
        (use_as_clause (identifier) @keep)
        (scoped_use_list (identifier) @keep)
        (mod_item name: (identifier) @keep)
        (macro_definition name: (identifier) @keep)
        (macro_invocation macro: (identifier) @keep)
        (enum_variant name: (identifier) @keep)
        (label (identifier) @keep)
        (lifetime (identifier) @keep)
        (attribute (identifier) @keep)
        (attribute arguments: (token_tree (identifier) @keep))
        ((function_item name: (identifier) @fixed) (#eq? @fixed "main"))
    """,
    metrics="""
        [(expression_statement) (let_declaration)] @statement
        (_expression) @expression
        [(loop_expression) (while_expression) (for_expression)] @loop
        (type_cast_expression) @cast
        ((macro_invocation macro: (identifier) @_name) @throw (#eq? @_name "panic"))
        (function_item parameters: (parameters) @parameters)
        (parameters [(parameter) (self_parameter)] @parameter)
        (closure_expression parameters: (_) @lambda.parameters)
    """,
    statements_end=True,
    wrappers=((b"impl X{", b"}"),),
    own_names=frozenset({b"self"}),
    branches=frozenset({"if_expression", "while_expression", "loop_expression", "for_expression", "match_arm"}),
    branch_operators=frozenset({b"&&", b"||", b"?"}),
    nesting=frozenset(
        {
            "if_expression",
            "while_expression",
            "loop_expression",
            "for_expression",
            "match_expression",
            "unsafe_block",
            "closure_expression",
        }
    ),
)
