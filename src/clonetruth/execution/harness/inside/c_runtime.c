/* Linked to every fragment of C and C++: reads calls from standard input, writes what happened to descriptor 3.

   The fragment shares this process and can write anything there: it can lie about its own run, and about no other. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/ucontext.h>
#include <unistd.h>

#define CHANNEL 3
#define MAX_OUTPUT (1 << 20)
#define MAX_LINE (4 << 20)
#define PATIENCE 1 /* Calls that may take all of their time; those behind them get a part of it: "too slow". */
#define STEPS 100  /* Points of the code that a call may pass in a microsecond: it ends early on a slow machine, too. */
#define MAX_REGIONS 8
#define MAX_POINTS 65536
#define FENCED (64L << 20)
#define PAGE 4096L

typedef struct {
    char *start, *copy;
    size_t size;
} Region;

/* Everything that lasts from call to call is outside of the data of the program, which is restored before each. */
typedef struct {
    char *input, *at;
    char *line;
    size_t length, capacity;
    int too_long;
    char *before;
    size_t before_length, arguments;
    int output, running, late, timed_out, regions;
    unsigned seed;
    long microseconds;
    Region region[MAX_REGIONS];
    uint32_t fresh_points[256];
    int fresh_count;
    unsigned char seen[MAX_POINTS / 8];
    void *back[5];
    char *fence, *fence_at;
    int fencing, aborting;
    uint32_t sizes[FENCED / PAGE];
} State;

static State *state;
void **ct_back;

/* What every block of a fragment looks at, so without a detour: set before each call. */
static long steps_left;
static unsigned char nothing_seen[MAX_POINTS / 8];
static unsigned char *seen = nothing_seen;

void __sanitizer_cov_trace_pc(void);
extern char _start, _etext;

/* Input: words separated by blanks. */

static char *word(void) {
    char *start;
    while (*state->at == ' ' || *state->at == '\n') state->at++;
    start = state->at;
    while (*state->at && *state->at != ' ' && *state->at != '\n') state->at++;
    if (*state->at) *state->at++ = 0;
    return start;
}

long long ct_int(void) { return strtoll(word(), 0, 10); }
unsigned long long ct_unsigned(void) { return strtoull(word(), 0, 10); }
double ct_float(void) { return strtod(word(), 0); }

int ct_some(void) { return *word() == 'S'; }

/* Memory that ends where nothing can be read or written, so that a step beyond an array is noticed; in half of the
   replays it begins there, so that a step before it is. */
void *ct_array(size_t size, size_t alignment) {
    size_t page = 4096, whole = (size + page - 1) / page * page, before = state->seed % 2 && size ? page : 0;
    char *start = mmap(0, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) _exit(99);
    mprotect(before ? start : start + whole, page, PROT_NONE);
    return before ? start + page : start + whole - (size + alignment - 1) / alignment * alignment;
}

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/* A text with at least this much room; null for none. */
char *ct_text(size_t room, size_t *length) {
    char *from = word(), *made;
    size_t size, at;
    if (*from == 'N') return 0;
    size = (strlen(from) - 1) / 2;
    if (length) *length = size;
    if (room < size + 1) room = size + 1;
    made = ct_array(room, 1);
    for (at = 0; at < size; at++) made[at] = (char)(digit(from[1 + 2 * at]) * 16 + digit(from[2 + 2 * at]));
    made[size] = 0;
    return made;
}

/* Output: a line of JSON for each call. */

static void add(const char *text, size_t length) {
    if (state->length + length + 1 > state->capacity) {
        if (state->length + length > MAX_LINE) {
            state->too_long = 1;
            return;
        }
        while (state->length + length + 1 > state->capacity) state->capacity *= 2;
        state->line = realloc(state->line, state->capacity);
        if (!state->line) _exit(99);
    }
    memcpy(state->line + state->length, text, length);
    state->length += length;
}

void ct_raw(const char *text) { add(text, strlen(text)); }

static void quoted(const unsigned char *text, size_t length) {
    char escaped[8];
    size_t at;
    ct_raw("\"");
    for (at = 0; at < length; at++) {
        unsigned char c = text[at];
        /* Bytes beyond ASCII go out as Latin letters; the host knows and reads them as UTF-8 again. */
        if (c == '"' || c == '\\' || c < 32 || c > 126) {
            snprintf(escaped, sizeof escaped, "\\u%04x", c);
            ct_raw(escaped);
        } else add((const char *)text + at, 1);
    }
    ct_raw("\"");
}

void ct_put_int(long long value) {
    char text[48];
    snprintf(text, sizeof text, "{\"int\":\"%lld\"}", value);
    ct_raw(text);
}

void ct_put_unsigned(unsigned long long value) {
    char text[48];
    snprintf(text, sizeof text, "{\"int\":\"%llu\"}", value);
    ct_raw(text);
}

void ct_put_float(double value) {
    char text[64];
    if (value != value) ct_raw("{\"float\":\"nan\"}");
    else {
        snprintf(text, sizeof text, "{\"float\":\"%a\"}", value);
        ct_raw(text);
    }
}

void ct_put_bool(int value) { ct_raw(value ? "true" : "false"); }

void ct_put_char(char value) {
    unsigned char byte = (unsigned char)value;
    ct_raw("{\"char\":");
    quoted(&byte, 1);
    ct_raw("}");
}

void ct_put_bytes(const char *text, size_t length) {
    if (length > MAX_LINE / 8) ct_raw("{\"cut\":\"text\"}");
    else quoted((const unsigned char *)text, length);
}

void ct_put_text(const char *text) {
    if (!text) ct_raw("null");
    else ct_put_bytes(text, strnlen(text, MAX_LINE / 8 + 1));
}

/* Calls. */

static void send(void) {
    size_t at = 0;
    if (state->too_long) {
        state->too_long = 0;
        state->length = 0;
        ct_raw("{\"ended\":\"too much output\"}");
    }
    add("\n", 1);
    while (at < state->length) {
        ssize_t done = write(CHANNEL, state->line + at, state->length - at);
        if (done < 0 && errno != EINTR) _exit(98);
        if (done > 0) at += (size_t)done;
    }
    state->length = 0;
}

static void limit(long microseconds) {
    struct itimerval timer = {{0, 0}, {microseconds / 1000000, microseconds % 1000000}};
    struct itimerval wall = {{0, 0}, {(10 * microseconds) / 1000000, (10 * microseconds) % 1000000}};
    setitimer(ITIMER_PROF, &timer, 0);
    setitimer(ITIMER_REAL, &wall, 0);
}

static void printed(void) {
    off_t size = lseek(1, 0, SEEK_END);
    if (size <= 0) return;
    if (size > MAX_OUTPUT) size = MAX_OUTPUT;
    char *text = malloc((size_t)size);
    if (text && pread(state->output, text, (size_t)size, 0) == size) {
        ct_raw(",\"output\":");
        quoted((unsigned char *)text, (size_t)size);
    }
    free(text);
    if (ftruncate(state->output, 0) || lseek(1, 0, SEEK_SET)) _exit(97);
}

static void reached(void) {
    char text[16];
    int at;
    if (!state->fresh_count) return;
    ct_raw(",\"reached\":[");
    for (at = 0; at < state->fresh_count; at++) {
        snprintf(text, sizeof text, at ? ",%u" : "%u", state->fresh_points[at]);
        ct_raw(text);
    }
    ct_raw("]");
    state->fresh_count = 0;
}

/* The end of a call that did not return; `how` is the name and `what` the value of its JSON key. */
static void ended(const char *how, const char *what, int exact) {
    state->running = 0;
    state->fencing = 0;
    limit(0);
    state->length = 0;
    ct_raw("{\"");
    ct_raw(how);
    ct_raw("\":\"");
    ct_raw(what);
    ct_raw("\"");
    if (exact) {
        fflush(stdout);
        printed();
    }
    reached();
    ct_raw("}");
    send();
}

/* Whether the signal came in the program's own code: no lock of a library is held, and the next call can follow. */
static int is_own(void *context) {
#ifdef __x86_64__
    char *at = (char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    return at >= &_start && at < &_etext;
#else
    return 0;
#endif
}

/* Beyond the end of the stack: a recursion without end. */
static int is_stack(siginfo_t *info, void *context) {
#ifdef __x86_64__
    uintptr_t stack = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
    uintptr_t address = (uintptr_t)info->si_addr;
    return address + 65536 > stack && address < stack + 65536;
#else
    return 0;
#endif
}

/* Memory of a call, in half of the replays: each block ends where a page ends that cannot be read, so that what lies
   behind it is noticed, and what was given back cannot be used. What a call keeps stays: objects that last, and what the
   library keeps for later calls. Once the room is used up, blocks are ordinary ones. */
void *__libc_malloc(size_t), *__libc_realloc(void *, size_t), *__libc_calloc(size_t, size_t);
void __libc_free(void *);

static int is_fenced(const void *block) {
    return state && state->fence && (const char *)block >= state->fence && (const char *)block < state->fence + FENCED;
}

static uint32_t *fenced_size(const void *block) {
    return &state->sizes[((const char *)block - state->fence) / PAGE];
}

static void *fenced(size_t size) {
    if (!state || !state->fencing || size > (1 << 20)) return 0;
    size_t room = (size + PAGE - 1) / PAGE * PAGE;
    if (state->fence_at + room + PAGE > state->fence + FENCED) return 0;
    if (room && mprotect(state->fence_at, room, PROT_READ | PROT_WRITE)) return 0;
    /* For every other seed at the beginning of a page: what lies before it is noticed instead. */
    char *block = state->fence_at + (state->seed % 2 ? room - size : 0);
    *fenced_size(block) = (uint32_t)size;
    if (state->seed % 2 == 0) memset(block, (int)(state->seed % 251) + 1, room);
    state->fence_at += room + PAGE;
    return block;
}

void *malloc(size_t size) {
    void *block = fenced(size);
    return block ? block : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    size_t all;
    void *block = __builtin_mul_overflow(count, size, &all) ? 0 : fenced(all);
    return block ? memset(block, 0, all) : __libc_calloc(count, size);
}

void free(void *block) {
    if (!is_fenced(block)) {
        __libc_free(block);
        return;
    }
    char *start = (char *)((uintptr_t)block / PAGE * PAGE);
    mprotect(start, (char *)block + *fenced_size(block) - start, PROT_NONE);
}

void *realloc(void *block, size_t size) {
    if (block && !is_fenced(block)) return __libc_realloc(block, size);
    void *made = malloc(size);
    if (made && block) {
        memcpy(made, block, size < *fenced_size(block) ? size : *fenced_size(block));
        free(block);
    }
    return made;
}

/* The library ends a program without these where its memory is not what it was. */
void abort(void) {
    if (state) state->aborting = 1;
    raise(SIGABRT);
    _exit(134);
}

void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {
    (void)what, (void)file, (void)line, (void)function;
    abort();
}

static void go_on(void) {
    if (ftruncate(state->output, 0) || lseek(1, 0, SEEK_SET)) _exit(97);
    __fpurge(stdout);
    __builtin_longjmp(state->back, 1);
}

static void on_signal(int number, siginfo_t *info, void *context) {
    char text[40];
    /* A timer that fires while the end of a call is written is late. */
    if (!state->running && (number == SIGPROF || number == SIGALRM)) return;
    if (!state->running) _exit(96);
    if (number == SIGPROF || number == SIGALRM) {
        int own = is_own(context);
        if (!own && state->late++ < 20) {
            limit(1000);
            return;
        }
        ended("ended", state->timed_out++ < PATIENCE ? "timed out" : "too slow", 0);
        if (own) go_on();
    } else if (number == SIGSEGV || number == SIGBUS) {
        int stack = is_stack(info, context);
        ended("ended", stack ? "stack overflow" : "undefined behaviour: invalid address", 0);
        if (stack && is_own(context)) go_on();
    } else if (number == SIGXFSZ) ended("ended", "too much output", 0);
    else if (number == SIGABRT && state->aborting) ended("raised", "abort", 0);
    else if (number == SIGABRT) ended("ended", "undefined behaviour: memory", 0);
    else if (number == SIGFPE) ended("ended", "undefined behaviour: division", 0);
    else {
        snprintf(text, sizeof text, "signal %d", number);
        ended("ended", text, 0);
    }
    _exit(0);
}

static void on_end(int status, void *unused) {
    char text[32];
    (void)unused;
    if (state->running) {
        snprintf(text, sizeof text, "exit %d", status & 255);
        ended("raised", text, 1);
        _exit(0);
    }
}

/* What the compiler's checks call. They come before the deed, so that the next call can follow. */
void ct_undefined(const char *what) {
    char text[64];
    if (!state->running) _exit(95);
    snprintf(text, sizeof text, "undefined behaviour: %s", what);
    ended("ended", text, 1);
    __builtin_longjmp(state->back, 1);
}

#define CHECK(name, what) \
    void __ubsan_handle_##name##_abort(void) { ct_undefined(what); } \
    void __ubsan_handle_##name(void) { ct_undefined(what); }
CHECK(add_overflow, "overflow")
CHECK(sub_overflow, "overflow")
CHECK(mul_overflow, "overflow")
CHECK(negate_overflow, "overflow")
CHECK(divrem_overflow, "division")
CHECK(shift_out_of_bounds, "shift")
CHECK(out_of_bounds, "index")
CHECK(type_mismatch_v1, "invalid address")
CHECK(alignment_assumption, "invalid address")
CHECK(builtin_unreachable, "unreachable")
CHECK(missing_return, "no return value")
CHECK(vla_bound_not_positive, "size of an array")
CHECK(load_invalid_value, "invalid value")
CHECK(nonnull_arg, "null")
CHECK(nonnull_return_v1, "null")
CHECK(nullability_arg, "null")
CHECK(pointer_overflow, "invalid address")
CHECK(float_cast_overflow, "conversion")
CHECK(invalid_builtin, "argument of a builtin")

static void no_steps_left(void) {
    if (!state || !state->running) {
        steps_left = LONG_MAX;
        return;
    }
    ended("ended", state->timed_out++ < PATIENCE ? "timed out" : "too slow", 0);
    go_on();
}

static void reach(uint32_t at) {
    if (!state || !state->running) return;
    seen[at / 8] |= (unsigned char)(1 << (at % 8));
    if (state->fresh_count < 256) state->fresh_points[state->fresh_count++] = at;
}

void __sanitizer_cov_trace_pc(void) {
    uint32_t at = (uint32_t)(uintptr_t)__builtin_return_address(0) % MAX_POINTS;
    if (--steps_left < 0) no_steps_left();
    if (!(seen[at / 8] >> (at % 8) & 1)) reach(at);
}

/* A mark that the host has put into a function of C++. */
void ct_point(unsigned at) {
    if (at < MAX_POINTS && !(seen[at / 8] >> (at % 8) & 1)) reach(at);
}

/* How many calls of __sanitizer_cov_trace_pc the program has. */
static int points(void) {
    int count = 0;
#ifdef __x86_64__
    char *at;
    for (at = &_start; at + 5 < &_etext; at++) {
        int32_t distance;
        if ((unsigned char)*at != 0xe8) continue;
        memcpy(&distance, at + 1, 4);
        if (at + 5 + distance == (char *)&__sanitizer_cov_trace_pc) count++;
    }
#endif
    return count;
}

/* The writable data of the program itself, as the kernel lists it. */
static void remember(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], flags[8], path[256];
    unsigned long start, end, last = 0, total = 0;
    while (maps && fgets(line, sizeof line, maps) && state->regions < MAX_REGIONS) {
        path[0] = 0;
        if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %255s", &start, &end, flags, path) < 3) continue;
        int own = strcmp(path, "/box/main") == 0;
        if (flags[1] == 'w' && (own || (!path[0] && start == last)) && total + (end - start) < (64 << 20)) {
            Region *one = &state->region[state->regions++];
            one->start = (char *)start;
            one->size = end - start;
            total += end - start;
        }
        last = own ? end : 0;
    }
    if (maps) fclose(maps);
    for (int at = 0; at < state->regions; at++) {
        Region *one = &state->region[at];
        one->copy = mmap(0, one->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (one->copy == MAP_FAILED) state->regions = at;
        else memcpy(one->copy, one->start, one->size);
    }
}

static void restore(void) {
    for (int at = 0; at < state->regions; at++) {
        Region *one = &state->region[at];
        if (memcmp(one->start, one->copy, one->size)) memcpy(one->start, one->copy, one->size);
    }
}

void ct_start(int keeps_data, int coverage) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF, SIGALRM, SIGXFSZ, SIGTRAP, SIGTERM};
    size_t size = 0, capacity = 1 << 16;
    ssize_t got;
    state = mmap(0, sizeof(State), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (state == MAP_FAILED) _exit(99);
    ct_back = state->back;
    seen = state->seen;
    state->input = malloc(capacity);
    while ((got = read(0, state->input + size, capacity - size - 1)) > 0)
        if ((size += (size_t)got) + 1 >= capacity) state->input = realloc(state->input, capacity *= 2);
    state->input[size] = 0;
    state->at = state->input;
    state->line = malloc(state->capacity = 1 << 16);
    state->seed = (unsigned)ct_unsigned();
    state->microseconds = (long)ct_int();
    state->timed_out = (int)ct_int();
    state->output = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    int nothing = open("/dev/null", O_RDONLY);
    if (state->output < 0 || nothing < 0 || dup2(nothing, 0) < 0 || dup2(state->output, 1) < 0) _exit(94);
    state->output = fcntl(1, F_DUPFD_CLOEXEC, 40);
    struct rlimit files = {MAX_OUTPUT + 65536, MAX_OUTPUT + 65536};
    setrlimit(RLIMIT_FSIZE, &files);
    stack_t stack = {.ss_sp = mmap(0, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                     .ss_size = 1 << 16};
    sigaltstack(&stack, 0);
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    action.sa_sigaction = on_signal;
    for (size_t at = 0; at < sizeof signals / sizeof *signals; at++) sigaction(signals[at], &action, 0);
    on_exit(on_end, 0);
    /* New memory is filled, with zeros for every other seed: what depends on it does not come again. */
    mallopt(M_PERTURB, state->seed % 2 ? 255 : (int)(state->seed % 251) + 1);
    if (state->seed) {
        state->fence = mmap(0, FENCED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (state->fence == MAP_FAILED) state->fence = 0;
        else state->fence_at = state->fence + PAGE;
    }
    setvbuf(stdout, 0, _IOFBF, 1 << 16);
    char text[64];
    snprintf(text, sizeof text, "{\"ready\":%d}", coverage < 0 ? points() : coverage);
    ct_raw(text);
    send();
    if (!keeps_data) remember();
}

int ct_next(void) {
    if (*word() != 'C') return 0;
    restore();
    srand(state->seed);
    state->length = 0;
    ct_raw("[");
    return 1;
}

/* The arguments before the call are in the buffer. */
void ct_begin(void) {
    state->before = malloc(state->length + 1);
    memcpy(state->before, state->line, state->length);
    state->before_length = state->length;
    state->length = 0;
    state->running = 1;
    state->late = 0;
    long share = state->timed_out < PATIENCE ? 1 : state->timed_out < 8 ? 20 : 100;
    steps_left = state->microseconds / share * STEPS;
    limit(state->microseconds / share);
    state->fencing = state->fence != 0;
    state->aborting = 0;
}

/* Functions that stand for unknown ones: what they get is written like a result, and says which of a few results is
   returned, the same in every language. */

static uint32_t checksum;

static void summed(const char *text, size_t length) {
    for (; length; length--) {
        checksum ^= (unsigned char)*text++;
        for (int bit = 0; bit < 8; bit++) checksum = checksum >> 1 ^ (0xedb88320u & -(checksum & 1));
    }
}

static void summed_text(const char *text) { summed(text, strlen(text)); }

static const char *summed_string(const char *at) {
    summed(at++, 1);
    for (; *at != '"'; at++) {
        static const char plain[] = "\n\r\t\b\f", letters[] = "nrtbf";
        unsigned code = 0;
        if (*at == '\\' && at[1] == 'u') {
            const char *found;
            sscanf(at + 2, "%4x", &code);
            found = code ? strchr(plain, (int)code) : 0;
            if (found || code == '"' || code == '\\') {
                char escaped[3] = {'\\', found ? letters[found - plain] : (char)code, 0};
                summed(escaped, 2);
            } else summed(at, 6);
            at += 5;
        } else summed(at, 1);
    }
    summed(at, 1);
    return at + 1;
}

static void summed_float(const char *said) {
    char text[400];
    double value = strtod(said, 0);
    if (value != value || value - value != 0) snprintf(text, sizeof text, "%s", value != value ? "nan" : value > 0 ? "inf" : "-inf");
    else if (value == 0) snprintf(text, sizeof text, "0");
    else snprintf(text, sizeof text, value == __builtin_trunc(value) ? "%.0f" : "%.13a", value);
    summed_text(text);
}

/* Behind a value; its numbers count by value, its characters as texts, its sequences by content. */
static const char *summed_value(const char *at) {
    if (*at == '"') return summed_string(at);
    if (*at == '[') {
        summed("[", 1);
        for (at++; *at != ']';) {
            at = summed_value(at);
            if (*at == ',') {
                summed(", ", 2);
                at++;
            }
        }
        summed("]", 1);
        return at + 1;
    }
    if (*at == '{') {
        const char *kind = at + 2, *value = strchr(kind, ':') + 1;
        int is_int = !strncmp(kind, "int\"", 4), is_float = !strncmp(kind, "float\"", 6);
        if (is_int || is_float) {
            const char *end = strchr(value + 1, '"');
            summed_text("{\"number\": \"");
            if (is_float) summed_float(value + 1);
            else summed(value + 1, (size_t)(end - value - 1));
            summed_text("\"}");
            return end + 2;
        }
        if (!strncmp(kind, "char\"", 5)) return summed_string(value) + 1;
        if (!strncmp(kind, "object\"", 7)) {
            /* Without the name of the class. */
            summed_text("{\"object\": ");
            at = summed_value(strchr(value, ',') + 1) + 2;
        } else {
            summed_text("{\"list\": ");
            at = summed_value(value) + 1;
        }
        summed("}", 1);
        return at;
    }
    const char *end = at + strcspn(at, ",]}");
    summed(at, (size_t)(end - at));
    return end;
}

/* Where what such a function gets will begin. */
size_t ct_mark(void) { return state->length; }

/* The number of its result, for a tuple that was written from there on. */
unsigned long ct_choice(size_t from, unsigned long count) {
    static const char head[] = "{\"tuple\":";
    checksum = ~0u;
    add("", 1);
    if (count > 1) summed_value(state->line + from + sizeof head - 1);
    state->length = from;
    return count > 1 ? ~checksum % count : 0;
}

/* Keeps a call of such a function. */
void ct_note(char **calls, size_t *length, size_t from) {
    size_t size = state->length - from;
    *calls = realloc(*calls, *length + size + 2);
    if (!*calls || *length > MAX_LINE) _exit(99);
    if (*length) (*calls)[(*length)++] = ',';
    memcpy(*calls + *length, state->line + from, size);
    *length += size;
    (*calls)[*length] = 0;
}

/* Which of two values comes first by what was written of them. */
int ct_ordered(size_t one, size_t other) {
    size_t sizes[] = {other - one, state->length - other};
    int order = memcmp(state->line + one, state->line + other, sizes[0] < sizes[1] ? sizes[0] : sizes[1]);
    state->length = one;
    return order ? order : (sizes[0] > sizes[1]) - (sizes[0] < sizes[1]);
}

/* Whether a place is below the caller's frame, where a function that has returned had its variables. */
__attribute__((noinline)) int ct_is_gone(const void *place) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), at = (uintptr_t)place;
    return at < here && here - at < (8u << 20);
}

void ct_returned(void) {
    limit(0);
    state->fencing = 0;
    fflush(stdout);
    ct_raw("{\"returned\":");
}

void ct_afterwards(void) {
    ct_raw(",\"changed\":");
    state->arguments = state->length;
    ct_raw("[");
}

void ct_end(void) {
    size_t size = state->length - state->arguments;
    if (size == state->before_length && !memcmp(state->line + state->arguments, state->before, size))
        state->length = state->arguments - strlen(",\"changed\":");
    else ct_raw("]");
    state->running = 0;
    printed();
    reached();
    ct_raw("}");
    send();
    free(state->before);
}

/* A C++ exception. */
void ct_raised(const char *name) {
    if (state->running) ended("raised", name, 1);
}
