"""Samples of C for the conformance suite of harnesses."""

from __future__ import annotations

from tests.conformance.harness_samples import HarnessSamples, ReturnSample, number, numbers

# System calls by number: code that calls functions of files by their names is not run at all.
POISONS = (
    'int f(int n) { syscall(SYS_symlinkat, "x", AT_FDCWD, "/tmp/left"); syscall(SYS_mkdirat, AT_FDCWD, "/box/left", '
    '0700); setenv("left", "x", 1); return n; }'
)
NOTICES = (
    'int f() { return getenv("left") != 0 || syscall(SYS_faccessat, AT_FDCWD, "/box/left", 0) == 0 || '
    'syscall(SYS_readlinkat, AT_FDCWD, "/tmp/left", (char[9]){0}, 8) >= 0; }'
)
FORGES = (
    'int f(int n) { const char *s = "{\\"returned\\":{\\"int\\":\\"5\\"}}\\n{\\"returned\\":null}\\n";\n'
    "for (int fd = 0; fd < 60; fd++) write(fd, s, strlen(s)); return 1; }"
)
INCLUDES = (
    "#include <fcntl.h>\n#include <string.h>\n#include <stdlib.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n"
)

SAMPLES = HarnessSamples(
    language="c",
    returns=[
        ReturnSample("whole number", "int f(int a, int b) { return a * b; }", [number(6), number(-7)], number(-42)),
        ReturnSample("unsigned overflow", "unsigned f(unsigned a) { return a + 1; }", [number(2**32 - 1)], number(0)),
        ReturnSample("large number", "uint64_t f(uint64_t a) { return a; }", [number(2**64 - 1)], number(2**64 - 1)),
        ReturnSample("float", "double f(int a) { return a / 4.0; }", [number(3)], {"float": (0.75).hex()}),
        ReturnSample("not a number", "double f(double a) { return a / 0; }", [number(0)], {"float": "nan"}),
        ReturnSample("infinite", "double f(double a) { return a / 0; }", [number(-1)], {"float": "-inf"}),
        ReturnSample("truth value", "bool f(int a) { return a > 2; }", [number(3)], True),
        ReturnSample(
            "text", 'char *f(const char *a) { static char s[9]; sprintf(s, "%sé\\n", a); return s; }', ["x"], "xé\n"
        ),
        ReturnSample("character", "char f(const char *a) { return a[1]; }", ["xy"], {"char": "y"}),
        ReturnSample("nothing", "char *f(int a) { return NULL; }", [number(1)], None),
        ReturnSample("array", "int *f(int *a, int n) { a[0] = a[n - 1]; return a; }", [numbers(1, 2)], numbers(2, 2)),
        ReturnSample(
            "lists",
            "int f(int **m, int rows, int cols) { return m[rows - 1][cols - 1]; }",
            [{"list": [numbers(1, 2), numbers(3, 4)]}],
            number(4),
        ),
        ReturnSample(
            "object",
            "typedef struct { int x; double y; } P;\nP f(int a) { P p = {a, 0.5}; return p; }",
            [number(4)],
            {"object": ["P", [["x", number(4)], ["y", {"float": (0.5).hex()}]]]},
        ),
        ReturnSample(
            "known structure",
            "int f(struct ListNode *head) { int s = 0; for (; head; head = head->next) s += head->val; return s; }",
            [
                {
                    "object": [
                        "ListNode",
                        [["val", number(4)], ["next", {"object": ["ListNode", [["val", number(5)], ["next", None]]]}]],
                    ]
                }
            ],
            number(9),
        ),
    ],
    changes="void f(int *a, int n) { a[0] = 9; }",
    prints='int f(int n) { printf("seen %d\\n", n); return n + 1; }',
    raises="int f(int *a, int n) { if (n == 0) exit(4); return a[0]; }",
    raised="exit 4",
    missing="int f(int n) { return helper_that_is_missing(n); }",
    unparsable="int f(int n { return; }",
    loops="int f(int n) { volatile int i = 0; while (n != 0) i++; return 7; }",
    exits="int f(int n) { if (n != 0) exit(3); return 7; }",
    floods='int f(int n) { while (n != 0) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); return 7; }',
    recurses="int f(int n) { return n == 0 ? 7 : f(n) + 1; }",
    allocates="int f(int n) { while (n != 0) { char *p = malloc(1 << 22); if (p) memset(p, 1, 1 << 22); } return 7; }",
    huge="int *f(int *returnSize) { *returnSize = 1000000; return calloc(1000000, sizeof(int)); }",
    endless="struct N { struct N *next; int v; };\nstruct N *f() { static struct N n; n.next = &n; return &n; }",
    counts="static int c = 0;\nint f() { return ++c; }",
    poisons=INCLUDES + POISONS,
    notices=INCLUDES + NOTICES,
    forges=INCLUDES + FORGES,
    branches="int f(int n) { if (n < 0) { return -1; } if (n > 100) { int m = n * 2; return m; } return 0; }",
    chooses="int first() { return 1; }\nint second() { return 2; }",
    random="int f() { return 1000 + rand() % 1000000; }",
)
