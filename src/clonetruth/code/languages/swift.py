"""Swift. A statement ends with its line; here every statement has the ``;``. A string is one token, with whatever is
interpolated. ``init`` and ``deinit`` are functions; accessors and the requirements of a protocol are not.
"""

from __future__ import annotations

from clonetruth.code.language import NESTED_COMMENT, Language, Lexicon, TokenKind, keywords, words_as_names

_OPERATORS = b"-> ... ..< ?? ?. ++ -- += -= *= /= %= <= >= == != === !== && || << &+ &- &* ~="
_CODE = '(#not-match? @after "^/[/*]")'  # comments are nodes too

_WORDS = (
    "as associatedtype async await break case catch class continue default defer deinit do else enum extension "
    "fallthrough for func guard if import in inout is let operator protocol repeat rethrows return static struct "
    "subscript super switch throw throws try typealias var where while"
)

SWIFT = Language(
    name="swift",
    title="Swift",
    extensions=(".swift",),
    grammar="tree_sitter_swift:language",
    extra="languages",
    lexicon=Lexicon(
        comment=NESTED_COMMENT,
        string=rb'\#?"""(?:\\.|[^\\])*?"""\#?|"(?:[^"\\\n]|\\.)*"',
        character=None,
        number=rb"0[xXoObB][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9_]+)?",
        identifier=rb"\$?[A-Za-z_\x80-\xff][\w\x80-\xff]*|\$[0-9]+|`[^`\n]+`",
        operators=tuple(_OPERATORS.split()),
        words=keywords(_WORDS + " init self Self _")
        | keywords("$0 $1 $2 $3 $4")
        | keywords("true false", TokenKind.BOOLEAN)
        | keywords("nil", TokenKind.NULL),
        punctuation=frozenset(b"( ) { } [ ] ; , . : ... @ # \\".split()),
    ),
    structure=f"""
        (function_declaration name: _ @name body: (_)) @function
        (init_declaration name: "init" @name body: (_)) @function
        (deinit_declaration "deinit" @name body: (_)) @function
        (parameter name: (simple_identifier) (_) @parameter .)
        (class_declaration name: (type_identifier) @scope.name) @scope
        (class_declaration name: (user_type) @scope.name) @scope
        (protocol_declaration name: (type_identifier) @scope.name) @scope
        (lambda_literal) @lambda
        (type_identifier) @type
        (line_string_literal) @opaque.string
        (multi_line_string_literal) @opaque.string
        (raw_string_literal) @opaque.string
        (regex_literal) @opaque.string
        [
          (visibility_modifier) (member_modifier) (function_modifier) (mutation_modifier) (property_modifier)
          (parameter_modifier) (inheritance_modifier) (ownership_modifier) (property_behavior_modifier)
          (getter_specifier) (setter_specifier)
        ] @opaque.keyword
        (try_operator) @opaque.keyword
        (as_operator) @opaque.keyword
        (willset_clause "willSet" @opaque.keyword)
        (didset_clause "didSet" @opaque.keyword)
        (enum_entry "indirect" @opaque.keyword)
        {words_as_names("(navigation_suffix suffix: (simple_identifier) @opaque.identifier)", _WORDS)}
        {words_as_names("(prefix_expression target: (simple_identifier) @opaque.identifier)", _WORDS)}
    """,
    layout=f"""
        (function_body "{{" @after @open "}}" @close)
        (class_body "{{" @after @open "}}" @close)
        (enum_class_body "{{" @after @open "}}" @close)
        (protocol_body "{{" @after @open "}}" @close)
        (computed_property "{{" @after @open "}}" @close)
        (switch_statement "{{" @after @open "}}" @close)
        (if_statement "{{" @after @open)
        (if_statement "}}" @close)
        (guard_statement "{{" @after @open "}}" @close)
        (for_statement "{{" @after @open "}}" @close)
        (while_statement "{{" @after @open "}}" @close)
        (repeat_while_statement "{{" @after @open "}}" @close)
        (do_statement "{{" @after @open "}}" @close)
        (catch_block "{{" @after @open "}}" @close)
        (lambda_literal "{{" @after @open "}}" @close)
        (lambda_literal "in" @after)
        ((source_file (_) @terminate @after) {_CODE})
        ((statements (_) @terminate @after) {_CODE})
        ((class_body (_) @terminate @after) {_CODE})
        ((protocol_body (_) @terminate @after) {_CODE})
        (enum_entry) @terminate @after
        (switch_entry ":" @after)
        (optional_type wrapped: (_) @tie)
        (navigation_expression target: (_) @tie . "?")
        (postfix_expression target: (_) @tie)
        (prefix_expression operation: _ @tie)
        (modifiers (attribute) @after)
    """,
    names="""
        (pattern bound_identifier: (simple_identifier) @variable)
        (if_statement bound_identifier: (simple_identifier) @variable)
        (guard_statement bound_identifier: (simple_identifier) @variable)
        (while_statement bound_identifier: (simple_identifier) @variable)
        (parameter !external_name name: (simple_identifier) @keep)
        (parameter external_name: (simple_identifier) @keep name: (simple_identifier) @variable)
        (lambda_parameter name: (simple_identifier) @variable)
        (class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @field)))
        (navigation_expression target: (self_expression)
          suffix: (navigation_suffix suffix: (simple_identifier) @own.member))
        (navigation_suffix suffix: (simple_identifier) @keep)
        (class_declaration name: (type_identifier) @own.type)
        (protocol_declaration name: (type_identifier) @own.type)
        (typealias_declaration name: (type_identifier) @own.type)
        (type_parameter (type_identifier) @own.type)
        (type_identifier) @type
        (function_declaration name: (simple_identifier) @own.function)
        (protocol_function_declaration name: (simple_identifier) @own.function)
        (call_expression . (simple_identifier) @call)
        (call_expression . (navigation_expression
          suffix: (navigation_suffix suffix: (simple_identifier) @call @keep)))
        (value_argument_label (simple_identifier) @keep)
        (enum_entry name: (simple_identifier) @keep)
        (enum_type_parameters (simple_identifier) @keep)
        (identifier (simple_identifier) @keep)
        (attribute (simple_identifier) @keep)
        (attribute (user_type (type_identifier) @keep))
        (tuple_expression name: (simple_identifier) @keep)
        ((simple_identifier) @fixed (#match? @fixed "^(\\\\$[0-9]+|_|self|super|newValue|oldValue|error)$"))
    """,
    identifiers="(simple_identifier) @identifier",
    metrics="""
        ((statements (_) @statement) (#not-match? @statement "^/[/*]"))
        [(for_statement) (while_statement) (repeat_while_statement)] @loop
        (as_expression) @cast
        (control_transfer_statement (throw_keyword)) @throw
        (catch_block) @exception
        (parameter) @parameter
        (lambda_function_type_parameters) @lambda.parameters
    """,
    wrappers=((b"class X{", b"}"), (b"", b"\n")),
    terminator=b";",
    own_names=frozenset({b"self", b"super"}),
    branches=frozenset(
        {
            "if_statement",
            "guard_statement",
            "for_statement",
            "while_statement",
            "repeat_while_statement",
            "switch_entry",
            "catch_block",
            "ternary_expression",
        }
    ),
    branch_operators=frozenset({b"&&", b"||", b"??"}),
    nesting=frozenset(
        {
            "if_statement",
            "guard_statement",
            "for_statement",
            "while_statement",
            "repeat_while_statement",
            "switch_statement",
            "do_statement",
            "lambda_literal",
        }
    ),
)
