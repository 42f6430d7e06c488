/* Loaded by the server of programs: starts one in a child that shares the server's memory until then.

   What `become` does in Python, without a copy of the interpreter for every start. Nothing starts without its limits
   and its filter of system calls: a step that fails ends the child. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define ABOVE 100

typedef struct {
    const char *path, *folder;
    char *const *arguments, *const *variables;
    const int *descriptors;
    int descriptor_count;
    const int *resources;
    const unsigned long long *values;
    int resource_count;
    long long microseconds;
    const void *filter;
    int filter_length;
} Start;

/* Only what is safe while the parent's memory is in use: system calls, and nothing that allocates. */
static void become(const Start *start) {
    static const int ordinary[] = {SIGPIPE, SIGINT, SIGXFSZ};
    struct itimerval timer = {{0, 0}, {start->microseconds / 1000000, start->microseconds % 1000000}};
    struct {
        unsigned short length;
        const void *program;
    } filter = {(unsigned short)(start->filter_length / 8), start->filter};
    int high[16];
    int at;
    if (start->descriptor_count > 16 || setsid() < 0) return;
    for (at = 0; at < start->descriptor_count; at++)
        if ((high[at] = fcntl(start->descriptors[at], F_DUPFD, ABOVE)) < 0) return;
    for (at = 0; at < start->descriptor_count; at++)
        if (dup2(high[at], at) < 0) return;
    if (syscall(SYS_close_range, start->descriptor_count, ~0U, 0)) return;
    for (at = 0; at < 3; at++)
        if (signal(ordinary[at], SIG_DFL) == SIG_ERR) return;
    if (chdir(start->folder)) return;
    for (at = 0; at < start->resource_count; at++) {
        struct rlimit limit = {start->values[at], start->values[at]};
        if (setrlimit(start->resources[at], &limit)) return;
    }
    if (setitimer(ITIMER_PROF, &timer, 0)) return;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &filter, 0, 0)) return;
    execve(start->path, start->arguments, start->variables);
}

int ct_spawn(const Start *start) {
    pid_t process = vfork();
    if (process == 0) {
        become(start);
        _exit(127);
    }
    return process;
}
