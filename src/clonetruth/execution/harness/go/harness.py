"""Runs functions of Go in the sandbox: each compiled once with a driver, and called many times."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import ClassVar

from clonetruth.execution.harness.block_marks import with_marks
from clonetruth.execution.harness.compiled import CompiledCalls, CompiledHarness
from clonetruth.execution.harness.go.functions import GoFragment, GoFunction, read_go, receiver_of, refused_go
from clonetruth.execution.harness.harness import CallInput, Code, FragmentRun, Reason
from clonetruth.execution.harness.program_languages import PROGRAM_LANGUAGES, ProgramLanguage
from clonetruth.execution.harness.programs import ProgramSource, run_program, why_not_compiled
from clonetruth.execution.harness.receivers import with_all, with_receiver
from clonetruth.execution.sandbox.bubblewrap import inside

_PACKAGE = "clonetruth.execution.harness.inside"
_BUILD = """if [ -f "$(go env GOROOT)/pkg/linux_$(go env GOARCH)/fmt.a" ]; then
    go tool compile -o main.o -p main main.go go_driver.go go_entry.go && go tool link -s -w -o main main.o && rm main.o
else
    go build -o main main.go go_driver.go go_entry.go
fi
"""
"""The standard library is compiled where Go comes with it; the compiler alone then takes 126 ms of CPU, `go build` with
an empty cache 417."""


@dataclass
class GoHarness(CompiledHarness):
    """Runs functions of Go."""

    language: ClassVar[str] = "go"

    seconds_per_call: float = 0.5

    def run(self, code: Code, calls: Sequence[CallInput] = (), *, seed: int = 0, coverage: bool = False) -> FragmentRun:
        """Run a piece of code; see `Harness.run`."""
        how = PROGRAM_LANGUAGES["go"]
        if how.missing(self.sandbox):
            return FragmentRun(Reason.TOOLCHAIN, how.install)
        fragment = read_go(code.text)
        if code.entry is None and fragment.is_program:
            return run_program(self._runner, code, calls)
        function = fragment.chosen(code.entry)
        if function is None:
            return FragmentRun(Reason.PARSE if fragment.broken else Reason.FUNCTION, code.entry or "")
        name = f"{function.receiver}.{function.name}" if function.receiver else function.name
        unobservable = refused_go(fragment.text)
        if unobservable is not None:
            return FragmentRun(*unobservable, entry=name)
        if function.unknown is not None:
            return FragmentRun(Reason.TYPE, function.unknown, entry=name)
        around, maker = receiver_of(fragment, function)
        parameters = (*function.parameters, *around)
        marked, points = with_marks(fragment.text, "go", function.name)
        files = {
            "main.go": marked.encode("utf-8", "surrogateescape"),
            "go_driver.go": resources.files(_PACKAGE).joinpath("go_driver.go").read_bytes(),
            "go_entry.go": _entry(fragment, function, maker).encode(),
            "build.sh": _BUILD.encode(),
        }
        compiled = CompiledCalls(
            self._runner,
            ProgramSource("go", files, "main.go"),
            ProgramLanguage("main.go", "sh build.sh", inside("main"), limits=how.limits, variables=how.variables),
            self._reader,
            lambda late: f"{seed} {int(self.seconds_per_call * 1_000_000 / (10 if late > 2 else 1))} {points}",
            seconds=self.seconds,
            one_by_one=fragment.variables,
        )
        run = compiled.run([json.dumps(with_receiver(one, parameters).arguments) for one in calls])
        if run.failed is not None:
            reason, detail = why_not_compiled(run.failed)
            return FragmentRun(reason, detail, entry=name)
        if run.broken is not None and not run.observations:
            self.close()
            return FragmentRun(Reason.LOADING, run.broken, entry=name)
        return FragmentRun(
            entry=name,
            parameters=parameters,
            repairs=tuple(fragment.repairs),
            observations=tuple(
                replace(one, changed=with_all(one.changed, call, parameters)) if one.changed is not None else one
                for one, call in zip(run.observations, calls, strict=False)
            ),
            points=run.points,
            owner=function.receiver or "",
        )


def _entry(fragment: GoFragment, function: GoFunction, maker: GoFunction | None) -> str:
    """Functions that give the function, and for a method a new receiver, its constructor, and its methods by name."""
    types = f"[{', '.join(['int'] * function.generic)}]" if function.generic else ""
    cases: list[str] = []
    fields: list[str] = []
    if function.receiver is None:
        entry, made, constructor = f"{function.name}{types}", "nil", "nil"
    else:
        taken = f"[{', '.join(['int'] * function.receiver_types)}]" if function.receiver_types else ""
        owner = f"{function.receiver}{taken}"
        entry, made = "nil", f"new({owner})"
        constructor = f"{maker.name}{taken}" if maker is not None else "nil"
        fields = [f'"{name}"' for name, _ in fragment.receiver_types.get(function.receiver, ())]
        methods = {one.name for one in fragment.functions if one.receiver == function.receiver and one.name != "_"}
        cases = [f'case "{name}": return object.(*{owner}).{name}' for name in sorted(methods)]
    lines = [
        "package main",
        f"func ctEntry() interface{{}} {{ return {entry} }}",
        f"func ctObjectMade() interface{{}} {{ return {made} }}",
        f"func ctConstructor() interface{{}} {{ return {constructor} }}",
        f"var ctFields = []string{{{', '.join(fields)}}}",
        f'const ctEntryName = "{function.name}"',
        "func ctMethod(object interface{}, name string) interface{} {",
        *(["switch name {", *cases, "}"] if cases else []),
        "return nil",
        "}",
    ]
    return "\n".join(lines) + "\n"
