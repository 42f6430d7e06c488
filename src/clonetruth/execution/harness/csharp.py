"""Runs fragments of C# in the sandbox: each is compiled with `inside/csharp/Driver.cs` to a separate program, by a
compiler that stays (`inside/loaded_compilers.py`).

The program reads its calls and says on a separate descriptor what they did, in lines that begin with a nonce that the
fragment is not told. Every run is a separate process in fresh folders (`inside/program_server.py`), so that a
fragment can change only what is said of itself.
"""

from __future__ import annotations

import json
import re
import secrets
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from importlib import resources
from typing import Any, ClassVar

from clonetruth.code import extract, language
from clonetruth.execution.harness.compiled import CompiledHarness
from clonetruth.execution.harness.harness import (
    CallInput,
    Code,
    EntryParameter,
    FragmentRun,
    Observation,
    Reason,
)
from clonetruth.execution.harness.java.text import joined, masked
from clonetruth.execution.harness.passed_functions import passed_function
from clonetruth.execution.harness.program_languages import PROGRAM_LANGUAGES, ProgramLanguage
from clonetruth.execution.harness.programs import ProgramRun, ProgramSource, run_program, why_not_compiled
from clonetruth.execution.harness.receivers import (
    ObjectMethod,
    calls_around,
    changes_what_it_named,
    with_all,
    with_receiver,
)
from clonetruth.execution.inputs.types import InputType, parse_type
from clonetruth.execution.sandbox import Ending
from clonetruth.execution.values import check_value
from clonetruth.parsing import parse_json

_USINGS = (
    "System",
    "System.Collections",
    "System.Collections.Generic",
    "System.Globalization",
    "System.IO",
    "System.Linq",
    "System.Numerics",
    "System.Text",
    "System.Text.RegularExpressions",
    "System.Threading",
)
_USING = re.compile(r"^[ \t]*using\s+(?:static\s+)?[\w.]+(?:\s*=\s*[\w.<>, ]+)?\s*;", re.MULTILINE)
_COMPILE = (
    "mcs -nowarn:0-9999 -langversion:latest -out:main.exe -main:ClonetruthDriver.Program "
    "-r:System.Numerics -r:System.Core {sources}"
)
_DRIVER, _SERVER = "Driver.cs", "CompileServer.cs"
_NEEDS = (
    (
        Reason.FILE,
        r"\b(?:File|Directory|FileStream|FileInfo|DirectoryInfo)\s*\.|\bnew\s+(?:FileStream|StreamReader|StreamWriter)\b",
    ),
    (Reason.NETWORK, r"\b(?:HttpClient|WebClient|TcpClient|Socket|WebRequest|HttpWebRequest)\b"),
    (Reason.SCREEN, r"\b(?:System\.Windows|MessageBox|Form|Graphics|EventArgs|TextBox|Button|DataGridView)\b"),
    (Reason.PROCESS, r"\bProcess\s*\.\s*Start\b"),
    (
        # Parts of Windows.
        Reason.PACKAGE,
        r"\b(?:Microsoft\s*\.\s*Win32|RegistryKey|Registry\s*\.|ManagementObject\w*|EventLog|ServiceController|"
        r"PerformanceCounter)\b",
    ),
    (
        Reason.CLOCK,
        r"\b(?:DateTime|DateTimeOffset)\s*\.\s*(?:Now|UtcNow|Today)\b|\bStopwatch\b|\bEnvironment\s*\.\s*TickCount\b",
    ),
)
_IMPORTED = re.compile(r"\bDllImport\s*\(")
"""Before the name of a library: that of C is here, others belong to Windows or a project."""
_MISSING_CLASS = re.compile(r"error CS0246: The type or namespace name `(\w+)")
_MISSING_FIELD = re.compile(r"error CS1061: Type `(?:\w+\.)?(\w+)(?:<\w+>)?' does not contain a definition for `(\w+)'")
_MISSING_CONSTRUCTOR = re.compile(
    r"error CS1729: The type `(?:\w+\.)?(\w+)(?:<\w+>)?' does not contain a constructor that takes `(\d+)'"
)
_CHANGES = (
    r"(?<![\w.])(?:this\s*\.\s*)?{name}\s*(?:\[[^\]]*\]\s*)*(?:(?:[-+*/%|&^?]|<<|>>|\?\?)?=(?![=>])|\+\+|--)"
    r"|(?:\+\+|--)\s*(?:this\s*\.\s*)?{name}\b|\b(?:ref|out)\s+{name}\b"
    r"|(?<![\w.])(?:this\s*\.\s*)?{name}\s*(?:\[[^\]]*\]\s*)?\.\s*(?:Add|Push|Pop|Remove|Clear|Set|Insert|Append|Enqueue|"
    r"Dequeue|Sort|Reverse|TryAdd|UnionWith|ExceptWith|IntersectWith|Replace|MoveNext)\w*\s*\("
)
_ROUNDS, _MOST_CLASSES, _KEPT, _LOSSES = 4, 3, 64, 4
_LINKS = ("next", "prev", "previous", "left", "right", "parent", "child", "head", "tail", "root", "random")
_USUAL = ("ToString", "Equals", "GetHashCode", "CompareTo", "Compare")


@dataclass
class NodeClass:
    """A class that a fragment misses, with its fields in the order in which they were asked for."""

    name: str
    fields: dict[str, str] = field(default_factory=dict)
    constructors: set[int] = field(default_factory=set)

    def text(self) -> str:
        """Its declaration; constructors set the first fields."""
        lines = [f"public {written} {name};" for name, written in self.fields.items()]
        lines.append(f"public {self.name}() {{}}")
        ordered = sorted(self.fields.items(), key=lambda one: one[0].lower() in _LINKS)
        for count in sorted(self.constructors):
            given = ordered[:count]
            parameters = ", ".join(f"{written} {name}_" for name, written in given)
            lines.append(
                f"public {self.name}({parameters}) {{ {' '.join(f'{name} = {name}_;' for name, _ in given)} }}"
            )
        return f"public class {self.name} {{ {' '.join(lines)} }}"

    def add_field(self, name: str, body: str) -> bool:
        """A field of this name, unless there is one."""
        if name in self.fields or len(self.fields) > 8:
            return False
        is_text = (
            re.search(rf"\.\s*{name}\s*\.\s*(?:Length|Substring|ToLower|ToUpper|Equals)", body)
            or name.lower() == "name"
        )
        self.fields[name] = self.name if name.lower() in _LINKS else "string" if is_text else "int"
        return True


@dataclass
class CSharpSource:
    """A text to compile: the fragment without its usings, and what it misses."""

    body: str
    usings: tuple[str, ...]
    is_file: bool
    repairs: list[str] = field(default_factory=list)
    classes: dict[str, NodeClass] = field(default_factory=dict)

    def text(self) -> str:
        """The whole text."""
        own = [one for one in self.usings if re.sub(r"^\s*using\s+|\s*;$", "", one) not in _USINGS]
        lines = [*own, *(f"using {one};" for one in _USINGS)]
        classes = [one.text() for one in self.classes.values()]
        if self.is_file:
            return "\n".join([*lines, self.body, *classes])
        return "\n".join([*lines, "public class Fragment_ {", self.body, *classes, "}"])

    def repaired(self, said: str) -> bool:
        """Add what the compiler misses; whether that was anything."""
        changed = False
        for name in dict.fromkeys(_MISSING_CLASS.findall(said)):
            makes = re.search(rf"\b{name}\b\s*(?:\?|\[\s*\])?\s+\w+|\bnew\s+{name}\s*\(", self.body)
            if name not in self.classes and len(self.classes) < _MOST_CLASSES and makes:
                self.classes[name] = NodeClass(name)
                self.repairs.append(f"class {name}")
                changed = True
        for name, member in _MISSING_FIELD.findall(said):
            is_called = re.search(rf"\.\s*{member}\s*\(", self.body)
            if name in self.classes and not is_called:
                changed = self.classes[name].add_field(member, self.body) or changed
        for name, count in _MISSING_CONSTRUCTOR.findall(said):
            known = self.classes.get(name)
            if known is not None and int(count) not in known.constructors and int(count) <= len(known.fields):
                known.constructors.add(int(count))
                changed = True
        return changed


def readings(text: str) -> Iterator[CSharpSource]:
    """Readings of a fragment, the likeliest first."""
    text = text.replace("\r", "").replace("\ufeff", "").replace("\u00a0", " ")
    for repair, changed in (("", text), ("joined operators", joined(text.replace("= >", "=>")))):
        if repair and changed == text:
            continue
        usings = tuple(one[0].strip() for one in _USING.finditer(changed))
        body = _USING.sub("", changed)
        plain = _outermost(body)
        is_file = re.search(r"\b(?:class|struct|namespace|enum|interface)\s+\w+", plain) is not None and not re.search(
            r"\)\s*(?:where[^{]*)?(?:\{|=>)", plain
        )
        yield CSharpSource(
            body if is_file else re.sub(r"\boverride\s", "", body), usings, is_file, [repair] if repair else []
        )


def _outermost(body: str) -> str:
    """The text outside of braces, with a brace for each block."""
    depth, kept = 0, []
    for letter in masked(body):
        if letter == "{" and depth == 0:
            kept.append("{")
        depth += (letter == "{") - (letter == "}")
        if depth <= 0 and letter != "}":
            kept.append(letter)
    return "".join(kept)


@dataclass(frozen=True)
class CSharpFragment:
    """A fragment that was compiled, or why it was not.

    Attributes:
        undecided: why it cannot run; None if it can.
        detail: more about that.
        source: the program.
        method: what the driver says of the method to call.
        parameters: what it takes, and what makes its object and is done with it.
        maker: what the driver says of the constructor; empty if it gets no arguments of the input.
        repairs: what was changed.
        is_program: whether it is run as a whole program.
    """

    undecided: Reason | None = None
    detail: str = ""
    source: ProgramSource | None = None
    method: Mapping[str, Any] = field(default_factory=dict, hash=False)
    parameters: tuple[EntryParameter, ...] = ()
    maker: Mapping[str, Any] = field(default_factory=dict, hash=False)
    repairs: tuple[str, ...] = ()
    is_program: bool = False


@dataclass
class CSharpHarness(CompiledHarness):
    """A sandbox that compiles and runs fragments of C#, each as a separate program."""

    language: ClassVar[str] = "csharp"

    _fragments: OrderedDict[str, CSharpFragment] = field(default_factory=OrderedDict, repr=False)

    def run(self, code: Code, calls: Sequence[CallInput] = (), *, seed: int = 0, coverage: bool = False) -> FragmentRun:
        """Run a piece of code; see `Harness.run`. What is random has no seed, and coverage is not measured."""
        fragment = self._prepared(code)
        if fragment.is_program:
            return run_program(self._runner, code, calls)
        if fragment.undecided is not None or fragment.source is None:
            return FragmentRun(fragment.undecided, fragment.detail)
        given = [with_receiver(one, fragment.parameters) for one in calls]
        observations = self._observe(fragment.source, fragment, given) if calls else []
        return FragmentRun(
            entry=str(fragment.method["name"]),
            parameters=fragment.parameters,
            repairs=fragment.repairs,
            observations=tuple(
                replace(one, changed=with_all(one.changed, call, fragment.parameters)) if one.changed else one
                for one, call in zip(observations, calls, strict=False)
            ),
            owner="" if fragment.method["static"] else _simple(fragment.method["owner"]).partition("`")[0],
        )

    # -- compiling ------------------------------------------------------------------------------------------------

    def _prepared(self, code: Code) -> CSharpFragment:
        key = sha256(repr((code.text, code.entry)).encode()).hexdigest()
        if key not in self._fragments:
            self._fragments[key] = self._compiled(code)
            while len(self._fragments) > _KEPT:
                self._fragments.popitem(last=False)
        self._fragments.move_to_end(key)
        return self._fragments[key]

    def _compiled(self, code: Code) -> CSharpFragment:
        plain = masked(code.text)
        for reason, pattern in _NEEDS:
            needed = re.search(pattern, plain)
            if needed:
                return CSharpFragment(reason, needed[0][:80])
        for imported in _IMPORTED.finditer(plain):
            # In the text itself: names in quotes are masked.
            if not code.text[imported.end() :].lstrip(' \n\t@"').startswith("libc"):
                return CSharpFragment(Reason.PACKAGE, code.text[imported.start() :][:80])
        has_main = re.search(r"\bstatic\s+(?:async\s+)?(?:void|int|Task)\s+Main\s*\(", plain)
        is_read = re.search(r"\bConsole\s*\.\s*(?:Read\w*|In)\b", plain)
        if code.entry is None and has_main and is_read:
            return CSharpFragment(is_program=True)
        failed: tuple[Reason, str] | None = None
        for source in readings(code.text):
            made, run = self._compile(source)
            if run.compiled:
                return self._callable(code, source, made, has_main is not None, is_read is not None)
            failed = failed or ((Reason.SANDBOX, run.compile_output) if run.broken else _why_not(run.compile_output))
        return CSharpFragment(*(failed or (Reason.PARSE, "")))

    def _compile(self, source: CSharpSource) -> tuple[ProgramSource, ProgramRun]:
        """Compile a text with the driver, repaired by what the compiler says."""
        driver = _inside(_DRIVER)
        how = self._how()
        for round_ in range(_ROUNDS + 1):
            made = ProgramSource("csharp", {_DRIVER: driver, "main.cs": source.text().encode()}, "main.cs")
            run = self._runner.run(made, language=how)
            if run.compiled or run.broken or round_ == _ROUNDS or not source.repaired(run.compile_output):
                break
        return made, run

    def _how(self) -> ProgramLanguage:
        """How to compile and run a fragment."""
        return replace(PROGRAM_LANGUAGES["csharp"], compile=_COMPILE, staying=self._staying())

    def _staying(self) -> dict[str, Any] | None:
        """The compiler that is loaded once; see `inside/loaded_compilers.py`."""
        mono = self.sandbox.find("mono")
        text = _inside(_SERVER).decode()
        made = {"made": "main.exe", "source": _SERVER, "server": "server.exe", "text": text}
        return None if mono is None else {"load": [mono], **made}

    def _callable(
        self, code: Code, source: CSharpSource, made: ProgramSource, has_main: bool, is_read: bool
    ) -> CSharpFragment:
        nonce = secrets.token_hex(16)
        how = self._how()
        outcomes = self._runner.run(made, [json.dumps({"nonce": nonce})], 5.0, language=how).outcomes
        try:
            (said,) = _lines(outcomes[0].channel, nonce)
            made_by = [one for one in said["methods"] if one["name"] == ".ctor"]
            methods = [one for one in said["methods"] if one["name"] != ".ctor"]
            method = _chosen(methods, code)
            if method is None:
                if has_main and code.entry is None:
                    return CSharpFragment(is_program=True)
                return CSharpFragment(Reason.FUNCTION, code.entry or "")
            parameters = _parameters(method)
            around, maker = _around(method, methods, made_by, code.text)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            return CSharpFragment(Reason.LOADING, f"not an answer: {error}"[:200])
        impossible = [one.name for one in parameters if _is_impossible(one.types[0])]
        if impossible:
            return CSharpFragment(Reason.TYPE, ", ".join(impossible))
        if is_read:
            return CSharpFragment(Reason.INPUT, "Console.Read")
        return CSharpFragment(
            source=made, method=method, parameters=(*parameters, *around), maker=maker, repairs=tuple(source.repairs)
        )

    # -- running --------------------------------------------------------------------------------------------------

    def _observe(
        self, source: ProgramSource, fragment: CSharpFragment, calls: Sequence[CallInput]
    ) -> list[Observation]:
        """Run calls; after one that ends the process, the next ones run in a new process."""
        how = self._how()
        found: list[Observation] = []
        for _ in range(_LOSSES):
            if len(found) == len(calls):
                break
            rest, nonce = calls[len(found) :], secrets.token_hex(16)
            job = {
                "nonce": nonce,
                "owner": fragment.method["owner"],
                "token": fragment.method["token"],
                "maker": fragment.maker.get("token", ""),
                "settable": fragment.maker.get("settable", []),
                "milliseconds": str(int(self.seconds_per_call * 1000)),
                "calls": [list(one.arguments) for one in rest],
                "stdins": [one.stdin for one in rest],
            }
            run = self._runner.run(source, [json.dumps(job)], self.seconds, language=how)
            if run.broken or not run.outcomes:
                return [*found, Observation(ended="the sandbox ended")]
            (outcome,) = run.outcomes
            try:
                said = [_observation(one) for one in _lines(outcome.channel, nonce)][: len(rest)]
            except (ValueError, KeyError, TypeError):
                said = [Observation(returned={"cut": "value"})]
            found += said
            has_ended = bool(said) and said[-1].ended == "timed out"
            if has_ended and self.stops_when_late:
                break
            if len(found) < len(calls) and not has_ended:
                found.append(_ended(outcome.ending, outcome.code, outcome.stderr))
        return found


def _inside(name: str) -> bytes:
    return resources.files("clonetruth.execution.harness.inside").joinpath("csharp", name).read_bytes()


def _ended(ending: Ending, code: int | None, stderr: bytes) -> Observation:
    """What a call did that ended its process."""
    if b"StackOverflowException" in stderr or b"Stack overflow" in stderr:
        return Observation(raised="StackOverflowException")
    if b"OutOfMemoryException" in stderr:
        return Observation(ended="out of memory")
    if ending is Ending.EXITED:
        return Observation(raised=f"exit {code}")
    return Observation(ended=str(ending) if ending is not Ending.SIGNALLED else f"signal {code}")


def _lines(channel: bytes, nonce: str) -> list[Any]:
    head = nonce.encode() + b" "
    return [parse_json(one[len(head) :]) for one in channel.split(b"\n")[:-1] if one.startswith(head)]


def _is_impossible(kind: InputType) -> bool:
    return kind.kind == "none" or (kind.kind != "procedure" and any(map(_is_impossible, kind.inner)))


def _parameters(method: Mapping[str, Any]) -> tuple[EntryParameter, ...]:
    return tuple(
        EntryParameter(str(name), (_taken(str(name), parse_type(str(written))),), optional=optional is True)
        for name, written, optional in method["parameters"]
    )


def _taken(name: str, kind: InputType) -> InputType:
    """A type as the driver writes it; of a function it says the result and what the function takes."""
    if kind.kind != "union":
        return kind
    function, *taken = kind.inner
    (result,) = function.inner
    return passed_function(name, taken, result if result.kind != "none" else None) or InputType("none")


def _around(
    method: Mapping[str, Any], methods: Sequence[Mapping[str, Any]], makers: Sequence[Mapping[str, Any]], text: str
) -> tuple[list[EntryParameter], Mapping[str, Any]]:
    """What makes the object of a method and is done with it, all of which may be left out, and its constructor: the
    one with the most parameters of which all can be made."""
    if method["static"]:
        return [], {}
    found: list[EntryParameter] = []
    maker: Mapping[str, Any] = {}
    own = [one for one in makers if one["owner"] == method["owner"]]
    for one in sorted(own, key=lambda it: -len(it["parameters"])):
        taken = _parameters(one)
        if taken and not any(_is_impossible(each.types[0]) or each.types[0].kind == "object" for each in taken):
            maker, found = one, [replace(each, optional=True, role="constructor") for each in taken]
            break
    if not maker:
        # Fields and properties that others can set.
        found = [
            EntryParameter(str(name), (parse_type(str(written)),), optional=True, role="constructor")
            for name, written in method["settable"]
        ]
        found = [one for one in found if not _is_impossible(one.types[0])]
        maker = {"settable": [one.name for one in found]} if found else {}
    texts: dict[str, str] = {}
    for function in extract(text, language("csharp"), lone=True).functions:
        texts[function.name] = texts.get(function.name, "") + function.text
    siblings = [one for one in methods if one["owner"] == method["owner"] and not one["static"]]
    fields = [re.escape(str(one)) for one in method["fields"]]
    changing = {
        str(one["name"])
        for one in siblings
        for text_of in [texts.get(str(one["name"]), "")]
        if any(re.search(_CHANGES.replace("{name}", name), text_of) for name in fields)
        or (fields and changes_what_it_named(text_of, rf"\b(?:{'|'.join(fields)})\b"))
    }
    for one in siblings:
        if any(re.search(rf"\b{name}\s*\(", texts.get(str(one["name"]), "")) for name in list(changing)):
            changing.add(str(one["name"]))
    described = [
        ObjectMethod(
            str(one["name"]),
            None if any(map(_is_impossible, types)) else types,
            one["name"] in changing,
            one["open"] is True,
            one["says"] is True,
        )
        for one in siblings
        for types in [tuple(each.types[0] for each in _parameters(one))]
        if one["name"] not in _USUAL
    ]
    return found + calls_around(described, str(method["name"]), [str(one) for one in method["shown"]]), maker


def _chosen(methods: Sequence[Mapping[str, Any]], code: Code) -> Mapping[str, Any] | None:
    """The method to call: by name, or the last one that no other calls and that is not the main method."""
    if code.entry is not None:
        owner, _, name = code.entry.rpartition(".")
        named = [one for one in methods if one["name"] == name and (not owner or _simple(one["owner"]) == owner)]
        return named[-1] if named else None
    plain = masked(code.text)
    others = [one for one in methods if one["name"] != "Main"]
    free = [one for one in others if len(re.findall(rf"\b{re.escape(one['name'])}\s*(?:<[\w, ]+>\s*)?\(", plain)) <= 1]
    recursive = [one for one in others if one["name"] == others[-1]["name"]] if others else []
    usual = [one for one in free or recursive or others if one["name"] not in _USUAL] or others
    return usual[-1] if usual else None


def _simple(owner: object) -> str:
    return re.split(r"[.+]", str(owner))[-1]


def _observation(said: Mapping[str, Any]) -> Observation:
    changed = said.get("changed")
    return Observation(
        returned=check_value(said.get("returned")),
        raised=None if said.get("raised") is None else str(said["raised"])[:200],
        changed=None if changed is None else tuple(check_value(one) for one in changed),
        output=str(said.get("output", "")),
        ended=None if said.get("ended") is None else str(said["ended"])[:200],
    )


def _why_not(said: str) -> tuple[Reason, str]:
    """The reason that a text does not compile; errors of syntax come alone."""
    if re.search(r"error CS(?:1525|1002|1513|1514|1026|1519|1528|8025|1003|1022)\b", said):
        first = next((one for one in said.splitlines() if "error CS" in one), "")
        return Reason.PARSE, f"{first[:160]}; mcs knows C# 7"
    missing = re.search(r"error CS0103: The name `(\w+)'", said)
    return (Reason.SYMBOL, missing[1]) if missing else why_not_compiled(said)
