"""Runs functions of C and C++ in the sandbox: each compiled once with a driver, and called many times.

Undefined behaviour is noticed where that is cheap: the compiler's checks call the driver, arrays of arguments end at
the end of a page, and another seed fills fresh memory with other bytes. A call that does something undefined has ended
"undefined behaviour: …", and never counts as a difference of values.
"""

from __future__ import annotations

import base64
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Any, ClassVar

from clonetruth.execution.harness.block_marks import MARK, uncounted, with_marks
from clonetruth.execution.harness.c.driver import PROTOTYPES, driver
from clonetruth.execution.harness.c.functions import CFragment, read_fragment
from clonetruth.execution.harness.c.headers import completed, refused, slimmed
from clonetruth.execution.harness.c.local_memory import with_undefined_returns
from clonetruth.execution.harness.c.plan import CallPlan, ParameterRole, passed_type, plan_call
from clonetruth.execution.harness.c.receivers import receiver_of
from clonetruth.execution.harness.c.words import WrongTypeError, encode, encode_receiver
from clonetruth.execution.harness.compiled import CompiledCalls, CompiledHarness
from clonetruth.execution.harness.harness import CallInput, Code, FragmentRun, Reason
from clonetruth.execution.harness.patience import Patience
from clonetruth.execution.harness.program_languages import PROGRAM_LANGUAGES, ProgramLanguage
from clonetruth.execution.harness.programs import ProgramSource, run_program, why_not_compiled
from clonetruth.execution.harness.receivers import with_all, with_receiver
from clonetruth.execution.inputs.lengths import lengths_agree
from clonetruth.execution.sandbox.bubblewrap import inside

_PACKAGE = "clonetruth.execution.harness.inside"
_CHECKS = (
    "-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift-exponent,bounds,null,vla-bound,float-cast-overflow,"
    "unreachable,return,object-size,bool,enum,nonnull-attribute,returns-nonnull-attribute,builtin "
    "-fno-sanitize-recover=all"
)
_COMMON = f"-w $MODE -fno-pie -fno-strict-aliasing -Dmain=ct_main $COVER {_CHECKS}"
_FILLED = "-ftrivial-auto-var-init=pattern"
_MODES = (f"-O1 {_FILLED}", "-O0 -ftrivial-auto-var-init=zero")
"""How fragments are compiled for even and odd seeds. A difference is replayed with both, so that one that rests on what
was never initialised does not come again."""

_LINK = (
    "gcc -no-pie -fuse-ld=gold -o main main.o c_runtime.o -lm 2>/dev/null || gcc -no-pie -o main main.o c_runtime.o -lm"
)
_ONLY_COMPILED = ("main.o", "slim.c", "c_slim.h", "main.c", "c_runtime.o", "build.sh")
_C = f"-std=gnu17 -fno-asynchronous-unwind-tables {_COMMON}"
_SLIM = _C.replace("-w ", "-Werror=implicit-function-declaration ", 1)
"""What the short header does not declare is an error. With `-w` it would be none, and a result of 64 bits cut to 32."""
_BUILD_C = f"""set -e
if [ ! -f slim.c ] || ! gcc {_SLIM} -c -o main.o slim.c 2>/dev/null
then gcc {_C} -c -o main.o main.c; fi
tcc -o main main.o c_runtime.o -lm 2>/dev/null || {_LINK}
rm -f {" ".join(_ONLY_COMPILED)}
"""
_CPP = f"-std=gnu++17 -fpermissive -fno-access-control -D_GLIBCXX_ASSERTIONS {_COMMON}"
_LINK_CPP = _LINK.replace("gcc", "g++")
_BUILD_CPP = f"""set -e
g++ {_CPP} -c -o main.o main.cpp
{_LINK_CPP}
rm -f main.o
"""
"""tcc links an object of gcc in 3 ms of CPU, against 19 of gold and 23 of ld; where it is missing, they do it."""

_READ_BEFORE = (("string", "vector", "algorithm"), ("string", "vector"), ("string",), ("vector",))
"""Headers that a C++ compiler that stays has read, of which a fragment gets the first that it includes all of: what it
did not ask for might change which function a name means."""
_INCLUDED = re.compile(rb"^#include <(\w+)>", re.MULTILINE)

_VOID_MAIN = re.compile(r"\bvoid\s+main\s*\(")
_KEPT = 8
"""Pieces of code that are remembered as they are compiled."""
_TRACE = "-fsanitize-coverage=trace-pc"


@dataclass(frozen=True)
class PreparedC:
    """A piece of code as it is compiled.

    Attributes:
        fragment: what was read.
        repairs: what was changed.
        plan: how it is called; None for a whole program.
        files: the sources of a function with its driver.
        points: the number of marks for coverage in the sources; -1 if the compiler adds them.
    """

    fragment: CFragment
    repairs: tuple[str, ...]
    plan: CallPlan | None = None
    files: Mapping[str, bytes] = field(default_factory=dict, hash=False, repr=False)
    points: int = -1


@dataclass
class CHarness(CompiledHarness):
    """Runs functions of C. `seconds_per_call` is CPU time."""

    language: ClassVar[str] = "c"

    seconds_per_call: float = 0.1
    _runtime: bytes | None = field(default=None, repr=False)
    _known: OrderedDict[Code, PreparedC | FragmentRun] = field(default_factory=OrderedDict, repr=False)
    _patience: Patience = field(default_factory=Patience, repr=False)

    def run(self, code: Code, calls: Sequence[CallInput] = (), *, seed: int = 0, coverage: bool = False) -> FragmentRun:
        """Run a piece of code; see `Harness.run`."""
        how = PROGRAM_LANGUAGES[self.language]
        if how.missing(self.sandbox):
            return FragmentRun(Reason.TOOLCHAIN, how.install)
        prepared = self._known.get(code)
        if prepared is None:
            prepared = self._known[code] = self._prepared(code)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        if isinstance(prepared, FragmentRun):
            return prepared
        if prepared.plan is None:
            # What a program prints of variables that it never set does not come again.
            filled = f"-w {_FILLED}"
            other = replace(how, compile=how.compile.replace("-w", filled), fast=how.fast.replace("-w", filled))
            text = replace(code, text=prepared.fragment.text)
            run = run_program(self._runner, text, calls, language=other if seed % 2 else None)
            return replace(run, repairs=(*run.repairs, *prepared.repairs))
        return self._call(code, prepared, prepared.plan, calls, seed)

    def _prepared(self, code: Code) -> PreparedC | FragmentRun:
        """What is compiled of a piece of code; why nothing is, if so."""
        fragment = read_fragment(code.text, self.language)
        text, repairs = completed(fragment.text, cpp=fragment.cpp, files=frozenset(code.files))
        if code.entry is None and fragment.is_program:
            if _VOID_MAIN.search(text):
                text = _VOID_MAIN.sub("int main(", text)
                repairs.append("main returns int")
            return PreparedC(replace(fragment, text=text), tuple(repairs))
        if text != fragment.text:
            # Structures may have been added.
            fragment = read_fragment(text, self.language)
        function = fragment.chosen(code.entry)
        if function is None:
            broken = fragment.broken and code.entry is None
            return FragmentRun(Reason.PARSE if broken else Reason.FUNCTION, code.entry or "")
        unobservable = refused(fragment.text)
        if unobservable is not None:
            return FragmentRun(*unobservable)
        plan = plan_call(function, fragment.table, code.layout)
        plan.variables = fragment.results(function)
        plan.receiver = receiver_of(fragment, function)
        if plan.unknown is not None:
            said = f"{plan.unknown.type.written or 'parameter'} {plan.unknown.name}".strip()
            return FragmentRun(Reason.TYPE, said, entry=function.qualified)
        files, points = self._sources(code, fragment, plan)
        return PreparedC(fragment, (*fragment.repairs, *repairs, *plan.repairs), plan, files, points)

    def _sources(
        self, code: Code, fragment: CFragment, plan: CallPlan, *, marks: bool = True
    ) -> tuple[dict[str, bytes], int]:
        """The files that are compiled, apart from what every fragment gets; the number of marks, -1 if gcc counts."""
        main = PROGRAM_LANGUAGES[self.language].file
        # gcc counts the blocks of C; in C++ it would count those of templates, too.
        marked, points = with_undefined_returns(fragment), -1
        if not fragment.cpp:
            marked = uncounted(marked, plan.function.qualified)
        elif marks:
            marked, points = with_marks(marked, "cpp", plan.function.qualified)
        else:
            points = 0
        text = f'{PROTOTYPES}\n#line 1 "{main}"\n{marked}\n'
        text += driver(fragment, plan, keeps_data=fragment.globals, points=points)
        files = {**code.files, main: text.encode("utf-8", "surrogateescape")}
        if fragment.cpp:
            files["cpp_values.hpp"] = resources.files(_PACKAGE).joinpath("cpp_values.hpp").read_bytes()
        slim = None if fragment.cpp else slimmed(marked)
        if slim is not None:
            files["slim.c"] = text.replace(marked, slim, 1).encode("utf-8", "surrogateescape")
            files["c_slim.h"] = resources.files(_PACKAGE).joinpath("c_slim.h").read_bytes()
        return files, points

    def _call(
        self, code: Code, prepared: PreparedC, plan: CallPlan, calls: Sequence[CallInput], seed: int
    ) -> FragmentRun:
        runtime = self._compiled_runtime()
        if runtime is None:
            return FragmentRun(Reason.SANDBOX, "the driver does not compile")
        fragment, main = prepared.fragment, PROGRAM_LANGUAGES[self.language].file
        build = (_BUILD_CPP if fragment.cpp else _BUILD_C).replace("$MODE", _MODES[seed % 2])
        build = build.replace("$COVER", "" if fragment.cpp else _TRACE)
        files = {**prepared.files, "c_runtime.o": runtime, "build.sh": build.encode()}
        late_before = self._patience.late(code, seed)
        compiled = CompiledCalls(
            self._runner,
            ProgramSource(self.language, files, main),
            ProgramLanguage(main, "sh build.sh", inside("main"), staying=self._staying(files, seed)),
            self._reader,
            lambda late: f"{seed} {int(self.seconds_per_call * 1_000_000)} {late_before + late}",
            seconds=self.seconds,
            one_by_one=fragment.globals,
        )
        parameters = plan.parameters(fragment.table)
        run = compiled.run([_line(plan, fragment, with_receiver(one, parameters)) for one in calls])
        self._patience.note(code, seed, run.observations)
        if run.failed is not None and prepared.points > 0 and MARK["cpp"] in run.failed:
            # What must be constant cannot be marked.
            files, points = self._sources(code, fragment, plan, marks=False)
            prepared = self._known[code] = replace(prepared, files=files, points=points)
            return self._call(code, prepared, plan, calls, seed)
        if run.failed is not None and plan.receiver is not None and not calls:
            # What is called before and behind does not compile: the method alone may.
            plan.receiver = None
            files, points = self._sources(code, fragment, plan)
            prepared = self._known[code] = replace(prepared, files=files, points=points)
            return self._call(code, prepared, plan, calls, seed)
        if run.failed is not None:
            first = next((line for line in run.failed.splitlines() if "error:" in line), "")
            if fragment.broken and "error: expected" in first:
                # What follows is missing only because of that.
                return FragmentRun(Reason.PARSE, first.strip()[:200])
            reason, detail = why_not_compiled(run.failed)
            return FragmentRun(reason, detail, entry=plan.function.qualified)
        if run.broken is not None and not run.observations:
            self.close()
            return FragmentRun(Reason.LOADING, run.broken, entry=plan.function.qualified)
        return FragmentRun(
            entry=plan.function.qualified,
            parameters=parameters,
            repairs=prepared.repairs,
            observations=tuple(
                replace(one, changed=with_all(one.changed, call, parameters)) if one.changed is not None else one
                for one, call in zip(run.observations, calls, strict=False)
            ),
            points=run.points,
            owner=plan.function.owner or "" if plan.receiver is not None else "",
            layout=plan.layout,
        )

    def _staying(self, files: Mapping[str, bytes], seed: int) -> dict[str, Any] | None:
        """How compilers that stay do what `build.sh` does; None if they cannot."""
        if self.language == "cpp":
            return self._staying_cpp(files, seed)
        compiler, linker = self.sandbox.find("gcc"), self.sandbox.find("tcc")
        if compiler is None or linker is None:
            return None
        slim = "slim.c" in files
        options = (_SLIM if slim else _C).replace("$MODE", _MODES[seed % 2]).replace("$COVER", _TRACE).split()
        return {
            "compile": [compiler, *options],
            "assemble": [compiler],
            "link": [linker, "-o", "main", "c_runtime.o", "-lm", "-lc", "main.o"],
            "source": "slim.c" if slim else "main.c",
            "prelude": '#include "c_slim.h"\n' if slim else "",
            "read": ["c_slim.h", "c_runtime.o"],
            "made": "main",
            "dropped": list(_ONLY_COMPILED),
        }

    def _staying_cpp(self, files: Mapping[str, bytes], seed: int) -> dict[str, Any] | None:
        compiler, shell = self.sandbox.find("g++"), self.sandbox.find("sh")
        asked = {one.decode() for one in _INCLUDED.findall(files["main.cpp"])}
        read = next((one for one in _READ_BEFORE if asked.issuperset(one)), None)
        if compiler is None or shell is None or read is None:
            return None
        return {
            "compile": [compiler, *_CPP.replace("$MODE", _MODES[seed % 2]).replace("$COVER", "").split()],
            "assemble": [compiler],
            # No linker for C++ can be stopped: it starts anew for each.
            "command": [shell, "-c", _LINK_CPP],
            "source": "main.cpp",
            "prelude": "",
            "header": "".join(f"#include <{one}>\n" for one in read),
            "read": [],
            "made": "main",
            "dropped": ["main.o", "main.cpp", "cpp_values.hpp", "c_runtime.o", "build.sh"],
        }

    def _compiled_runtime(self) -> bytes | None:
        """The driver's fixed part, compiled inside once."""
        if self._runtime is None:
            name = "c_runtime.c"
            text = resources.files(_PACKAGE).joinpath(name).read_bytes()
            how = ProgramLanguage(name, f"gcc -w -O2 -fno-pie -c -o c_runtime.o {name}", "base64 c_runtime.o")
            run = self._runner.run(ProgramSource("c", {name: text}, name), [""], language=how)
            if not run.compiled or not run.outcomes or not run.outcomes[0].succeeded:
                return None
            self._runtime = base64.b64decode(run.outcomes[0].stdout)
        return self._runtime


@dataclass
class CppHarness(CHarness):
    """The same for C++."""

    language: ClassVar[str] = "cpp"


def _line(plan: CallPlan, fragment: CFragment, call: CallInput) -> str | None:
    """A call in words; None if it has values that the function cannot take."""
    exposed, given, history = plan.exposed, call.arguments, None
    if given and isinstance(given[0], dict) and "receiver" in given[0]:
        history, given = given[0]["receiver"], given[1:]
    if len(given) != len(exposed):
        return None
    if not lengths_agree([plan.length(at) for at in exposed], given):
        return None
    words = ["C"]
    try:
        for at, value in zip(exposed, given, strict=True):
            one = plan.fillings[at]
            kind = passed_type(one)
            words += encode(value, kind.target if one.role is ParameterRole.POINTED else kind, fragment.table)
        if plan.receiver is not None:
            words += encode_receiver(history or {}, plan.receiver, fragment.table)
    except WrongTypeError:
        return None
    return " ".join(words)
