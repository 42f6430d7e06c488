"""Go. Its lexer ends a statement at a line end with an implicit ``;``; here every statement has it."""

from __future__ import annotations

from clonetruth.code.language import SLASH_COMMENT, Language, Lexicon, TokenKind, keywords

_OPERATORS = b"<- := ... ++ -- << >> &^ <= >= == != && || += -= *= /= %= &= |= ^= <<= >>= &^="

# Statements that end in a `}` and need no terminator. A label belongs to its statement.
_COMPOUND = (
    "block if_statement for_statement expression_switch_statement type_switch_statement select_statement "
    "labeled_statement"
)
_SIMPLE = (
    "expression_statement send_statement inc_statement dec_statement assignment_statement short_var_declaration "
    "go_statement defer_statement return_statement break_statement continue_statement goto_statement "
    "fallthrough_statement const_declaration var_declaration type_declaration"
)


def _each(parent: str, children: str, captures: str) -> str:
    """A pattern for each kind of child: a third of the time of one pattern with all of them."""
    return " ".join(f"({parent} ({child}) {captures})" for child in children.split())


# Lists whose last element has a comma only if the line ends there: the comma is layout.
_COMMA_LISTS = ("argument_list", "parameter_list", "literal_value", "type_parameter_list", "type_arguments")

# Lists whose elements end in `;`, written or not: written ones are dropped, and each element gets one.
_SEMICOLON_LISTS = (
    "statement_list",
    "source_file",
    "import_spec_list",
    "var_spec_list",
    "const_declaration",
    "type_declaration",
    "field_declaration_list",
    "interface_type",
)

_PARAMETERS = """
    parameters: (parameter_list
      [(parameter_declaration type: (_) @parameter) (variadic_parameter_declaration type: (_) @parameter)])
"""

# The predeclared types. Go lets a program redefine these names, but none does; like the primitive types of other
# languages they stay unchanged.
TYPES = (
    "bool byte complex64 complex128 float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 "
    "uint64 uintptr"
)
_TYPE = f"""((type_identifier) @type (#not-match? @type "^(nil|{TYPES.replace(" ", "|")})$"))"""

_RECEIVER = """
    [
      (type_identifier) @owner
      (generic_type type: (type_identifier) @owner)
      (pointer_type (type_identifier) @owner)
      (pointer_type (generic_type type: (type_identifier) @owner))
    ]
"""


GO = Language(
    name="go",
    title="Go",
    extensions=(".go",),
    grammar="tree_sitter_go:language",
    lexicon=Lexicon(
        comment=SLASH_COMMENT,
        string=rb'"(?:[^"\\\n]|\\.)*"|`[^`]*`',
        character=rb"'(?:[^'\\\n]|\\.)+'",
        number=(
            rb"0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]+)?\w*"
            rb"|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?\w*"
        ),
        identifier=rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*",
        operators=tuple(_OPERATORS.split()),
        words=keywords(
            "break case chan const continue default defer else fallthrough for func go goto if import interface map "
            "package range return select struct switch type var"
        )
        | keywords(TYPES)
        | keywords("true false", TokenKind.BOOLEAN)
        | keywords("nil", TokenKind.NULL),
    ),
    structure=f"""
        (function_declaration name: (identifier) @name body: (block)) @function
        (method_declaration name: (field_identifier) @name body: (block)) @function
        (method_declaration receiver: (parameter_list (parameter_declaration type: {_RECEIVER})))
        (function_declaration {_PARAMETERS})
        (method_declaration {_PARAMETERS})
        (func_literal) @lambda
        {_TYPE}
    """,
    layout=f"""
        (block "{{" @after @open "}}" @close)
        (expression_switch_statement "{{" @after @open "}}" @close)
        (type_switch_statement "{{" @after @open "}}" @close)
        (select_statement "{{" @after @open "}}" @close)
        (field_declaration_list "{{" @after @open (field_declaration) "}}" @close)
        (interface_type "{{" @after @open [(method_elem) (type_elem)] "}}" @close)
        (import_spec_list "(" @after @open ")" @close)
        (var_spec_list "(" @after @open ")" @close)
        (const_declaration "(" @after @open ")" @close)
        (type_declaration "(" @after @open ")" @close)
        {_each("statement_list", _SIMPLE, "@terminate @after")}
        {_each("statement_list", _COMPOUND, "@after")}
        {_each("source_file", _SIMPLE, "@terminate @after")}
        {_each("source_file", _COMPOUND, "@after")}
        {_each("labeled_statement", _SIMPLE, "@terminate")}
        [(package_clause) (import_declaration)] @terminate @after
        [(function_declaration) (method_declaration)] @after
        (function_declaration !body) @terminate
        (import_spec_list (import_spec) @terminate @after)
        (var_spec_list (var_spec) @terminate @after)
        (const_declaration "(" (const_spec) @terminate @after)
        (type_declaration "(" [(type_spec) (type_alias)] @terminate @after)
        [(field_declaration) (method_elem)] @terminate @after
        (interface_type (type_elem) @terminate @after)
        (labeled_statement ":" @after)
        (expression_case ":" @after)
        (type_case ":" @after)
        (communication_case ":" @after)
        (default_case ":" @after)
        {" ".join(f'({node} ";" @drop)' for node in _SEMICOLON_LISTS)}
        (statement_list (empty_statement) @drop)
        (source_file (empty_statement) @drop)
        {" ".join(f'({node} "," @drop . (comment)* . [")" "]" "}}"] .)' for node in _COMMA_LISTS)}
    """,
    names=f"""
        (short_var_declaration left: (expression_list (identifier) @variable))
        (var_spec name: (identifier) @variable)
        (const_spec name: (identifier) @variable)
        (parameter_declaration name: (identifier) @variable)
        (variadic_parameter_declaration name: (identifier) @variable)
        (range_clause left: (expression_list (identifier) @variable) ":=")
        (receive_statement left: (expression_list (identifier) @variable) ":=")
        (type_switch_statement alias: (expression_list (identifier) @variable))
        (field_declaration name: (field_identifier) @field)
        (selector_expression field: (field_identifier) @own.member)
        (package_clause) @package
        ((identifier) @fixed (#eq? @fixed "_"))
        ((type_identifier) @fixed (#any-of? @fixed "any" "comparable" "error"))
        (type_spec name: (type_identifier) @own.type)
        (type_alias name: (type_identifier) @own.type)
        (type_parameter_declaration name: (identifier) @own.type)
        {_TYPE}
        (function_declaration name: (identifier) @own.function)
        (method_declaration name: (field_identifier) @own.function)
        (method_elem name: (field_identifier) @own.function)
        (call_expression function: (identifier) @call)
        (call_expression function: (selector_expression field: (field_identifier) @call))
        ((function_declaration name: (identifier) @fixed) (#any-of? @fixed "main" "init"))
        ((call_expression function: (identifier) @fixed) (#any-of? @fixed "make" "new"))
    """,
    metrics="""
        (statement_list [
          (expression_statement) (send_statement) (inc_statement) (dec_statement) (assignment_statement)
          (short_var_declaration) (var_declaration) (const_declaration) (return_statement) (break_statement)
          (continue_statement) (goto_statement) (fallthrough_statement) (go_statement) (defer_statement)
          (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement)
          (select_statement) (labeled_statement)
        ] @statement)
        (labeled_statement [
          (for_statement) (expression_switch_statement) (type_switch_statement) (select_statement)
        ] @statement)
        (if_statement alternative: (if_statement) @statement)
        (_expression) @expression
        (for_statement) @loop
        [(type_conversion_expression) (type_assertion_expression)] @cast
        ((call_expression function: (identifier) @_name) @throw (#eq? @_name "panic"))
        (function_declaration parameters: (parameter_list) @parameters)
        (method_declaration parameters: (parameter_list) @parameters)
        (parameter_declaration name: (identifier) @parameter)
        (parameter_declaration !name) @parameter
        (variadic_parameter_declaration) @parameter
        (func_literal parameters: (parameter_list) @lambda.parameters)
    """,
    # The plain text, with the line break that ends the last declaration.
    wrappers=((b"", b"\n"),),
    terminator=b";",
    branches=frozenset(
        {
            "if_statement",
            "for_statement",
            "expression_case",
            "type_case",
            "communication_case",
        }
    ),
    branch_operators=frozenset({b"&&", b"||"}),
    nesting=frozenset(
        {
            "if_statement",
            "for_statement",
            "expression_switch_statement",
            "type_switch_statement",
            "select_statement",
            "func_literal",
        }
    ),
)
