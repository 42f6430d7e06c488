"""C, and what it shares with C++: directives, literals, declarators."""

from __future__ import annotations

from clonetruth.code.language import C_COMMENT, IDENTIFIER, Language, Lexicon, TokenKind, keywords

COMMENT = C_COMMENT + rb"|\\[ \t]*\r?\n"
"""A line continuation is white space, even in the middle of a directive."""

STRING = rb'(?:u8|[uUL])?"(?:[^"\\\n]|\\(?:\r\n|.))*"'
CHARACTER = rb"(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+'"
NUMBER = (
    rb"0[xX](?:'?[0-9a-fA-F.])*(?:[pP][+-]?[0-9]+)?\w*"
    rb"|(?:[0-9](?:'?[0-9])*\.?(?:'?[0-9])*|\.[0-9](?:'?[0-9])*)(?:[eE][+-]?[0-9]+)?(?:'?\w)*"
)
"""Numbers with digit separators. Only an exponent can have a sign, so that ``0xE+1`` is a sum."""

PREFIXED_LITERAL = rb"""(?:u8|[uUL])(?:"(?:[^"\\\n]|\\(?:\r\n|.))*"|'(?:[^'\\\n]|\\.)+')"""

PUNCTUATION = frozenset(b"( ) { } [ ] ; , . : :: ... @ # ##".split())
"""``#`` and ``##`` as operators inside macros; the ``#`` of a directive is part of its keyword."""

WORDS = (
    "auto break case char const continue default do double else enum extern float for goto if inline int long "
    "register return short signed sizeof static struct switch typedef union unsigned void volatile while bool "
    "alignas alignof asm constexpr static_assert thread_local typeof offsetof _Alignas _Alignof _Atomic _Bool "
    "_Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local __alignof __alignof__ __asm __asm__ "
    "__attribute __attribute__ __based __cdecl __clrcall __declspec __except __extension__ __fastcall __finally "
    "__forceinline __inline __inline__ __leave __restrict __restrict__ __stdcall __thiscall __thread __try "
    "__unaligned __vectorcall __volatile__"
)
"""The keywords that C and C++ share, including those of common compilers."""


def declared(core: str, *, references: bool = False) -> str:
    """A query for a declarator at the depths in which pointers, parentheses and references hide it."""
    shells = [
        "{}",
        "(pointer_declarator declarator: {})",
        "(pointer_declarator declarator: (pointer_declarator declarator: {}))",
        "(parenthesized_declarator {})",
    ]
    if references:
        shells.append("(reference_declarator {})")
    return "[" + " ".join(shell.format(core) for shell in shells) + "]"


def inside(parents: str, pattern: str) -> str:
    """A query for a pattern as a child of any of the blank-separated node types."""
    return " ".join(f"({parent} {pattern})" for parent in parents.split())


DIRECTIVE_TOKENS = """
    (preproc_include "#include" @opaque.keyword)
    (preproc_def "#define" @opaque.keyword)
    (preproc_function_def "#define" @opaque.keyword)
    (preproc_directive) @opaque.keyword
    (preproc_if "#if" @opaque.keyword)
    (preproc_ifdef ["#ifdef" "#ifndef"] @opaque.keyword)
    (preproc_elif "#elif" @opaque.keyword)
    (preproc_elifdef ["#elifdef" "#elifndef"] @opaque.keyword)
    (preproc_else "#else" @opaque.keyword)
    (preproc_if "#endif" @opaque.keyword)
    (preproc_ifdef "#endif" @opaque.keyword)
    (preproc_defined "defined" @opaque.keyword)
    (system_lib_string) @opaque.string
"""
"""A directive's ``#`` and name are one keyword, with or without blanks between them. Its other tokens are ordinary
tokens: the body of a macro is code."""

DIRECTIVE_LAYOUT = """
    (preproc_include "#include" @line.begin path: (_) @line.end)
    (preproc_def "#define" @line.begin)
    (preproc_def name: (_) @line.end !value)
    (preproc_def value: (_) @line.end)
    (preproc_function_def "#define" @line.begin name: (_) @tie)
    (preproc_function_def parameters: (_) @line.end !value)
    (preproc_function_def value: (_) @line.end)
    (preproc_call directive: (_) @line.begin)
    (preproc_call directive: (_) @line.end !argument)
    (preproc_call argument: (_) @line.end)
    (preproc_if "#if" @line.begin condition: (_) @line.end)
    (preproc_elif "#elif" @line.begin condition: (_) @line.end)
    (preproc_ifdef ["#ifdef" "#ifndef"] @line.begin name: (_) @line.end)
    (preproc_elifdef ["#elifdef" "#elifndef"] @line.begin name: (_) @line.end)
    (preproc_else "#else" @line.begin @line.end)
    (preproc_if "#endif" @line.begin @line.end)
    (preproc_ifdef "#endif" @line.begin @line.end)
"""
"""A directive is a line, and its end is a separate token. Without that mark, ``#define X`` and a next line
``f();`` would be the same program as ``#define X f();``. Nodes that contain the line break itself are not
captured, since a fragment may end before it."""

CONDITIONAL = "preproc_if preproc_ifdef preproc_elif preproc_elifdef preproc_else"
DECLARATION_LISTS = f"translation_unit compound_statement declaration_list ERROR {CONDITIONAL}"
LISTS = f"{DECLARATION_LISTS} case_statement"
"""Nodes that hold a list of statements or declarations, where an empty statement means nothing."""

DECLARATION_PARENTS = f"{LISTS} labeled_statement function_definition linkage_specification"
"""Where a declaration ends a line: anywhere except in the head of a `for`, which stays on one line."""

EMPTY = '(expression_statement . ";" .)'

LAYOUT = f"""
    {DIRECTIVE_LAYOUT}
    (compound_statement "{{" @after @open "}}" @close)
    (declaration_list "{{" @after @open "}}" @close @after)
    (field_declaration_list "{{" @after @open "}}" @close)
    [
      (type_definition) (return_statement) (break_statement) (continue_statement) (goto_statement)
      (if_statement) (while_statement) (do_statement) (for_statement) (switch_statement) (seh_try_statement)
      (seh_leave_statement) (field_declaration) (function_definition)
    ] @after
    (expression_statement . (_)) @after
    {inside(DECLARATION_PARENTS, "(declaration) @after")}
    {inside(DECLARATION_LISTS, '";" @after')}
    {inside("compound_statement case_statement", "(compound_statement) @after")}
    (case_statement ":" @after)
    (labeled_statement ":" @after)
    (while_statement body: {EMPTY} @after)
    (for_statement body: {EMPTY} @after)
    (if_statement consequence: {EMPTY} @after)
    (else_clause {EMPTY} @after)
    (attributed_statement {EMPTY} @after)
    {inside(LISTS, EMPTY + " @drop")}
"""

# Macros keep their names, since their bodies are text without a tree. All members of structures are matched by name,
# whether declared in the text or not: C has no `this` that would distinguish an object's own members.
NAMES = """
    (declaration declarator: (identifier) @variable)
    (init_declarator declarator: (identifier) @variable)
    (parameter_declaration declarator: (identifier) @variable)
    (pointer_declarator declarator: (identifier) @variable)
    (array_declarator declarator: (identifier) @variable)
    (parenthesized_declarator (identifier) @variable)
    (attributed_declarator (identifier) @variable)
    (enumerator name: (identifier) @variable)
    (field_declaration declarator: (field_identifier) @field)
    (pointer_declarator declarator: (field_identifier) @field)
    (array_declarator declarator: (field_identifier) @field)
    (field_expression field: (field_identifier) @own.member)
    (field_designator (field_identifier) @own.member)
    (preproc_def name: (identifier) @fixed)
    (preproc_function_def name: (identifier) @fixed)
    (preproc_params (identifier) @keep)
    (type_definition declarator: (type_identifier) @own.type)
    (type_definition declarator: (pointer_declarator declarator: (type_identifier) @own.type))
    (type_identifier) @type
    (call_expression function: (identifier) @call)
    (call_expression function: (field_expression field: (field_identifier) @call))
    ((function_declarator declarator: (identifier) @fixed) (#eq? @fixed "main"))
"""

METRICS = """
    [
      (return_statement) (break_statement) (continue_statement) (goto_statement) (labeled_statement)
      (if_statement) (while_statement) (do_statement) (for_statement) (switch_statement)
    ] @statement
    (expression_statement (_)) @statement
    (compound_statement (declaration) @statement)
    (case_statement (declaration) @statement)
    (expression) @expression
    (assignment_expression left: (_) @expression)
    [(while_statement) (do_statement) (for_statement)] @loop
    (cast_expression) @cast
    (function_declarator parameters: (parameter_list) @parameters)
    (parameter_list (parameter_declaration declarator: (_)) @parameter)
"""
"""The part of the metrics query that C and C++ share."""

BRANCHES = frozenset(
    {
        "if_statement",
        "while_statement",
        "do_statement",
        "for_statement",
        "case_statement",
        "conditional_expression",
        "seh_except_clause",
    }
)

NESTING = frozenset(
    {
        "if_statement",
        "while_statement",
        "do_statement",
        "for_statement",
        "switch_statement",
        "seh_try_statement",
    }
)

UNNAMED_PARAMETER = "(parameter_declaration type: (_) @parameter !declarator)"
"""A parameter without a name. ``(void)`` looks like one, so the query has to check its text."""

_OPERATORS = b"-> ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^= <<= >>= ... :: ##"


def _functions(declarator: str) -> str:
    """A query for function definitions by the pattern of their own declarator, not one in their parameters."""
    return f"(function_definition declarator: {declared(f'(function_declarator {declarator})')})"


_PARAMETER = "[(parameter_declaration type: (_) @parameter declarator: (_)) (variadic_parameter) @parameter]"

C = Language(
    name="c",
    title="C",
    extensions=(".c", ".h"),
    grammar="tree_sitter_c:language",
    lexicon=Lexicon(
        comment=COMMENT,
        string=STRING,
        character=CHARACTER,
        number=NUMBER,
        identifier=IDENTIFIER,
        operators=tuple(_OPERATORS.split()),
        words=keywords(WORDS + " restrict")
        | keywords("true false", TokenKind.BOOLEAN)
        | keywords("NULL nullptr", TokenKind.NULL),
        punctuation=PUNCTUATION,
        word_like_literal=PREFIXED_LITERAL,
        # In a directive, line ends matter, and a name between `<` and `>` is a string.
        code_inside=rb"\#",
    ),
    structure=f"""
        {DIRECTIVE_TOKENS}
        (function_definition body: (_)) @function
        {_functions("declarator: (identifier) @name")}
        {_functions(f"parameters: (parameter_list {_PARAMETER})")}
        ({_functions(f"parameters: (parameter_list {UNNAMED_PARAMETER})")} (#not-eq? @parameter "void"))
        (type_identifier) @type
    """,
    layout=LAYOUT,
    names=f"""
        {NAMES}
        (struct_specifier name: (type_identifier) @own.type @keep body: (_))
        (union_specifier name: (type_identifier) @own.type @keep body: (_))
        (enum_specifier name: (type_identifier) @own.type @keep body: (_))
        (function_declarator declarator: (identifier) @own.function)
    """,
    # The plain text comes first: the added line break ends a directive on the last line.
    # The type before the text is for old functions, which may omit `int`.
    metrics=METRICS + "(parameter_list (variadic_parameter) @parameter)",
    calls="""
        (call_expression function: (identifier) @call.function arguments: (argument_list) @call.arguments)
        (parameter_list) @parameters
        (variadic_parameter) @parameter.rest
        ((parameter_declaration type: (_) @_type !declarator) @parameter.none (#eq? @_type "void"))
    """,
    statements_end=True,
    wrappers=((b"", b"\n"), (b"void x(){", b"}"), (b"int ", b"\n")),
    branches=BRANCHES,
    branch_operators=frozenset({b"&&", b"||"}),
    nesting=NESTING,
)
