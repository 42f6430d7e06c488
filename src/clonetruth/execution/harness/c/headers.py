"""What a fragment of C or C++ uses without saying where it comes from: headers by name, and what cannot be observed."""

from __future__ import annotations

import re

from clonetruth.execution.harness.harness import Reason

_C_NAMES = {
    "stdio.h": "printf sprintf snprintf puts putchar fprintf vprintf stdout stderr FILE EOF sscanf putc fputs fputc",
    "stdlib.h": "malloc calloc realloc free abs labs llabs atoi atol atof strtol strtoul strtod strtoll rand "
    "srand qsort "
    "bsearch exit abort div RAND_MAX EXIT_FAILURE EXIT_SUCCESS size_t",
    "string.h": "strlen strcpy strncpy strcat strncat strcmp strncmp strchr strrchr strstr strtok memcpy memmove "
    "memset "
    "memcmp memchr strdup strndup strspn strcspn strpbrk strtok_r strcasecmp strncasecmp strcoll strnlen",
    "strings.h": "bzero bcopy index",
    "ctype.h": "isalpha isdigit isalnum isspace isupper islower toupper tolower ispunct isxdigit isprint iscntrl",
    "math.h": "sqrt pow fabs floor ceil sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 log2 fmod round "
    "trunc cbrt hypot M_PI M_E INFINITY NAN HUGE_VAL isnan isinf fmax fmin lround llround sqrtf powf fabsf "
    "floorf ceilf",
    "stdbool.h": "bool true false",
    "stddef.h": "NULL ptrdiff_t",
    "limits.h": "INT_MAX INT_MIN LONG_MAX LONG_MIN UINT_MAX CHAR_BIT LLONG_MAX LLONG_MIN ULLONG_MAX SHRT_MAX SHRT_MIN "
    "CHAR_MAX CHAR_MIN UCHAR_MAX ULONG_MAX",
    "float.h": "DBL_MAX DBL_MIN FLT_MAX FLT_MIN DBL_EPSILON FLT_EPSILON",
    "stdint.h": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t INT32_MAX INT32_MIN INT64_MAX "
    "INT64_MIN UINT32_MAX UINT64_MAX uintptr_t intptr_t SIZE_MAX",
    "assert.h": "assert",
    "complex.h": "creal cimag cabs cexp csqrt conj carg",
    "errno.h": "errno ERANGE EINVAL",
    "stdarg.h": "va_list va_start va_arg va_end",
}
_CPP_NAMES = {
    "vector": "vector",
    "string": "string to_string stoi stol stoll stod stof getline",
    "map": "map multimap",
    "unordered_map": "unordered_map unordered_multimap",
    "set": "set multiset",
    "unordered_set": "unordered_set",
    "algorithm": "sort max min reverse swap find count max_element min_element lower_bound upper_bound "
    "binary_search unique "
    "fill transform all_of any_of none_of next_permutation prev_permutation stable_sort nth_element for_each count_if "
    "find_if remove remove_if replace rotate copy merge partial_sort is_sorted equal generate minmax_element clamp "
    "equal_range set_intersection set_union set_difference adjacent_find random_shuffle shuffle partition includes",
    "numeric": "accumulate iota gcd lcm partial_sum inner_product __gcd",
    "utility": "pair make_pair move",
    "tuple": "tuple make_tuple tie get",
    "stack": "stack",
    "queue": "queue priority_queue",
    "deque": "deque",
    "list": "list",
    "array": "array",
    "bitset": "bitset",
    "iostream": "cout cerr endl cin",
    "iomanip": "setprecision setw setfill fixed",
    "sstream": "stringstream istringstream ostringstream",
    "functional": "function greater less plus bind multiplies",
    "optional": "optional nullopt make_optional",
    "string_view": "string_view",
    "limits": "numeric_limits",
    "iterator": "back_inserter inserter istream_iterator ostream_iterator advance distance next prev begin end",
    "memory": "unique_ptr shared_ptr make_unique make_shared",
    "regex": "regex smatch regex_match regex_search regex_replace sregex_iterator sregex_token_iterator",
    "stdexcept": "invalid_argument runtime_error out_of_range logic_error domain_error overflow_error",
    "cmath": "sqrt pow fabs floor ceil sin cos tan asin acos atan atan2 exp log log10 log2 fmod round trunc cbrt "
    "hypot M_PI "
    "isnan isinf INFINITY NAN lround",
    "cstdlib": "abs malloc free calloc atoi rand srand exit",
    "cstring": "strlen strcpy strncpy strcat strcmp memset memcpy strchr strstr strtok memmove strncmp strrchr",
    "cstdio": "printf sprintf puts putchar snprintf sscanf",
    "cctype": "isalpha isdigit isalnum isspace isupper islower toupper tolower ispunct isxdigit",
    "climits": "INT_MAX INT_MIN LONG_MAX LONG_MIN UINT_MAX LLONG_MAX LLONG_MIN CHAR_BIT ULLONG_MAX",
    "cfloat": "DBL_MAX DBL_MIN FLT_MAX DBL_EPSILON",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t INT32_MAX INT64_MAX",
    "cassert": "assert",
    "cstddef": "NULL size_t",
    "any": "any any_cast",
    "variant": "variant",
    "complex": "complex",
    "typeinfo": "typeid",
}
_NEEDS_NAMESPACE = frozenset(
    [
        "vector",
        "string",
        "map",
        "set",
        "pair",
        "tuple",
        "cout",
        "endl",
        "unordered_map",
        "unordered_set",
        "stack",
        "queue",
        "priority_queue",
        "deque",
        "list",
        "sort",
        "max",
        "min",
        "swap",
        "reverse",
        "make_pair",
        "to_string",
        "stoi",
        "accumulate",
        "stringstream",
        "optional",
        "array",
        "bitset",
        "function",
        "string_view",
        "multiset",
        "multimap",
        "max_element",
        "min_element",
        "numeric_limits",
        "unique_ptr",
        "shared_ptr",
        "greater",
        "setprecision",
        "regex",
        "any",
        "lower_bound",
        "upper_bound",
        "find",
        "count",
        "transform",
        "runtime_error",
        "invalid_argument",
        "istringstream",
        "ostringstream",
        "make_tuple",
        "tie",
        "get",
        "iota",
        "gcd",
        "fixed",
        "cin",
        "cerr",
        "nullopt",
        "complex",
        "out_of_range",
        "variant",
        "any_cast",
        "move",
    ]
)

_REFUSED = (
    (r"\b(?:fopen|freopen|ifstream|ofstream|fstream|opendir|open|creat)\s*\(|\b[io]?fstream\b", Reason.FILE),
    (r"\b(?:socket|connect|gethostbyname|getaddrinfo|recv|send)\s*\(", Reason.NETWORK),
    (r"\b(?:system|fork|popen|exec[lv]p?e?)\s*\(", Reason.PROCESS),
    (r"\b(?:time|clock|gettimeofday|localtime|clock_gettime)\s*\(|\bchrono\b", Reason.CLOCK),
    (r"\b(?:scanf|fscanf|gets|fgets|getchar|getch|fgetc|getc)\s*\(|\bcin\b|\bstdin\b", Reason.INPUT),
    (r"\b(?:random_device|arc4random|getrandom)\b", Reason.RANDOM),
    (r"\binitgraph\b|\bglut\w+\b|\bSDL_\w+", Reason.SCREEN),
)
_OF_FILES = re.compile(
    r"(?<![\w.>:~])(rename|unlink|mkdir|rmdir|chdir|getcwd|mkstemp|tmpfile|tmpnam|access|l?stat(?=\s*\()|remove(?=\s*\([^,()]*\)))\s*\("
)
"""Functions of the library that work on names of files, unless the text defines one with that name."""
_DECLARES = re.compile(r"(?:\w\s*<[^;{}()]*>|\b(?:auto|bool|char|double|float|int|long|short|string|unsigned))\s+\Z")
"""What stands before a variable that is made by a constructor, such as `vector<bool> open(n)`."""
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)+'|/\*.*?\*/|//[^\n]*", re.DOTALL)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]+)[>\"].*$", re.MULTILINE)
_LOCAL = re.compile(r"^[ \t]*#[ \t]*include[ \t]*\"[^\"]+\".*$", re.MULTILINE)
_ABSENT = ("conio.h", "windows.h", "graphics.h", "dos.h", "bits/stdc++.h", "iostream.h", "stdafx.h")
_OLD = {"min": "((a) < (b) ? (a) : (b))", "max": "((a) > (b) ? (a) : (b))", "MIN": "", "MAX": ""}
NODES = {
    "ListNode": "struct ListNode { int val; struct ListNode *next; };",
    "TreeNode": "struct TreeNode { int val; struct TreeNode *left, *right; };",
}
_CPP_NODES = {
    "ListNode": "struct ListNode { int val; ListNode *next; ListNode(int x = 0, ListNode *n = nullptr) : val(x), "
    "next(n) {} };",
    "TreeNode": "struct TreeNode { int val; TreeNode *left, *right; "
    "TreeNode(int x = 0, TreeNode *l = nullptr, TreeNode *r = nullptr) : val(x), left(l), right(r) {} };",
}


def without_texts(text: str) -> str:
    """The text without comments and literals."""
    return _STRING.sub(" ", text)


def refused(text: str) -> tuple[Reason, str] | None:
    """Why a function cannot be observed by its values, with the word that says so; None if it can."""
    plain = without_texts(text)
    for pattern, reason in _REFUSED:
        for found in re.finditer(pattern, plain):
            if not _is_own(plain, found):
                return reason, found[0].strip("( ")
    for found in _OF_FILES.finditer(plain):
        if not _is_own(plain, found):
            return Reason.FILE, found[1]
    return None


def _is_own(plain: str, found: re.Match[str]) -> bool:
    """Whether a name that a function of the library has is that of a function or variable of the text."""
    name = found[0].strip("( \t\n")
    if name == found[0]:
        return False  # not a call
    if re.search(rf"\b{re.escape(name)}\s*\([^;()]*\)\s*(?:const\s*)?\{{", plain):
        return True
    return _DECLARES.search(plain, max(found.start() - 80, 0), found.start()) is not None


def completed(text: str, *, cpp: bool, files: frozenset[str] = frozenset()) -> tuple[str, list[str]]:
    """A text with the headers and definitions that it lacks, and what was added.

    Args:
        text: the fragment.
        cpp: whether it is C++.
        files: names of further files that it may include.
    """
    plain = without_texts(text)
    used = set(re.findall(r"\b[A-Za-z_]\w*\b", plain))
    included = set(_INCLUDE.findall(text))
    defined = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.MULTILINE))
    head: list[str] = []
    repairs: list[str] = []

    def drop(found: re.Match[str]) -> str:
        name = found[1]
        if name in _ABSENT or ('"' in found[0] and name not in files and not name.startswith("/")):
            if name != "bits/stdc++.h":
                repairs.append(f"without {name}")
            return ""
        return found[0]

    body = _INCLUDE.sub(drop, text)
    wanted = []
    for header, names in (_CPP_NAMES if cpp else _C_NAMES).items():
        missing = (used & set(names.split())) - _declared(plain)
        if header not in included and missing:
            wanted.append(header)
    if cpp and "bits/stdc++.h" not in included:
        wanted = [one for one in wanted if one.removeprefix("c") + ".h" not in included]
    head += [f"#include <{one}>" for one in wanted]
    if cpp and not re.search(r"\busing\s+namespace\s+std\b", plain) and _unqualified(plain):
        # The header that makes the namespace known, where nothing else is included.
        head += ["" if wanted else "#include <cstddef>", "using namespace std;"]
    if wanted:
        repairs.append(f"headers: {', '.join(wanted)}")
    for name, meaning in _OLD.items():
        is_macro = name not in defined and name not in _declared(plain) and re.search(rf"\b{name}\s*\(", plain)
        if is_macro and (not cpp or name.isupper()):
            head.append(f"#define {name}(a, b) {meaning or _OLD[name.lower()]}")
            repairs.append(f"macro {name}")
    if cpp and re.search(r"\bgets\s*\(", plain) and "gets" not in _declared(plain):
        # The language dropped it, the library still has it.
        head.append('extern "C" char *gets(char *);')
        repairs.append("gets")
    for name, node in (_CPP_NODES if cpp else NODES).items():
        if name in used and not re.search(rf"\b(?:struct|class)\s+{name}\s*(?::[^;{{]*)?\{{|\}}\s*{name}\s*;", plain):
            head.append(node)
            if not cpp and re.search(rf"(?<!struct )\b{name}\b", re.sub(rf"struct\s+{name}", f"struct {name}", plain)):
                head.append(f"typedef struct {name} {name};")
            repairs.append(f"structure {name}")
    return "\n".join([*filter(None, head), body]) if head else body, repairs


_SLIM = frozenset(["stdio", "stdlib", "string", "ctype", "math", "stdbool", "stddef", "limits", "float", "stdint"])


def slimmed(text: str) -> str | None:
    """A text of C with one short header instead of those of the standard library; None if it needs others."""
    included = _INCLUDE.findall(text)
    if not included or not all(one.removesuffix(".h") in _SLIM for one in included):
        return None
    # The lines keep their numbers.
    first = iter(['#include "c_slim.h"'])
    return _INCLUDE.sub(lambda _: next(first, ""), text)


def _declared(plain: str) -> set[str]:
    """Names that the fragment itself defines as functions."""
    return set(re.findall(r"\b[A-Za-z_]\w*[\s*&>]+(\w+)\s*\([^;{}()]*\)\s*(?:const\s*)?\{", plain)) - {
        "if",
        "while",
        "for",
    }


_CALLED = frozenset(
    re.findall(
        r"\w+",
        "sort max min swap reverse find count transform accumulate gcd get tie move iota fixed any function array list "
        "map set queue stack pair tuple regex greater complex lower_bound upper_bound",
    )
)
"""Names that are often those of variables: they count only where they are called or take types."""


def _unqualified(plain: str) -> bool:
    """Whether names of the standard library are used without their namespace."""
    words = re.findall(r"(?<![:.>\w])\b([A-Za-z_]\w*)\b\s*([(<]?)(?!\s*::)", plain)
    names = {name for name, behind in words if behind or name not in _CALLED}
    variables = set(re.findall(r"\b(?:int|long|double|float|char|bool|short|unsigned)\s+(\w+)\s*[;=,\[]", plain))
    return bool((names & _NEEDS_NAMESPACE) - _declared(plain) - (variables & _CALLED))
