"""From judgements to verdicts."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clonetruth
from clonetruth.errors import InputError, UnknownNameError
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
    VerdictValue,
)
from clonetruth.store import TABLES, Benchmark, DuckDBEngine
from clonetruth.verdicts import POLICIES, judge_verdicts, policy_inputs

ENGINE = DuckDBEngine()
CARD = Card("votes", "1", "Votes.", "MIT", "Nobody", "same-main-purpose", ("java",))
JUDGES = [Judge(f"{kind}-{number}", kind, kind) for kind in JudgeKind for number in (1, 2, 3)]


def votes(*words: str, criterion: str = "same-main-purpose", pair: int = 0) -> list[Judgement]:
    """Judgements from words like "person-1:clone"."""
    split = [word.split(":") for word in words]
    return [Judgement(judge, criterion, value, pair=pair) for judge, value in split]


def seats(*words: str) -> list[Judgement]:
    """Judgements on fragments from words like "execution-1:a:sort:major"."""
    split = [word.split(":") for word in words]
    return [
        Judgement(judge, "implements-functionality", value, fragment=fragment, functionality=functionality)
        for judge, fragment, functionality, value in split
    ]


def benchmark(path: Path, judgements: list[Judgement], **changes: Any) -> Benchmark:
    parts: dict[str, Any] = {
        "card": CARD,
        "fragments": [Fragment(name, "java", name) for name in "abcd"],
        "functionalities": [Functionality(name, name) for name in ("sort", "copy", "sum")],
        "pairs": [Pair("a", "b"), Pair("b", "a"), Pair("a", "c")],
        "judges": JUDGES,
        "judgements": judgements,
    }
    return Benchmark.create(path / "b", Dataset(**{**parts, **changes}), engine=ENGINE)


def first(source: Benchmark, policy: str = "default", criterion: str | None = None) -> dict[str, Any]:
    row: dict[str, Any] = judge_verdicts(source, policy, criterion).table.to_pylist()[0]
    return row


@pytest.mark.parametrize(
    ("words", "verdict", "confidence", "counted", "reason"),
    [
        (["person-1:clone"], "clone", 1.0, 1, "1 of 1 judgements that count agree"),
        (["person-1:clone", "llm-1:clone", "execution-1:not-clone"], "clone", 2 / 3, 3, "2 of 3"),
        (["person-1:not-clone", "person-2:undecided"], "not-clone", 1.0, 1, "1 of 1"),
        (["person-1:clone", "person-2:not-clone"], "unknown", None, 2, "a tie of 1 to 1"),
        (
            ["person-1:undecided", "llm-1:undecided"],
            "unknown",
            None,
            0,
            "every judge that counts is undecided",
        ),
        (["rule-1:clone", "rule-2:clone"], "unknown", None, 0, "only judges that do not count"),
        (["tool-1:clone"], "unknown", None, 0, "only judges that do not count"),
        (["rule-1:clone", "tool-1:clone", "person-1:not-clone"], "not-clone", 1.0, 1, "1 of 1"),
    ],
)
def test_the_default_policy_counts_evidence(
    tmp_path: Path, words: list[str], verdict: str, confidence: float | None, counted: int, reason: str
) -> None:
    row = first(benchmark(tmp_path, votes(*words)))
    assert (row["verdict"], row["confidence"], row["judgements"]) == (verdict, confidence, counted)
    assert reason in row["reason"]


def test_every_pair_has_one_verdict_and_unmentioned_ones_are_unknown(tmp_path: Path) -> None:
    found = judge_verdicts(benchmark(tmp_path, votes("person-1:clone", pair=2)))
    assert found.table.schema.equals(TABLES["verdicts"].schema)
    assert found.table["pair"].to_pylist() == [0, 1, 2]
    assert found.table["verdict"].to_pylist() == ["unknown", "unknown", "clone"]
    assert found.table["reason"][0].as_py() == "nobody speaks of it under this criterion"
    assert found.counts == {VerdictValue.CLONE: 1, VerdictValue.NOT_CLONE: 0, VerdictValue.UNKNOWN: 2}


def test_criteria_are_never_mixed(tmp_path: Path) -> None:
    source = benchmark(
        tmp_path,
        votes("person-1:clone") + votes("person-1:not-clone", "person-2:not-clone", criterion="textual"),
    )
    assert first(source)["verdict"] == "clone"
    assert first(source, criterion="textual")["verdict"] == "not-clone"


@pytest.mark.parametrize(
    ("times", "values", "verdict"),
    [
        ([None, None], ["clone", "not-clone"], "later"),
        (["2026-01-02", "2026-01-01"], ["clone", "not-clone"], "clone"),
        (["2026-01-01", None], ["clone", "not-clone"], "clone"),
        ([None, "2026-01-01"], ["clone", "not-clone"], "not-clone"),
        (["2026-01-01", "2026-01-01"], ["clone", "not-clone"], "later"),
        ([None, None], ["clone", "undecided"], "unknown"),
    ],
)
@pytest.mark.parametrize("later_part", [False, True])
def test_a_changed_mind_counts_once_by_time_then_by_arrival(
    tmp_path: Path, times: list[str | None], values: list[str], verdict: str, later_part: bool
) -> None:
    """What arrives together at one time has no order: then nothing says which answer is meant."""
    if verdict == "later":
        verdict = values[1] if later_part else "unknown"
    judgements = [
        Judgement("person-1", "same-main-purpose", value, pair=0, time=time)
        for time, value in zip(times, values, strict=True)
    ]
    source = benchmark(tmp_path, judgements[:1] if later_part else judgements)
    if later_part:
        source.append_judgements([], judgements[1:])
    row = first(source)
    assert row["verdict"] == verdict
    assert row["judgements"] <= 1


ANSWERS = ("clone", "not-clone", "undecided")
GIVEN = st.lists(
    st.tuples(
        st.sampled_from(["person-1", "person-2", "rule-1"]), st.sampled_from([0, 1, 2]), st.sampled_from(ANSWERS)
    ),
    max_size=8,
)


@settings(max_examples=15)
@given(given=GIVEN, data=st.data())
def test_no_verdict_depends_on_the_order_of_rows_that_arrive_together(
    given: list[tuple[str, int, str]], data: st.DataObject
) -> None:
    """The policies on any judgements, against the same judgements in another order, and a model in Python."""
    shuffled = data.draw(st.permutations(given))
    assert concluded("default", given) == expected(given, "person")
    assert concluded("origin", shuffled) == expected(given, "rule")
    assert concluded("dawid-skene", given) == concluded("dawid-skene", shuffled)


def concluded(policy: str, given: list[tuple[str, int, str]]) -> list[str]:
    """The verdicts on three rows, of which the first two are one pair, from judgements that arrive together."""
    judges = pa.table(
        {"judge": [one.id for one in JUDGES], "kind": [str(one.kind) for one in JUDGES], "settings": ["{}"] * 15}
    )
    nothing = pa.nulls(len(given), pa.int64())
    tables = {
        "pairs": pa.table({"pair": [0, 1, 2], "pair_key": [7, 7, 8], "functionality": pa.nulls(3, pa.int64())}),
        "judges": judges,
        "judgements": pa.table(
            {
                "judge": pa.array([judge for judge, _, _ in given], pa.string()),
                "criterion": pa.array([CARD.criterion] * len(given), pa.string()),
                "pair": pa.array([pair for _, pair, _ in given], pa.int64()),
                "value": pa.array([value for _, _, value in given], pa.string()),
                "time": nothing.cast(pa.timestamp("us", tz="UTC")),
                "sequence": pa.array([0] * len(given), pa.int64()),
            }
        ),
        **policy_inputs(POLICIES[policy], CARD.criterion, judges),
    }
    found = ENGINE.sql(POLICIES[policy].sql, tables)
    conclude = POLICIES[policy].conclude
    verdicts: list[str] = (found if conclude is None else conclude(found))["verdict"].to_pylist()
    return verdicts


def expected(given: list[tuple[str, int, str]], kind: str) -> list[str]:
    """The majority of the judges of a kind who do not contradict themselves; rows 0 and 1 are one pair."""
    verdicts = []
    for pair in (0, 1, 2):
        balance = 0
        for judge in {judge for judge, _, _ in given if judge.startswith(kind)}:
            answers = {value for who, row, value in given if who == judge and (row == 2) == (pair == 2)}
            own = {value for who, row, value in given if who == judge and row == pair}
            if own and len(answers) == 1:
                balance += {"clone": 1, "not-clone": -1, "undecided": 0}[answers.pop()]
        verdicts.append("clone" if balance > 0 else "not-clone" if balance < 0 else "unknown")
    return verdicts


def test_a_judge_who_contradicts_itself_has_not_decided(tmp_path: Path) -> None:
    source = benchmark(
        tmp_path, votes("person-1:clone", "person-1:not-clone") + votes("person-2:clone", "person-2:clone", pair=2)
    )
    one, _, other = judge_verdicts(source).table.to_pylist()
    assert (one["verdict"], one["judgements"], one["reason"]) == ("unknown", 0, "a judge contradicts itself")
    assert (other["verdict"], other["judgements"]) == ("clone", 1)
    assert source.counts["judgements"] == 4, "both answers are kept"
    source.append_judgements([], votes("person-1:not-clone"))
    assert first(source)["verdict"] == "not-clone", "a later answer settles it"


def test_two_rows_of_one_pair_contradict_each_other_unless_they_name_two_functionalities(tmp_path: Path) -> None:
    labels = votes("rule-1:clone") + votes("rule-1:not-clone", pair=1) + votes("rule-1:clone", pair=2)
    plain = judge_verdicts(benchmark(tmp_path, labels), "origin").table
    assert plain["verdict"].to_pylist() == ["unknown", "unknown", "clone"]
    assert plain["reason"].to_pylist()[:2] == ["a judge contradicts itself"] * 2
    (tmp_path / "named").mkdir()
    named = [Pair("a", "b", "sort"), Pair("b", "a", "copy"), Pair("a", "c", "sort")]
    apart = judge_verdicts(benchmark(tmp_path / "named", labels, pairs=named), "origin").table
    assert apart["verdict"].to_pylist() == ["clone", "not-clone", "clone"]


def test_rows_of_an_earlier_version_that_arrived_together_have_no_order_either(tmp_path: Path) -> None:
    """clonetruth 0.1 numbered the rows of the first part."""
    source = benchmark(tmp_path, votes("person-1:clone", "person-1:not-clone"))
    part = source.parquet("judgements")[0]
    table = pq.read_table(part)
    numbered = table.set_column(table.schema.get_field_index("sequence"), "sequence", pa.array([0, 1], pa.int64()))
    pq.write_table(numbered, part)
    rows = source.sql(
        POLICIES["default"].sql, **policy_inputs(POLICIES["default"], CARD.criterion, source.table("judges"))
    )
    assert rows["verdict"][0].as_py() == "unknown"


def test_origin_believes_the_dataset_and_says_so(tmp_path: Path) -> None:
    source = benchmark(tmp_path, votes("rule-1:clone", "person-1:not-clone", "person-2:not-clone"))
    assert first(source)["verdict"] == "not-clone"
    assert first(source, "origin")["verdict"] == "clone"
    assert judge_verdicts(source, "origin").assumptions == ("The dataset's own labels are believed without evidence.",)
    assert judge_verdicts(source).assumptions == ()


def consensus_judge(kind: JudgeKind, *members: str) -> Judge:
    """A consensus judge for some judges."""
    return Judge("joint", kind, "Joint", settings={"speaks_for": list(members)})


@pytest.mark.parametrize(
    ("words", "verdict", "counted"),
    [
        (["person-1:not-clone", "person-2:not-clone", "joint:clone"], "clone", 1),
        (["person-1:clone", "person-2:not-clone", "joint:undecided"], "unknown", 0),
        (["person-1:clone", "person-2:clone", "joint:not-clone", "person-3:clone"], "unknown", 2),
        (["person-1:clone", "person-2:clone"], "clone", 2),
    ],
)
def test_a_consensus_judge_replaces_its_members(tmp_path: Path, words: list[str], verdict: str, counted: int) -> None:
    judges = [*JUDGES, consensus_judge(JudgeKind.PERSON, "person-1", "person-2")]
    row = first(benchmark(tmp_path, votes(*words), judges=judges))
    assert (row["verdict"], row["judgements"]) == (verdict, counted)


def test_a_consensus_judge_replaces_them_on_one_pair_and_under_one_criterion_only(tmp_path: Path) -> None:
    elsewhere = votes("joint:clone", pair=1) + votes("joint:clone", criterion="textual")
    judges = [*JUDGES, consensus_judge(JudgeKind.PERSON, "person-1")]
    assert first(benchmark(tmp_path, votes("person-1:not-clone") + elsewhere, judges=judges))["verdict"] == "not-clone"


def test_a_consensus_judge_replaces_its_members_on_a_fragment_too(tmp_path: Path) -> None:
    words = seats("person-1:a:sort:wrong", "person-2:a:sort:wrong", "joint:a:sort:major", "person-1:b:sort:major")
    judges = [*JUDGES, consensus_judge(JudgeKind.PERSON, "person-1", "person-2")]
    assert first(benchmark(tmp_path, words, judges=judges), "members")["verdict"] == "clone"


DISJOINT = {"card": dataclasses.replace(CARD, problems_disjoint=True)}
ELSEWHERE = {"memberships": [Membership("a", "copy", Role.TAGGED_TRUE)]}


@pytest.mark.parametrize(
    ("words", "changes", "verdict", "reason"),
    [
        (["execution-1:a:sort:major", "execution-1:b:sort:major"], {}, "clone", "both implement the same"),
        (["rule-1:a:sort:major", "rule-1:b:sort:major"], {}, "unknown", "no evidence"),
        (["execution-1:a:sort:major"], {}, "unknown", "no evidence of what both implement"),
        (["execution-1:a:sort:major", "execution-1:b:copy:major"], {}, "unknown", "which may overlap"),
        (["execution-1:a:sort:major", "execution-1:b:copy:major"], DISJOINT, "not-clone", "calls disjoint"),
        # A shared functionality wins over another that is not shared.
        (
            ["execution-1:a:sort:major", "execution-1:a:copy:major", "execution-1:b:copy:major"],
            DISJOINT,
            "clone",
            "both implement",
        ),
        # b is known to copy; whether a copies too is open, so they are not apart.
        (
            ["person-1:a:sort:major", "person-1:b:copy:major", "person-1:a:copy:minor"],
            DISJOINT,
            "unknown",
            "is open",
        ),
        (
            ["person-1:a:sort:major", "person-1:b:copy:major", "person-1:a:copy:undecided"],
            DISJOINT,
            "unknown",
            "is open",
        ),
        (["person-1:a:sort:major", "person-1:b:copy:major"], {**DISJOINT, **ELSEWHERE}, "unknown", "is open"),
        (
            ["person-1:a:sort:major", "person-1:b:copy:major", "person-1:a:copy:wrong"],
            {**DISJOINT, **ELSEWHERE},
            "not-clone",
            "calls disjoint",
        ),
        # Judges that disagree on a membership leave it open.
        (
            ["person-1:a:sort:major", "person-2:a:sort:wrong", "person-1:b:sort:major"],
            DISJOINT,
            "unknown",
            "is open",
        ),
        (
            ["person-1:a:sort:major", "person-2:a:sort:major", "llm-1:a:sort:wrong", "person-1:b:sort:major"],
            {},
            "clone",
            "both implement",
        ),
        # Labels that are all less than major have that in common; two denials deny.
        (
            ["person-1:a:sort:minor", "person-1:a:sort:wrong", "person-1:b:sort:major", "person-1:a:copy:major"],
            DISJOINT,
            "unknown",
            "is open",
        ),
        (
            ["person-1:a:sort:test", "person-1:a:sort:wrong", "person-1:b:sort:major", "person-1:a:copy:major"],
            DISJOINT,
            "not-clone",
            "calls disjoint",
        ),
        # A judge who contradicts itself has not decided here either.
        (
            ["person-1:a:sort:wrong", "person-1:a:sort:major", "person-1:b:sort:major"],
            {},
            "unknown",
            "is open",
        ),
    ],
)
def test_members(tmp_path: Path, words: list[str], changes: dict[str, Any], verdict: str, reason: str) -> None:
    found = judge_verdicts(benchmark(tmp_path, seats(*words), **changes), "members")
    row, mirrored = found.table.to_pylist()[:2]
    assert row["verdict"] == mirrored["verdict"] == verdict
    assert reason in row["reason"]


def test_the_latest_word_of_a_judge_counts_for_members_too(tmp_path: Path) -> None:
    source = benchmark(tmp_path, seats("person-1:a:sort:wrong", "person-1:b:sort:major"))
    source.append_judgements([], seats("person-1:a:sort:major"))
    assert first(source, "members")["verdict"] == "clone"


def test_members_confidence_and_assumptions(tmp_path: Path) -> None:
    words = ["person-1:a:sort:major", "person-2:a:sort:major", "llm-1:a:sort:minor", "person-1:b:sort:major"]
    plain = benchmark(tmp_path, seats(*words))
    row = first(plain, "members")
    assert (row["confidence"], row["judgements"]) == (2 / 3, 4)
    assert len(judge_verdicts(plain, "members").assumptions) == 1
    (tmp_path / "other").mkdir()
    disjoint = benchmark(tmp_path / "other", seats(*words), **DISJOINT)
    assert "calls them disjoint" in judge_verdicts(disjoint, "members").assumptions[1]


def test_verdicts_are_materialised_once_for_a_state_of_the_judgements(tmp_path: Path) -> None:
    source = benchmark(tmp_path, votes("person-1:clone"))
    one = judge_verdicts(source)
    stamp = one.path.stat().st_mtime_ns
    assert one.path.name == f"default-{one.digest}.parquet"
    assert judge_verdicts(Benchmark.open(source.path, engine=ENGINE)).path == one.path
    assert one.path.stat().st_mtime_ns == stamp
    source.append_judgements([], votes("person-2:not-clone"))
    two = judge_verdicts(source)
    assert two.path != one.path
    assert two.table["verdict"][0].as_py() == "unknown"
    assert pq.read_table(one.path)["verdict"][0].as_py() == "clone"
    assert source.metadata(f"verdicts/default-{two.digest}")["judgements_hash"] == source.judgements_hash


@pytest.mark.parametrize(
    ("policy", "criterion", "message"),
    [
        ("default", "functionally-similar", "no judgements under.*can read: same-main-purpose, textual"),
        ("default", "beauty", "There is no criterion 'beauty'.*same-main-purpose"),
        ("default", "implements-functionality", "cannot read the criterion"),
        ("members", "textual", "cannot read the criterion 'textual'.*: none"),
        ("members", None, "no judgements under the criterion 'implements-functionality'"),
    ],
)
def test_a_criterion_that_cannot_be_used_is_told_with_those_that_can(
    tmp_path: Path, policy: str, criterion: str | None, message: str
) -> None:
    source = benchmark(tmp_path, votes("person-1:clone") + votes("person-1:clone", criterion="textual"))
    with pytest.raises(InputError, match=message):
        judge_verdicts(source, policy, criterion)
    assert source.names("verdicts") == []


def test_an_unknown_policy_is_told_with_those_that_exist(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'default'"):
        judge_verdicts(benchmark(tmp_path, []), "defualt")
    assert {"default", "members", "origin", "majority", "dawid-skene"} <= set(POLICIES)
    assert all(POLICIES[name].name == name for name in POLICIES)


def test_verdicts_are_shown_with_their_counts(tmp_path: Path) -> None:
    found = judge_verdicts(benchmark(tmp_path, votes("person-1:clone", "rule-1:clone")), "origin")
    assert repr(found) == (
        "<VerdictTable of votes 1: 1 clone, 0 not-clone, 2 unknown (policy origin, criterion same-main-purpose)>"
    )
    html = found._repr_html_()
    assert "<table" in html
    assert "33.3" in html
    assert "believed without evidence" in html


def test_importing_verdicts_loads_no_parser() -> None:
    script = "import sys, clonetruth.verdicts; print(*(name for name in sys.modules if name.startswith('tree_sitter')))"
    assert subprocess.run([sys.executable, "-c", script], check=True, capture_output=True).stdout.strip() == b""


def test_the_latest_judgement_is_defined_once() -> None:
    """Every query that picks a judge's latest judgement uses `standing_sql`."""
    package = Path(clonetruth.__file__).parent
    by_hand = [
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "g.sequence END" in path.read_text(encoding="utf-8")
    ]
    assert by_hand == ["verdicts/policy_sql.py"]
