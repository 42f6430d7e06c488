"""Studies in which people or models judged pairs: bcb406, iwsc100, the GPT-4o logs, Oreo's precision sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import nan

from clonetruth.evaluate.labels.precision import judged_precision
from clonetruth.formats.comparisonlog import read_comparisons
from clonetruth.formats.tables import read_rows
from clonetruth.literature.checks.context import CheckContext, listed
from clonetruth.stats.agreement import JudgePair, Ratings, judge_pairs
from clonetruth.stats.sample_size import Allocation, plan_sample
from clonetruth.store import Benchmark

_NAMES = ("bigclonebench", "functionalities.csv")
_VALUES = ("clone", "not-clone")


def _bcb406(context: CheckContext) -> Benchmark:
    folder = context.path("bcb406")
    others = [path for path in (folder / "unlabelled_pairs.csv",) if path.exists()]
    return context.benchmark("bcb406", folder, *others)


def _functionality_ids(context: CheckContext) -> dict[str, str]:
    """The ids of BigCloneBench's functionalities, by name."""
    return {row.values["name"]: str(row.values["functionality_id"]) for row in read_rows(context.path(*_NAMES))}


def _pairs_by_functionality(context: CheckContext) -> Counter[str]:
    """The number of sampled pairs of each functionality."""
    benchmark = _bcb406(context)
    ids = dict(listed(benchmark.table("functionalities"), "functionality", "id"))
    return Counter(ids[key] for (key,) in listed(benchmark.table("pairs"), "functionality") if key is not None)


def _verdicts(benchmark: Benchmark, judge: str) -> dict[int, str]:
    """The answers of a judge on pairs."""
    rows = listed(benchmark.table("judgements"), "judge", "pair", "value")
    return {pair: value for name, pair, value in rows if name == judge and pair is not None}


def sampled(context: CheckContext, *, what: str) -> float:
    """Counts of the 406-pair sample: `pairs`, `methods`, or `repeated` methods, which occur in several pairs."""
    pairs = _bcb406(context).table("pairs")
    sides = Counter(side for row in listed(pairs, "left", "right") for side in row)
    counts: dict[str, int] = {
        "pairs": pairs.num_rows,
        "methods": len(sides),
        "repeated": sum(n > 1 for n in sides.values()),
    }
    return counts[what]


def sampled_pairs(context: CheckContext, *, functionality: str) -> float:
    """The number of sampled pairs of a functionality, by its name."""
    return _pairs_by_functionality(context)[_functionality_ids(context)[functionality]]


def sampled_rank(context: CheckContext, *, functionality: str) -> float:
    """The place of a functionality among all, by the number of sampled pairs."""
    counts = _pairs_by_functionality(context)
    own = counts[_functionality_ids(context)[functionality]]
    return 1 + sum(count > own for count in counts.values())


def nearest_share(context: CheckContext, *, functionality: str, reported: float) -> float:
    """The share of a functionality's sampled pairs that is nearest to a printed one: whole pairs permit no other."""
    whole = sampled_pairs(context, functionality=functionality)
    return round(reported * whole) / whole


def not_clones(context: CheckContext, *, judge: str = "person:bcb406-agreed") -> float:
    """The share of the judged pairs that a judge of bcb406 calls wrong."""
    values = Counter(_verdicts(_bcb406(context), judge).values())
    return values["not-clone"] / (values["clone"] + values["not-clone"])


def _between(votes: Iterable[tuple[int, str, str]], values: tuple[str, ...]) -> JudgePair:
    (pair,) = judge_pairs(Ratings.of(votes, values))
    return pair


def _number(pair: JudgePair, statistic: str) -> float:
    found = {"kappa": pair.cohen_kappa, "agreement": pair.agreement, "subjects": float(pair.subjects)}[statistic]
    return nan if found is None else found


def experts(context: CheckContext, *, source: str, statistic: str) -> float:
    """Agreement of the two experts of bcb406 or iwsc100 on pairs: `kappa`, `agreement` or `subjects`."""
    benchmark = _bcb406(context) if source == "bcb406" else context.benchmark(source, context.path("bcb406"))
    votes = (
        (pair, judge, value)
        for judge in (f"person:{source}-1", f"person:{source}-2")
        for pair, value in _verdicts(benchmark, judge).items()
    )
    return _number(_between(votes, _VALUES), statistic)


def methods(context: CheckContext, *, statistic: str) -> float:
    """Agreement of the two experts of bcb406 on methods (major or not), by the first labelling of each file."""
    benchmark = _bcb406(context)
    first: dict[tuple[int, str], str] = {}
    rows = listed(benchmark.table("judgements"), "judge", "fragment", "value", "source_row")
    for judge, fragment, value, _ in sorted((row for row in rows if row[1] is not None), key=lambda row: row[3]):
        if not judge.endswith("agreed"):
            first.setdefault((fragment, judge), "clone" if value == "major" else "not-clone")
    return _number(_between(((key[0], key[1], value) for key, value in first.items()), _VALUES), statistic)


def model_and_experts(context: CheckContext, *, statistic: str) -> float:
    """The first GPT-4o log against the experts' final verdict: `kappa`, `agreement`, or the number of `conflicts`."""
    benchmark = _bcb406(context)
    final = _verdicts(benchmark, "person:bcb406-agreed")
    ids = dict(listed(benchmark.table("fragments"), "fragment", "id"))
    pairs = {
        (ids[left], ids[right]): pair for pair, left, right in listed(benchmark.table("pairs"), "pair", "left", "right")
    }
    answers: dict[int, str] = {}
    for block in read_comparisons(context.path("bcb406", "openai.1-gpt-4o.log.xz")):
        if not isinstance(block, int) and (pair := pairs.get((block.left, block.right))) is not None:
            answers[pair] = "not-clone" if "NO-NOT-SIMILAR" in block.response else "clone"
    votes = [(pair, "people", value) for pair, value in final.items() if pair in answers]
    votes += [(pair, "model", value) for pair, value in answers.items() if pair in final]
    found = _between(votes, _VALUES)
    if statistic == "conflicts":
        return found.table[0][1] + found.table[1][0]
    return _number(found, statistic)


def uncovered(context: CheckContext, *, n: int) -> float:
    """The functionalities without a pair in a proportional sample of BigCloneBench's weak pairs."""
    strata = {
        str(row.values["functionality_id"]): int(row.values["clones_WT3_T4"])
        for row in read_rows(context.path(*_NAMES))
    }
    return sum(one.size == 0 for one in plan_sample(strata, n, Allocation.ROUND))


def _tools(context: CheckContext) -> Benchmark:
    return context.benchmark("oreo-precision", context.path("oreo_precision"))


def tool_precision(context: CheckContext, *, tool: str) -> float:
    """The precision of a tool by the consolidated judgements of two people on 400 reported pairs."""
    found = {one.tool: one.precision.value for one in judged_precision(_tools(context))}[f"tool:{tool}"]
    return nan if found is None else found


def tool_judges(context: CheckContext, *, tool: str, statistic: str) -> float:
    """Agreement of the two judges of a tool's reported pairs, before they looked together."""
    benchmark = _tools(context)
    own = _verdicts(benchmark, f"tool:{tool}")
    people = [judge for (judge,) in listed(benchmark.table("judges"), "judge") if judge.startswith("person:")]
    votes = (
        (pair, judge, value)
        for judge in people
        if not judge.endswith(("agreed", "consolidated", "joint"))
        for pair, value in _verdicts(benchmark, judge).items()
        if pair in own
    )
    return _number(_between(votes, _VALUES), statistic)
