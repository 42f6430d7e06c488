"""Lua.

A statement ends where the next one begins, so the tokens say it all; a written ``;`` is dropped. ``function M.f()`` and
``function M:f()`` are the function ``f`` of the class path ``M``. A function that is given to a name or to a key of a
table is a function of that name.
"""

from __future__ import annotations

from clonetruth.code.language import Language, Lexicon, TokenKind, keywords

_OPERATORS = b"... .. == ~= <= >= << >> // ::"
_LONG = rb"(?:\[\[.*?\]\]|\[=\[.*?\]=\]|\[==\[.*?\]==\]|\[===\[.*?\]===\])"
_STATEMENTS = """
    (assignment_statement) (function_call) (return_statement) (break_statement) (goto_statement) (label_statement)
    (if_statement) (for_statement) (while_statement) (repeat_statement) (do_statement) (function_declaration)
    (variable_declaration)
"""

LUA = Language(
    name="lua",
    title="Lua",
    extensions=(".lua",),
    grammar="tree_sitter_lua:language",
    extra="languages",
    lexicon=Lexicon(
        comment=rb"--(?:" + _LONG + rb"|(?!\[=*\[)[^\n]*|\[=*\[[^\n]*)|\#![^\n]*",
        string=rb'"(?:[^"\\\n]|\\.)*"|' + rb"'(?:[^'\\\n]|\\.)*'|" + _LONG,
        character=None,
        number=rb"0[xX][0-9a-fA-F.]*(?:[pP][+-]?[0-9]+)?|(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\w*",
        identifier=rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*",
        operators=tuple(_OPERATORS.split()),
        words=keywords("break do else elseif end for function goto if in local repeat return then until while")
        | keywords("and or not", TokenKind.OPERATOR)
        | keywords("true false", TokenKind.BOOLEAN)
        | keywords("nil", TokenKind.NULL),
        punctuation=frozenset(b"( ) { } [ ] ; , . : :: ... #".split()),
        word_like_literal=_LONG,  # before the bracket
    ),
    structure="""
        (function_declaration name: (identifier) @name) @function
        (function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name)) @function
        (function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name)) @function
        (assignment_statement
          (variable_list . name: [
            (identifier) @name
            (dot_index_expression field: (identifier) @name)
          ] .)
          (expression_list . value: (function_definition) @value .)) @function
        (field name: (identifier) @name value: (function_definition) @value) @function
        (function_definition) @lambda
        (attribute (identifier) @opaque.keyword)
    """,
    layout=f"""
        (chunk [{_STATEMENTS}] @after)
        (block [{_STATEMENTS}] @after)
        (if_statement "then" @after)
        (elseif_statement "then" @after)
        (else_statement "else" @after)
        (for_statement "do" @after)
        (while_statement "do" @after)
        (do_statement "do" @after)
        (repeat_statement "repeat" @after)
        (function_declaration parameters: (_) @after)
        (return_statement ";" @drop)
        (empty_statement) @drop
    """,
    names="""
        (variable_declaration (variable_list name: (identifier) @variable))
        (variable_declaration (assignment_statement (variable_list name: (identifier) @variable)))
        (assignment_statement (variable_list name: (identifier) @variable))
        (parameters name: (identifier) @variable)
        (for_numeric_clause name: (identifier) @variable)
        (for_generic_clause (variable_list name: (identifier) @variable))
        (function_declaration name: (identifier) @own.function)
        (function_declaration name: (dot_index_expression field: (identifier) @own.function @keep))
        (function_declaration name: (method_index_expression method: (identifier) @own.function @keep))
        (assignment_statement
          (variable_list . name: (identifier) @own.function .)
          (expression_list . value: (function_definition) .))
        (function_call name: (identifier) @call)
        (function_call name: (dot_index_expression field: (identifier) @call @keep))
        (function_call name: (method_index_expression method: (identifier) @call @keep))
        (dot_index_expression field: (identifier) @keep)
        (method_index_expression method: (identifier) @keep)
        (field name: (identifier) @keep)
        (goto_statement (identifier) @keep)
        (label_statement (identifier) @keep)
        (attribute (identifier) @keep)
    """,
    metrics=f"""
        (chunk [{_STATEMENTS}] @statement)
        (block [{_STATEMENTS}] @statement)
        (expression) @expression
        [(for_statement) (while_statement) (repeat_statement)] @loop
        ((function_call name: (identifier) @_name) @throw (#eq? @_name "error"))
        (function_declaration parameters: (parameters) @parameters)
        (function_definition parameters: (parameters) @lambda.parameters)
        (parameters name: (identifier) @parameter)
    """,
    # A method or a key of a table is not a statement.
    wrappers=((b"", b"\n"), (b"x={", b"}")),
    own_names=frozenset({b"self"}),
    branches=frozenset({"if_statement", "elseif_statement", "for_statement", "while_statement", "repeat_statement"}),
    branch_operators=frozenset({b"and", b"or"}),
    nesting=frozenset({"if_statement", "for_statement", "while_statement", "repeat_statement", "function_definition"}),
)
