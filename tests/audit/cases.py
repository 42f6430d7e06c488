"""For every rule a benchmark with a finding: the positive examples of the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from clonetruth.execution import BehaviourComparison, CallInput, Difference, Observation, Reason, Strength, Witness
from clonetruth.execution.results import ExecutedSide
from clonetruth.judges import PairEvidence
from clonetruth.model import Role
from tests.audit.drafts import Draft, function


@dataclass(frozen=True)
class Case:
    """A benchmark and what the rule must report on it: count and total of its first finding."""

    draft: Callable[[], Draft]
    count: int
    of: int | None
    thresholds: Mapping[str, float] = field(default_factory=dict)


def _two_functionalities() -> Draft:
    draft = Draft().member("a", "copy").member("b", "copy").member("c", "sort").member("d", "sort")
    return draft.pair("a", "b", "clone").pair("a", "c", "not-clone").pair("b", "d", "not-clone", "ada not-clone")


def _both() -> Draft:
    return _two_functionalities().member("a", "sort")


def _rejected() -> Draft:
    draft = Draft().member("a", "copy", Role.TAGGED_FALSE).member("b", "copy", Role.TAGGED_FALSE).member("c", "copy")
    return draft.pair("a", "b", "not-clone").pair("a", "c", "not-clone")


def _judged() -> Draft:
    draft = Draft().pair("a", "b", "clone", "ada clone", "bob clone").pair("a", "c", "clone", "ada not-clone")
    return draft.pair("b", "c", "clone", "ada clone", "bob not-clone").pair("c", "d", "clone", claimed_type="T1")


def _said_twice() -> Draft:
    """Ada contradicts herself in two rows; Bob repeats himself."""
    draft = Draft().pair("a", "b", None, "ada clone", "bob clone").pair("b", "a", None, "ada not-clone", "bob clone")
    return draft.pair("a", "c", None, "ada clone", "ada clone")


def _types() -> Draft:
    draft = Draft()
    similar = {"claimed_type": "ST3", "claimed_similarity_line": 0.65, "claimed_similarity_token": 0.8}
    draft.pair("a", "b", "clone", **similar, claimed_cut_rule="mean")
    return draft.pair("a", "c", "clone", **{**similar, "claimed_similarity_line": 0.7}, claimed_cut_rule="mean")


def _sizes() -> Draft:
    return Draft().fragment("long", function(1, 60)).fragment("short", function(2, 2)).pair("long", "short", "clone")


def _words() -> Draft:
    draft = Draft()
    for number in range(4):
        draft.fragment(f"f{number}", f"void move{number}(File one) {{ copy(one, {number}); }}").member(
            f"f{number}", "Copy File"
        )
    return draft.fragment("stream", "void pump(Pipe one) { copy(one, 9); }").member("stream", "Copy File")


def _calls() -> Draft:
    draft = Draft().fragment("tree", "void copyTree(Path one) { for (Path two : one) copyFile(two); }")
    draft.fragment("file", "void copyFile(Path one) { Files.move(one); }")
    return draft.member("tree", "Copy Directory").member("file", "Copy File")


def _twins() -> Draft:
    text = function(1)
    draft = Draft().fragment("one", text).fragment("two", text.replace("\n", "\n\n")).fragment("three")
    return draft.member("one", "copy").member("two", "sort").member("three", "sort").pair("one", "two", "not-clone")


def _near() -> Draft:
    text = function(1, 20)
    return (
        Draft()
        .fragment("one", text)
        .fragment("two", text.replace("return", "// changed\n    log(9); return"))
        .fragment("three")
    )


def _stored_twice() -> Draft:
    draft = Draft()
    for number in range(4):
        for copy in ("first", "second"):
            draft.fragment(f"{number}-{copy}", function(number)).member(f"{number}-{copy}", "65")
    return draft.member("other", "66")


def _unequal() -> Draft:
    """One functionality with four members and six pairs, two with two and one."""
    draft = Draft()
    for functionality, ids in (("copy", "abcd"), ("sort", "ef"), ("zip", "gh")):
        for identity in ids:
            draft.member(identity, functionality)
        for at, left in enumerate(ids):
            for right in ids[at + 1 :]:
                draft.pair(left, right, "clone", functionality=functionality, claimed_type="WT3/T4")
    return draft.pair("e", "g", "not-clone").pair("a", "e", "clone", claimed_type="T1")


def _split() -> Draft:
    """Train and test share the pair (a, b), the fragments a, b and c, a text, a functionality and a project."""
    draft = Draft().fragment("a", function(1), project="p").fragment("b", function(2), project="q")
    draft.fragment("c", function(3), project="r").fragment("twin", function(3) + "\n", project="s")
    draft.fragment("near", function(4, 20), project="t")
    draft.fragment("copy", function(4, 20).replace("return", "log(9); return"), project="u")
    for identity in ("a", "b", "c"):
        draft.member(identity, "copy")
    draft.pair("a", "b", "clone", claimed_part="train").pair("c", "near", "not-clone", claimed_part="train")
    return draft.pair("b", "a", "clone", claimed_part="test").pair("twin", "copy", "not-clone", claimed_part="test")


def _seeds() -> Draft:
    draft = Draft()
    for seed in range(2):
        for variant in range(4):
            left, right = f"{seed}-{variant}-first", f"{seed}-{variant}-second"
            draft.fragment(left, function(seed)).fragment(right, function(100 + 10 * seed + variant))
            draft.pair(left, right, "clone", claimed_part="train" if variant else "test")
    return draft


def _semantic() -> Draft:
    draft = Draft(card={"criterion": "equivalent-behaviour"})
    draft.fragment("one", "int f(int a) { return a + 1; }").fragment("two", "int g(int b) { return b + 1; }")
    draft.fragment("three", function(5))
    return draft.pair("one", "two", "clone").pair("one", "three", "clone", "run not-clone")


def _executed() -> Draft:
    """Four pairs that were run: a difference, a weak and a strong search without one, and one that does not parse."""
    draft = Draft(card={"criterion": "equivalent-behaviour"})
    side = ExecutedSide("java", "f")
    seen = (Observation({"int": "1"}), Observation({"int": "2"}))
    found = [
        BehaviourComparison(
            side,
            side,
            (Witness(CallInput(({"int": "7"},)), *seen, (Difference.VALUE,)),),
            {Difference.VALUE: 3},
            Strength(60, 60, 5),
        ),
        BehaviourComparison(side, side, strength=Strength(12, 12, 4)),
        BehaviourComparison(side, side, strength=Strength(90, 90, 9, left_coverage=0.9, right_coverage=1.0)),
        BehaviourComparison(side, side, reason=Reason.PARSE),
    ]
    for number, one in enumerate(found):
        stored = PairEvidence(str(number), one, {}, {}, "2026-01-01T00:00:00+00:00")
        draft.pair("a", f"b{number}", "clone", f"run {stored.value()}")
        draft.judgements[-1] = replace(draft.judgements[-1], evidence=stored.text, reason=stored.reason)
    return draft


def _weak() -> Draft:
    draft = Draft().member("a", "copy").member("b", "copy").pair("a", "b", "clone", functionality="copy")
    for judge in ("ada", "bob"):
        draft.judgement(judge, "major", "a", "copy").judgement(judge, "minor", "b", "copy")
    return draft


def _card(**card: object) -> Callable[[], Draft]:
    return lambda: Draft(card=dict(card)).fragment("a")


def _projects() -> Draft:
    draft = Draft()
    for number in range(4):
        draft.fragment(f"f{number}", project="big" if number < 3 else "small")
    return draft


def _text(*texts: str, language: str = "java") -> Callable[[], Draft]:
    def draft() -> Draft:
        made = Draft(language=language)
        for number, text in enumerate(texts):
            made.fragment(f"f{number}", text)
        return made

    return draft


GOOD = function(9)
BROKEN = "int f( { return 1 "
CPP = "int f() { std::vector<int> v; for (auto x : v) { return x; } return 0; }"

CASES: Mapping[str, Case] = {
    "CT101": Case(_two_functionalities, 1, 2),
    "CT102": Case(_both, 1, 4),
    "CT103": Case(_both, 2, 2),
    "CT104": Case(_rejected, 1, 2),
    "CT105": Case(_two_functionalities, 1, 1),
    "CT106": Case(_judged, 1, 3),
    "CT107": Case(_judged, 1, 3),
    "CT108": Case(lambda: Draft().pair("a", "b", "clone").pair("b", "a", "not-clone").pair("a", "c", "clone"), 1, 2),
    "CT109": Case(lambda: Draft().pair("a", "b", "clone").pair("b", "a", "clone").pair("a", "c", "clone"), 1, 3),
    "CT110": Case(lambda: Draft().pair("a", "a", "clone").pair("a", "b", "clone"), 1, 2),
    "CT111": Case(
        lambda: (
            Draft().pair("a", "b", "clone").pair("b", "c", "clone").pair("a", "c", "not-clone").pair("d", "e", "clone")
        ),
        1,
        4,
    ),
    "CT112": Case(_types, 1, 2),
    "CT113": Case(_sizes, 1, 1),
    "CT114": Case(_words, 1, 5),
    "CT115": Case(_calls, 1, 2),
    "CT116": Case(_judged, 1, 2),
    "CT117": Case(_twins, 1, 1),
    "CT118": Case(_two_functionalities, 1, 2),
    "CT119": Case(_said_twice, 1, 2),
    "CT201": Case(_text(GOOD, BROKEN), 1, 2),
    "CT202": Case(_text(GOOD, GOOD + function(8), "// nothing\nint x = 1;"), 2, 3),
    "CT203": Case(_text("int f(void) { return 1; }", CPP, language="c"), 1, 2),
    "CT204": Case(_twins, 2, 3),
    "CT205": Case(_near, 2, 3),
    "CT206": Case(_twins, 1, 3),
    "CT207": Case(_text(GOOD, "void f() { }"), 1, 2),
    "CT208": Case(_text(GOOD, function(7, 90)), 1, 2),
    "CT209": Case(_stored_twice, 1, 2, {"stored_twice_texts": 3}),
    "CT210": Case(_text(GOOD, GOOD.replace("=", "= '\ufffd' +", 1)), 1, 2),
    "CT211": Case(_text(GOOD, " \n"), 1, 2),
    "CT301": Case(_unequal, 6, 8),
    "CT302": Case(_unequal, 2, 3, {"effective_share": 0.8}),
    "CT303": Case(_unequal, 6, 8),
    "CT304": Case(_unequal, 9, 10),
    "CT305": Case(_unequal, 8, 9),
    "CT306": Case(_unequal, 6, 9),
    "CT307": Case(lambda: Draft().pair("a", "b", "clone"), 1, 1),
    "CT501": Case(_split, 1, 2),
    "CT502": Case(_split, 2, 4),
    "CT503": Case(_split, 1, 4),
    "CT504": Case(_split, 1, 4),
    "CT505": Case(_split, 1, 1),
    "CT506": Case(_split, 2, 4),
    "CT507": Case(_seeds, 2, 2),
    "CT601": Case(_semantic, 1, 2),
    "CT602": Case(_executed, 1, 3),
    "CT603": Case(_judged, 1, 3),
    "CT604": Case(_weak, 1, 1),
    "CT607": Case(_executed, 1, 4),
    "CT608": Case(_executed, 1, 2),
    "CT701": Case(_card(licence="none stated"), 1, 1),
    "CT702": Case(_card(licence="CC-BY-NC-ND-4.0"), 1, 1),
    "CT703": Case(_card(known_flaws=("Collected against the site's terms of use.",)), 1, None),
    "CT802": Case(_projects, 3, 4),
}
