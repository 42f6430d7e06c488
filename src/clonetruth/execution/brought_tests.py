"""Whether a fragment passes the tests that its source brings: a program around the fragment, run in the sandbox.

A program that fails because of what it does fails the test. What says nothing about the behaviour is undecided, with
its reason: it does not compile here, a package is missing, the time is over, or the fragment could end the program
before the tests. Callers that count passes, as pass@1 does, count all of these as not passed.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from clonetruth.execution.harness.harness import Code, Reason
from clonetruth.execution.harness.javascript.modules import as_script
from clonetruth.execution.harness.program_languages import PROGRAM_LANGUAGES
from clonetruth.execution.harness.programs import (
    ProgramRunner,
    ProgramSource,
    inside_file,
    observed_program,
    why_not_compiled,
)

_STAND_INS: Mapping[str, tuple[str, str, str]] = {
    "javascript": ("lodash", "node_modules/lodash/index.js", "lodash.js"),
    "csharp": ("KellermanSoftware.CompareNetObjects", "CompareNetObjects.cs", "compare_net_objects.cs"),
}
"""Libraries that tests compare with, and where our short ones go."""

_LAST_WORDS: Mapping[str, str] = {
    "python": "import os as _os; _os.write(3, b'{word}')",
    "javascript": "require('fs').writeSync(3, '{word}');",
    "php": "file_put_contents('php://fd/3', '{word}');",
    "ruby": "IO.new(3, 'w').syswrite('{word}')",
}
"""What is added to the end of a script, so that a fragment that ends it before the tests does not pass."""

_ENDS_PROGRAM = re.compile(r"\b(?:_?exit|quick_exit|_Exit|Exit|abort|halt|raise|kill|syscall|execv\w*|FailFast)\s*\(")
"""Calls with which the code of a compiled language could end the program before the tests."""

_PACKAGE = re.compile(r"No module named '([\w.]+)'|Cannot find module '([^']+)'|cannot load such file -- (\S+)")
_MAX_MESSAGES = 4000
_BROKEN_TEXT = ("SyntaxError", "ParseError", "IndentationError", "TabError")


@dataclass(frozen=True)
class BroughtTest:
    """A program that tests a fragment.

    Attributes:
        before: the text before the fragment.
        after: the text after it, which fails (exception or exit code) if the fragment is wrong.
    """

    before: str = ""
    after: str = ""

    def around(self, text: str) -> str:
        """The whole program."""
        return f"{self.before}{text}{self.after}"


class BroughtVerdict(StrEnum):
    """What a brought test says about a fragment."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class BroughtOutcome:
    """What running a brought test showed.

    Attributes:
        verdict: whether the fragment passes.
        reason: why nothing can be said; None if something can.
        detail: the exception or exit code of a failure, or more about the reason.
        messages: the start of what the compiler says, if it refuses the program.
    """

    verdict: BroughtVerdict
    reason: Reason | None = None
    detail: str = ""
    messages: str = ""

    @property
    def passed(self) -> bool:
        """Whether the fragment passes the test."""
        return self.verdict is BroughtVerdict.PASSED


def run_brought_test(
    code_text: str, test: BroughtTest, language: str, runner: ProgramRunner, *, seconds: float = 10.0
) -> BroughtOutcome:
    """Run the program that tests a fragment.

    Args:
        code_text: the fragment.
        test: the program around it.
        language: of both.
        runner: what runs it.
        seconds: for the run; compiling has its own limit.

    Raises:
        MissingExtraError: the sandbox is not complete.
    """
    is_typescript = language == "typescript"
    language = "javascript" if is_typescript else language
    how = PROGRAM_LANGUAGES.get(language)
    if how is None:
        return _undecided(Reason.LANGUAGE, language)
    if how.missing(runner.sandbox):
        return _undecided(Reason.TOOLCHAIN, how.install)
    text = test.around(code_text)
    if language == "javascript":
        text = as_script(text, "typescript" if is_typescript else language)
    word = secrets.token_hex(16)
    if language in _LAST_WORDS:
        text += f"\n{_LAST_WORDS[language].format(word=word)}\n"
    source = ProgramSource.of(Code(text, language))
    source = ProgramSource(source.language, {**source.files, **_stand_ins(text, language)}, source.main)
    run = runner.run(source, [""], seconds)
    if run.broken:
        return _undecided(Reason.SANDBOX, run.compile_output)
    if not run.compiled:
        messages = run.compile_output[:_MAX_MESSAGES]
        return replace(_undecided(*why_not_compiled(run.compile_output)), messages=messages)
    if not run.outcomes:
        return _undecided(Reason.TIMED_OUT)
    outcome = run.outcomes[0]
    observed = observed_program(outcome, how)
    if observed.ended is not None:
        if observed.ended == "timed out":
            return _undecided(Reason.TIMED_OUT)
        return BroughtOutcome(BroughtVerdict.FAILED, detail=observed.ended)
    if observed.raised is not None:
        if observed.raised in _BROKEN_TEXT:
            return _undecided(Reason.PARSE, observed.raised)
        absent = _PACKAGE.search(outcome.stderr.decode("utf-8", "replace"))
        if absent is not None:
            return _undecided(Reason.PACKAGE, absent[absent.lastindex or 0])
        return BroughtOutcome(BroughtVerdict.FAILED, detail=observed.raised)
    came_to_end = word.encode() == outcome.channel if language in _LAST_WORDS else not _ENDS_PROGRAM.search(code_text)
    return BroughtOutcome(BroughtVerdict.PASSED) if came_to_end else _undecided(Reason.UNTESTED)


def _undecided(reason: Reason, detail: str = "") -> BroughtOutcome:
    return BroughtOutcome(BroughtVerdict.UNDECIDED, reason, detail[:200])


def _stand_ins(text: str, language: str) -> dict[str, bytes]:
    name, path, file = _STAND_INS.get(language, ("", "", ""))
    if not name or name not in text:
        return {}
    return {path: inside_file(file)}
