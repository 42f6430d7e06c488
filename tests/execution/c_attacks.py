"""Hostile functions of C, C++ and Go: they share the process with the driver, so they can lie about their own run. None
may do more: not about another fragment's run, not outside of the sandbox."""

from __future__ import annotations

FORGED = '{\\"returned\\":{\\"int\\":\\"42\\"}}\\n'

C_ATTACKS = {
    "writes results of later calls on the channel": "#include <unistd.h>\n#include <string.h>\n"
    f'int f(int x) {{ const char *s = "{FORGED}{FORGED}{FORGED}"; write(3, s, strlen(s)); return x; }}',
    "writes what is no answer on the channel": "#include <unistd.h>\nint f(int x) "
    '{ write(3, "{\\"returned\\":{\\"evil\\":1}}\\n", 24); return x; }',
    "writes half a line and ends": '#include <unistd.h>\nint f(int x) { write(3, "{\\"ret", 5); _exit(0); }',
    "closes the channel": "#include <unistd.h>\nint f(int x) { close(3); return x; }",
    "floods the channel": "#include <unistd.h>\nstatic char b[65536];\n"
    "int f(int x) { for (;;) write(3, b, sizeof b); return x; }",
    "floods the "
    "output": '#include <stdio.h>\nint f(int x) { for (;;) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); return x; }',
    "overwrites memory of the driver": "int f(int x) { char *p = (char *)&x; for (;;) *p++ = 0x41; return x; }",
    "overwrites the heap": "#include <stdlib.h>\n#include <string.h>\n"
    "int f(int x) { char *p = malloc(8); memset(p - 64, 0x41, 1 << 16); free(p); return x; }",
    "jumps into nothing": "int f(int x) { void (*g)(void) = (void (*)(void))0x41414141; g(); return x; }",
    "jumps back": "#include <setjmp.h>\nstatic jmp_buf b;\nint f(int x) { if (x > 0) return setjmp(b); "
    "longjmp(b, 1); }",
    "ignores every "
    "signal": "#include <signal.h>\nint f(int x) { sigset_t s; sigfillset(&s); sigprocmask(SIG_BLOCK, &s, 0);\n"
    "for (int i = 1; i < 65; i++) signal(i, SIG_IGN); for (;;) ; return x; }",
    "kills everything": "#include <signal.h>\n#include <unistd.h>\nint f(int x) { kill(-1, SIGKILL); kill(1, "
    "SIGKILL); return x; }",
    "prints before main": "#include <stdio.h>\n#include <unistd.h>\n__attribute__((constructor)) static void c(void) "
    f'{{ write(3, "{FORGED}", 27); puts("early"); fflush(stdout); }}\nint f(int x) {{ return x; }}',
    "prints at exit": '#include <stdlib.h>\n#include <stdio.h>\nstatic void late(void) { puts("late"); }\n'
    "int f(int x) { atexit(late); return x; }",
    "defines the functions of the driver": "void ct_put_int(long long x) { }\nint f(int x) { return x; }",
    "defines main and library "
    "functions": "int main(void) { return 7; }\nint write(int a, const void *b, unsigned long c) "
    "{ return 0; }\nint f(int x) { return x; }",
    "replaces words of the "
    "driver": "#define return for (;;)\n#define static\n#define ct_call nothing\nint f(int x) { return x; }",
    "leaves the function unclosed": "int f(int x) { return x;",
    "closes the wrapper": "int f(int x) { return x; }\n}\nint main() { return 0; }\n#if 0\n{",
    "starts a process": "#include <signal.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n"
    "int f(int x) { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == -1 ? x : 42; }",
    "takes all memory": "#include <stdlib.h>\n#include <string.h>\n"
    "int f(int x) { for (;;) { char *p = malloc(1 << 24); if (p) memset(p, 1, 1 << 24); } return x; }",
}
"""Functions of a number that attack the driver while they run, or when they are compiled into it."""

C_COMPILE_ATTACKS = {
    "includes a secret": '#include "/etc/shadow"\nint f(int x) { return x; }',
    "includes the server's memory": '#include "/proc/1/environ"\nint f(int x) { return x; }',
    "links a secret": 'asm(".incbin \\"/etc/shadow\\"");\nint f(int x) { return x; }',
    "has an array of 100 GB": "char big[100000000000] = {1};\nint f(int x) { return big[x]; }",
    "includes itself": '#include "main.c"\nint f(int x) { return x; }',
    "loads a plugin": '#pragma GCC optimize ("-fplugin=/tmp/x.so")\n#pragma GCC dependency "/etc/passwd"\nint '
    "f(int x) { return x; }",
}
"""Texts that attack the compiler."""

GO_ATTACKS = {
    "writes results on the channel": 'import "os"\nfunc F(x int) int { os.NewFile(3, "").WriteString('
    '"{\\"returned\\":{\\"int\\":\\"42\\"}}\\n{\\"returned\\":{\\"int\\":\\"42\\"}}\\n"); return x }',
    "panics in a goroutine": "func F(x int) int { go func() { panic(1) }(); for { } }",
    "waits for ever": "func F(x int) int { c := make(chan int); return <-c }",
    "recovers nothing": "func F(x int) int { defer func() { panic(recover()) }(); panic(x) }",
    "defines the driver's names": "func ctEntry() interface{} { return 1 }\nfunc F(x int) int { return x }",
    "takes all "
    "memory": "func F(x int) int { s := [][]byte{}; for { b := make([]byte, 1<<24); for i := range b { b[i] = 1 "
    "}; s = append(s, b) } }",
    "initialises at length": "func init() { for { } }\nfunc F(x int) int { return x }",
}
