"""Python 3, and the Python 2 that contest archives still contain (``print x``, ``except E, e``).

* A plain string is one token. An f-string is the tokens of its literal pieces and of the code in its braces, so
  that a renamed variable is detected there too.
* Blocks and line ends become layout tokens; semicolons between statements are dropped, backslash continuations are
  white space. A docstring is documentation, as a comment is elsewhere, and is dropped too.
* A function begins at its first decorator. An indented method parses as it is, so there is no wrapper.
* ``self`` and ``cls`` are the object itself by convention, so abstraction does not rename them, as it does not rename
  ``this``.
"""

from __future__ import annotations

from clonetruth.code.language import Language, Lexicon, TokenKind, keywords

# The longer quotes are tried first. Runs of ordinary characters are matched at once, which is several times as fast.
_STRING = (
    rb"(?:"
    rb'"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+"""'
    rb"|'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+'''"
    rb'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
    rb"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+')"
)
_NUMBER = (
    rb"0[xXoObB][0-9a-fA-F_]+[lL]?"
    rb"|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9][0-9_]*)?[jJlL]?"
)
_OPERATORS = b"... -> := ** **= // //= << <<= >> >>= <= >= == != <> += -= *= /= %= &= |= ^= @="

PYTHON = Language(
    name="python",
    title="Python",
    extensions=(".py", ".pyw", ".pyi"),
    grammar="tree_sitter_python:language",
    lexicon=Lexicon(
        comment=rb"\#[^\n]*|\\\r?\n",
        string=_STRING,
        character=None,
        number=_NUMBER,
        # A repetition would be tried at each token, a letter only where there is one.
        word_like_literal=rb"[bBrRuUfFtT][bBrRuUfFtT]?+" + _STRING,
        code_inside=rb"[bBrRuU]?[fFtT][bBrRuU]?['\"](?:[^{]|\{\{)*+\{",
        identifier=rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*",
        operators=tuple(_OPERATORS.split()),
        words=keywords(
            "as assert async await break class continue def del elif else except finally for from global if import "
            "lambda nonlocal pass raise return try while with yield"
        )
        | keywords("and or not in is", TokenKind.OPERATOR)
        | keywords("True False", TokenKind.BOOLEAN)
        | keywords("None", TokenKind.NULL),
    ),
    structure="""
        (module (function_definition name: (identifier) @name) @function)
        (block (function_definition name: (identifier) @name) @function)
        (decorated_definition definition: (function_definition name: (identifier) @name)) @function
        (typed_parameter type: (type) @parameter)
        (typed_default_parameter type: (type) @parameter)
        (class_definition name: (identifier) @scope.name) @scope
        (lambda) @lambda
        (type (identifier) @type)
        (type (binary_operator (identifier) @type))
        (generic_type (identifier) @type)
        (class_definition superclasses: (argument_list (identifier) @type))
        (string . (string_start) . (string_content)? . (string_end) .) @opaque.string
        (string . (string_start) @opaque.string (interpolation))
        (string (interpolation) (string_end) @opaque.string .)
        (string (string_content) @opaque.string . (interpolation))
        (string (interpolation) . (string_content) @opaque.string)
        (format_specifier . ":" .) @opaque.string
        (type_conversion) @opaque.keyword
        (future_import_statement "__future__" @opaque.keyword)
        (match_statement "match" @opaque.keyword)
        (case_pattern "_" @opaque.keyword)
        (case_clause "case" @opaque.keyword)
        (type_alias_statement "type" @opaque.keyword)
        (print_statement "print" @opaque.keyword)
        (exec_statement "exec" @opaque.keyword)
        (for_statement "in" @opaque.keyword)
        (for_in_clause "in" @opaque.keyword)
    """,
    layout="""
        (block) @block
        [
          (expression_statement) (assert_statement) (break_statement) (continue_statement) (delete_statement)
          (exec_statement) (future_import_statement) (global_statement) (import_from_statement) (import_statement)
          (nonlocal_statement) (pass_statement) (print_statement) (raise_statement) (return_statement)
          (type_alias_statement) (decorator)
        ] @terminate
        (module ";" @drop)
        (block ";" @drop)
        ((module . (comment)* . (expression_statement . (string) @doc .) @drop)
          (#match? @doc "^[rRuU]?['\\"]"))
        ((class_definition body: (block . (comment)* . (expression_statement . (string) @doc .) @drop))
          (#match? @doc "^[rRuU]?['\\"]"))
        ((function_definition body: (block . (comment)* . (expression_statement . (string) @doc .) @drop))
          (#match? @doc "^[rRuU]?['\\"]"))
    """,
    names="""
        (assignment left: (identifier) @variable)
        (augmented_assignment left: (identifier) @variable)
        (named_expression name: (identifier) @variable)
        (for_statement left: (identifier) @variable)
        (for_in_clause left: (identifier) @variable)
        (pattern_list (identifier) @variable)
        (tuple_pattern (identifier) @variable)
        (list_pattern (identifier) @variable)
        (list_splat_pattern (identifier) @variable)
        (dictionary_splat_pattern (identifier) @variable)
        (as_pattern_target (identifier) @variable)
        (as_pattern_target (tuple (identifier) @variable))
        (as_pattern_target (list (identifier) @variable))
        (except_clause value: (_) "," value: (identifier) @variable)
        (parameters (identifier) @variable)
        (lambda_parameters (identifier) @variable)
        (default_parameter name: (identifier) @variable)
        (typed_parameter (identifier) @variable)
        (typed_default_parameter name: (identifier) @variable)
        (global_statement (identifier) @variable)
        (nonlocal_statement (identifier) @variable)
        (case_pattern (dotted_name . (identifier) @variable .))
        (keyword_pattern (dotted_name . (identifier) @variable .))
        (splat_pattern (identifier) @variable)
        (as_pattern (case_pattern) (identifier) @variable)
        (class_definition body: (block (expression_statement (assignment left: (identifier) @field))))
        (class_definition name: (identifier) @own.type)
        (type_alias_statement left: (type (identifier) @own.type))
        (function_definition name: (identifier) @own.function)
        (class_definition body: (block (function_definition name: (identifier) @keep)))
        (class_definition body: (block (decorated_definition (function_definition name: (identifier) @keep))))
        ((function_definition name: (identifier) @keep parameters: (parameters . (identifier) @_self))
          (#any-of? @_self "self" "cls"))
        (call function: (identifier) @call)
        (call function: (attribute attribute: (identifier) @call))
        ((decorator (attribute object: (identifier) @call @keep attribute: (identifier) @_role))
          (#any-of? @_role "setter" "getter" "deleter"))
        (type (identifier) @type)
        (type (binary_operator (identifier) @type))
        (generic_type (identifier) @type)
        (class_definition superclasses: (argument_list (identifier) @type))
        (except_clause . value: (identifier) @type)
        (except_clause value: (as_pattern . (identifier) @type))
        (except_clause value: (tuple (identifier) @type))
        (except_clause value: (as_pattern . (tuple (identifier) @type)))
        (class_pattern (dotted_name . (identifier) @type .))
        (attribute attribute: (identifier) @keep)
        ((attribute object: (identifier) @_self attribute: (identifier) @own.member)
          (#any-of? @_self "self" "cls"))
        (keyword_argument name: (identifier) @keep)
        (keyword_pattern . (identifier) @keep)
        (dotted_name (identifier) . (identifier) @keep)
        (import_statement (dotted_name (identifier) @keep))
        (import_from_statement (dotted_name (identifier) @keep))
        (relative_import (dotted_name (identifier) @keep))
        (aliased_import (dotted_name (identifier) @keep))
        (aliased_import alias: (identifier) @keep)
        ((identifier) @fixed (#match? @fixed "^__.*__$"))
        ((identifier) @fixed (#eq? @fixed "super"))
    """,
    metrics="""
        [
          (expression_statement) (assert_statement) (break_statement) (continue_statement) (delete_statement)
          (exec_statement) (future_import_statement) (global_statement) (import_from_statement) (import_statement)
          (nonlocal_statement) (pass_statement) (print_statement) (raise_statement) (return_statement)
          (type_alias_statement) (if_statement) (while_statement) (for_statement) (try_statement)
          (with_statement) (match_statement)
        ] @statement
        [(expression) (primary_expression)] @expression
        (assignment left: (_) @expression)
        (augmented_assignment left: (_) @expression)
        [(while_statement) (for_statement) (for_in_clause)] @loop
        (raise_statement) @throw
        (except_clause . value: [(identifier) (attribute) (call)] @exception)
        (except_clause . value: (tuple (expression) @exception))
        (except_clause . value: (as_pattern . [(identifier) (attribute) (call)] @exception))
        (except_clause . value: (as_pattern . (tuple (expression) @exception)))
        (except_clause !value) @exception
        (parameters) @parameters
        (parameters [
          (identifier) (default_parameter) (typed_parameter) (typed_default_parameter) (list_splat_pattern)
          (dictionary_splat_pattern) (tuple_pattern)
        ] @parameter)
        (lambda_parameters) @lambda.parameters
    """,
    calls="""
        (call function: (identifier) @call.function arguments: (argument_list) @call.arguments)
        (call function: (identifier) @call.function arguments: (generator_expression))
        (call function: (attribute object: (_) @call.object attribute: (identifier) @call.named)
          arguments: (argument_list) @call.arguments)
        (argument_list [(list_splat) (dictionary_splat)] @argument.rest)
        (parameters) @parameters
        (default_parameter) @parameter.optional
        (typed_default_parameter) @parameter.optional
        (parameters [(list_splat_pattern) (dictionary_splat_pattern)] @parameter.rest)
        (typed_parameter [(list_splat_pattern) (dictionary_splat_pattern)]) @parameter.rest
        (keyword_separator) @parameter.none
        (positional_separator) @parameter.none
    """,
    indent_blocks=True,
    own_names=frozenset({b"self", b"cls"}),
    constructor="__init__",
    branches=frozenset(
        {
            "if_statement",
            "elif_clause",
            "while_statement",
            "for_statement",
            "except_clause",
            "case_clause",
            "conditional_expression",
            "for_in_clause",
            "if_clause",
        }
    ),
    branch_operators=frozenset({b"and", b"or"}),
    nesting=frozenset(
        {
            "if_statement",
            "while_statement",
            "for_statement",
            "try_statement",
            "with_statement",
            "match_statement",
            "lambda",
        }
    ),
)
