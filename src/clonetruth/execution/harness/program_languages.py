"""How programs of each language are compiled and run.

One line in `PROGRAM_LANGUAGES` adds a language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clonetruth.execution.sandbox import Limits, Sandbox
from clonetruth.execution.sandbox.bubblewrap import inside
from clonetruth.execution.sandbox.process import MEGABYTE
from clonetruth.execution.toolchains import JAVA_MEMORY

_PLAIN = Limits(disk=16 * MEGABYTE)
_LARGE = Limits(memory=4096 * MEGABYTE, disk=16 * MEGABYTE, open_files=512, processes=256)
_NODE = Limits(memory=None, data=1024 * MEGABYTE, disk=16 * MEGABYTE, open_files=512, processes=256)
_JAVAC = "-J-Xmx512m -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1"
_JAVA = " ".join((*JAVA_MEMORY, "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-Xss64m"))


@dataclass(frozen=True)
class ProgramLanguage:
    """How programs of a language are compiled and run.

    `{main}` in a command stands for the file to start, `{name}` for its name without the ending, `{sources}` for all
    files with the same ending.

    Attributes:
        file: the name of the file that holds a program.
        compile: the command that compiles it, with the program as its first word; empty if nothing does.
        run: the command that runs it; its first word is a program, or a file that was compiled.
        install: how to get the programs.
        limits: what a run may use.
        variables: of the environment.
        error: how standard error names the exception that ended a program.
        header: headers that are compiled once for all programs, as far as that makes compiling faster.
        fast: options of the compiler that go with it; without them it has to do, too.
        seconds: of CPU time, for a run with a small input.
        staying: compilers that stay and do the same as `compile`, only faster; see `inside/compile_servers.py`.
    """

    file: str
    compile: str = ""
    run: str = ""
    install: str = ""
    limits: Limits = _PLAIN
    variables: Mapping[str, str] = field(default_factory=dict, hash=False)
    error: str = ""
    header: str = ""
    fast: str = ""
    seconds: float = 2.0
    staying: Mapping[str, Any] | None = field(default=None, hash=False)

    def missing(self, sandbox: Sandbox) -> tuple[str, ...]:
        """Programs that are not installed where the sandbox can see them."""
        wanted = [command.split()[0] for command in (self.compile, self.run) if command]
        return tuple(one for one in wanted if not one.startswith("/") and sandbox.find(one) is None)


_CPP = "-w -O0 -fpermissive -std=gnu++17"
_CPP_HEADERS = ("iostream", "cstdio", "cstdlib", "cstring", "cmath", "string", "vector", "algorithm", "map", "set")
HEADER = "ct_headers"
"""The name of the headers that are compiled once."""
_GO = {"GOCACHE": "/tmp/go", "GOPATH": "/tmp/gopath", "GO111MODULE": "off", "CGO_ENABLED": "0", "GOFLAGS": "-p=1"}

PROGRAM_LANGUAGES: Mapping[str, ProgramLanguage] = {
    "python": ProgramLanguage(
        "main.py",
        "python3 -I -S -B -c CONVERT",
        "python3 -E -s -B {main}",
        "apt-get install python3",
        error=r"^(?!Traceback|\s)([A-Za-z_][\w.]*)(?::|$)",
    ),
    "java": ProgramLanguage(
        "Main.java",
        f"javac {_JAVAC} -proc:none -nowarn -encoding UTF-8 -d . {{sources}}",
        f"java {_JAVA} -cp . {{name}}",
        "apt-get install default-jdk-headless",
        _LARGE,
        error=r"^Exception in thread \"[^\"]*\" ([\w.$]+)",
    ),
    "c": ProgramLanguage(
        "main.c",
        "gcc -w -O0 -o main {sources} -lm",
        inside("main"),
        "apt-get install gcc libc6-dev",
        seconds=0.5,
    ),
    "cpp": ProgramLanguage(
        "main.cpp",
        f"g++ {_CPP} -o main {{sources}}",
        inside("main"),
        "apt-get install g++",
        header="".join(f"#include <{one}>\n" for one in _CPP_HEADERS),
        fast=f"{_CPP} -include {HEADER}.hpp -fuse-ld=gold",
        seconds=0.5,
    ),
    "javascript": ProgramLanguage(
        "main.js",
        "",
        "node --max-old-space-size=256 --stack-size=4000 {main}",
        "apt-get install nodejs",
        _NODE,
        error=r"^(?:Uncaught )?(\w*Error)\b",
    ),
    "csharp": ProgramLanguage(
        "main.cs",
        "mcs -nowarn:0-9999 -out:main.exe -r:System.Numerics {sources}",
        "mono main.exe",
        "apt-get install mono-mcs mono-runtime",
        _LARGE,
        error=r"^(?:Unhandled Exception:\s*)?(System\.[\w.]+)",
    ),
    "go": ProgramLanguage(
        "main.go",
        "go build -o main {sources}",
        inside("main"),
        "apt-get install golang-go",
        _LARGE,
        _GO,
        error=r"^(panic|fatal error)\b",
    ),
    "php": ProgramLanguage(
        "main.php",
        "",
        "php -n -d display_errors=stderr -d memory_limit=256M {main}",
        "apt-get install php-cli",
        error=r"Uncaught (\w+)",
    ),
    "ruby": ProgramLanguage(
        "main.rb", "", "ruby --disable=gems {main}", "apt-get install ruby", error=r"\(([A-Z]\w+)\)$"
    ),
}
"""The languages whose programs can run."""
