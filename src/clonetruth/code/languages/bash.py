"""Bash and other shells. A command ends with its line; here every command has the ``;``.

* The words after a command are literals, quoted or not, since to a shell they are strings. ``$x`` is a name;
  ``${…}`` is a literal, with whatever is expanded.
* Blanks separate words, so the printed form has one between all tokens, except where a layout token marks that there is
  none (``x=1``, ``2>&1``).
"""

from __future__ import annotations

from clonetruth.code.language import Language, Lexicon, TokenKind, keywords

_OPERATORS = (
    b"$(( $( (( )) [[ ]] && || ;; ;& ;;& |& << <<- <<< >> >& <& &> &>> >| += == != =~ <= >= ++ -- -= *= /= <( >("
)
_CODE = '(#not-match? @after "^#")'  # comments are nodes too
_LISTS = "program compound_statement do_group if_statement elif_clause else_clause subshell"
_COMMANDS = """[
    (command) (variable_assignment) (declaration_command) (unset_command) (pipeline) (list) (redirected_statement)
    (negated_command) (test_command) (if_statement) (for_statement) (c_style_for_statement) (while_statement)
    (case_statement) (subshell) (compound_statement) (function_definition)
]"""
_PARAMETERS = "$0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $@ $* $# $? $$ $! $-"

BASH = Language(
    name="bash",
    title="Bash",
    extensions=(".sh", ".bash", ".ksh", ".zsh", ".bats"),
    grammar="tree_sitter_bash:language",
    extra="languages",
    lexicon=Lexicon(
        comment=rb"(?<![^\s;()])\#[^\n]*|\\\r?\n",
        string=rb'\$?"(?:[^"\\]|\\.)*"|' + rb"\$?'[^']*'",
        character=None,
        number=rb"[0-9]+(?:\#[0-9a-zA-Z]+)?",
        identifier=rb"\$?[A-Za-z_]\w*|\$[0-9@*\#?$!-]",
        operators=tuple(_OPERATORS.split()),
        words=keywords(
            "case declare do done elif else esac export fi for function if in local readonly select then time typeset "
            "unset until while"
        )
        | keywords(_PARAMETERS)
        | keywords("true false", TokenKind.BOOLEAN),
        punctuation=frozenset(b"( ) { } [ ] ; , . : :: ... @ # $ \\ ` ;; [[ ]] (( )) $( $((".split()),
    ),
    structure="""
        (function_definition name: (word) @name) @function
        (command argument: (word) @opaque.string)
        (command argument: (number) @opaque.string)
        (for_statement value: (word) @opaque.string)
        (array (word) @opaque.string)
        (case_item value: (word) @opaque.string)
        (variable_assignment value: (word) @opaque.string)
        (file_redirect destination: (word) @opaque.string)
        (herestring_redirect (word) @opaque.string)
        (test_command (binary_expression (word) @opaque.string))
        (test_command (unary_expression (word) @opaque.string))
        (concatenation) @opaque.string
        (string) @opaque.string
        (translated_string) @opaque.string
        (raw_string) @opaque.string
        (ansi_c_string) @opaque.string
        (expansion) @opaque.string
        (extglob_pattern) @opaque.string
        (regex) @opaque.string
        (test_operator) @opaque.operator
        (heredoc_start) @opaque.string
        (heredoc_body) @opaque.string
        (heredoc_end) @opaque.string
        (subscript) @opaque.string
        (test_command ["[[" "]]"] @opaque.punctuation)
        (arithmetic_expansion ["$((" "))"] @opaque.punctuation)
        (compound_statement ["((" "))"] @opaque.punctuation)
        (c_style_for_statement ["((" "))"] @opaque.punctuation)
        (case_item [";;" ";&" ";;&"] @opaque.punctuation)
    """,
    layout=f"""
        {" ".join(f"({node} {_COMMANDS} @terminate @after)" for node in _LISTS.split())}
        (case_item {_COMMANDS} @terminate @after)
        (while_statement condition: (_) @terminate @after)
        (if_statement condition: (_) @terminate @after)
        (elif_clause . "elif" . (_) @terminate @after)
        (for_statement body: (_) @before)
        (function_definition "(" @tie)
        (compound_statement "{{" @after @open "}}" @close)
        (do_group "do" @after @open "done" @close)
        (if_statement "then" @after)
        (elif_clause "then" @after)
        (else_clause "else" @after)
        (case_statement "in" @after)
        (case_item ")" @after)
        (case_item [";;" ";&" ";;&"] @after)
        {" ".join(f'({node} ";" @drop)' for node in (*_LISTS.split(), "while_statement", "for_statement", "case_item"))}
        (variable_assignment name: (_) @tie ["=" "+="] @tie)
        (file_redirect descriptor: (_) @tie)
        (file_redirect [">&" "<&"] @tie)
    """,
    names="""
        (variable_assignment name: (variable_name) @variable)
        (declaration_command (variable_name) @variable)
        (for_statement variable: (variable_name) @variable)
        ((command name: (command_name (word) @_read) argument: (word) @variable)
          (#eq? @_read "read") (#match? @variable "^[A-Za-z_]"))
        (function_definition name: (word) @own.function @keep)
        (command name: (command_name (word) @call @keep))
        ((variable_name) @fixed (#match? @fixed "^[0-9]"))
        ((variable_name) @fixed (#match? @fixed "^[A-Z_]+$"))
    """,
    identifiers="(variable_name) @identifier",
    metrics=f"""
        {" ".join(f"({node} {_COMMANDS} @statement)" for node in (*_LISTS.split(), "case_item"))}
        [(for_statement) (c_style_for_statement) (while_statement)] @loop
    """,
    wrappers=((b"", b"\n"),),
    terminator=b";",
    blanks=True,
    branches=frozenset({"if_statement", "elif_clause", "for_statement", "while_statement", "case_item"}),
    branch_operators=frozenset({b"&&", b"||"}),
    nesting=frozenset({"if_statement", "for_statement", "while_statement", "case_statement", "subshell"}),
)
