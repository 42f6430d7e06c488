"""C#."""

from __future__ import annotations

from clonetruth.code.language import SLASH_COMMENT, Language, Lexicon, TokenKind, keywords

# `>` is never merged with another `>`: in `List<List<int>>` each closes a list. Nor is `?` with `.`, since
# `a?.5:b` is a choice between numbers.
_OPERATORS = b"=> -> :: .. ?? ??= ++ -- << <= >= == != && || += -= *= /= %= &= |= ^= <<="

# Regions only matter to editors: they are comments.
_REGION = rb"#[ \t]*(?:end)?region\b[^\n]*"

_TYPE = "[(identifier) @type (generic_name (identifier) @type) (qualified_name name: (identifier) @type)]"

# The grammar has no separate node for the name of a type: its position decides.
_TYPES = f"""
    (_ type: {_TYPE})
    (_ returns: {_TYPE})
    (type_argument_list {_TYPE})
    (base_list {_TYPE})
    (as_expression right: {_TYPE})
    (is_expression right: {_TYPE})
"""

# Contextual keywords, which are names elsewhere: only the grammar can distinguish them.
_CONTEXTUAL = """
    (implicit_type) @opaque.keyword
    (accessor_declaration name: _ @opaque.keyword)
    (modifier ["async" "file" "partial" "required"] @opaque.keyword)
    (await_expression "await" @opaque.keyword)
    (foreach_statement "await" @opaque.keyword)
    (yield_statement "yield" @opaque.keyword)
    (record_declaration "record" @opaque.keyword)
    (type_parameter_constraints_clause "where" @opaque.keyword)
    (type_parameter_constraint ["notnull" "unmanaged"] @opaque.keyword)
    (when_clause "when" @opaque.keyword)
    (catch_filter_clause "when" @opaque.keyword)
    (and_pattern "and" @opaque.keyword)
    (or_pattern "or" @opaque.keyword)
    (negated_pattern "not" @opaque.keyword)
    (with_expression "with" @opaque.keyword)
    (scoped_type "scoped" @opaque.keyword)
    (from_clause "from" @opaque.keyword)
    (where_clause "where" @opaque.keyword)
    (select_clause "select" @opaque.keyword)
    (let_clause "let" @opaque.keyword)
    (group_clause ["group" "by"] @opaque.keyword)
    (order_by_clause ["orderby" "ascending" "descending"] @opaque.keyword)
    (join_clause ["join" "on" "equals"] @opaque.keyword)
    (join_into_clause "into" @opaque.keyword)
    (query_expression "into" @opaque.keyword)
    (global_attribute ["assembly" "module"] @opaque.keyword)
    (attribute_target_specifier ["field" "method" "param" "property" "type"] @opaque.keyword)
    (extern_alias_directive "alias" @opaque.keyword)
    (preproc_pragma ["warning" "disable" "restore" "checksum"] @opaque.keyword)
    (preproc_nullable ["enable" "disable" "restore" "annotations" "warnings"] @opaque.keyword)
"""

_DIRECTIVES = (
    ("preproc_define", "#define"),
    ("preproc_undef", "#undef"),
    ("preproc_pragma", "#pragma"),
    ("preproc_nullable", "#nullable"),
    ("preproc_error", "#error"),
    ("preproc_warning", "#warning"),
    ("preproc_line", "#line"),
    ("preproc_if", "#if"),
    ("preproc_if", "#endif"),
    ("preproc_if_in_attribute_list", "#if"),
    ("preproc_if_in_attribute_list", "#endif"),
    ("preproc_elif", "#elif"),
    ("preproc_else", "#else"),
)

_MEMBERS = (
    "class_declaration",
    "struct_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "field_declaration",
    "event_field_declaration",
    "event_declaration",
    "property_declaration",
    "indexer_declaration",
    "delegate_declaration",
    "method_declaration",
    "constructor_declaration",
    "destructor_declaration",
    "operator_declaration",
    "conversion_operator_declaration",
    "accessor_declaration",
    "local_function_statement",
)

_FUNCTIONS = (
    "method_declaration",
    "constructor_declaration",
    "destructor_declaration",
    "operator_declaration",
    "conversion_operator_declaration",
    "local_function_statement",
)

CSHARP = Language(
    name="csharp",
    title="C#",
    extensions=(".cs", ".csx"),
    grammar="tree_sitter_c_sharp:language",
    lexicon=Lexicon(
        comment=SLASH_COMMENT + b"|" + _REGION,
        # The grammar delimits raw and interpolated strings; this is for source that does not parse.
        string=rb'"""+.*?"""+|(?:@\$?|\$@)"(?:[^"]|"")*"|\$?"(?:[^"\\\n]|\\.)*"(?:u8)?',
        character=rb"'(?:[^'\\\n]|\\.)+'",
        number=(rb"0[xXbB]\w+|(?:[0-9][0-9_]*(?:\.[0-9][0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9][0-9_]*)?\w*"),
        identifier=rb"@?[A-Za-z_\x80-\xff][\w\x80-\xff]*",
        operators=tuple(_OPERATORS.split()),
        words=keywords(
            "abstract as base bool break byte case catch char checked class const continue decimal default delegate do "
            "double else enum event explicit extern finally fixed float for foreach goto if implicit in int interface "
            "internal is lock long namespace new object operator out override params private protected public readonly "
            "ref return sbyte sealed short sizeof stackalloc static string struct switch this throw try typeof uint "
            "ulong unchecked unsafe ushort using virtual void volatile while"
        )
        | keywords("true false", TokenKind.BOOLEAN)
        | keywords("null", TokenKind.NULL),
    ),
    structure=f"""
        {" ".join(f'({node} "{word}" @opaque.keyword)' for node, word in _DIRECTIVES)}
        {_CONTEXTUAL}
        (verbatim_string_literal) @opaque.string
        (raw_string_literal) @opaque.string
        (interpolated_string_expression) @opaque.string
        {" ".join(f"({function}) @function" for function in _FUNCTIONS)}
        (method_declaration name: (_) @name)
        (constructor_declaration name: (_) @name)
        (local_function_statement name: (_) @name)
        (destructor_declaration "~" @name name: (_) @name.last)
        (operator_declaration "operator" @name operator: _ @name.last)
        (conversion_operator_declaration "operator" @name type: (_) @name.last)
        {" ".join(f"({f} parameters: (parameter_list (parameter type: (_) @parameter)))" for f in _FUNCTIONS)}
        {" ".join(f"({f} parameters: (parameter_list type: (_) @parameter))" for f in _FUNCTIONS)}
        (namespace_declaration name: (_) @scope.name) @scope
        (class_declaration name: (_) @scope.name) @scope
        (struct_declaration name: (_) @scope.name) @scope
        (interface_declaration name: (_) @scope.name) @scope
        (record_declaration name: (_) @scope.name) @scope
        (enum_declaration name: (_) @scope.name) @scope
        (lambda_expression) @lambda
        (anonymous_method_expression) @lambda
        {_TYPES}
        (type_parameter name: (identifier) @type)
    """,
    layout=f"""
        {" ".join(f'({node} "{word}" @line.begin)' for node, word in _DIRECTIVES)}
        [
          (preproc_define) (preproc_undef) (preproc_pragma) (preproc_nullable) (preproc_error)
          (preproc_warning) (preproc_line)
        ] @line.end
        (preproc_if condition: (_) @line.end)
        (preproc_if_in_attribute_list condition: (_) @line.end)
        (preproc_elif condition: (_) @line.end)
        (preproc_else "#else" @line.end)
        (preproc_if "#endif" @line.end)
        (preproc_if_in_attribute_list "#endif" @line.end)
        (block "{{" @after @open "}}" @close)
        (declaration_list "{{" @after @open "}}" @close)
        (accessor_list "{{" @after @open "}}" @close)
        (switch_body "{{" @after @open "}}" @close)
        [
          {" ".join(f"({member})" for member in _MEMBERS)}
          (namespace_declaration) (file_scoped_namespace_declaration) (using_directive) (extern_alias_directive)
          (global_attribute) (local_declaration_statement) (expression_statement) (return_statement)
          (throw_statement) (break_statement) (continue_statement) (goto_statement) (yield_statement)
          (if_statement) (while_statement) (do_statement) (for_statement) (foreach_statement) (switch_statement)
          (try_statement) (using_statement) (lock_statement) (checked_statement) (unsafe_statement)
          (fixed_statement)
        ] @after
        {" ".join(f"({member} (attribute_list) @after)" for member in _MEMBERS)}
        (block (block) @after)
        (switch_section (block) @after)
        (global_statement (block) @after)
        (switch_section ":" @after)
        (labeled_statement ":" @after)
        (while_statement body: (empty_statement) @after)
        (for_statement body: (empty_statement) @after)
        (foreach_statement body: (empty_statement) @after)
        (if_statement consequence: (empty_statement) @after)
        (if_statement alternative: (empty_statement) @after)
        (block (empty_statement) @drop)
        (switch_section (empty_statement) @drop)
        (global_statement (empty_statement) @drop)
    """,
    names=f"""
        (variable_declarator name: (identifier) @variable)
        (parameter name: (identifier) @variable)
        (parameter_list name: (identifier) @variable)
        (implicit_parameter) @variable
        (foreach_statement left: (identifier) @variable)
        (tuple_pattern name: (identifier) @variable)
        (parenthesized_variable_designation name: (identifier) @variable)
        (catch_declaration name: (identifier) @variable)
        (declaration_expression name: (identifier) @variable)
        (declaration_pattern name: (identifier) @variable)
        (recursive_pattern name: (identifier) @variable)
        (var_pattern name: (identifier) @variable)
        (from_clause name: (identifier) @variable)
        (let_clause . (identifier) @variable)
        (join_clause . (identifier) @variable)
        (join_into_clause (identifier) @variable)
        (field_declaration (variable_declaration (variable_declarator name: (identifier) @field)))
        (event_field_declaration (variable_declaration (variable_declarator name: (identifier) @field)))
        (property_declaration name: (identifier) @field)
        (record_declaration (parameter_list (parameter name: (identifier) @field)))
        (member_access_expression expression: "this" name: (identifier) @own.member)
        (member_access_expression name: (identifier) @keep)
        (member_binding_expression name: (identifier) @keep)
        (initializer_expression (assignment_expression left: (identifier) @keep))
        (subpattern . (identifier) @keep)
        (argument name: (identifier) @keep)
        (attribute name: (identifier) @keep)
        (attribute_argument name: (identifier) @keep)
        (tuple_element name: (identifier) @keep)
        (using_directive (identifier) @keep)
        (qualified_name qualifier: (identifier) @keep)
        (namespace_declaration name: (identifier) @keep)
        (namespace_declaration name: (qualified_name name: (identifier) @keep))
        (file_scoped_namespace_declaration) @package
        (enum_member_declaration name: (identifier) @keep)
        (labeled_statement . (identifier) @keep)
        (goto_statement (identifier) @keep)
        (class_declaration name: (identifier) @own.type)
        (struct_declaration name: (identifier) @own.type)
        (interface_declaration name: (identifier) @own.type)
        (enum_declaration name: (identifier) @own.type)
        (record_declaration name: (identifier) @own.type)
        (delegate_declaration name: (identifier) @own.type)
        (type_parameter name: (identifier) @own.type)
        (constructor_declaration name: (identifier) @type @keep)
        (destructor_declaration name: (identifier) @type @keep)
        {_TYPES}
        ((member_access_expression expression: (identifier) @type) (#match? @type "^[A-Z]"))
        (method_declaration name: (identifier) @own.function)
        (local_function_statement name: (identifier) @own.function)
        (invocation_expression function: (identifier) @call)
        (invocation_expression function: (generic_name (identifier) @call))
        (invocation_expression function: (member_access_expression name: (identifier) @call))
        (invocation_expression function: (member_access_expression name: (generic_name (identifier) @call @keep)))
        (invocation_expression
          function: (conditional_access_expression (member_binding_expression name: (identifier) @call)))
        ((method_declaration name: (identifier) @fixed) (#eq? @fixed "Main"))
        ((identifier) @fixed (#any-of? @fixed "_" "dynamic" "nameof"))
    """,
    metrics="""
        [
          (expression_statement) (local_declaration_statement) (return_statement) (throw_statement)
          (break_statement) (continue_statement) (goto_statement) (yield_statement) (labeled_statement)
          (if_statement) (while_statement) (do_statement) (for_statement) (foreach_statement)
          (switch_statement) (try_statement) (using_statement) (lock_statement) (fixed_statement)
          (checked_statement) (unsafe_statement)
        ] @statement
        [(expression) (lvalue_expression)] @expression
        (expression_statement [
          (assignment_expression) (await_expression) (invocation_expression) (object_creation_expression)
          (postfix_unary_expression) (prefix_unary_expression)
        ] @expression)
        [(while_statement) (do_statement) (for_statement) (foreach_statement)] @loop
        [(cast_expression) (as_expression)] @cast
        [(throw_statement) (throw_expression)] @throw
        (catch_declaration type: (_) @exception)
        (catch_clause . body: (block)) @exception
        (_ name: (identifier) parameters: (parameter_list) @parameters)
        (parameter_list (parameter) @parameter)
        (lambda_expression parameters: (_) @lambda.parameters)
        (anonymous_method_expression parameters: (_) @lambda.parameters)
    """,
    statements_end=True,
    wrappers=((b"class X{", b"}"), (b"class X{void x(){", b"}}"), (b"class X{object x=", b";}")),
    own_names=frozenset({b"this", b"base"}),
    branches=frozenset(
        {
            "if_statement",
            "while_statement",
            "do_statement",
            "for_statement",
            "foreach_statement",
            "switch_section",
            "switch_expression_arm",
            "catch_clause",
            "conditional_expression",
        }
    ),
    branch_operators=frozenset({b"&&", b"||", b"??", b"??="}),
    nesting=frozenset(
        {
            "if_statement",
            "while_statement",
            "do_statement",
            "for_statement",
            "foreach_statement",
            "switch_statement",
            "switch_expression",
            "try_statement",
            "using_statement",
            "lock_statement",
            "fixed_statement",
            "lambda_expression",
            "anonymous_method_expression",
        }
    ),
)
