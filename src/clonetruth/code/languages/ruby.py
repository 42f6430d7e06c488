"""Ruby. A statement ends with its line; here every statement has the ``;``, and so has every head (``if x``).

* ``then`` and the ``do`` of a loop are dropped. A string, a heredoc, a regular expression and a word array are one
  token each, with whatever is interpolated; a symbol is a string.
* ``def self.f`` is the function ``f``. A block is not a function.
* Where a blank changes the meaning (``a [0]``, ``f (1)``, ``- 1``), a layout token marks that there is none.
"""

from __future__ import annotations

from clonetruth.code.language import Language, Lexicon, TokenKind, keywords, words_as_names

_OPERATORS = (
    b"** ** == != === =~ !~ <=> <= >= << >> && || &&= ||= += -= *= /= %= **= |= &= ^= <<= >>= .. ... => -> :: &."
)
_WORDS = (
    "alias begin break case class def defined? do else elsif end ensure for if in module next redo rescue retry "
    "return self super then undef unless until when while yield BEGIN END"
)
_MEMBERS = """
    (call method: (identifier) @opaque.identifier)
    (method name: (identifier) @opaque.identifier)
    (singleton_method name: (identifier) @opaque.identifier)
"""
_CODE = r'(#not-match? @after "^(#|=begin|;|\\s)")'  # comments and the bodies of heredocs are nodes too
_COUNTED = r'(#not-match? @statement "^(#|=begin|;|\\s|rescue|ensure|else)")'
_LISTS = "program body_statement block_body then do else ensure begin"

RUBY = Language(
    name="ruby",
    title="Ruby",
    extensions=(".rb", ".rake", ".gemspec", ".ru"),
    grammar="tree_sitter_ruby:language",
    extra="languages",
    lexicon=Lexicon(
        comment=rb"\#[^\n]*|(?<![^\n])=begin\b.*?(?:\n=end[^\n]*|\Z)|__END__\n.*",
        string=(
            rb'"(?:[^"\\]|\\.)*"' + rb"|'(?:[^'\\]|\\.)*'" + rb"|:(?!:)(?:[A-Za-z_]\w*[?!=]?(?![=~>])|[A-Za-z_]\w*)"
        ),
        character=None,
        number=rb"0[xXoObB][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9_]+)?[ri]*",
        identifier=rb"(?:@@?|\$)?[A-Za-z_\x80-\xff][\w\x80-\xff]*(?:[?!](?![=~?]))?|\$(?:[0-9]+|[!@&~_/\\.;,<>:*$?\"])",
        operators=tuple(_OPERATORS.split()),
        words=keywords(_WORDS)
        | keywords("and or not", TokenKind.OPERATOR)
        | keywords("true false", TokenKind.BOOLEAN)
        | keywords("nil", TokenKind.NULL),
    ),
    structure=f"""
        (method name: (_) @name) @function
        (singleton_method name: (_) @name) @function
        (class name: (_) @scope.name) @scope
        (module name: (_) @scope.name) @scope
        (lambda) @lambda
        (string) @opaque.string
        (chained_string) @opaque.string
        (heredoc_beginning) @opaque.string
        (heredoc_body) @opaque.string
        (regex) @opaque.string
        (subshell) @opaque.string
        (string_array) @opaque.string
        (symbol_array) @opaque.string
        (simple_symbol) @opaque.string
        (delimited_symbol) @opaque.string
        (character) @opaque.character
        {words_as_names(_MEMBERS, _WORDS + " and or not true false nil")}
    """,
    layout=f"""
        {" ".join(f"(({node} (_) @terminate @after) {_CODE})" for node in _LISTS.split())}
        (empty_statement) @drop
        (heredoc_body) @after
        (then "then" @drop)
        (do "do" @drop)
        (if condition: (_) @terminate @after)
        (elsif condition: (_) @terminate @after)
        (unless condition: (_) @terminate @after)
        (while condition: (_) @terminate @after)
        (until condition: (_) @terminate @after)
        (for value: (in) @terminate @after)
        (case value: (_) @terminate @after)
        (when pattern: (pattern) @terminate @after . body: (then))
        (rescue . "rescue" @terminate @after . body: (then))
        (rescue exceptions: (_) @terminate @after !variable)
        (rescue variable: (_) @terminate @after)
        (method parameters: (_) @terminate @after body: (body_statement))
        (method name: (_) @terminate @after !parameters body: (body_statement))
        (singleton_method parameters: (_) @terminate @after body: (body_statement))
        (singleton_method name: (_) @terminate @after !parameters body: (body_statement))
        (class name: (_) @terminate @after !superclass)
        (class superclass: (_) @terminate @after)
        (module name: (_) @terminate @after)
        (element_reference object: (_) @tie)
        (call method: (_) @tie arguments: (argument_list . "("))
        (yield "yield" @tie . (argument_list . "("))
        (scope_resolution scope: (_) @tie "::" @tie)
        (unary operator: _ @tie)
        (splat_argument "*" @tie)
        (hash_splat_argument "**" @tie)
        (block_argument "&" @tie)
        (splat_parameter "*" @tie)
        (hash_splat_parameter "**" @tie)
        (block_parameter "&" @tie)
        (keyword_parameter name: (_) @tie)
        (pair key: (hash_key_symbol) @tie)
    """,
    names="""
        (assignment left: (identifier) @variable)
        (operator_assignment left: (identifier) @variable)
        (left_assignment_list (identifier) @variable)
        (method_parameters (identifier) @variable)
        (optional_parameter name: (identifier) @variable)
        (splat_parameter name: (identifier) @variable)
        (hash_splat_parameter name: (identifier) @variable)
        (block_parameter name: (identifier) @variable)
        (keyword_parameter name: (identifier) @keep)
        (block_parameters (identifier) @variable)
        (lambda_parameters (identifier) @variable)
        (destructured_parameter (identifier) @variable)
        (exception_variable (identifier) @variable)
        (for pattern: (identifier) @variable)
        (class name: (constant) @own.type)
        (module name: (constant) @own.type)
        (superclass (constant) @type)
        (exceptions (constant) @type)
        (scope_resolution name: (constant) @type @keep)
        (scope_resolution scope: (constant) @type)
        (call receiver: (constant) @type)
        (method name: (identifier) @own.function @keep)
        (singleton_method name: (identifier) @own.function @keep)
        (call !receiver method: (identifier) @call @keep)
        (call receiver: (_) method: (identifier) @call @keep)
        (alias (identifier) @keep)
        ((method name: (identifier) @fixed) (#any-of? @fixed "initialize" "to_s" "each" "method_missing"))
        ((identifier) @fixed (#match? @fixed "[?!]$"))
        ((identifier) @fixed (#any-of? @fixed "_" "private" "protected" "public" "new" "raise" "require" "puts"))
    """,
    metrics=f"""
        {" ".join(f"(({node} (_) @statement) {_COUNTED})" for node in _LISTS.split())}
        [(while) (until) (for) (while_modifier) (until_modifier)] @loop
        ((call method: (identifier) @_name) @throw (#eq? @_name "raise"))
        (rescue) @exception
        (method_parameters) @parameters
        (method_parameters (_) @parameter)
        (lambda_parameters) @lambda.parameters
    """,
    wrappers=((b"", b"\n"), (b"class X\n", b"end\n")),
    terminator=b";",
    own_names=frozenset({b"self"}),
    constructor="initialize",
    branches=frozenset(
        {
            "if",
            "elsif",
            "unless",
            "while",
            "until",
            "for",
            "when",
            "rescue",
            "if_modifier",
            "unless_modifier",
            "while_modifier",
            "until_modifier",
            "conditional",
        }
    ),
    branch_operators=frozenset({b"&&", b"||", b"and", b"or"}),
    nesting=frozenset({"if", "unless", "while", "until", "for", "case", "begin", "do_block", "block", "lambda"}),
)
