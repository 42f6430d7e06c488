"""PHP, with the text around it.

* A variable is one token with its ``$``. A string in double quotes, a heredoc and a nowdoc are one token each, with
  whatever is interpolated. Text outside of ``<?php … ?>`` is one token per piece, its white space collapsed.
* Functions without a body (abstract ones, those of interfaces) do not count.
"""

from __future__ import annotations

from clonetruth.code.language import SLASH_COMMENT, Language, Lexicon, TokenKind, keywords, words_as_names

_OPERATORS = (
    b"#[ <?php <?= ?> -> ?-> => :: ... ** **= ++ -- += -= *= /= .= %= &= |= ^= <<= >>= ?? ??= && || << >> <= >= <=> == "
    b"!= === !== <>"
)
_WORDS = (
    "abstract as break callable case catch class clone const continue declare default do echo else elseif empty "
    "enddeclare endfor endforeach endif endswitch endwhile enum exit extends final finally fn for foreach function "
    "global goto if implements include include_once insteadof interface isset list match namespace new print private "
    "protected public readonly require require_once return static switch throw trait try unset use var while yield "
    "array bool float int iterable mixed never object string void parent self from strict_types"
)
_MEMBERS = """
    (member_access_expression name: (name) @opaque.identifier)
    (nullsafe_member_access_expression name: (name) @opaque.identifier)
    (member_call_expression name: (name) @opaque.identifier)
    (nullsafe_member_call_expression name: (name) @opaque.identifier)
    (scoped_call_expression name: (name) @opaque.identifier)
    (class_constant_access_expression (_) (name) @opaque.identifier)
    (method_declaration name: (name) @opaque.identifier)
    (enum_case name: (name) @opaque.identifier)
    (const_element . (name) @opaque.identifier)
"""
_SIMPLE = """[
    (expression_statement) (echo_statement) (return_statement) (break_statement) (continue_statement)
    (goto_statement) (unset_statement) (global_declaration) (function_static_declaration) (const_declaration)
    (property_declaration) (namespace_use_declaration) (use_declaration) (declare_statement) (exit_statement)
    (namespace_definition) (named_label_statement) (enum_case)
]"""
_COMPOUND = """[
    (if_statement) (foreach_statement) (for_statement) (while_statement) (do_statement) (switch_statement)
    (try_statement) (function_definition) (method_declaration) (class_declaration) (interface_declaration)
    (trait_declaration) (enum_declaration) (attribute_list)
]"""

PHP = Language(
    name="php",
    title="PHP",
    extensions=(".php", ".phtml", ".inc"),
    grammar="tree_sitter_php:language_php",
    extra="languages",
    lexicon=Lexicon(
        comment=SLASH_COMMENT.replace(rb"//[^\n]*+", rb"(?://|\#(?!\[))(?:[^\n?]|\?(?!>))*+"),
        string=rb'"(?:[^"\\]|\\.)*"' + rb"|'(?:[^'\\]|\\.)*'",
        character=None,
        number=rb"0[xXoObB][0-9a-fA-F_]+|(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?",
        identifier=rb"\$?[A-Za-z_\x80-\xff][\w\x80-\xff]*",
        operators=tuple(_OPERATORS.split()),
        words=keywords(_WORDS)
        | keywords("and or xor instanceof", TokenKind.OPERATOR)
        | keywords("true false TRUE FALSE", TokenKind.BOOLEAN)
        | keywords("null NULL", TokenKind.NULL),
        punctuation=frozenset(b"( ) { } [ ] ; , . : :: ... @ # #[ $ \\ ` <?php <?= ?>".split()),
    ),
    structure=f"""
        (function_definition name: (name) @name body: (_)) @function
        (method_declaration name: (name) @name body: (_)) @function
        (simple_parameter type: (_) @parameter)
        (variadic_parameter type: (_) @parameter)
        (property_promotion_parameter type: (_) @parameter)
        (class_declaration name: (name) @scope.name) @scope
        (interface_declaration name: (name) @scope.name) @scope
        (trait_declaration name: (name) @scope.name) @scope
        (enum_declaration name: (name) @scope.name) @scope
        (anonymous_class "class" @scope.name) @scope
        [(anonymous_function) (arrow_function)] @lambda
        (named_type (name) @type)
        (base_clause (name) @type)
        (class_interface_clause (name) @type)
        (object_creation_expression (name) @type)
        (encapsed_string) @opaque.string
        (heredoc) @opaque.string
        (nowdoc) @opaque.string
        (shell_command_expression) @opaque.string
        ((text) @opaque.text (#match? @opaque.text "\\\\S"))
        (cast_type) @opaque.keyword
        {words_as_names(_MEMBERS, _WORDS.replace(" class ", " ") + " and or xor instanceof true false null")}
    """,
    layout=f"""
        (compound_statement "{{" @after @open "}}" @close)
        (declaration_list "{{" @after @open "}}" @close)
        (enum_declaration_list "{{" @after @open "}}" @close)
        (switch_block "{{" @after @open "}}" @close)
        {_SIMPLE} @after
        {_COMPOUND} @after
        [(php_tag) (text)] @after
        (method_declaration ";" @after)
        (case_statement ":" @after)
        (default_statement ":" @after)
        (empty_statement) @drop
    """,
    names="""
        (variable_name (name) @variable)
        ((variable_name (name) @fixed) (#eq? @fixed "this"))
        (property_element name: (variable_name (name) @field))
        (member_access_expression object: (variable_name (name) @_self) name: (name) @own.member
          (#eq? @_self "this"))
        (class_declaration name: (name) @own.type @keep)
        (interface_declaration name: (name) @own.type @keep)
        (trait_declaration name: (name) @own.type @keep)
        (enum_declaration name: (name) @own.type @keep)
        (named_type (name) @type @keep)
        (base_clause (name) @type @keep)
        (class_interface_clause (name) @type @keep)
        (object_creation_expression (name) @type @keep)
        (scoped_call_expression scope: (name) @type @keep)
        (use_declaration (name) @type @keep)
        (function_definition name: (name) @own.function @keep)
        (method_declaration name: (name) @own.function @keep)
        (function_call_expression function: (name) @call @keep)
        (member_call_expression name: (name) @call @keep)
        (nullsafe_member_call_expression name: (name) @call @keep)
        (scoped_call_expression name: (name) @call @keep)
        ((method_declaration name: (name) @fixed) (#match? @fixed "^__"))
        ((scoped_call_expression name: (name) @fixed) (#match? @fixed "^__"))
    """,
    identifiers="(variable_name (name) @identifier)",
    metrics="""
        [
          (expression_statement) (echo_statement) (return_statement) (break_statement) (continue_statement)
          (if_statement) (foreach_statement) (for_statement) (while_statement) (do_statement) (switch_statement)
          (try_statement) (unset_statement) (global_declaration) (function_static_declaration)
        ] @statement
        (expression) @expression
        [(foreach_statement) (for_statement) (while_statement) (do_statement)] @loop
        (cast_expression) @cast
        (throw_expression) @throw
        (catch_clause type: (type_list (_) @exception))
        (formal_parameters) @parameters
        (formal_parameters [(simple_parameter) (variadic_parameter) (property_promotion_parameter)] @parameter)
    """,
    statements_end=True,
    wrappers=((b"<?php class X{", b"}"), (b"<?php ", b"")),
    own_names=frozenset({b"$this"}),
    branches=frozenset(
        {
            "if_statement",
            "else_if_clause",
            "foreach_statement",
            "for_statement",
            "while_statement",
            "do_statement",
            "case_statement",
            "catch_clause",
            "conditional_expression",
            "match_conditional_expression",
        }
    ),
    branch_operators=frozenset({b"&&", b"||", b"??", b"and", b"or"}),
    nesting=frozenset(
        {
            "if_statement",
            "foreach_statement",
            "for_statement",
            "while_statement",
            "do_statement",
            "switch_statement",
            "try_statement",
            "anonymous_function",
            "arrow_function",
        }
    ),
)
