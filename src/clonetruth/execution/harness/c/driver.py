"""The generated part of a compiled fragment: reads each argument, calls the function, writes what came out.

The words that it reads are written by `encode` in `words.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from clonetruth.execution.harness.c.functions import CFragment
from clonetruth.execution.harness.c.local_memory import WHAT
from clonetruth.execution.harness.c.plan import CallPlan, Filling, ParameterRole, returned_length
from clonetruth.execution.harness.c.receivers import ReceiverPlan
from clonetruth.execution.harness.c.types import CType
from clonetruth.execution.harness.c.words import ROLES
from clonetruth.execution.values import STATE

_ROOM = 4096
"""Bytes of a text that a function writes into."""

_MAX_DEPTH = 20
_MAX_LENGTH = 100_000
_UNCOVERED = "__attribute__((no_sanitize_coverage, no_sanitize_undefined))"
_QUICK = '__attribute__((no_sanitize_coverage, no_sanitize_undefined, optimize("O0")))'
"""The compiler would spend as long on the driver as on the function."""

PROTOTYPES = """
#ifdef __cplusplus
extern "C" {
#endif
extern void **ct_back;
long long ct_int(void); unsigned long long ct_unsigned(void); double ct_float(void); int ct_some(void);
void *ct_array(__SIZE_TYPE__, __SIZE_TYPE__); char *ct_text(__SIZE_TYPE__, __SIZE_TYPE__ *);
void ct_raw(const char *); void ct_put_int(long long); void ct_put_unsigned(unsigned long long);
void ct_put_float(double); void ct_put_bool(int); void ct_put_char(char); void ct_put_text(const char *);
void ct_put_bytes(const char *, __SIZE_TYPE__);
void ct_start(int, int); int ct_next(void); void ct_begin(void); void ct_returned(void); void ct_afterwards(void);
void ct_end(void); void ct_raised(const char *); void ct_undefined(const char *); void ct_point(unsigned);
int ct_is_gone(const void *);
__SIZE_TYPE__ ct_mark(void); unsigned long ct_choice(__SIZE_TYPE__, unsigned long);
void ct_note(char **, __SIZE_TYPE__ *, __SIZE_TYPE__); int ct_ordered(__SIZE_TYPE__, __SIZE_TYPE__);
#ifdef __cplusplus
}
#endif
"""


def driver(fragment: CFragment, plan: CallPlan, *, keeps_data: bool, points: int) -> str:
    """What follows the text of a fragment in the file to compile."""
    return "\n".join(_Writer(fragment, plan).program(keeps_data, points)) + "\n"


class _Writer:
    def __init__(self, fragment: CFragment, plan: CallPlan) -> None:
        self.fragment, self.plan, self.table, self.cpp = fragment, plan, fragment.table, fragment.cpp
        self.attributes = _UNCOVERED if fragment.cpp else _QUICK

    def program(self, keeps_data: bool, points: int) -> Iterator[str]:
        yield "#undef main"
        names = list(self.table.structs)
        for name in names:
            written = name if self.cpp or name not in self.table.tags else f"struct {name}"
            yield f"static void ct_get_{name}({written} *); static void ct_put_{name}(const {written} *, int);"
            if self.cpp:
                yield f"static inline void ct_get({name} &one) {{ ct_get_{name}(&one); }}"
                yield f"static inline void ct_put(const {name} &one) {{ ct_put_{name}(&one, 0); }}"
        if self.cpp:
            yield '#include "cpp_values.hpp"'
        for name in names:
            yield from self.structure(name)
        for at, one in enumerate(self.plan.fillings):
            if one.parameter.type.kind == "function":
                yield from self.stand_in(at, one.parameter.type)
        if self.plan.receiver is not None:
            yield from self.further(self.plan.receiver)
        yield f"{self.attributes} static void ct_call(void) {{"
        yield from (f"  {line}" for line in self.call())
        yield "}"
        yield f"{self.attributes} int main(void) {{"
        if self.cpp:
            # The library numbers the parts of a locale when they are first used. Numbers that were given after data
            # were remembered would be lost before the second call, which would then end with `bad_cast`.
            yield "#ifdef _GLIBCXX_REGEX"
            yield '  std::regex_match("", std::regex("[a-z]*"));'
            yield "#endif"
        yield f"  ct_start({int(keeps_data)}, {points});"
        yield "  while (ct_next()) ct_call();"
        yield "  return 0;"
        yield "}"

    # Values.

    def get(self, kind: CType, place: str) -> str:
        """A statement that reads a value into a place."""
        if kind.kind in ("int", "char", "bool"):
            return f"{place} = ({kind.written})ct_{'int' if kind.signed else 'unsigned'}();"
        if kind.kind == "float":
            return f"{place} = ({kind.written})ct_float();"
        if kind.kind == "pointer" and kind.target.kind == "char":
            return f"{place} = ct_text(0, 0);"
        if kind.kind == "array" and kind.target.kind == "char":
            copy = f"for (__SIZE_TYPE__ i = 0; s && s[i] && i + 1 < sizeof {place}; i++) {place}[i] = s[i];"
            return f"{{ char *s = ct_text(0, 0); {copy} }}"
        if kind.kind == "array":
            return (
                f"{{ __SIZE_TYPE__ n = ct_unsigned(); for (__SIZE_TYPE__ i = 0; i < n; i++) {{ "
                f"{kind.target.written} ct_one; {self.get(kind.target, 'ct_one')} "
                f"if (i < sizeof {place} / sizeof *{place}) {place}[i] = ct_one; }} }}"
            )
        if kind.kind == "struct":
            return f"ct_get_{kind.name}(&{place});"
        if kind.kind == "pointer" and kind.target.kind == "struct":
            made = self.made(kind.target)
            return f"if (ct_some()) {{ {place} = {made}; ct_get_{kind.target.name}({place}); }} else {place} = 0;"
        return f"ct_get({place});"

    def made(self, kind: CType) -> str:
        """An expression for a pointer to a new object."""
        if self.cpp:
            return f"ct_new<{kind.written}>()"
        return f"({kind.written} *)ct_array(sizeof({kind.written}), __alignof__({kind.written}))"

    def put(self, kind: CType, value: str, depth: str = "0") -> str:
        """A statement that writes a value."""
        if kind.kind == "int":
            # A scoped enumeration is not converted by itself.
            written = f"(long long)({value})" if kind.name else value
            return f"ct_put_{'int' if kind.signed else 'unsigned'}({written});"
        if kind.kind in ("float", "bool", "char"):
            return f"ct_put_{kind.kind}({value});"
        if kind.kind == "pointer" and kind.target.kind == "char":
            return f"ct_put_text((const char *){value});"
        if kind.kind == "array" and kind.target.kind == "char":
            return f"ct_put_bytes({value}, __builtin_strlen({value}));"
        if kind.kind == "array":
            return self.put_list(kind.target, value, f"sizeof {value} / sizeof *{value}")
        if kind.kind == "struct":
            return f"ct_put_{kind.name}(&{value}, {depth});"
        if kind.kind == "pointer" and kind.target.kind == "struct":
            return f"ct_put_{kind.target.name}({value}, {depth});"
        if kind.kind in ("template", "text", "auto"):
            return f"ct_put({value});"
        return 'ct_raw("{\\"opaque\\":\\"pointer\\"}");'

    def put_list(self, inner: CType, place: str, count: str) -> str:
        element = self.put(inner, f"{place}[ct_i]")
        return (
            f'if ((__SIZE_TYPE__)({count}) > {_MAX_LENGTH}) ct_raw("{{\\"cut\\":\\"list\\"}}"); else {{ '
            f'ct_raw("{{\\"list\\":["); for (__SIZE_TYPE__ ct_i = 0; ct_i < (__SIZE_TYPE__)({count}); ct_i++) '
            f'{{ if (ct_i) ct_raw(","); {element} }} ct_raw("]}}"); }}'
        )

    def structure(self, name: str) -> Iterator[str]:
        written = name if self.cpp or name not in self.table.tags else f"struct {name}"
        fields = self.table.structs[name]
        yield f"{self.attributes} static void ct_get_{name}({written} *one) {{"
        for field, kind in fields:
            if self.table.input_type(kind, (name,)) is not None:
                yield f"  {self.get(kind, f'one->{field}')}"
        yield "}"
        yield f"{self.attributes} static void ct_put_{name}(const {written} *one, int depth) {{"
        yield '  if (!one) { ct_raw("null"); return; }'
        yield f'  if (depth > {_MAX_DEPTH}) {{ ct_raw("{{\\"cut\\":\\"object\\"}}"); return; }}'
        yield f'  ct_raw("{{\\"object\\":[\\"{name}\\",[");'
        for at, (field, kind) in enumerate(fields):
            yield f'  ct_raw("{"," if at else ""}[\\"{field}\\",");'
            yield f"  {self.put(kind, f'one->{field}', 'depth + 1')}"
            yield '  ct_raw("]");'
        yield '  ct_raw("]]}");'
        yield "}"

    def stand_in(self, at: int, kind: CType) -> Iterator[str]:
        """A function that is passed, and what it keeps during a call."""
        result, *taken = kind.inner
        says = result.kind != "void"
        role, way, count, calls, length = (f"ct_{name}{at}" for name in ("role", "way", "count", "calls", "length"))
        yield f"static long {role}, {way}; static unsigned long {count}; static char *{calls};"
        yield f"static __SIZE_TYPE__ {length};{f' static {result.written} *ct_results{at};' if says else ''}"
        given = ", ".join(f"{one.written} ct_x{number}" for number, one in enumerate(taken)) or "void"
        yield f"{self.attributes} static {result.written} ct_stand{at}({given}) {{"
        yield "  __SIZE_TYPE__ ct_from = ct_mark();"
        if says and len(taken) == 2 and taken[0] == taken[1]:
            yield f"  if ({role} > {ROLES.index('procedure')}) {{"
            if taken[0].is_scalar or taken[0].kind == "text":
                yield "    int ct_order = (ct_x1 < ct_x0) - (ct_x0 < ct_x1);"
            elif taken[0].kind == "pointer" and taken[0].target.kind == "char":
                yield "    int ct_order = !ct_x0 || !ct_x1 ? !ct_x1 - !ct_x0 : __builtin_strcmp(ct_x0, ct_x1);"
            else:
                yield f"    {self.put(taken[0], 'ct_x0')} __SIZE_TYPE__ ct_second = ct_mark();"
                yield f"    {self.put(taken[1], 'ct_x1')}"
                yield "    int ct_order = ct_ordered(ct_from, ct_second);"
            yield f"    ct_order *= {way};"
            equal, compares = ROLES.index("equality"), ROLES.index("comparison")
            said = f"{role} == {equal} ? ct_order == 0 : {role} == {compares} ? ct_order : ct_order < 0"
            yield f"    return ({result.written})({said});"
            yield "  }"
        yield '  ct_raw("{\\"tuple\\":[");'
        for number, one in enumerate(taken):
            yield f"""  {'ct_raw(",");' if number else ""} {self.put(one, f"ct_x{number}")}"""
        yield '  ct_raw("]}");'
        yield f"  if ({role} == {ROLES.index('procedure')}) ct_note(&{calls}, &{length}, ct_from);"
        chosen = f"ct_choice(ct_from, {count})"
        yield f"  return ct_results{at}[{chosen}];" if says else f"  {chosen};"
        yield "}"

    # The call.

    def call(self) -> Iterator[str]:
        fillings = self.plan.fillings
        for at in self.plan.exposed:
            yield from self.argument(at, fillings[at])
        for at, one in enumerate(fillings):
            if at not in self.plan.exposed and one.role is not ParameterRole.DEFAULT:
                yield from self.filled(at, one)
        yield from self.arguments()
        yield "ct_begin();"
        yield "if (__builtin_setjmp(ct_back) == 0) {"
        if self.cpp:
            yield "  try {"
        yield from (f"  {line}" for line in self.invocation())
        yield "  ct_afterwards();"
        yield from (f"  {line}" for line in self.arguments())
        yield "  ct_end();"
        if self.cpp:
            yield "  } catch (...) { ct_raised(ct_exception()); }"
        yield "}"

    def argument(self, at: int, one: Filling) -> Iterator[str]:
        kind, name = one.parameter.type, f"ct_a{at}"
        if kind.kind == "function":
            result = kind.inner[0]
            yield f"ct_role{at} = ct_int(); ct_way{at} = ct_int(); ct_count{at} = ct_unsigned();"
            yield f"ct_calls{at} = 0; ct_length{at} = 0;"
            if result.kind != "void":
                yield f"ct_results{at} = {self.allocated(result, f'ct_count{at}')};"
                yield f"for (unsigned long i = 0; i < ct_count{at}; i++) {self.get(result, f'ct_results{at}[i]')}"
        elif one.role is ParameterRole.LIST:
            inner = kind.target
            yield f"__SIZE_TYPE__ ct_n{at} = ct_unsigned();"
            yield f"__SIZE_TYPE__ ct_room{at} = ct_n{at};"
            if kind.kind == "array" and kind.size and not self.is_parameter(kind.size):
                yield f"if (ct_room{at} < (__SIZE_TYPE__)({kind.size})) ct_room{at} = ({kind.size});"
            yield f"{inner.written} *{name} = {self.allocated(inner, f'ct_room{at}')};"
            yield f"for (__SIZE_TYPE__ i = 0; i < ct_n{at}; i++) {self.get(inner, f'{name}[i]')}"
        elif one.role is ParameterRole.TABLE:
            yield from self.table_argument(at, kind, name)
        elif one.role is ParameterRole.POINTED:
            yield f"{kind.target.written} ct_v{at}; {self.get(kind.target, f'ct_v{at}')}"
            yield f"{kind.target.written} *{name} = &ct_v{at};"
        elif kind.kind == "array":
            room = f"({kind.size})" if kind.size and not self.is_parameter(kind.size) else "0"
            yield f"__SIZE_TYPE__ ct_n{at} = 0; char *{name} = ct_text({room}, &ct_n{at});"
        elif kind.kind == "pointer" and kind.target.kind == "char":
            yield f"__SIZE_TYPE__ ct_n{at} = 0; char *{name} = ct_text(0, &ct_n{at});"
        elif kind.kind == "struct":
            made = self.made(kind)
            yield f"{kind.written} *ct_p{at} = {made}; {self.get(kind, f'(*ct_p{at})')}"
            yield f"#define {name} (*ct_p{at})"
        else:
            yield f"{kind.written} {name}{'{}' if self.cpp else ''}; {self.get(kind, name)}"
            if kind.kind == "text":
                yield f"__SIZE_TYPE__ ct_n{at} = {name}.size();"

    def allocated(self, inner: CType, count: str) -> str:
        if self.cpp and inner.kind in ("template", "text", "struct"):
            return f"new {inner.written}[{count}]()"
        return f"({inner.written} *)ct_array({count} * sizeof({inner.written}), __alignof__({inner.written}))"

    def table_argument(self, at: int, kind: CType, name: str) -> Iterator[str]:
        inner = kind.target.target
        yield f"__SIZE_TYPE__ ct_n{at} = ct_unsigned(), ct_m{at} = 0;"
        rows = f"({inner.written} **)ct_array(ct_n{at} * sizeof(void *), sizeof(void *))"
        yield f"{inner.written} **ct_rows{at} = {rows};"
        yield f"__SIZE_TYPE__ *ct_lengths{at} = (__SIZE_TYPE__ *)ct_array(ct_n{at} * 8, 8);"
        yield f"for (__SIZE_TYPE__ i = 0; i < ct_n{at}; i++) {{"
        yield f"  __SIZE_TYPE__ m = ct_unsigned(); if (!i || m < ct_m{at}) ct_m{at} = m;"
        yield f"  ct_lengths{at}[i] = m; ct_rows{at}[i] = {self.allocated(inner, 'm')};"
        yield f"  for (__SIZE_TYPE__ j = 0; j < m; j++) {self.get(inner, f'ct_rows{at}[i][j]')}"
        yield "}"
        if kind.kind == "pointer" or kind.target.kind == "pointer":
            yield f"{inner.written} **{name} = ct_rows{at};"
            return
        columns, rows_written = kind.target.size, kind.size
        if columns and not self.is_parameter(columns):
            yield f"ct_m{at} = ({columns});"
        elif columns and columns == rows_written:
            yield f"if (ct_n{at} > ct_m{at}) ct_n{at} = ct_m{at}; else ct_m{at} = ct_n{at};"
        yield f"__SIZE_TYPE__ ct_room{at} = ct_n{at};"
        if rows_written and not self.is_parameter(rows_written):
            yield f"if (ct_room{at} < (__SIZE_TYPE__)({rows_written})) ct_room{at} = ({rows_written});"
        yield f"{inner.written} *ct_flat{at} = {self.allocated(inner, f'ct_room{at} * ct_m{at}')};"
        yield f"for (__SIZE_TYPE__ i = 0; i < ct_n{at}; i++) for (__SIZE_TYPE__ j = 0; j < ct_m{at}; j++)"
        yield f"  if (j < ct_lengths{at}[i]) ct_flat{at}[i * ct_m{at} + j] = ct_rows{at}[i][j];"
        yield f"ct_n{at} = ct_room{at};"

    def is_parameter(self, name: str) -> bool:
        return any(one.parameter.name == name for one in self.plan.fillings)

    def filled(self, at: int, one: Filling) -> Iterator[str]:
        kind, name = one.parameter.type, f"ct_a{at}"
        if one.role is ParameterRole.LENGTH:
            shortest = f"ct_n{one.of[0]}"
            yield f"{kind.written} {name} = ({kind.written}){shortest};"
            for other in one.of[1:]:
                yield f"if (ct_n{other} < (__SIZE_TYPE__){name}) {name} = ({kind.written})ct_n{other};"
        elif one.role is ParameterRole.COLUMNS:
            yield f"{kind.written} {name} = ({kind.written})ct_m{one.of[0]};"
        elif one.role is ParameterRole.FIRST:
            yield f"{kind.written} {name} = 0;"
        elif one.role is ParameterRole.LAST:
            yield f"{kind.written} {name} = ({kind.written})ct_n{one.of[0]} - 1;"
        elif one.role is ParameterRole.NOTHING:
            yield f"void *{name} = 0;"
        elif kind.target.kind == "char":
            yield f"char *{name} = (char *)ct_array({_ROOM}, 1);"
        else:
            yield f"{kind.target.written} ct_v{at} = 0; {kind.target.written} *{name} = &ct_v{at};"

    def arguments(self) -> Iterator[str]:
        """Statements that write the values of all arguments."""
        for number, at in enumerate(self.plan.exposed):
            if number:
                yield 'ct_raw(",");'
            one = self.plan.fillings[at]
            kind, name = one.parameter.type, f"ct_a{at}"
            if kind.kind == "function":
                yield f"if (ct_role{at} != {ROLES.index('procedure')})"
                yield '  ct_raw("{\\"opaque\\":\\"function\\"}"); else {'
                yield f'  ct_raw("{{\\"list\\":["); if (ct_calls{at}) ct_raw(ct_calls{at}); ct_raw("]}}"); }}'
            elif one.role is ParameterRole.LIST:
                yield self.put_list(kind.target, name, f"ct_room{at}")
            elif one.role is ParameterRole.POINTED:
                yield self.put(kind.target, f"ct_v{at}")
            elif one.role is ParameterRole.TABLE:
                yield self.put_table(at, kind)
            elif kind.kind == "array":
                yield f"ct_put_text({name});"
            else:
                yield self.put(kind, name)

    def put_table(self, at: int, kind: CType) -> str:
        inner = kind.target.target
        is_flat = kind.kind == "array" and kind.target.kind == "array"
        count = f"ct_m{at}" if is_flat else f"ct_lengths{at}[ct_j]"
        row = f"(ct_flat{at} + ct_j * ct_m{at})" if is_flat else f"ct_rows{at}[ct_j]"
        return (
            f'ct_raw("{{\\"list\\":["); for (__SIZE_TYPE__ ct_j = 0; ct_j < ct_n{at}; ct_j++) '
            f'{{ if (ct_j) ct_raw(","); {self.put_list(inner, row, count)} }} ct_raw("]}}");'
        )

    def passed(self, at: int, one: Filling) -> str:
        kind = one.parameter.type
        if kind.kind == "function":
            return f"ct_stand{at}"
        if one.role is ParameterRole.TABLE and kind.kind == "array" and kind.target.kind == "array":
            inner = kind.target.target.written
            if one.is_flat:
                return f"ct_flat{at}"
            fixed = kind.target.size and not self.is_parameter(kind.target.size)
            return f"({inner} (*)[{kind.target.size}])ct_flat{at}" if fixed else f"(void *)ct_flat{at}"
        return f"ct_a{at}"

    def invocation(self) -> Iterator[str]:
        function, fillings = self.plan.function, self.plan.fillings
        passed = ", ".join(
            self.passed(at, one) for at, one in enumerate(fillings) if one.role is not ParameterRole.DEFAULT
        )
        name = "ct_main" if function.name == "main" else function.qualified
        if self.plan.receiver is not None:
            yield from self.receiver(self.plan.receiver)
            name = f"ct_object.{function.name}"
        elif function.owner is not None and not function.static:
            yield f"{function.owner} ct_object{{}};"
            name = f"ct_object.{function.name}"
        returned = function.returned
        outs = self.plan.results
        if returned.kind == "void":
            yield f"{name}({passed});"
        else:
            kind = "auto &&" if self.cpp else "__auto_type"
            yield f"{kind} ct_value = {name}({passed});"
            if returned.kind == "pointer":
                yield f'if (ct_is_gone((const void *)ct_value)) ct_undefined("{WHAT}");'
        if self.plan.receiver is not None:
            yield "long long ct_after = ct_int();"
            yield "if (ct_after >= 0) ct_further(ct_object, ct_after, 1); else {"
        yield "ct_returned();"
        parts = [] if returned.kind == "void" else [self.put_returned(returned)]
        length = returned_length(self.plan) if returned.kind == "pointer" else None
        parts += [self.put_result(at) for at in outs if at != length]
        if self.plan.variables:
            yield f'ct_raw("{{\\"object\\":[\\"{STATE}\\",[");'
            for number, (variable, declared) in enumerate(self.plan.variables.items()):
                start = ("," if number else "") + f'[\\"{variable}\\",'
                yield f'ct_raw("{start}"); {self.put(declared, variable)} ct_raw("]");'
            yield 'ct_raw("]]}");'
        elif not parts:
            yield 'ct_raw("null");'
        elif len(parts) == 1:
            yield parts[0]
        else:
            yield 'ct_raw("{\\"tuple\\":[");'
            for number, one in enumerate(parts):
                yield ('ct_raw(","); ' if number else "") + one
            yield 'ct_raw("]}");'
        if self.plan.receiver is not None:
            yield "}"

    def further(self, receiver: ReceiverPlan) -> Iterator[str]:
        """A function that reads a call of a method by its number, makes it, and writes what it returns if that is
        looked at."""
        parameters = f"{receiver.owner} &ct_object, long long ct_which, int ct_shown"
        yield f"{self.attributes} static void ct_further({parameters}) {{"
        for number, one in enumerate(receiver.methods):
            yield f"  if (ct_which == {number}) {{"
            yield from (f"    {line}" for line in self.read_all([each.type for each in one.parameters]))
            passed = ", ".join(f"ct_p{at}" for at in range(len(one.parameters)))
            call = f"ct_object.{one.name}({passed})"
            if one.returned.kind == "void":
                yield f'    {call}; if (ct_shown) {{ ct_returned(); ct_raw("null"); }}'
            else:
                shown = self.put(one.returned, "ct_value")
                yield f"    auto &&ct_value = {call}; if (ct_shown) {{ ct_returned(); {shown} }}"
            yield "  }"
        yield "}"

    def read_all(self, kinds: list[CType]) -> Iterator[str]:
        for at, kind in enumerate(kinds):
            yield f"{kind.written} ct_p{at}{{}}; {self.get(kind, f'ct_p{at}')}"

    def receiver(self, receiver: ReceiverPlan) -> Iterator[str]:
        """Statements that make the object and call what comes first."""
        yield f"{receiver.owner} *ct_self = 0;"
        yield "if (ct_some()) {"
        yield from (f"  {line}" for line in self.read_all([kind for _, kind in receiver.taken]))
        passed = ", ".join(f"ct_p{at}" for at in range(len(receiver.taken)))
        if receiver.taken:
            opening, closing = "()" if receiver.has_constructor else "{}"
            yield f"  ct_self = new {receiver.owner}{opening}{passed}{closing};"
        yield "}"
        plain = "" if receiver.has_default else ", ".join(self.plain(kind) for _, kind in receiver.taken)
        yield f"if (!ct_self) ct_self = new {receiver.owner}{f'({plain})' if plain else '{}'};"
        yield f"{receiver.owner} &ct_object = *ct_self;"
        yield "for (long long ct_left = ct_int(); ct_left > 0; ct_left--) ct_further(ct_object, ct_int(), 0);"

    def plain(self, kind: CType) -> str:
        """An ordinary value of a parameter of a constructor."""
        return f"({kind.written})4" if kind.kind in ("int", "float") and not kind.name else f"{kind.written}{{}}"

    def put_result(self, at: int) -> str:
        kind = self.plan.fillings[at].parameter.type
        return f"ct_put_text(ct_a{at});" if kind.target.kind == "char" else self.put(kind.target, f"ct_v{at}")

    def put_returned(self, kind: CType) -> str:
        """What was returned; an array if it is one of the lists, or if a parameter says how long it is."""
        if kind.kind != "pointer" or kind.target.kind in ("char", "struct") or kind.target.kind == "void":
            return self.put(kind, "ct_value")
        if not self.cpp and not kind.target.is_scalar:
            return self.put(kind, "ct_value")
        length = returned_length(self.plan)
        if length is not None:
            listed = self.put_list(kind.target, "ct_value", f"ct_v{length} < 0 ? 0 : ct_v{length}")
            return f'if (!ct_value) ct_raw("null"); else {{ {listed} }}'
        found = ""
        for at in self.plan.exposed:
            one = self.plan.fillings[at]
            if one.role is ParameterRole.LIST and one.parameter.type.target.written == kind.target.written:
                listed = self.put_list(kind.target, "ct_value", f"ct_room{at}")
                found += f"else if (ct_value == ct_a{at}) {{ {listed} }} "
        unknown = 'ct_raw("{\\"opaque\\":\\"pointer\\"}");'
        # Where no other result can be compared, null, as of an allocation that failed, is not a result by itself.
        return f'if (!ct_value) ct_raw("null"); {found} else {unknown}' if found else unknown
