"""What `judge execute` runs: the pairs that were asked for, and the fragments that their source has tests for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth import __version__
from clonetruth.errors import InputError
from clonetruth.execution import CallInput, Code, SearchBudget
from clonetruth.execution.inputs.domains import InputDomain
from clonetruth.execution.literal_calls import read_calls
from clonetruth.execution.search import inputs_digest
from clonetruth.execution.values import Value
from clonetruth.judges.stated_domains import stated_domains
from clonetruth.judges.user_inputs import UserInputs
from clonetruth.model import CRITERIA
from clonetruth.store import Benchmark, hash_json
from clonetruth.store.sampling import check_condition

COLUMNS: Mapping[str, str] = {
    "pair": "Key in `pairs`.",
    "functionality": "Id of the functionality that the source names.",
    "claimed_type": "Clone type that the source claims.",
    "claimed_part": "Part of the source's own split.",
    "label": "Claim of the dataset's own rule: `clone` or `not-clone`; a claimed clone type counts as `clone`.",
    **{
        f"{side}_{name}": f"{name.capitalize()} of the {side} fragment."
        for side in ("left", "right")
        for name in ("id", "language", "kind", "name", "project", "path")
    },
}
"""The columns that a condition can use."""

_CANDIDATES = """
SELECT p.pair AS pair, p.left AS left_key, p.right AS right_key, f.id AS functionality,
    p.functionality AS functionality_key, p.claimed_type AS claimed_type, p.claimed_part AS claimed_part,
    CASE WHEN c.least = c.most AND c.least IN ('clone', 'not-clone') THEN c.least
        WHEN c.least IS NULL AND p.claimed_type IS NOT NULL THEN 'clone' END AS label,
    l.id AS left_id, l.language AS left_language, l.kind AS left_kind, l.name AS left_name, l.project AS left_project,
    l.path AS left_path, r.id AS right_id, r.language AS right_language, r.kind AS right_kind, r.name AS right_name,
    r.project AS right_project, r.path AS right_path
FROM pairs p
JOIN fragments l ON p.left = l.fragment
JOIN fragments r ON p.right = r.fragment
LEFT JOIN functionalities f ON p.functionality = f.functionality
LEFT JOIN (
    SELECT g.pair AS pair, min(g.value) AS least, max(g.value) AS most
    FROM judgements g
    JOIN judges j ON g.judge = j.judge
    WHERE j.kind = 'rule' AND g.criterion = '{criterion}' AND g.pair IS NOT NULL
    GROUP BY g.pair
) c ON p.pair = c.pair
"""

_CHOSEN = """
SELECT pair, left_key, right_key, functionality, functionality_key, label, left_id, right_id, left_language,
    right_language
FROM ({candidates}) candidates
WHERE (
{condition}
)
ORDER BY {order}
{limit}
"""

_TEXTS = "SELECT f.fragment AS fragment, f.text AS text FROM fragments f JOIN wanted w ON f.fragment = w.fragment"

_MEMBERS = """
SELECT DISTINCT m.fragment AS fragment, f.id AS fragment_id, f.language AS language, m.functionality AS functionality,
    u.id AS functionality_id
FROM memberships m
JOIN wanted w ON m.fragment = w.fragment
JOIN fragments f ON m.fragment = f.fragment
JOIN functionalities u ON m.functionality = u.functionality
ORDER BY fragment, functionality
"""


@dataclass(frozen=True)
class SelectedPair:
    """A pair of the benchmark that is judged.

    Attributes:
        pair: its key.
        left_id: the id of the left fragment.
        right_id: the id of the right fragment.
        label: what the dataset's own rule says: clone, not-clone, or None.
        left: the left code.
        right: the right code.
        inputs: inputs of the tests that the source brings.
        domain: the inputs that the specification permits; None if none is stated.
    """

    pair: int
    left_id: str
    right_id: str
    label: str | None
    left: Code
    right: Code
    inputs: tuple[CallInput, ...] = ()
    domain: InputDomain | None = None

    @property
    def has_equal_texts(self) -> bool:
        """Whether both are the same code."""
        return self.left == self.right


@dataclass(frozen=True)
class SelectedFragment:
    """A fragment of a functionality that the source has a test for.

    Attributes:
        fragment: the id of the fragment.
        functionality: the id of the functionality.
        code: the fragment.
        before: the text of the test program before the fragment; None if the test is a list of calls.
        after: the text after it.
        calls: the calls, as `literal_calls.read_calls` reads them.
    """

    fragment: str
    functionality: str
    code: Code
    before: str | None = None
    after: str | None = None
    calls: str | None = None


@dataclass(frozen=True)
class ExecutionSetup:
    """What a result depends on besides the code.

    Attributes:
        budget: how long to search.
        versions: what runs each language.
    """

    budget: SearchBudget
    versions: Mapping[str, str]

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that the evidence records."""
        return {"runs": self.budget.runs, "seconds": self.budget.seconds, "seed": self.budget.seed}

    def versions_of(self, *codes: Code) -> dict[str, str]:
        """The versions of what ran some code."""
        known = {code.language: self.versions[code.language] for code in codes if code.language in self.versions}
        return {"clonetruth": __version__, **dict(sorted(known.items()))}

    def pair_key(self, pair: SelectedPair) -> str:
        """Identifies the run of a pair."""
        return hash_json(
            {
                "left": [pair.left.language, pair.left.text],
                "right": [pair.right.language, pair.right.text],
                "inputs": inputs_digest(pair.inputs),
                **({} if pair.domain is None else {"domain": pair.domain.text}),
                "settings": self.settings,
                "versions": self.versions_of(pair.left, pair.right),
            }
        )

    def fragment_key(self, one: SelectedFragment) -> str:
        """Identifies the run of a fragment with its tests."""
        return hash_json(
            {
                "fragment": [one.code.language, one.code.text],
                "test": [one.before, one.after, one.calls],
                "versions": self.versions_of(one.code),
            }
        )


@dataclass(frozen=True)
class _SourceTest:
    functionality: int
    language: str | None
    before: str | None
    after: str | None
    calls: str | None

    def read(self) -> list[tuple[CallInput, Value]]:
        """The calls with their results.

        Raises:
            InputError: they cannot be read.
        """
        try:
            return read_calls(self.calls or "[]")
        except ValueError as error:
            raise InputError(f"The tests of the benchmark are damaged: {error}.") from error

    @property
    def has_results(self) -> bool:
        """Whether it says what a call should do; a standard input alone does not."""
        return any(result is not None or not call.stdin for call, result in self.read())


def select_pairs(
    benchmark: Benchmark,
    where: str | None,
    limit: int | None,
    seed: int,
    domains: Path | None = None,
    inputs: Path | None = None,
) -> list[SelectedPair]:
    """The pairs that fulfil a condition, in their order, or a number of them drawn at random.

    Args:
        benchmark: where they are.
        where: the condition.
        limit: how many.
        seed: random seed of the draw.
        domains: a file that states which inputs are permitted, instead of what the source states.
        inputs: a file with inputs to try first, before those of the source's tests.

    Raises:
        InputError: the condition is not one, reads something else than the benchmark, or uses an unknown column; or no
            pair fulfils it.
    """
    if where is not None:
        check_condition(where)
    chosen = _CHOSEN.format(
        candidates=_CANDIDATES.format(criterion=CRITERIA[benchmark.card.criterion].name),
        condition=where or "1 = 1",
        order="pair" if limit is None else f"md5(concat(CAST(pair AS STRING), '{int(seed)}')), pair",
        limit="" if limit is None else f"LIMIT {int(limit)}",
    )
    try:
        rows = benchmark.untrusted_sql(chosen).to_pylist()
    except InputError as error:
        hint = f"Columns: {', '.join(COLUMNS)}."
        raise InputError(f"The condition cannot be evaluated: {error.what}", where=where, hint=hint) from error
    if not rows:
        raise InputError("No pair fulfils the condition." if where else "There are no pairs.", where=benchmark.path)
    texts = _texts(benchmark, {key for row in rows for key in (row["left_key"], row["right_key"])})
    given = _GivenInputs.of(benchmark, rows)
    own = UserInputs.read(inputs, benchmark) if inputs is not None else UserInputs()
    permitted = stated_domains(benchmark, domains)
    return [
        SelectedPair(
            pair=row["pair"],
            left_id=row["left_id"],
            right_id=row["right_id"],
            label=row["label"],
            left=Code(texts[row["left_key"]], row["left_language"]),
            right=Code(texts[row["right_key"]], row["right_language"]),
            inputs=(*own.of(row["functionality"]), *given.of_pair(row)),
            domain=permitted.get(row["functionality"]),
        )
        for row in rows
    ]


def select_fragments(benchmark: Benchmark, pairs: Sequence[SelectedPair]) -> list[SelectedFragment]:
    """The fragments of the pairs that the source has tests for, once for each functionality."""
    tests = _tests(benchmark)
    if not tests:
        return []
    ids = {one for pair in pairs for one in (pair.left_id, pair.right_id)}
    keys = [
        row["fragment"] for row in benchmark.sql("SELECT fragment, id FROM fragments").to_pylist() if row["id"] in ids
    ]
    members = benchmark.sql(_MEMBERS, wanted=_keys(keys)).to_pylist()
    texts = _texts(benchmark, set(keys))
    found = []
    for row in members:
        test = _test_for(tests.get(row["functionality"], ()), row["language"])
        if test is not None:
            code = Code(texts[row["fragment"]], row["language"])
            found.append(
                SelectedFragment(row["fragment_id"], row["functionality_id"], code, test.before, test.after, test.calls)
            )
    return found


def _test_for(tests: Sequence[_SourceTest], language: str) -> _SourceTest | None:
    """The test program in the fragment's language, else calls, which any language can make."""
    programs = [one for one in tests if one.language == language and one.after is not None]
    calls = [one for one in tests if one.language in (None, language) and one.has_results]
    return next(iter([*programs, *calls]), None)


def _texts(benchmark: Benchmark, keys: set[int]) -> dict[int, str]:
    found = benchmark.sql(_TEXTS, wanted=_keys(sorted(keys)))
    return dict(zip(found["fragment"].to_pylist(), found["text"].to_pylist(), strict=True))


def _keys(keys: Sequence[int]) -> Any:
    import pyarrow as pa

    return pa.table({"fragment": pa.array(keys, pa.int64())})


def _tests(benchmark: Benchmark) -> dict[int, list[_SourceTest]]:
    found: dict[int, list[_SourceTest]] = {}
    for name in benchmark.names("tests"):
        for row in benchmark.table(f"tests/{name}").to_pylist():
            found.setdefault(row["functionality"], []).append(_SourceTest(**row))
    return found


@dataclass(frozen=True)
class _GivenInputs:
    """The inputs of the tests of each functionality, and the functionalities of fragments whose pair has none."""

    by_functionality: Mapping[int, tuple[CallInput, ...]]
    functionalities: Mapping[int, Sequence[int]]

    @classmethod
    def of(cls, benchmark: Benchmark, pairs: Sequence[Mapping[str, Any]]) -> _GivenInputs:
        inputs = _inputs_of_tests(_tests(benchmark))
        across = [row for row in pairs if row["functionality_key"] is None]
        members: dict[int, list[int]] = {}
        if inputs and across:
            keys = sorted({key for row in across for key in (row["left_key"], row["right_key"])})
            for row in benchmark.sql(_MEMBERS, wanted=_keys(keys)).to_pylist():
                members.setdefault(row["fragment"], []).append(row["functionality"])
        return cls(inputs, members)

    def of_pair(self, row: Mapping[str, Any]) -> tuple[CallInput, ...]:
        """Those of the pair's functionality that somebody gave: where two of its solutions differ on one that was made,
        solutions do not agree on it. Programs of two functionalities get the standard inputs of both, since what one is
        meant to read shows whether the other does the same."""
        if row["functionality_key"] is not None:
            return tuple(one for one in self.by_functionality.get(row["functionality_key"], ()) if not one.agreed)
        names = [one for side in ("left_key", "right_key") for one in self.functionalities.get(row[side], ())]
        found = [one for name in dict.fromkeys(names) for one in self.by_functionality.get(name, ()) if one.stdin]
        return tuple({repr(one): one for one in found}.values())


def _inputs_of_tests(tests: Mapping[int, Sequence[_SourceTest]]) -> dict[int, tuple[CallInput, ...]]:
    """The inputs of the calls of each functionality."""
    found: dict[int, tuple[CallInput, ...]] = {}
    for functionality, ones in tests.items():
        inputs = {repr(call): call for one in ones for call, _ in one.read()}
        if inputs:
            found[functionality] = tuple(inputs.values())
    return found
