"""Bounded model checkers for C: both functions in one program that asserts equal results for all arguments.

ESBMC and CBMC read the same program. A proof says up to how many iterations of loops it holds; a witness is only an
input to try.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from clonetruth.execution.harness.c.functions import CFragment, CFunction, read_fragment
from clonetruth.execution.harness.c.headers import completed, refused
from clonetruth.execution.harness.harness import CallInput, Code
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.proofs.proof import Proof
from clonetruth.execution.proofs.provable_c import why_not_provable
from clonetruth.execution.sandbox import Limits, Sandbox, run
from clonetruth.execution.sandbox.process import MEGABYTE
from clonetruth.execution.values import Value

_ITERATIONS = 8
"""Iterations of each loop, and depth of recursions."""

_UNWIND = str(_ITERATIONS + 1)
"""Checkers count the last look at the condition, too."""

_PRINTS = re.compile(r"\b(printf|puts|putchar|putc|fputs|fputc|fprintf|write|malloc|calloc|rand|exit|abort|asm)\b")
_NAMES = re.compile(r"\b[A-Za-z_]\w*\b")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.MULTILINE)
_SUCCESS = re.compile(r"^VERIFICATION SUCCESSFUL\s*(?:\f|\Z)", re.MULTILINE)
"""The last line of an output: a compiler's message may quote the code that it is about."""


class NotProvableError(ValueError):
    """A pair that cannot be put into one program; the message says why."""


@dataclass
class BoundedChecker:
    """What ESBMC and CBMC have in common.

    Attributes:
        name: of the program.
        languages: that it reads.
        sandbox: what encloses it.
        program: where it is inside the sandbox (default: wherever the sandbox finds it).
    """

    name: ClassVar[str] = ""
    languages: ClassVar[frozenset[str]] = frozenset({"c"})
    assertion: ClassVar[str] = ""
    flags: ClassVar[tuple[str, ...]] = ()
    complete: ClassVar[tuple[str, ...]] = ()
    cut: ClassVar[tuple[str, ...]] = ()
    install: ClassVar[str] = ""

    sandbox: Sandbox
    program: str | None = None

    def missing(self) -> str | None:
        """See `Prover.missing`."""
        return None if self._program() else self.install

    def prove(self, left: Code, right: Code, types: Sequence[InputType], seconds: float) -> Proof:
        """See `Prover.prove`."""
        program = self._program()
        if program is None:
            return Proof(detail=f"{self.name} is not installed: {self.install}")
        try:
            text = product((left, right), types, self.assertion)
        except NotProvableError as error:
            return Proof(detail=str(error))
        share = max(seconds / 2, 1.0)
        whole = self._ask(program, text, self.complete, share)
        if _SUCCESS.search(whole):
            return Proof(proved="all paths", detail=self.name)
        found = _witness(whole, types) if "ct_same" in _violated(whole) else None
        if found is None:
            bounded = self._ask(program, text, self.cut, share)
            if _SUCCESS.search(bounded):
                # A proof about no path at all is none: the end must be within reach.
                end = self._ask(program, text.replace("#define CT_END 1", "#define CT_END 0"), self.cut, share)
                if "ct_end" in _violated(end):
                    return Proof(proved=f"loops up to {_ITERATIONS} iterations", detail=self.name)
                return Proof(detail=f"no path ends within {_ITERATIONS} iterations")
            found = _witness(bounded, types) if "ct_same" in _violated(bounded) else None
            whole = bounded
        if found is not None:
            return Proof(witness_inputs=(CallInput(found),), detail=self.name)
        lines = [
            line.strip() for line in whole.splitlines() if re.search("error|timed out|unknown", line, re.IGNORECASE)
        ]
        return Proof(detail=(lines[0] if lines else "no answer")[:200])

    def _program(self) -> str | None:
        return self.program or self.sandbox.find(self.name)

    def _ask(self, program: str, text: str, flags: Sequence[str], seconds: float) -> str:
        limits = Limits(seconds=seconds, cpu_seconds=int(seconds) + 1, memory=2048 * MEGABYTE, output=4 * MEGABYTE)
        argv = [program, "product.c", *self.flags, *flags]
        outcome = run(self.sandbox, argv, {"product.c": text.encode("utf-8", "replace")}, limits=limits)
        return b"\n\f\n".join((outcome.stdout, outcome.stderr)).decode(errors="replace")


class Esbmc(BoundedChecker):
    """ESBMC, where it is installed."""

    name = "esbmc"
    assertion = "__ESBMC_assert"
    flags = (
        "--unwind", _UNWIND, "--no-bounds-check", "--no-pointer-check", "--no-div-by-zero-check", "--no-align-check",
    )  # fmt: skip
    cut = ("--no-unwinding-assertions",)
    install = "https://github.com/esbmc/esbmc/releases, below /usr"


class Cbmc(BoundedChecker):
    """CBMC, where it is installed."""

    name = "cbmc"
    assertion = "__CPROVER_assert"
    flags = ("--unwind", _UNWIND, "--trace", "--no-standard-checks")
    complete = ("--unwinding-assertions",)
    cut = ("--no-unwinding-assertions",)
    install = "apt-get install cbmc"


# -- the program ------------------------------------------------------------------------------------------------------


def product(codes: Sequence[Code], types: Sequence[InputType], assertion: str) -> str:
    """A program that calls two functions with the same arguments and asserts that they return the same.

    Raises:
        NotProvableError: they cannot be put into one program.
    """
    parts: list[str] = []
    includes: dict[str, None] = {}
    functions: list[CFunction] = []
    for side, code in zip(("ct_left_", "ct_right_"), codes, strict=True):
        fragment, function = _function(code, len(types))
        functions.append(function)
        includes |= dict.fromkeys(_INCLUDE.findall(fragment.text))
        names = sorted(_own_names(fragment))
        parts += [f"#define {name} {side}{name}" for name in names]
        parts.append(_INCLUDE.sub("", fragment.text))
        macros = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", fragment.text, re.MULTILINE)
        parts += [f"#undef {name}" for name in (*names, *macros)]
    main = list(_main(functions, types, assertion))
    return "\n".join([*includes, *parts, "int main(void) {", *main, "return 0;", "}", ""])


def _function(code: Code, count: int) -> tuple[CFragment, CFunction]:
    text, _ = completed(code.text, cpp=False)
    fragment = read_fragment(text, "c")
    function = fragment.chosen(code.entry)
    if function is None or fragment.broken:
        raise NotProvableError("has no function")
    if refused(text) is not None or _PRINTS.search(text):
        raise NotProvableError("does more than compute a value")
    why = why_not_provable(code.text, {one.name for one in fragment.functions})
    if why is not None:
        raise NotProvableError(why)
    if not function.returned.is_scalar:
        raise NotProvableError("does not return a number")
    if len(function.parameters) != count or not all(_is_simple(function, at) for at in range(count)):
        raise NotProvableError("takes more than numbers and arrays of known size")
    return fragment, function


def _is_simple(function: CFunction, at: int) -> bool:
    kind = function.parameters[at].type
    return kind.is_scalar or (kind.kind == "array" and kind.target.is_scalar and kind.size.isdigit())


def _own_names(fragment: CFragment) -> set[str]:
    """What the fragment defines outside of functions; both sides may use the same names."""
    table = fragment.table
    names = {one.name for one in fragment.functions} | table.structs.keys() | table.aliases.keys() | table.enums.keys()
    macros = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", fragment.text, re.MULTILINE))
    constants = re.findall(
        r"^(?:static\s+|const\s+|unsigned\s+)*\w+[\s*]+(\w+)\s*(?:\[[^\]]*\])*\s*(?:=|;|,)", fragment.text, re.MULTILINE
    )
    declared = re.findall(r"^\w[\w\s*]*?\b(\w+)\s*\([^()]*\)\s*;", fragment.text, re.MULTILINE)
    return {
        one for one in {*names, *fragment.variables, *constants, *declared} - macros if one and _NAMES.fullmatch(one)
    }


def _main(functions: Sequence[CFunction], types: Sequence[InputType], assertion: str) -> Iterator[str]:
    passed: list[str] = []
    arrays: list[tuple[str, str, list[str]]] = []
    for at, kind in enumerate(types):
        parameter = functions[0].parameters[at].type
        if parameter.kind == "array":
            size = int(parameter.size)
            written = _written(kind.inner[0] if kind.inner else kind)
            if functions[1].parameters[at].type.size != parameter.size or size > 16:
                raise NotProvableError("takes arrays of different or large size")
            elements = [f"ct_a{at}_{number}" for number in range(size)]
            for one in elements:
                yield f"{written} {one}_any(void); {written} {one} = {one}_any();"
            arrays.append((f"ct_a{at}", written, elements))
        else:
            written = _written(kind)
            yield f"{written} ct_a{at}_any(void); {written} ct_a{at} = ct_a{at}_any();"
        passed.append(f"ct_a{at}")
    for side, function in zip(("ct_left_", "ct_right_"), functions, strict=True):
        arguments = []
        for one in passed:
            array = next((each for each in arrays if each[0] == one), None)
            if array is None:
                arguments.append(one)
            else:
                yield f"{array[1]} {side}{one}[] = {{{', '.join(array[2])}}};"
                arguments.append(f"{side}{one}")
        yield f"{function.returned.written} {side}value = {side}{function.name}({', '.join(arguments)});"
    same = "ct_left_value == ct_right_value || (ct_left_value != ct_left_value && ct_right_value != ct_right_value)"
    for name, _, elements in arrays:
        for at in range(len(elements)):
            same = f"({same}) && ct_left_{name}[{at}] == ct_right_{name}[{at}]"
    yield f'{assertion}({same}, "ct_same");'
    yield "#define CT_END 1"
    yield f'{assertion}(CT_END, "ct_end");'


def _written(kind: InputType) -> str:
    if kind.kind == "int":
        sizes = {8: "signed char", 16: "short", 32: "int", 64: "long long", 0: "int"}
        plain = sizes[kind.bits]
        return plain if kind.signed else f"unsigned {plain.removeprefix('signed ')}"
    if kind.kind == "float":
        return "float" if kind.bits == 32 else "double"
    if kind.kind in ("bool", "char"):
        return {"bool": "_Bool", "char": "char"}[kind.kind]
    raise NotProvableError(f"takes {kind}")


# -- the answer -------------------------------------------------------------------------------------------------------


def _violated(said: str) -> str:
    """What a checker says behind "Violated property"."""
    return said.partition("Violated property")[2].partition("VERIFICATION")[0]


def _witness(said: str, types: Sequence[InputType]) -> tuple[Value, ...] | None:
    """The arguments of a counter-example; None if some cannot be read. What has no value can have any."""
    values: list[Value] = []
    try:
        for at, kind in enumerate(types):
            if kind.kind == "list":
                bits = re.findall(rf"\bct_a{at}_(\d+) ?= ?[^(\n]*\(([01 ]+)\)", said)
                found = {int(number): text for number, text in bits}
                size = max(found, default=-1) + 1
                values.append({"list": [_value(found.get(one, ""), kind.inner[0]) for one in range(size)]})
            else:
                text = re.findall(rf"\bct_a{at} ?= ?[^(\n]*\(([01 ]+)\)", said)
                values.append(_value(text[-1] if text else "", kind))
    except (ValueError, struct.error):
        return None
    return tuple(values)


def _value(bits: str, kind: InputType) -> Value:
    """A value of the bits that a checker prints."""
    bits = bits.replace(" ", "") or "0"
    number = int(bits, 2)
    if kind.kind == "float":
        width = len(bits) if len(bits) in (32, 64) else 64
        made = struct.unpack(">f" if width == 32 else ">d", number.to_bytes(width // 8, "big"))[0]
        return {"float": float(made).hex()}
    if kind.kind == "bool":
        return number != 0
    if kind.signed and bits[0] == "1" and len(bits) > 1:
        number -= 1 << len(bits)
    return {"char": chr(number & 127)} if kind.kind == "char" else {"int": str(number)}
