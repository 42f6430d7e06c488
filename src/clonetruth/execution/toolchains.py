"""What code is compiled and run with, per language. One line adds a language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clonetruth.execution.sandbox import Limits, Sandbox, run
from clonetruth.execution.sandbox.process import MEGABYTE

JAVA_MEMORY = ("-Xmx256m", "-XX:CompressedClassSpaceSize=64m", "-XX:ReservedCodeCacheSize=64m", "-XX:+UseSerialGC")
"""Bounds on what the JVM uses; its address space is larger."""


_PLAIN = Limits()
_LARGE = Limits(seconds=60, cpu_seconds=60, memory=4096 * MEGABYTE, total_memory=1024 * MEGABYTE)
_NODE = Limits(seconds=30, cpu_seconds=30, memory=None, data=1024 * MEGABYTE, total_memory=1024 * MEGABYTE)
_MONO = Limits(seconds=30, cpu_seconds=30, memory=2048 * MEGABYTE)
_COMPILER = Limits(seconds=60, cpu_seconds=60, forks=True)


@dataclass(frozen=True)
class Toolchain:
    """A way to run a language.

    Attributes:
        language: the language.
        programs: what must be installed; the first one is asked for its version.
        version: the arguments that make it print its version.
        install: how to get it.
        limits: what its programs need to run at all.
    """

    language: str
    programs: Sequence[str]
    version: Sequence[str]
    install: str
    limits: Limits = _PLAIN

    def missing(self, sandbox: Sandbox) -> tuple[str, ...]:
        """Programs that are not installed where the sandbox can see them."""
        return tuple(name for name in self.programs if sandbox.find(name) is None)


TOOLCHAINS: Mapping[str, Sequence[Toolchain]] = {
    "python": (Toolchain("python", ("python3",), ("--version",), "apt-get install python3"),),
    "java": (
        Toolchain(
            "java", ("java", "javac"), (*JAVA_MEMORY, "-version"), "apt-get install default-jdk-headless", _LARGE
        ),
    ),
    "c": (Toolchain("c", ("gcc",), ("--version",), "apt-get install gcc libc6-dev", _COMPILER),),
    "cpp": (Toolchain("cpp", ("g++",), ("--version",), "apt-get install g++", _COMPILER),),
    "javascript": (Toolchain("javascript", ("node",), ("--version",), "apt-get install nodejs", _NODE),),
    "csharp": (Toolchain("csharp", ("mcs", "mono"), ("--version",), "apt-get install mono-mcs mono-runtime", _MONO),),
    "go": (Toolchain("go", ("go",), ("version",), "apt-get install golang-go", _LARGE),),
}
"""The toolchains of each language, the preferred one first."""


def toolchain_versions(languages: Iterable[str], sandbox: Sandbox) -> dict[str, str]:
    """What runs each language, as it says itself inside the sandbox; languages that do not run there are left out."""
    found: dict[str, str] = {}
    for name in sorted(set(languages)):
        versions = (version_inside(one, sandbox) for one in TOOLCHAINS.get(name, ()))
        if version := next(filter(None, versions), None):
            found[name] = version
    return found


def version_inside(toolchain: Toolchain, sandbox: Sandbox) -> str | None:
    """The first line that says the version, asked inside the sandbox; None if the program does not run there."""
    program = sandbox.find(toolchain.programs[0])
    if program is None:
        return None
    outcome = run(sandbox, [program, *toolchain.version], limits=toolchain.limits)
    lines = (outcome.stdout + outcome.stderr).decode(errors="replace").splitlines()
    return lines[0].strip() if outcome.succeeded and lines else None
