/* The declarations of the standard library that functions use most. The real headers take the compiler three times as
   long as a function does; a text that needs more is compiled with them. */
#ifndef CT_SLIM
#define CT_SLIM
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INT8_TYPE__ int8_t; typedef __INT16_TYPE__ int16_t; typedef __INT32_TYPE__ int32_t; typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t; typedef __UINT16_TYPE__ uint16_t; typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
#define NULL ((void *)0)
#define bool _Bool
#define true 1
#define false 0
#define INT_MAX __INT_MAX__
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX (INT_MAX * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-LONG_MAX - 1L)
#define LLONG_MAX __LONG_LONG_MAX__
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define ULONG_MAX (LONG_MAX * 2UL + 1UL)
#define ULLONG_MAX (LLONG_MAX * 2ULL + 1ULL)
#define CHAR_BIT 8
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX LONG_MAX
#define INT64_MIN LONG_MIN
#define UINT64_MAX ULONG_MAX
#define SIZE_MAX ULONG_MAX
#define DBL_MAX __DBL_MAX__
#define DBL_EPSILON __DBL_EPSILON__
#define FLT_MAX __FLT_MAX__
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define RAND_MAX 2147483647
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
int printf(const char *, ...); int sprintf(char *, const char *, ...); int snprintf(char *, size_t, const char *, ...);
int puts(const char *); int putchar(int); int sscanf(const char *, const char *, ...);
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
int abs(int); long labs(long); long long llabs(long long); int atoi(const char *); double atof(const char *);
long strtol(const char *, char **, int); double strtod(const char *, char **); int rand(void); void srand(unsigned);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *)); void exit(int); void abort(void);
size_t strlen(const char *); char *strcpy(char *, const char *); char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *); char *strncat(char *, const char *, size_t); int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t); char *strchr(const char *, int); char *strrchr(const char *, int);
char *strstr(const char *, const char *); char *strtok(char *, const char *); char *strdup(const char *);
void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t); void *memchr(const void *, int, size_t);
int isalpha(int); int isdigit(int); int isalnum(int); int isspace(int); int isupper(int); int islower(int);
int toupper(int); int tolower(int); int ispunct(int); int isxdigit(int);
double sqrt(double); double pow(double, double); double fabs(double); double floor(double); double ceil(double);
double sin(double); double cos(double); double tan(double); double asin(double); double acos(double); double atan(double);
double atan2(double, double); double sinh(double); double cosh(double); double tanh(double); double exp(double);
double log(double); double log10(double); double log2(double); double fmod(double, double); double round(double);
double trunc(double); double cbrt(double); double hypot(double, double); double fmax(double, double);
double fmin(double, double); float sqrtf(float); float powf(float, float); float fabsf(float); long lround(double);
double frexp(double, int *); double ldexp(double, int); double modf(double, double *); double rint(double);
double log1p(double); double expm1(double); double copysign(double, double); long long llround(double);
float floorf(float); float ceilf(float); int isprint(int); int iscntrl(int); long atol(const char *);
unsigned long strtoul(const char *, char **, int); long long strtoll(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int); size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *); char *strpbrk(const char *, const char *);
#endif
