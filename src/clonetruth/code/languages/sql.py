"""SQL. Keywords may have either case; the forms keep the case as written.

Functions are the definitions of functions, views and tables, named by what they define, and plain statements, named by
their first word (`SELECT`). Statements inside a function are its nested functions.
"""

from __future__ import annotations

from clonetruth.code.language import Language, Lexicon, TokenKind, keywords

_WORDS = (
    "add after all alter always analyze and any array as asc auto_increment before begin between bigint bigserial "
    "boolean by cascade case cast char character check collate column commit concurrently constraint copy create "
    "cross current cycle database date decimal declare default deferrable delete desc distinct do double drop "
    "each else end enum escape except exclude execute exists explain extension external false filter first float "
    "following for foreign from full function generated grant group having if ignore ilike immutable in increment "
    "index inner inout insert instead int integer intersect interval into is join json jsonb key language last "
    "lateral left like limit local lock materialized merge minus natural no not nothing null nulls numeric of "
    "offset on only or order out outer over partition precision preceding primary procedure range real recursive "
    "references refresh rename replace restrict return returning returns revoke right rollback row rows schema "
    "select sequence serial session set show similar smallint some stable storage strict table tablespace temp "
    "temporary text then time timestamp timestamptz to trigger true truncate type unbounded union unique unlogged "
    "update use using uuid vacuum values varchar varying view volatile when where window with without zone"
)
_CASES = " ".join(f"{word} {word.upper()}" for word in _WORDS.split() if word not in ("true", "false", "null"))
_STATEMENTS = "select insert update delete"


def _plain() -> str:
    """Queries for top-level statements that are named by their first word."""
    kinds = " ".join(f"(program (statement ({kind} (keyword_{kind}) @name)) @function)" for kind in _STATEMENTS.split())
    return f"{kinds} (program (statement . (keyword_with) @name) @function)"


SQL = Language(
    name="sql",
    title="SQL",
    extensions=(".sql", ".ddl", ".pgsql"),
    grammar="tree_sitter_sql:language",
    extra="languages",
    lexicon=Lexicon(
        comment=rb"--[^\n]*|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)",
        string=rb"'(?:[^']|'')*'|" + rb'"[^"\n]*"|`[^`\n]*`',
        character=None,
        number=rb"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?",
        identifier=rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*",
        operators=tuple(b"$$ :: <= >= <> != || -> ->> => := @> <@ && !~ ~*".split()),
        words=keywords(_CASES)
        | keywords("true false TRUE FALSE", TokenKind.BOOLEAN)
        | keywords("null NULL", TokenKind.NULL),
        punctuation=frozenset(b"( ) { } [ ] ; , . : :: @ # $ $$ \\ `".split()),
    ),
    structure=f"""
        (statement (create_function (object_reference name: (identifier) @name))) @function
        (statement (create_view (object_reference name: (identifier) @name))) @function
        (statement (create_materialized_view (object_reference name: (identifier) @name))) @function
        (statement (create_table (object_reference name: (identifier) @name))) @function
        {_plain()}
        (function_argument (identifier) . (_) @parameter)
    """,
    layout="""
        (program ";" @after2)
        (function_body ";" @after)
        (function_body (dollar_quote) @after)
        (function_body (keyword_begin) @after)
        (function_body (keyword_declare) @after)
        (from (where) @before)
        (statement (from) @before)
        (column_definition) @before
        (from [(join) (group_by) (order_by) (limit)] @before)
    """,
    names="""
        (function_argument (identifier) @variable)
        (function_declaration (identifier) @variable)
        (term alias: (identifier) @variable)
        (relation alias: (identifier) @variable)
        (cte (identifier) @variable)
        (column_definition name: (identifier) @variable)
        (create_table (object_reference name: (identifier) @own.type))
        (create_view (object_reference name: (identifier) @own.type))
        (relation (object_reference name: (identifier) @type))
        (create_function (object_reference name: (identifier) @own.function))
        (invocation (object_reference name: (identifier) @call))
        (function_language (identifier) @keep)
    """,
    metrics="""
        (statement) @statement
        (cast) @cast
        (function_arguments) @parameters
        (function_argument) @parameter
    """,
    branches=frozenset({"case", "where", "join"}),
    branch_operators=frozenset({b"and", b"AND", b"or", b"OR"}),
    nesting=frozenset({"subquery", "case", "cte"}),
)
