"""One set of labels for the syntax trees of all languages.

A tree-sitter grammar has its own names for what every language has: a loop, a call, an assignment. `KINDS` maps them to
`Label`s. A kind that is not listed is transparent: its children belong to the node above it, as those of brackets,
blocks and classes do.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum


class Label(IntEnum):
    """What a node is, in any language. Nodes without meaning of their own are `CLEAR`."""

    CLEAR = 0
    FUNCTION = 1
    LAMBDA = 2
    LOOP = 3
    IF = 4
    SWITCH = 5
    CASE = 6
    RETURN = 7
    BREAK = 8
    CONTINUE = 9
    THROW = 10
    TRY = 11
    CATCH = 12
    CALL = 13
    NEW = 14
    INDEX = 15
    MEMBER = 16
    ASSIGN = 17
    UPDATE = 18
    INCREMENT = 19
    DECREMENT = 20
    BINARY = 21
    UNARY = 22
    LIST = 23
    MAP = 24
    PARAMETERS = 25
    READ = 26
    WRITE = 27
    NAME = 28
    NUMBER = 29
    STRING = 30
    CHARACTER = 31
    TRUE = 32
    FALSE = 33
    NULL = 34
    MEMBER_NAME = 35
    TYPE = 36
    ASSERT = 37
    YIELD = 38


DETAILS = 128
"""A node's code is `label * DETAILS + detail`; the detail is an operator, a well-known function or a small number."""

CONTROL = frozenset(
    {
        Label.FUNCTION,
        Label.LAMBDA,
        Label.LOOP,
        Label.IF,
        Label.SWITCH,
        Label.CASE,
        Label.TRY,
        Label.CATCH,
    }
)
"""Nodes that contain statements."""

JUMPS = frozenset({Label.RETURN, Label.BREAK, Label.CONTINUE, Label.THROW, Label.YIELD})


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _table(rows: Mapping[Label, str]) -> dict[str, Label]:
    return {kind: label for label, kinds in rows.items() for kind in kinds.split()}


KINDS: Mapping[str, Label] = _table(
    {
        Label.FUNCTION: "function_definition function_declaration method_declaration constructor_declaration "
        "method_definition local_function_statement generator_function generator_function_declaration "
        "compact_constructor_declaration",
        Label.LAMBDA: "lambda lambda_expression arrow_function function_expression func_literal "
        "anonymous_method_expression",
        Label.LOOP: "for_statement while_statement do_statement enhanced_for_statement foreach_statement "
        "for_range_loop for_in_statement for_in_clause",
        Label.IF: "if_statement elif_clause conditional_expression ternary_expression if_clause",
        Label.SWITCH: "switch_statement switch_expression expression_switch_statement type_switch_statement "
        "match_statement select_statement",
        Label.CASE: "case_statement switch_case switch_default switch_label switch_section switch_expression_arm "
        "expression_case default_case type_case case_clause communication_case",
        Label.RETURN: "return_statement co_return_statement",
        Label.YIELD: "yield yield_statement yield_expression",
        Label.BREAK: "break_statement",
        Label.CONTINUE: "continue_statement",
        Label.THROW: "throw_statement throw_expression raise_statement",
        Label.TRY: "try_statement try_with_resources_statement",
        Label.CATCH: "catch_clause except_clause",
        Label.ASSERT: "assert_statement",
        Label.CALL: "call call_expression method_invocation invocation_expression print_statement",
        Label.NEW: "object_creation_expression implicit_object_creation_expression new_expression "
        "array_creation_expression",
        Label.INDEX: "array_access subscript subscript_expression element_access_expression index_expression "
        "slice_expression",
        Label.MEMBER: "field_access field_expression attribute member_expression member_access_expression "
        "selector_expression",
        Label.ASSIGN: "assignment_expression assignment assignment_statement short_var_declaration variable_declarator "
        "init_declarator augmented_assignment augmented_assignment_expression named_expression var_spec const_spec",
        Label.BINARY: "binary_expression binary_operator boolean_operator comparison_operator instanceof_expression",
        Label.UNARY: "unary_expression unary_operator not_operator prefix_unary_expression postfix_unary_expression "
        "update_expression inc_statement dec_statement",
        Label.LIST: "array_initializer initializer_list list array tuple set initializer_expression literal_value "
        "tuple_expression collection_expression",
        Label.MAP: "dictionary object",
        Label.PARAMETERS: "parameters formal_parameters parameter_list lambda_parameters inferred_parameters",
        Label.NAME: "identifier shorthand_property_identifier shorthand_property_identifier_pattern",
        Label.MEMBER_NAME: "property_identifier private_property_identifier field_identifier",
        Label.TYPE: "type_identifier primitive_type integral_type floating_point_type boolean_type void_type "
        "predefined_type sized_type_specifier",
        Label.NUMBER: "number_literal decimal_integer_literal hex_integer_literal octal_integer_literal "
        "binary_integer_literal decimal_floating_point_literal hex_floating_point_literal integer float number "
        "int_literal float_literal imaginary_literal integer_literal real_literal",
        Label.STRING: "string_literal string interpreted_string_literal raw_string_literal verbatim_string_literal "
        "template_string interpolated_string_expression regex",
        Label.CHARACTER: "character_literal char_literal rune_literal",
        Label.TRUE: "true",
        Label.FALSE: "false",
        Label.NULL: "null_literal null none nil undefined",
    }
)
"""The label of each kind of node, over all grammars."""

SKIPPED = _words(
    "comment line_comment block_comment html_comment hash_bang_line import_declaration import_statement "
    "import_from_statement future_import_statement using_directive using_declaration preproc_include preproc_call "
    "package_declaration package_clause modifiers modifier attribute_list annotation marker_annotation type_parameters "
    "type_parameter_list template_parameter_list storage_class_specifier type_qualifier throws access_specifier "
    "nonlocal_statement pass_statement empty_statement virtual_specifier accessibility_modifier "
    "export_clause shebang_directive"
)
"""Kinds whose whole subtree says nothing about what the code computes."""

ATOMIC = _words(
    "string_literal interpreted_string_literal raw_string_literal verbatim_string_literal character_literal "
    "char_literal rune_literal regex boolean_literal sized_type_specifier"
)
"""Kinds that are one token although their grammar divides them."""

INTERPOLATED = frozenset({"string"})
"""Kinds that are one token unless they contain code (an f-string of Python)."""

ARGUMENTS = frozenset({"argument_list", "arguments"})
"""The arguments of a call: the name before them is the called function."""

TYPE_CONTEXTS = _words(
    "generic_name generic_type type type_annotation array_type nullable_type type_argument_list type_arguments "
    "scoped_type_identifier qualified_name base_list member_type union_type"
)
"""Kinds under which an identifier names a type."""

CSHARP_TYPE_CONTEXTS = frozenset({"variable_declaration", "cast_expression", "object_creation_expression"})
"""Kinds of C# whose first child, if it is an identifier, names a type."""

OPERATORS: Mapping[str, int] = {
    **dict.fromkeys(("+", "+="), 1),
    **dict.fromkeys(("-", "-="), 2),
    **dict.fromkeys(("*", "*="), 3),
    **dict.fromkeys(("/", "/=", "//", "//="), 4),
    **dict.fromkeys(("%", "%="), 5),
    **dict.fromkeys(("==", "===", "is"), 6),
    **dict.fromkeys(("!=", "!==", "is not", "<>"), 7),
    "<": 8,
    ">": 8,
    "<=": 9,
    ">=": 9,
    **dict.fromkeys(("&&", "and", "&&="), 10),
    **dict.fromkeys(("||", "or", "||="), 11),
    **dict.fromkeys(("!", "not"), 12),
    **dict.fromkeys(("&", "&="), 13),
    **dict.fromkeys(("|", "|="), 14),
    **dict.fromkeys(("^", "^="), 15),
    **dict.fromkeys(("<<", "<<="), 16),
    **dict.fromkeys((">>", ">>>", ">>=", ">>>="), 17),
    **dict.fromkeys(("**", "**="), 18),
    "~": 19,
    **dict.fromkeys(("in", "not in"), 20),
    **dict.fromkeys(("instanceof", "as"), 21),
    **dict.fromkeys(("??", "??="), 22),
    **dict.fromkeys(("=", ":="), 0),
    "++": 40,
    "--": 41,
}
"""The number of each operator; `a > b` is `b < a`."""

PLUS, MINUS, SHIFT_LEFT, SHIFT_RIGHT, PLUS_PLUS, MINUS_MINUS = 1, 2, 16, 17, 40, 41
SWAPPED = frozenset({">", ">="})
_COMPARISONS = _words("== != <= >= === !== = :=")
UPDATES = frozenset(sign for sign in OPERATORS if sign.endswith("=") and sign not in _COMPARISONS)
COMMUTATIVE = frozenset({1, 3, 6, 7, 10, 11, 13, 14, 15})
"""Operators whose operands have no order. (`+` joins texts too, where it has one.)"""

READS = _words(
    "scanf fscanf sscanf gets fgets getline getchar getc cin nextInt nextLong nextLine next nextDouble nextBigInteger "
    "hasNext hasNextInt readLine readline readlines read input raw_input ReadLine ReadKey Read Scan Scanln Scanf Fscan "
    "Fscanf Fscanln ReadString readInt readLong stdin"
)
WRITES = _words(
    "printf fprintf puts putchar fputs cout print println write writeln Write WriteLine log Println Printf Print "
    "Fprintf Fprintln Fprint format endl flush"
)

_KNOWN: Mapping[int, str] = {
    1: "max Max MAX maximum",
    2: "min Min MIN minimum",
    3: "abs Abs fabs labs",
    4: "sqrt Sqrt sqrtl isqrt",
    5: "pow Pow",
    6: "len size length Length Count strlen count_of cap",
    7: "sort sorted Sort qsort stable_sort OrderBy Ints Strings sort_values",
    8: "append add push_back push Add Append emplace_back offer enqueue Enqueue addLast insert put set",
    9: "get charAt at elementAt ElementAt charCodeAt",
    10: "contains Contains has includes containsKey ContainsKey count find indexOf IndexOf index search",
    11: "substring Substring substr slice subList subList Slice",
    12: "split Split strtok Fields",
    13: "parseInt atoi int Parse ToInt32 ToInt64 stoi valueOf parseLong Number Atoi ParseInt long atol atoll stoll",
    14: "toString str ToString to_string String Sprintf Sprint Itoa valueOfString sprintf",
    15: "pop poll remove pop_back removeFirst Dequeue dequeue Pop shift popleft erase Remove",
    16: "floor Floor ceil Ceiling round Round trunc",
    17: "swap Swap",
    18: "reverse Reverse reversed",
    19: "fill memset Fill assign repeat",
    20: "sum Sum accumulate reduce",
    21: "join Join concat Concat strcat",
    22: "map Select filter Where list array",
    23: "equals Equals compareTo strcmp compare CompareTo equalsIgnoreCase",
    24: "toCharArray ToCharArray ord chr",
    25: "replace Replace replaceAll sub",
    26: "toLowerCase lower tolower ToLower ToLowerCase isLower",
    27: "toUpperCase upper toupper ToUpper isUpper",
    28: "isdigit isDigit isalpha isLetter IsDigit isnumeric isLetterOrDigit",
    29: "strip trim Trim TrimSpace rstrip lstrip",
    30: "exit close Close main solve",
    31: "keys keySet Keys values Values items entrySet entries",
    32: "range xrange",
    33: "sin cos tan atan2 asin acos atan Sin Cos",
    34: "log log10 log2 exp Log Exp",
    35: "malloc calloc realloc free make new",
    36: "strcpy memcpy copy clone Copy Clone strncpy",
    37: "peek front top back first last Peek",
    38: "isEmpty empty clear Clear",
    39: "gcd lcm __gcd GCD",
}
KNOWN_FUNCTIONS: Mapping[str, int] = {name: number for number, names in _KNOWN.items() for name in names.split()}
"""Functions that most languages have under different names; `length` counts as a member too."""

RANGE = 32
LENGTH = 6
ELEMENT = 9

PUNCTUATION = _words("( ) { } [ ] ; , . : :: -> => ? @ ?. $ \\ ... ` \" '")
