"""A world in which every text is hostile: a benchmark, a study, source files, tables, an archive."""

from __future__ import annotations

import json
import unicodedata
import zipfile
from dataclasses import dataclass
from pathlib import Path

from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Membership,
    Pair,
    Role,
)
from clonetruth.store import Benchmark
from clonetruth.store.votes import ItemKey, ItemKind, Vote, open_vote_store
from tests.audit.drafts import function
from tests.cli.running import Ran, call

MARKUP = "[/bold][red]:bug:[link=x:y]"
CONTROLS = "\x1b[31m\x1b[2J\x1b]0;title\x07\x1b]8;;x:y\x1b\\\x9b1m\x90\x08\x0c\x7f"
INVISIBLE = "\u202eabc\u2066\u200b\u200d\u2028\xad\ufeff\U000e0041\ufe0f\u3164"
HOSTILE = f"{MARKUP}{CONTROLS}{INVISIBLE}|<b>`=1+1"
LINES = f"{HOSTILE}\r\nerror: faked\twith a tab\r# faked"
"""For texts that may have several lines."""
NAME = HOSTILE.replace("/", "").replace("\\", "")
"""A name of a file."""
_FRAGMENTS = 24
CRITERION = "shares-functionality"


def raw_characters(text: str) -> set[str]:
    """The characters of an output that a terminal could obey or that a person cannot see; newlines are ours."""
    return {
        f"U+{ord(one):04X}"
        for one in text
        if one != "\n" and (unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp") or one in "\u3164\ufe0f")
    }


@dataclass(frozen=True)
class World:
    """Where everything is."""

    folder: Path

    @property
    def benchmark(self) -> Path:
        """The benchmark; texts are hostile in all its tables."""
        return self.folder / "benchmark"

    @property
    def sources(self) -> Path:
        """A source tree with hostile file names and comments."""
        return self.folder / "sources"

    @property
    def predictions(self) -> Path:
        """Scores of pairs of the benchmark."""
        return self.folder / f"p{NAME}.jsonl"

    @property
    def result(self) -> Path:
        """An evaluation of these."""
        return self.folder / "result.json"

    @property
    def study(self) -> Path:
        """A study of the benchmark, on which two judges voted."""
        return self.folder / f"study{NAME}"

    @property
    def recipe(self) -> Path:
        """A recipe that mines the source tree."""
        return self.folder / f"recipe{NAME}.toml"

    def python(self, side: str) -> Path:
        """A Python file of the source tree whose function prints, returns (left) or raises (right) hostile texts."""
        return self.sources / f"{side}{NAME}.py"

    def file(self, number: int) -> Path:
        """A Java file of the source tree, from 0 to 2."""
        return self.sources / f"{number}{NAME}.java"


def build(folder: Path) -> World:
    """Make it."""
    world = World(folder)
    _benchmark(world.benchmark)
    _sources(world.sources)
    ids = [f"{number}{HOSTILE}" for number in range(4)]
    rows = [{"left": ids[0], "right": ids[1], "label": 1, "reason": LINES}, {"left": HOSTILE, "right": "x", "label": 1}]
    (folder / "answers.jsonl").write_text("\n".join(map(json.dumps, rows)))
    scores = [{"left": a, "right": b, "score": 0.5} for a in ids for b in ids if a < b]
    world.predictions.write_text("\n".join(map(json.dumps, scores)))
    (folder / "settings").mkdir()
    (folder / "settings" / "clonetruth.toml").write_text(f"[find]\n{_toml(HOSTILE)} = 1\nwith = [{_toml(HOSTILE)}]\n")
    with zipfile.ZipFile(folder / "archive.zip", "w") as archive:
        archive.writestr(f"{HOSTILE}/A.java", function(1))
        archive.writestr(f"../{HOSTILE}.java", function(1))
        archive.writestr(f"{HOSTILE}.txt", "text")
    stages = f'[[stage]]\nuse = "index"\npaths = [{_toml(str(world.sources))}]\n[[stage]]\nuse = {{}}\n'
    head = f"[make]\nname = {_toml(HOSTILE)}\ndescription = {_toml(LINES)}\nlicence = {_toml(HOSTILE)}\n"
    world.recipe.write_text(
        head + stages.format('"search"') + 'functionalities = ["greatest-common-divisor"]\n', encoding="utf-8"
    )
    (folder / "unknown.toml").write_text(head + stages.format(_toml(HOSTILE)), encoding="utf-8")
    _study(world)
    _succeed("evaluate", world.predictions, "--on", world.benchmark, "--policy", "origin", "-o", world.result)
    return world


def _study(world: World) -> None:
    _succeed("study", "sample", world.benchmark, "-o", world.study, "--margin", "0.3", "--title", LINES)
    for name in "ab":
        token = _succeed("study", "invite", world.study, f"{name}{HOSTILE}").out.strip().rpartition("/")[2]
        with open_vote_store(world.study) as votes:
            judge = votes.find_judge_by_token(token)
            assert judge is not None
            for item in range(4):
                answer = "clone" if name == "a" or item else "not-clone"
                votes.cast(Vote(f"{name}{item}", judge.id, ItemKey(ItemKind.PAIR, item), answer, reason=LINES))


def _succeed(*arguments: object) -> Ran:
    ran = call(*arguments)
    assert ran.code == 0, ran.err
    return ran


def _toml(text: str) -> str:
    return '"' + "".join(f"\\U{ord(one):08X}" for one in text) + '"'


def _benchmark(path: Path) -> None:
    card = Card(LINES, HOSTILE, LINES, HOSTILE, LINES, CRITERION, ("java",), url=HOSTILE, known_flaws=(LINES, HOSTILE))
    ids = [f"{number}{HOSTILE}" for number in range(_FRAGMENTS)]
    topics = [f"{name}{HOSTILE}" for name in "fg"]
    fragments = [
        Fragment(
            one,
            "java",
            function(number) + f"// {LINES.replace(chr(13), ' ')}\n",
            name=HOSTILE,
            project=f"{number % 3}{HOSTILE}",
            path=f"{HOSTILE}/{number}.java",
            first_line=1,
            last_line=6,
        )
        for number, one in enumerate(ids)
    ]
    functionalities = [Functionality(topic, LINES, LINES, LINES) for topic in topics]
    roles = [Role.EXEMPLAR if number < 4 else Role.TAGGED_TRUE for number in range(_FRAGMENTS)]
    memberships = [Membership(one, topics[at % 2], roles[at]) for at, one in enumerate(ids)]
    pairs = [
        Pair(ids[a], ids[b], functionality=topics[0] if (b - a) % 2 == 0 else None, claimed_type=HOSTILE)
        for a in range(_FRAGMENTS)
        for b in range(a + 1, _FRAGMENTS)
    ]
    judges = [Judge(f"{name}{HOSTILE}", kind, LINES, LINES) for name, kind in _JUDGES.items()]
    judgements = [
        Judgement(
            judge.id, CRITERION, ("clone", "not-clone")[(number // 7 + at * number) % 2], pair=number, reason=LINES
        )
        for at, judge in enumerate(judges)
        for number in range(len(pairs))
    ]
    Benchmark.create(path, Dataset(card, fragments, functionalities, memberships, pairs, judges, judgements))


_JUDGES = {"rule": JudgeKind.RULE, "ada": JudgeKind.PERSON, "bob": JudgeKind.PERSON, "llm": JudgeKind.LLM}


def _sources(folder: Path) -> None:
    folder.mkdir()
    for number in range(3):
        text = function(5, lines=20) + f"// {HOSTILE}\n"
        (folder / f"{number}{NAME}.java").write_text(f"class C{number} {{\n{text}}}\n")
    (folder / f"broken{NAME}.java").write_text(f"class {{ {LINES} ((((\n" * 5)
    (folder / f"left{NAME}.py").write_text(f'def f(x):\n    print("{HOSTILE}")\n    return "{HOSTILE}" * x\n')
    (folder / f"right{NAME}.py").write_text(
        f'def f(x):\n    if x > 1: raise type("{HOSTILE}", (Exception,), {{}})("{HOSTILE}")\n    return x + 1\n'
    )
    (folder / "same.py").write_text(f'def {"x" * 5}():\n    return "{HOSTILE}"\n')
